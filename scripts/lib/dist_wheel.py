"""The wheel of a tree (dist_tree.py): `pip install` puts bin/kiln and lib/kiln, which is the tree, into an environment of Python 3.12.

pip copies files and makes no links, so bin/kiln is a program of its own that goes on as lib/kiln/bin/kiln.
"""
import base64
import hashlib
import os
import re
import stat
import subprocess
import sys
import tempfile
import time as clock
import venv
import zipfile

from elf_files import SYSTEM_MODULES, isElf, moduleName, neededVersions, runTool

# What each licence file of the tree says, in SPDX's words: those of kiln, CPython, LLVM and the libraries that may be bundled.
LICENCES = {
    "kiln": "MIT",
    "cpython": "Python-2.0.1",
    "llvm-19-dev": "Apache-2.0 WITH LLVM-exception",
    "libzstd-dev": "BSD-3-Clause",
    "libbz2-1.0": "bzip2-1.0.6",
    "libcrypt1": "LGPL-2.1-or-later",
    "libffi8": "MIT",
    "liblzma5": "0BSD",
    "libncursesw6": "X11-distribute-modifications-variant",
    "libsqlite3-0": "blessing",
    "libssl3": "Apache-2.0",
    "libtinfo6": "X11-distribute-modifications-variant",
    "libuuid1": "BSD-3-Clause",
    "zlib1g": "Zlib",
}

# Packages that pip puts beside kiln are packages of kiln's, also where the environment is a whole Python and none of venv's.
PATH_FILE = "lib/python3.12/site-packages/prefix.pth"
PATH_LINE = "import os, site; site.addsitedir(os.path.abspath(os.path.join(sitedir, '../../../../python3.12/site-packages')))\n"


def platformTag(tree: str) -> str:
    """The oldest manylinux that runs everything in the tree."""
    numbers = []
    for folder, _, files in os.walk(tree):
        paths = [os.path.join(folder, name) for name in files]
        numbers += [version for path in paths if isElf(path) for family, version in neededVersions(path) if family == "GLIBC"]
    major, minor = max(numbers)[:2]
    return f"manylinux_{major}_{minor}_x86_64"


def licenceExpression(tree: str) -> str:
    """All licences in the tree as one SPDX expression; ends the program at one that is not known."""
    names = sorted(os.listdir(os.path.join(tree, "share", "licenses")))
    unknown = [name for name in names if name not in LICENCES]
    if unknown:
        sys.exit(f"kiln: dist_wheel.py has no SPDX name for the licence of {', '.join(unknown)}")
    return " AND ".join(dict.fromkeys(LICENCES[name] for name in ["kiln", *names]))


def describe(root: str, tree: str, version: str) -> str:
    """The METADATA file; its text is the first screen of the project's README."""
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        text = re.split(r"^## ", file.read(), maxsplit=1, flags=re.MULTILINE)[0]
    text = re.split(r"^\*\*Contents\*\*", text, maxsplit=1, flags=re.MULTILINE)[0]
    text = re.sub(r"^!\[.*\n\n", "", text, flags=re.MULTILINE)  # what it links to is not in the wheel
    text = re.sub(r" +# in a checkout;.*", "", text).replace("scripts/run ", "kiln ")  # nor are a checkout's commands
    licences = "".join(f"License-File: {name}\n" for name in sorted(os.listdir(os.path.join(tree, "share", "licenses"))))
    return (
        f"Metadata-Version: 2.4\nName: kiln\nVersion: {version}\n"
        "Summary: Python 3.12 with a just-in-time compiler for unmodified programs\n"
        f"License-Expression: {licenceExpression(tree)}\n{licences}"
        "Classifier: Environment :: Console\n"
        "Classifier: Operating System :: POSIX :: Linux\n"
        "Classifier: Programming Language :: Python :: 3.12\n"
        "Classifier: Programming Language :: Python :: Implementation :: CPython\n"
        "Classifier: Topic :: Software Development :: Compilers\n"
        "Classifier: Topic :: Software Development :: Interpreters\n"
        "Requires-Python: >=3.12,<3.13\n"
        "Description-Content-Type: text/markdown; charset=UTF-8\n\n"
        f"{text.strip()}\n"
    )


