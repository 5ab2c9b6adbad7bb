"""The Debian package of a tree without bundled libraries (dist_tree.py): /usr/lib/kiln, /usr/bin/kiln and what belongs to them.

Its extension modules use the system's libraries, which get the system's security updates; dpkg-shlibdeps says which packages
these are in.
"""
import email.utils
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

from elf_files import SYSTEM_MODULES, isElf, moduleName

PREFIX = "usr/lib/kiln"

DESCRIPTION = """\
Description: Python 3.12 with a just-in-time compiler
 kiln runs Python programs. It takes the command line of python, has the
 unchanged CPython interpreter inside, and turns hot loops and functions into
 machine code while the program runs. Programs need no changes.
 .
 Kernels written for numba.cuda run on all processor cores, or on a GPU.
"""

SCRIPTS = {
    "postinst": """\
#!/bin/sh
set -e
# Bytecode only makes starts faster: where it cannot be made, as in some chroots, kiln is installed without.
compile() {
    kiln -I -X kiln=0 -m compileall -q -j "$1" -x 'lib2to3/|bad_coding|badsyntax' /usr/lib/kiln/lib/python3.12
}
if [ "$1" = configure ]; then
    compile 0 2>/dev/null || compile 1 || cat >&2 <<EOF
kiln: warning: its standard library has no bytecode yet, so that kiln starts slower; to make it later, as root:
    sh /var/lib/dpkg/info/kiln.postinst configure
EOF
fi
""",
    "prerm": """\
#!/bin/sh
set -e
find /usr/lib/kiln/lib/python3.12 -name __pycache__ -prune -exec rm -r {} +
""",
}

# What lintian takes for mistakes, and why it is none.
OVERRIDES = """\
# gdb finds compiled code by two names that are kept
kiln: unstripped-binary-or-object [usr/lib/kiln/*]
# LLVM's copy of the compressor, for debug sections, is linked in statically as LLVM is
kiln: embedded-library zlib [usr/lib/kiln/lib/libkiln_llvm.so]
# CPython's own copy
kiln: embedded-library expat [usr/lib/kiln/lib/python3.12/lib-dynload/pyexpat.*]
# extension modules that call nothing but CPython, which is in the program
kiln: library-not-linked-against-libc [usr/lib/kiln/lib/python3.12/lib-dynload/*]
kiln: shared-library-lacks-prerequisites [usr/lib/kiln/lib/python3.12/lib-dynload/*]
"""


def maintainer() -> str:
    """Who makes the package: DEBFULLNAME and DEBEMAIL, as for Debian's own tools."""
    return f"{os.environ.get('DEBFULLNAME', 'The kiln authors')} <{os.environ.get('DEBEMAIL', 'kiln@kiln.invalid')}>"


def place(tree: str, target: str) -> None:
    """Copies the tree to where a Debian system has such files."""
    for name in "bin", "lib", "include":
        shutil.copytree(os.path.join(tree, name), os.path.join(target, PREFIX, name))
    os.makedirs(os.path.join(target, "usr", "bin"))
    os.symlink("../lib/kiln/bin/kiln", os.path.join(target, "usr", "bin", "kiln"))
    share, own = os.path.join(tree, "share"), os.path.join(target, "usr", "share")
    shutil.copytree(os.path.join(share, "bash-completion"), os.path.join(own, "bash-completion"))
    os.makedirs(os.path.join(own, "lintian", "overrides"))
    with open(os.path.join(own, "lintian", "overrides", "kiln"), "w", encoding="utf-8") as file:
        file.write(OVERRIDES)
    shutil.copytree(os.path.join(share, "zsh", "site-functions"), os.path.join(own, "zsh", "vendor-completions"))
    with open(os.path.join(share, "man", "man1", "kiln.1"), "rb") as file:
        compress(file.read(), os.path.join(own, "man", "man1", "kiln.1.gz"))


