# Python: finds the CPython 3.12 that kiln embeds. Needs progress.sh and packages.sh.

ownPython=$root/.cache/python-3.12/bin/python3.12
pythonRelease=3.12.1
pythonChecksum=8dfb8f426fcd226657f9e2bd5f1e96e53264965176fa17d32658e873591aeb21

# tryPython PATH: runs the candidate. Prints "ok EXECUTABLE", where EXECUTABLE is outside any virtual environment, or why not.
tryPython() {
    local answer
    if answer=$(timeout 20 "$1" -I "$root/scripts/lib/check_python.py" </dev/null 2>/dev/null); then
        printf '%s\n' "$answer"
    else
        printf 'does not run\n'
    fi
}

# pythonCandidates: paths in the order of preference. A name on PATH may be a version manager's shim, so each is only a hint.
pythonCandidates() {
    type -aP python3.12 python3 python 2>/dev/null || true
    local versions=${PYENV_ROOT:-$HOME/.pyenv}/versions
    printf '%s\n' "$ownPython" "$versions"/3.12*/bin/python3.12 {/usr,/usr/local}/bin/python3.12 \
        /opt/python*/bin/python3.12 "$HOME"/.local/share/uv/python/cpython-3.12*/bin/python3.12
}

# findPython: sets pythonFound to a CPython that kiln can embed and returns 0; else 1, with pythonRejected saying why.
findPython() {
    local candidate answer
    local -A tried=()
    pythonFound='' pythonRejected=()
    while read -r candidate; do
        [[ -x $candidate && -z ${tried[$candidate]-} ]] || continue
        tried[$candidate]=1
        answer=$(tryPython "$candidate")
        if [[ $answer == 'ok '* ]]; then
            pythonFound=${answer#ok }
            return 0
        fi
        pythonRejected+=("    $candidate: $answer")
    done < <(if [[ -n ${KILN_PYTHON-} ]]; then printf '%s\n' "$KILN_PYTHON"; else pythonCandidates; fi)
    return 1
}

# obtainPython: findPython, and if there is none: the distribution's, else one built from source, else a remedy.
obtainPython() {
    findPython && return 0
    if [[ -n ${KILN_PYTHON-} ]]; then
        fail "KILN_PYTHON=$KILN_PYTHON can't be embedded:" "${pythonRejected[@]:-    there is no such executable}" \
            "Name a CPython 3.12 that has its headers and libpython3.12.a, or unset KILN_PYTHON."
    fi
    if distributionHasPython; then
        installPackages python3.12-dev python3.12-venv
        findPython && return 0
    fi
    buildPython
    findPython || fail "the CPython just built can't be embedded:" "${pythonRejected[@]}"
}

distributionHasPython() {
    isDebianLike && apt-cache show python3.12-dev >/dev/null 2>&1
}

# pythonSource: prints a source tarball of CPython 3.12: the one KILN_PYTHON_SOURCE names, pyenv's, or a fresh download.
pythonSource() {
    local tarball=${KILN_PYTHON_SOURCE-} kept=$root/.cache/Python-$pythonRelease.tar.xz address
    if [[ -n $tarball ]]; then
        [[ -f $tarball ]] && printf '%s\n' "$tarball"
        return
    fi
    for tarball in "$kept" "${PYENV_ROOT:-$HOME/.pyenv}"/cache/Python-3.12*.tar.xz; do
        [[ ! -f $tarball ]] || { printf '%s\n' "$tarball"; return; }
    done
    address=https://www.python.org/ftp/python/$pythonRelease/Python-$pythonRelease.tar.xz
    mkdir -p "$root/.cache"
    downloadTo "$kept.part" "$address" || return
    sha256sum --check --status <<<"$pythonChecksum  $kept.part" || { rm -f "$kept.part"; return 1; }
    mv "$kept.part" "$kept" && printf '%s\n' "$kept"
}

downloadTo() {
    if command -v curl >/dev/null; then
        curl -fsSL --connect-timeout 20 -o "$1" "$2"
    elif command -v wget >/dev/null; then
        wget -q --timeout=20 -O "$1" "$2"
    else
        python3 -c 'import sys, urllib.request as u; u.urlretrieve(sys.argv[2], sys.argv[1])' "$1" "$2" 2>/dev/null
    fi
}

# buildPython: builds CPython into .cache/python-3.12, or ends the set-up with the remedy.
buildPython() {
    local tarball packages work=$root/.cache/python-build
    if ! tarball=$(pythonSource); then
        fail "no CPython 3.12 that kiln can embed was found${pythonRejected:+; tried:}" "${pythonRejected[@]}" \
            "kiln needs its headers and libpython3.12.a. Either set KILN_PYTHON to such a python3.12, for instance after" \
            "    pyenv install 3.12" \
            "or set KILN_PYTHON_SOURCE to a Python-3.12.*.tar.xz from python.org, and run this command again."
    fi
    mapfile -t packages < <(missingPackages "${pythonSourcePackages[@]}")
    installPackages "${packages[@]}"
    rm -rf "$work" && mkdir -p "$work"
    step "unpacking $(basename "$tarball")" tar -xf "$tarball" -C "$work" --strip-components=1
    step "configuring CPython" env -C "$work" ./configure --prefix="${ownPython%/bin/*}" --enable-optimizations
    step "building CPython (10 to 30 minutes, once)" make -C "$work" -j "$(nproc)"
    step "installing CPython into .cache" make -C "$work" install
    rm -rf "$work"
}