class Wheel:
    """A wheel being written; RECORD comes last."""

    def __init__(self, path: str, time: int) -> None:
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self._time = clock.gmtime(max(time, 315532800))[:6]  # zip's own calendar begins in 1980
        self._record: list[str] = []

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        """Adds a file."""
        info = zipfile.ZipInfo(name, self._time)
        info.external_attr = (stat.S_IFREG | (0o755 if executable else 0o644)) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self._archive.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(data)}")

    def addFile(self, name: str, path: str) -> None:
        """Adds a file from the disk."""
        with open(path, "rb") as file:
            self.add(name, file.read(), os.access(path, os.X_OK))

    def close(self, record: str) -> None:
        """Writes the list of files under that name."""
        self.add(record, "\n".join([*self._record, f"{record},,", ""]).encode())
        self._archive.close()


def placeOf(path: str, info: str, data: str) -> str | None:
    """Where a file of the tree goes; None for one that the wheel goes without."""
    folder, _, rest = path.partition("/")
    if path.startswith("share/licenses/"):
        return f"{info}/licenses/{os.path.basename(path)}"
    if folder == "share":
        return f"{data}/data/{path}"
    isModule = "/lib-dynload/" in path and moduleName(path) in SYSTEM_MODULES
    return None if isModule else f"{data}/data/lib/kiln/{path}"


def write(root: str, tree: str, forward: str, version: str, tag: str, path: str, time: int) -> None:
    """Writes the wheel."""
    info, data = f"kiln-{version}.dist-info", f"kiln-{version}.data"
    wheel = Wheel(path, time)
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "kiln")
        runTool("strip", "--strip-all", "-o", stripped, forward)
        wheel.addFile(f"{data}/scripts/kiln", stripped)
    for parent, folders, files in os.walk(tree):
        folders.sort()
        for name in sorted(files):
            source = os.path.join(parent, name)
            place = placeOf(os.path.relpath(source, tree), info, data)
            if place is not None:
                wheel.addFile(place, source)
    wheel.add(f"{data}/data/lib/kiln/{PATH_FILE}", PATH_LINE.encode())
    # pip takes a folder away again only if it put a file right into it.
    for folder, licence in ("", "kiln"), ("include/", "cpython"):
        wheel.addFile(f"{data}/data/lib/kiln/{folder}LICENSE", os.path.join(tree, "share", "licenses", licence))
    wheel.add(f"{info}/METADATA", describe(root, tree, version).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: kiln\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.close(f"{info}/RECORD")


def tryOut(path: str) -> None:
    """Installs the wheel into a new environment, runs it there and takes it out again; ends the program when that fails."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "try_wheel.py")
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, symlinks=True)
        command = [os.path.join(folder, "bin", "python"), script, path]
        result = subprocess.run(command, env={"PATH": "/usr/bin:/bin", "HOME": folder}, cwd=folder, check=False)
    if result.returncode != 0:
        sys.exit("kiln: the wheel does not work")


def make(root: str, dist: str, tree: str, forward: str, version: str, time: int) -> str:
    """Makes and tries the wheel in `dist`; its path. `forward` is the program that becomes bin/kiln."""
    tag = f"cp312-none-{platformTag(tree)}"
    folder = os.path.join(dist, "untried")  # pip reads the name, which must be right
    os.makedirs(folder, exist_ok=True)
    name = f"kiln-{version}-{tag}.whl"
    write(root, tree, forward, version, tag, os.path.join(folder, name), time)
    tryOut(os.path.join(folder, name))
    os.rename(os.path.join(folder, name), os.path.join(dist, name))
    os.rmdir(folder)
    return os.path.join(dist, name)
