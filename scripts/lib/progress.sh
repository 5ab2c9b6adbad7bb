# Progress: one line on stderr for each long step, the step's own output in a log. Needs $root.

setupLog=$root/build/setup.log

say() {
    printf 'kiln: %s\n' "$*" >&2
}

# fail LINES...: prints the lines and ends the set-up.
fail() {
    printf 'kiln: %s\n' "$@" >&2
    exit 1
}

# step TITLE COMMAND...: runs the command without standard input. Shows how far a build is; on failure shows the log's end.
step() {
    local title=$1 started=$SECONDS status=0
    shift
    say "$title ..."
    printf '\n== %s: %s\n' "$title" "$*" >>"$setupLog"
    "$@" </dev/null 2>&1 | followOutput || status=$?
    if (( status != 0 )); then
        tail -n 40 "$setupLog" >&2
        fail "failed: $title (the whole output is in $setupLog)"
    fi
    (( SECONDS - started < 3 )) || say "$title: done in $(( SECONDS - started )) s"
}

# followOutput: copies stdin to the log; shows "[n/m] ..." lines in place on a terminal, else one of them every 20 seconds.
followOutput() {
    local line shown=$SECONDS
    while IFS= read -r line || [[ -n $line ]]; do
        printf '%s\n' "$line" >>"$setupLog"
        [[ $line =~ ^\[[\ 0-9]+[/%][0-9]*\] ]] || continue
        if [[ -t 2 ]]; then
            printf '\r\033[K%.*s' "$(( ${COLUMNS:-80} - 1 ))" "$line" >&2
        elif (( SECONDS - shown >= 20 )); then
            printf '  %s\n' "$line" >&2
            shown=$SECONDS
        fi
    done
    [[ ! -t 2 ]] || printf '\r\033[K' >&2
}
