# Packages: what the machine must have, by what a build looks for, and how it gets there. Needs progress.sh.

# One row each: package of Debian and Ubuntu, then how to see that it is there.
buildPackages=(
    'g++            command g++'
    'cmake          command cmake'
    'ninja-build    command ninja'
    'llvm-19-dev    file /usr/lib/llvm-19/lib/cmake/llvm/LLVMConfig.cmake'
    'libzstd-dev    library libzstd.a'
    'zlib1g-dev     library libz.a'
    'libgtest-dev   library libgtest.a'
)

# What scripts/dist needs, and the tests of what it makes.
distPackages=(
    'patchelf  command patchelf'
    'binutils  command readelf'
    'dpkg-dev  command dpkg-shlibdeps'
)

# What CPython needs to be built with all the extension modules that people import.
pythonSourcePackages=(
    'gcc              command gcc'
    'make             command make'
    'xz-utils         command xz'
    'libssl-dev       header openssl/ssl.h'
    'libffi-dev       header ffi.h'
    'libsqlite3-dev   header sqlite3.h'
    'liblzma-dev      header lzma.h'
    'libbz2-dev       header bzlib.h'
    'libreadline-dev  header readline/readline.h'
    'libncurses-dev   header ncurses.h'
    'uuid-dev         header uuid/uuid.h'
    'zlib1g-dev       header zlib.h'
)

# isPresent KIND NAME
isPresent() {
    local folder
    case $1 in
    command) command -v "$2" >/dev/null ;;
    file) [[ -e $2 ]] ;;
    library) [[ $(gcc -print-file-name="$2" 2>/dev/null) == /* ]] ;;
    header)
        for folder in /usr/local/include /usr/include /usr/include/x86_64-linux-gnu; do
            [[ ! -e $folder/$2 ]] || return 0
        done
        return 1 ;;
    esac
}

# missingPackages ROWS...: prints the package names of the rows whose thing is not there, each once.
missingPackages() {
    local row package kind name
    for row in "$@"; do
        read -r package kind name <<<"$row"
        isPresent "$kind" "$name" || printf '%s\n' "$package"
    done | sort -u
}

# isDebianLike: true on Debian, Ubuntu and what is built on them.
isDebianLike() {
    local id
    id=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID-}" "${ID_LIKE-}")
    [[ " $id " =~ \ (debian|ubuntu)\  ]] && command -v apt-get >/dev/null
}

# installPackages PACKAGES...: installs them, or ends the set-up with the one command to type, having changed nothing.
installPackages() {
    local become=() command="apt-get update && apt-get install -y --no-install-recommends $*"
    (( $# > 0 )) || return 0
    isDebianLike || fail "this machine lacks: $*" \
        "kiln installs packages on Debian and Ubuntu only; install them yourself (these are Debian's names), or type:" \
        "    docker run --rm -it -v \"$root\":/kiln -w /kiln debian:12 bash"
    if (( EUID != 0 )); then
        command="sudo sh -c '$command'"
        if ! command -v sudo >/dev/null; then
            fail "this machine lacks: $*" "you are not root and there is no sudo; type:" \
                "    su -c 'apt-get update && apt-get install -y --no-install-recommends $*'"
        elif ! sudo -n true 2>/dev/null && ! { [[ -t 0 && -t 2 ]] && sudo -v; }; then
            fail "this machine lacks: $*" "sudo wants a password; type:" "    $command"
        fi
        become=(sudo)
    fi
    canInstall "$@" || refreshLists "${become[@]}"
    canInstall "$@" || fail "apt has no candidate for all of: $*" "connect to the network and type:" "    $command"
    fetchAndInstall "$command" "$@"
}

canInstall() {
    apt-get install --simulate --no-install-recommends "$@" >/dev/null 2>&1
}

refreshLists() {
    step "refreshing apt's package lists" "$@" apt-get update
}

# fetchAndInstall COMMAND PACKAGES...: everything is fetched before anything is installed. Uses installPackages' become.
fetchAndInstall() {
    local command=$1 apt=("${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends
        -o DPkg::Lock::Timeout=300)
    shift
    say "installing: $*"
    if ! "${apt[@]}" install --download-only "$@" </dev/null >>"$setupLog" 2>&1; then
        refreshLists "${become[@]}"
        "${apt[@]}" install --download-only "$@" </dev/null >>"$setupLog" 2>&1 ||
            fail "could not fetch: $*" "connect to the network and type:" "    $command"
    fi
    step "installing packages" "${apt[@]}" install "$@"
}
