# Python: finds the CPython 3.12 that kiln embeds. Needs progress.sh and packages.sh.

ownPython=$root/.cache/python-3.12/bin/python3.12

# The release that is built when the machine has none, and where its source comes from.
pythonRelease=3.12.15
pythonChecksum=c2c4321961fab0fb999d66e0cecf521c2ab3994c7992873ea99e306c1094fd5a
pythonAddress=https://www.python.org/ftp/python/$pythonRelease/Python-$pythonRelease.tar.xz
pythonTarball=$root/.cache/Python-$pythonRelease.tar.xz
fetchFailed=''

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

# planPython: findPython, and if there is none decides how to get one: adds to packages[], sets pythonPlan. Changes nothing
# but .cache; ends the set-up with the remedy when there is no way.
planPython() {
    pythonPlan=''
    findPython && return
    if [[ -n ${KILN_PYTHON-} ]]; then
        fail "KILN_PYTHON=$KILN_PYTHON can't be embedded:" "${pythonRejected[@]:-    there is no such executable}" \
            "Name a CPython 3.12 that has its headers and libpython3.12.a, or unset KILN_PYTHON."
    fi
    if distributionHasPython; then
        pythonPlan=distribution
        packages+=(python3.12-dev python3.12-venv)
        return
    fi
    pythonPlan=source
    mapfile -t packages < <(missingPackages "${buildPackages[@]}" "${pythonSourcePackages[@]}")
    if localSource >/dev/null || downloader >/dev/null; then
        provideSource
    else
        packages+=(curl ca-certificates)
    fi
}

# obtainPython: carries the plan out, once its packages are there. Sets pythonFound.
obtainPython() {
    [[ -z $pythonFound ]] || return 0
    [[ $pythonPlan != source ]] || buildPython
    findPython || failWithoutPython
}

failWithoutPython() {
    fail "no CPython 3.12 that kiln can embed was found${pythonRejected[*]:+; tried:}" "${pythonRejected[@]}" \
        "kiln needs its headers and libpython3.12.a. Either set KILN_PYTHON to such a python3.12, for instance after" \
        "    pyenv install 3.12" \
        "or set KILN_PYTHON_SOURCE to a Python-3.12.*.tar.xz from python.org, and run this command again."
}

# distributionHasPython: Ubuntu 24.04 does even while apt's lists are still empty.
distributionHasPython() {
    isDebianLike || return 1
    [[ $(. /etc/os-release && printf '%s' "${VERSION_CODENAME-}") == noble ]] ||
        apt-cache show python3.12-dev 2>/dev/null | grep -q .
}

# pyenvSource: prints the newest source tarball of CPython 3.12 that pyenv keeps.
pyenvSource() {
    local tarball
    tarball=$(printf '%s\n' "${PYENV_ROOT:-$HOME/.pyenv}"/cache/Python-3.12*.tar.xz | sort -V | tail -n 1)
    [[ -f $tarball ]] && printf '%s\n' "$tarball"
}

# localSource: prints a source tarball of CPython 3.12 that need not be fetched: the one KILN_PYTHON_SOURCE names, one fetched before,
# or pyenv's, if that is no older than what would be fetched.
localSource() {
    local tarball
    if [[ -n ${KILN_PYTHON_SOURCE-} ]]; then
        [[ -f $KILN_PYTHON_SOURCE ]] || fail "KILN_PYTHON_SOURCE=$KILN_PYTHON_SOURCE: there is no such file."
        printf '%s\n' "$KILN_PYTHON_SOURCE"
    elif [[ -f $pythonTarball ]]; then
        printf '%s\n' "$pythonTarball"
    else
        tarball=$(pyenvSource) || return 1
        [[ $(printf '%s\n' "Python-$pythonRelease.tar.xz" "${tarball##*/}" | sort -V | tail -n 1) == "${tarball##*/}" ]] || return 1
        printf '%s\n' "$tarball"
    fi
}

# downloader: prints the command, to be followed by a file and an address, that this machine downloads with.
downloader() {
    if command -v curl >/dev/null; then
        echo curl -fsSL --connect-timeout 20 -o
    elif command -v wget >/dev/null; then
        echo wget -q --timeout=20 -O
    else
        return 1
    fi
}

# fetchSource: downloads it, checked, to $pythonTarball. Says why it failed, and fails at once the next time.
fetchSource() {
    local command errors=$pythonTarball.errors
    [[ -z $fetchFailed ]] || return 1
    fetchFailed=1
    read -ra command <<<"$(downloader)"
    mkdir -p "${pythonTarball%/*}"
    say "downloading the source of CPython $pythonRelease ..."
    if ! "${command[@]}" "$pythonTarball.part" "$pythonAddress" 2>"$errors"; then
        say "$pythonAddress cannot be downloaded: $(tail -n 1 "$errors")"
        rm -f "$pythonTarball.part" "$errors"
        return 1
    fi
    rm -f "$errors"
    if ! sha256sum --check --status <<<"$pythonChecksum  $pythonTarball.part"; then
        say "the download from $pythonAddress has a wrong checksum"
        rm -f "$pythonTarball.part"
        return 1
    fi
    mv "$pythonTarball.part" "$pythonTarball"
    fetchFailed=''
}

# provideSource: sees to it that localSource or pyenvSource has one. What pyenv has is better than nothing, however old.
provideSource() {
    localSource >/dev/null || fetchSource || pyenvSource >/dev/null || failWithoutPython
}

# buildPython: builds the source into .cache/python-3.12.
buildPython() {
    local tarball work=$root/.cache/python-build
    provideSource
    tarball=$(localSource || pyenvSource)
    rm -rf "$work" && mkdir -p "$work"
    step "unpacking ${tarball##*/}" tar -xf "$tarball" -C "$work" --strip-components=1
    step "configuring CPython" env -C "$work" ./configure --prefix="${ownPython%/bin/*}" --enable-optimizations --with-lto
    step "building CPython (20 to 60 minutes, once)" make -C "$work" -j "$(nproc)"
    step "installing CPython into .cache" make -C "$work" install
    rm -rf "$work"
}
