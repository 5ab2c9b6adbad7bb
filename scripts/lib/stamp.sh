# Stamps: whether what was built is still right. Sourced on every start, so this file forks once.
# Needs $root, the checkout. A stamp is build/NAME.stamp: the KILN_PYTHON asked for, then the Python kiln was built on.

# The CMake preset of each build, which is the name of its folder too.
declare -A presets=([run]=release [test]=release [asan]=asan)

# What a build depends on; a folder's own time changes when a file comes or goes.
builtFrom=(CMakeLists.txt CMakePresets.json interp jit gpu profiler tests scripts)

# stampIsFresh NAME: true when NAME's build is complete, nothing it is made from changed since, and its Python still exists.
stampIsFresh() {
    local stamp=$root/build/$1.stamp asked='' python='' paths=() path
    [[ -f $stamp && -x $root/build/${presets[$1]}/bin/kiln && -x $root/.venv/bin/python ]] || return 1
    { read -r asked; read -r python; } <"$stamp" || return 1
    [[ -x $python && ( -z ${KILN_PYTHON-} || $asked == "$KILN_PYTHON" || $python == "$KILN_PYTHON" ) ]] || return 1
    for path in "${builtFrom[@]}"; do
        [[ ! -e $root/$path ]] || paths+=("$root/$path")
    done
    # Change times: a package manager or mv gives new files old modification times.
    [[ -z $(find "${paths[@]}" "$python" -name __pycache__ -prune -o -cnewer "$stamp" -print -quit) ]]
}

# writeStamp NAME PYTHON BEGUN: records a build that started when the file BEGUN was made.
writeStamp() {
    printf '%s\n%s\n' "${KILN_PYTHON-}" "$2" >"$root/build/$1.stamp.new"
    touch -r "$3" "$root/build/$1.stamp.new"
    mv "$root/build/$1.stamp.new" "$root/build/$1.stamp"
}

# activateVenv: as .venv/bin/activate does, unless the user works in an environment of their own.
activateVenv() {
    if [[ -z ${VIRTUAL_ENV-} ]]; then
        export VIRTUAL_ENV=$root/.venv PATH=$root/.venv/bin:$PATH
        unset PYTHONHOME
    fi
}