def compress(data: bytes, path: str) -> None:
    """Writes a file as gzip does, without its time."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(gzip.compress(data, 9, mtime=0))


def makeModulesPlain(target: str) -> None:
    """Modules of the standard library that can be scripts, too, are only modules here: they name interpreters that are not kiln."""
    for parent, _, names in os.walk(os.path.join(target, PREFIX, "lib", "python3.12")):
        for name in names:
            path = os.path.join(parent, name)
            if not name.endswith(".py") or os.path.islink(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            if data.startswith(b"#!"):
                with open(path, "wb") as file:
                    file.write(re.sub(rb"\A#![^\n]*", b"#", data))


def writeDocuments(root: str, tree: str, target: str, version: str, time: int) -> None:
    """Licences and changes."""
    folder = os.path.join(target, "usr", "share", "doc", "kiln")
    os.makedirs(folder)
    licences = os.path.join(tree, "share", "licenses")
    with open(os.path.join(folder, "copyright"), "w", encoding="utf-8") as out:
        for name in ["kiln", *sorted(set(os.listdir(licences)) - {"kiln"})]:
            with open(os.path.join(licences, name), encoding="utf-8") as file:
                out.write(f"{name}\n{'=' * len(name)}\n\n{file.read().strip()}\n\n\n")
    date = email.utils.formatdate(time)
    change = f"kiln ({version}) unstable; urgency=medium\n\n  * Release {version}.\n\n -- {maintainer()}  {date}\n"
    compress(change.encode(), os.path.join(folder, "changelog.gz"))


def dependencies(target: str) -> str:
    """The fields of the control file that name packages with shared libraries."""
    needed, line, optional = [], [], []
    for parent, _, names in os.walk(os.path.join(target, PREFIX)):
        for name in sorted(names):
            path = os.path.join(parent, name)
            if isElf(path):
                isOptional = moduleName(path) in SYSTEM_MODULES
                (line if moduleName(path) == "readline" else optional if isOptional else needed).append(f"-e{path}")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian", "control"), "w", encoding="utf-8") as file:
            file.write("Source: kiln\n\nPackage: kiln\nArchitecture: amd64\n")
        # What is named once need not be named again: the strongest field goes first.
        command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "-dDepends", *needed, "-dRecommends", *line, "-dSuggests", *optional]
        output = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return "".join(f"{field}: {packages}\n" for field, packages in re.findall(r"^shlibs:(\w+)=(.+)$", output, re.MULTILINE))


def writeControl(target: str, version: str) -> None:
    """The package's description of itself."""
    folder = os.path.join(target, "DEBIAN")
    size = sum(os.lstat(os.path.join(parent, name)).st_size for parent, _, names in os.walk(target) for name in names)
    needed = dependencies(target)
    os.mkdir(folder)
    with open(os.path.join(folder, "control"), "w", encoding="utf-8") as file:
        file.write(
            f"Package: kiln\nVersion: {version}\nArchitecture: amd64\nMaintainer: {maintainer()}\n"
            f"Installed-Size: {size // 1024}\n{needed}Section: python\nPriority: optional\n{DESCRIPTION}"
        )
    for name, text in SCRIPTS.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def setModes(target: str) -> None:
    """Everybody may read all files and run programs: those in a bin folder, and the package's own scripts."""
    for parent, folders, names in os.walk(target):
        isPrograms = os.path.basename(parent) in ("bin", "DEBIAN")
        for name in folders + names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if name in folders or (isPrograms and name != "control") else 0o644)


def tryOut(path: str) -> None:
    """Unpacks the package somewhere and runs it with an empty environment; ends the program when that fails."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "try_dist.py")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["dpkg-deb", "-x", path, folder], check=True)
        kiln = os.path.join(folder, "usr", "bin", "kiln")
        result = subprocess.run([kiln, "-B", script], env={"PATH": "/usr/bin:/bin", "HOME": folder}, cwd=folder, check=False)
    if result.returncode != 0:
        sys.exit("kiln: the unpacked Debian package does not work")


def make(root: str, dist: str, tree: str, version: str, time: int) -> str:
    """Makes and tries kiln_VERSION_amd64.deb in `dist`; its path. The same content gives the same bytes."""
    target = os.path.join(dist, "deb")
    shutil.rmtree(target, ignore_errors=True)
    place(tree, target)
    makeModulesPlain(target)
    writeDocuments(root, tree, target, version, time)
    writeControl(target, version)
    setModes(target)
    for parent, folders, names in os.walk(target):
        for name in folders + names:
            os.utime(os.path.join(parent, name), (time, time), follow_symlinks=False)
    path = os.path.join(dist, f"kiln_{version}_amd64.deb")
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", target, path]
    subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": str(time)}, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(target)
    tryOut(path)
    return path
