# Set-up: packages, CPython, .venv, configure, build, and the mechanism tests against the CPython found. Needs stamp.sh.
source "$root/scripts/lib/progress.sh"
source "$root/scripts/lib/packages.sh"
source "$root/scripts/lib/python.sh"

# setUp run|test|asan: makes everything that scripts/run, scripts/test or scripts/test --asan needs, one caller at a time, and
# writes the stamp.
setUp() {
    local begun packages needed=("${buildPackages[@]}") preset=${presets[$1]} folder
    folder=$root/build/$preset
    [[ $(uname -sm) == 'Linux x86_64' ]] || fail "kiln runs on x86-64 Linux; this is $(uname -sm)."
    mkdir -p "$root/build"
    exec {lock}>"$root/build/.setup.lock"
    if ! flock --nonblock "$lock"; then
        say "waiting for another set-up of this checkout"
        flock "$lock"
    fi
    stampIsFresh "$1" && return
    [[ -d $folder ]] || say "setting up (only the first time takes minutes)"
    : >"$setupLog"
    begun=$root/build/.begun
    : >"$begun"
    [[ $1 != test ]] || needed+=("${distPackages[@]}")
    mapfile -t packages < <(missingPackages "${needed[@]}")
    choosePython
    installPackages "${packages[@]}"
    obtainPython
    makeVenv "$1"
    configure
    build "$1"
    [[ $1 == asan ]] || checkMechanisms
    writeStamp "$1" "$pythonFound" "$begun"
    exec {lock}>&-
}

# cached NAME FOLDER: prints a variable of the configuration in that folder, nothing when there is none.
cached() {
    sed -n "s/^$1:[A-Z]*=//p" "$2/CMakeCache.txt" 2>/dev/null || true
}

# choosePython: keeps the Python of the existing build (this one, or the one for use) unless another is asked for; else plans
# where to get one.
choosePython() {
    local kept=''
    pythonFound='' pythonPlan=''
    if [[ -z ${KILN_PYTHON-} ]]; then
        kept=$(cached KILN_PYTHON "$folder")
        kept=${kept:-$(cached KILN_PYTHON "$root/build/release")}
        if [[ -n $kept && $(tryPython "$kept") == "ok "* ]]; then
            pythonFound=$kept
            return
        fi
    fi
    planPython
}

# makeVenv run|test|asan: .venv with what the examples import, and for tests the tools under which kiln is tested, in pinned versions.
# What is there for tests stays for use.
makeVenv() {
    local have=$root/.venv/kiln-requirements.txt files=("$root/scripts/lib/requirements.txt") want
    [[ $1 == run ]] || files+=("$root/scripts/lib/requirements-test.txt")
    want=$(cat "${files[@]}")
    if [[ $(readlink -f "$root/.venv/bin/python") == "$(readlink -f "$pythonFound")" && -f $have && $(<"$have") == "$want"* ]]; then
        return
    fi
    rm -rf "$root/.venv"
    step "making .venv" "$pythonFound" -m venv "$root/.venv"
    if ! "$root/.venv/bin/python" -m pip install -q "${files[@]/#/--requirement=}" </dev/null >>"$setupLog" 2>&1; then
        tail -n 5 "$setupLog" >&2
        rm -rf "$root/.venv"
        fail "could not install ${want//$'\n'/ } into .venv; connect to the network and run this command again."
    fi
    printf '%s\n' "$want" >"$have"
}

# configure: cmake, when there is no configuration yet. Nothing of a build for another Python, or another build of it, is kept.
configure() {
    local identity
    identity="$pythonFound $("$pythonFound" -VV)"
    [[ ! -f $folder/build.ninja || $(cat "$folder/python.txt" 2>/dev/null) != "$identity" ]] || return 0
    rm -rf "$folder"
    step "configuring for CPython at $pythonFound" cmake -S "$root" --preset "$preset" "-DKILN_PYTHON=$pythonFound"
    printf '%s\n' "$identity" >"$folder/python.txt"
}

# build run|test|asan: scripts/run needs kiln and the mechanism tests, scripts/test everything.
build() {
    local targets=()
    [[ $1 != run ]] || targets=(--target kiln_runnable)
    step "building kiln" cmake --build "$folder" "${targets[@]}"
}

# checkMechanisms: kiln is built with the JIT off when what it relies on does not hold in the CPython found.
checkMechanisms() {
    local failed=$folder/Testing/Temporary/LastTestsFailed.log passed=$folder/mechanisms.stamp names
    [[ ! $passed -nt $folder/bin/mechanism_tests ]] || return 0
    rm -f "$failed"
    say "checking the mechanisms that kiln relies on against this CPython ..."
    if ctest --test-dir "$folder" -L mechanism --output-on-failure --no-tests=error </dev/null >>"$setupLog" 2>&1; then
        names=''
    elif [[ -f $failed ]]; then
        names=$(sed 's/^[0-9]*://' "$failed" | paste -sd,)
        say "warning: this CPython fails $names (see $setupLog); kiln is built with its JIT off"
    else
        tail -n 20 "$setupLog" >&2
        fail "the mechanism tests did not run"
    fi
    if [[ $(cached KILN_JIT_DISABLED "$folder") != "$names" ]]; then
        step "configuring" cmake -S "$root" --preset "$preset" "-DKILN_PYTHON=$pythonFound" "-DKILN_JIT_DISABLED=$names"
        step "building kiln" cmake --build "$folder" --target kiln_runnable
    fi
    touch "$passed"
}
