"""Shared libraries of the tarball: which are bundled, under which names, and what is left to the system."""
import os
import re
import shutil
import subprocess

# Of every Debian and Ubuntu. Their versions are checked against the oldest system that must run the tarball.
SYSTEM_LIBRARIES = {
    "ld-linux-x86-64.so.2", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
    "libresolv.so.2", "libstdc++.so.6", "libgcc_s.so.1",
}  # fmt: skip

# Modules whose libraries are the system's, and why. They work where the named package is installed.
SYSTEM_MODULES = {
    "readline": "libreadline8: under the GPL, and present wherever a shell is used",
    "_gdbm": "libgdbm6: under the GPL",
    "_dbm": "libgdbm-compat4 or libdb5.3, as CPython was built",
    "_tkinter": "libtk8.6: Tk needs its own scripts and X11",
    "nis": "libnsl2: an obsolete module with Kerberos behind it",
}

# Debian 12's.
NEWEST_VERSIONS = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12,)}

# By these gdb finds compiled code: it looks for them among the symbols of each program and library.
GDB_NAMES = ("__jit_debug_descriptor", "__jit_debug_register_code")


def runTool(*command: str) -> str:
    """The tool's output; raises CalledProcessError when it fails."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def neededBy(path: str) -> list[str]:
    """Names of the shared libraries that a file asks for."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", runTool("readelf", "-dW", path))


def isElf(path: str) -> bool:
    """True for a program or shared library."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def moduleName(path: str) -> str:
    """The import name of an extension module's file."""
    return os.path.basename(path).split(".")[0]


class Bundler:
    """Copies what extension modules need into one folder, if there is one: without, the system has it. `packages` are the
    Debian packages of what was copied."""

    def __init__(self, target: str, folder: str | None) -> None:
        self.packages: set[str] = set()
        self._target = target
        self._folder = os.path.join(target, folder) if folder else None
        self._copied: dict[str, str] = {}
        if self._folder:
            os.makedirs(self._folder)

    def addModules(self, folder: str) -> None:
        """Strips the extension modules in a folder of the target and makes them find their libraries."""
        folder = os.path.join(self._target, folder)
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            runTool("strip", "--strip-unneeded", path)
            if not self._folder or moduleName(path) in SYSTEM_MODULES:
                runTool("patchelf", "--remove-rpath", path)
            else:
                self._redirect(path, locateLibraries(path), os.path.relpath(self._folder, folder))

    def stripPrograms(self, paths: list[str]) -> None:
        """Strips files of the target that need nothing but the system."""
        for path in paths:
            path = os.path.join(self._target, path)
            runTool("strip", "--strip-unneeded", *(f"--keep-symbol={name}" for name in GDB_NAMES), path)
            runTool("patchelf", "--remove-rpath", path)

    def _redirect(self, path: str, located: dict[str, str], way: str) -> None:
        wanted = [name for name in neededBy(path) if name not in SYSTEM_LIBRARIES]
        runTool("patchelf", "--remove-rpath", path)
        # One change a call: patchelf 0.14 mixes up the strings of several.
        for name in wanted:
            runTool("patchelf", "--replace-needed", name, self._bundle(name, located), path)
        if wanted:
            runTool("patchelf", "--force-rpath", "--set-rpath", os.path.join("$ORIGIN", way), path)

    def _bundle(self, name: str, located: dict[str, str]) -> str:
        """Copies a library once; returns the name it has in the bundle, which no library of the system has."""
        if name not in self._copied:
            self._copied[name] = "kiln-" + name
            path = os.path.join(self._folder, self._copied[name])
            shutil.copy(os.path.realpath(located[name]), path)
            self.packages.add(owningPackage(located[name]))
            os.chmod(path, 0o644)
            runTool("strip", "--strip-unneeded", path)
            runTool("patchelf", "--set-soname", self._copied[name], path)
            self._redirect(path, located, ".")
        return self._copied[name]


def locateLibraries(path: str) -> dict[str, str]:
    """Name and place of every library that the file needs, indirectly too. Raises FileNotFoundError when one is missing."""
    located = dict(re.findall(r"^\s*(\S+) => (/\S+)", runTool("ldd", path), re.MULTILINE))
    missing = [name for name in neededBy(path) if name not in located and name not in SYSTEM_LIBRARIES]
    if missing:
        raise FileNotFoundError(f"{path} needs {', '.join(missing)}")
    return located


def owningPackage(path: str) -> str:
    """The Debian package a library came from. Raises CalledProcessError for a file of no package."""
    for candidate in (os.path.realpath(path), os.path.realpath(path).removeprefix("/usr"), path):
        result = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return result.stdout.split(":")[0]
    raise FileNotFoundError(f"{path} belongs to no package, so its licence is unknown")


def findSystemFaults(target: str, bundled: bool) -> list[str]:
    """What in the target needs a newer system than Debian 12, or, if libraries are bundled, one that is neither in the bundle nor of
    every system."""
    faults = []
    for folder, _, files in os.walk(target):
        for name in files:
            path = os.path.join(folder, name)
            if os.path.islink(path) or not isElf(path):
                continue
            short = os.path.relpath(path, target)
            if bundled and moduleName(path) not in SYSTEM_MODULES:
                found = SYSTEM_LIBRARIES | searchedBy(path)
                faults += [f"    {short} needs {need}" for need in neededBy(path) if need not in found]
            faults += [f"    {short} needs {version}" for version in newerVersions(path)]
    return faults


def searchedBy(path: str) -> set[str]:
    """Names of the libraries in the folder that a file's own search path leads to."""
    rpath = re.search(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", runTool("readelf", "-dW", path))
    if not rpath:
        return set()
    return set(os.listdir(rpath.group(1).replace("$ORIGIN", os.path.dirname(path))))


def neededVersions(path: str) -> set[tuple[str, tuple[int, ...]]]:
    """Versions of the system's libraries whose symbols a file needs: family and number."""
    found = re.findall(r"Name: (GLIBC|GLIBCXX|CXXABI|GCC)_([\d.]+)", runTool("readelf", "-VW", path))
    return {(family, tuple(map(int, number.split(".")))) for family, number in found}


def newerVersions(path: str) -> list[str]:
    """Symbol versions that a file needs and Debian 12's libraries lack."""
    newer = [(family, number) for family, number in neededVersions(path) if number > NEWEST_VERSIONS[family]]
    return sorted(f"{family}_{'.'.join(map(str, number))}" for family, number in newer)
