# For scripts that run on a GPU machine, from a checkout that is not built there. Sourced; needs $root and $scratch.

# findKiln GIVEN: sets kiln to a launcher that runs here: GIVEN, a launcher or a tarball of scripts/dist; else the newest
# build/dist/kiln-*.tar.xz; else build/release/bin/kiln. A status of 1, with a message, where there is none.
findKiln() {
    kiln=$1
    if [[ -z $kiln ]]; then
        kiln=$(ls -t "$root"/build/dist/kiln-*.tar.xz 2>/dev/null | head -n 1 || true)
    fi
    if [[ $kiln == *.tar.xz ]]; then
        # Python unpacks it where there is no xz.
        tar -C "$scratch" -xf "$kiln" 2>/dev/null || python3 -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' "$kiln" "$scratch"
        kiln=$(echo "$scratch"/*/bin/kiln)
    fi
    kiln=${kiln:-$root/build/release/bin/kiln}
    [[ -x $kiln ]] || { echo "there is no kiln at $kiln; make one with scripts/dist" >&2; return 1; }
    "$kiln" -c pass || { echo "$kiln does not run here" >&2; return 1; }
}

# findNumpy: makes kiln see a NumPy: of the active environment, .venv, or python3, which must be a Python 3.12 then. A status
# of 1, with a message, where there is none.
findNumpy() {
    if [[ -z ${VIRTUAL_ENV-} && -d $root/.venv/lib/python3.12/site-packages/numpy ]]; then
        export VIRTUAL_ENV=$root/.venv
    fi
    "$kiln" -c 'import numpy' 2>/dev/null && return
    local found
    found=$(python3 -c 'import os, numpy, sys; assert sys.version_info[:2] == (3, 12); print(os.path.dirname(os.path.dirname(numpy.__file__)))') ||
        { echo "NumPy for Python 3.12 was not found; activate an environment that has it" >&2; return 1; }
    export PYTHONPATH=${PYTHONPATH:+$PYTHONPATH:}$found
    "$kiln" -c 'import numpy' || { echo "kiln cannot import NumPy from $found" >&2; return 1; }
}
