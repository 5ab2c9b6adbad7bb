"""The tree that every artefact holds, made of what was built:

    bin/kiln                 the launcher; it finds everything else from its own place
    lib/libkiln_llvm.so      the compiler, opened at the first compile
    lib/python3.12           the standard library of the CPython inside, with its extension modules
    lib/bundled              shared libraries that those need, renamed so that they never meet the system's own
    include/python3.12       headers, for packages that pip builds
    share/licenses
    share/man, share/bash-completion, share/zsh
"""
import compileall
import os
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig

from builder_paths import builderPaths, findNamed, hide
from elf_files import Bundler, findSystemFaults

# Parts of the standard library that are left out: tests, demonstrations, and what is only for building CPython.
LEFT_OUT_FOLDERS = {"__pycache__", "test", "tests", "idle_test", "idlelib", "turtledemo", "site-packages", "dist-packages"}
LEFT_OUT_EXTENSIONS = ("_test", "_xx", "xx", "_ctypes_test")


def copyStandardLibrary(target: str, hidden: list[str]) -> None:
    """Copies the standard library to target/lib/python3.12; pip's own wheel, which venv needs, stays. `hidden` are folders that
    nothing in it may name."""

    def leaveOut(folder: str, names: list[str]) -> set[str]:
        isDynload = os.path.basename(folder) == "lib-dynload"
        return {
            name
            for name in names
            if name in LEFT_OUT_FOLDERS
            or name.startswith("config-3.12")
            or name.endswith(".a")
            or (isDynload and name.startswith(LEFT_OUT_EXTENSIONS))
        }

    library = os.path.join(target, "lib", "python3.12")
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=leaveOut)
    os.mkdir(os.path.join(library, "site-packages"))
    makeSysconfigRelocatable(library, hidden)


def compileStandardLibrary(target: str) -> None:
    """Puts bytecode beside the modules of the standard library."""
    # Unchecked: unpacking gives files new times, and the folder may not be writable for those who run kiln.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    stale = re.compile(r"lib2to3/|bad_coding|badsyntax")
    library = os.path.join(target, "lib", "python3.12")
    if not compileall.compile_dir(library, quiet=1, stripdir=target, rx=stale, invalidation_mode=mode, workers=0):
        sys.exit("kiln: compiling the standard library failed")


def makeSysconfigRelocatable(library: str, hidden: list[str]) -> None:
    """The build's own paths in sysconfig's data become those of the place that kiln runs from, or of no place."""
    for name in os.listdir(library):
        if name.startswith("_sysconfigdata"):
            path = os.path.join(library, name)
            with open(path, encoding="utf-8") as file:
                text = file.read().replace(sys.base_prefix, "@PREFIX@")
            for folder in hidden:
                text = text.replace(folder, "/nowhere")
            with open(path, "w", encoding="utf-8") as file:
                file.write(
                    text + "\nimport sys\nbuild_time_vars = {name: value.replace('@PREFIX@', sys.base_prefix)"
                    " if isinstance(value, str) else value\n                   for name, value in build_time_vars.items()}\n"
                )


def copyLicences(root: str, target: str, packages: set[str]) -> None:
    """kiln's licence, CPython's, LLVM's and those of the bundled libraries, each in a file named after what it is for."""
    folder = os.path.join(target, "share", "licenses")
    os.makedirs(folder)
    shutil.copy(os.path.join(root, "LICENSE"), os.path.join(folder, "kiln"))
    shutil.copy(os.path.join(sysconfig.get_path("stdlib"), "LICENSE.txt"), os.path.join(folder, "cpython"))
    for package in sorted(packages | {"llvm-19-dev", "libzstd-dev"}):
        text = f"/usr/share/doc/{package}/copyright"
        if not os.path.exists(text):
            sys.exit(f"kiln: the licence of {package} is not at {text}")
        shutil.copy(text, os.path.join(folder, package))


def writeManual(target: str) -> None:
    """The manual page and the shells' completions, as the kiln in the tree prints them."""
    for arguments, path in (
        (["manual"], "share/man/man1/kiln.1"),
        (["completion", "bash"], "share/bash-completion/completions/kiln"),
        (["completion", "zsh"], "share/zsh/site-functions/_kiln"),
    ):
        command = [os.path.join(target, "bin", "kiln"), "-I", "-B", "-m", "kiln", *arguments]
        text = subprocess.run(command, env={}, check=True, capture_output=True).stdout
        path = os.path.join(target, path)
        os.makedirs(os.path.dirname(path))
        with open(path, "wb") as file:
            file.write(text)


def fill(root: str, build: str, target: str, bundled: bool = True) -> None:
    """Puts everything below target. Unless `bundled`, extension modules use the libraries of the system, and nothing is compiled:
    a package of the system leaves that to its installation."""
    os.makedirs(os.path.join(target, "bin"))
    hidden = builderPaths(root, build)
    copyStandardLibrary(target, hidden)
    if bundled:
        compileStandardLibrary(target)
    shutil.copytree(sysconfig.get_path("include"), os.path.join(target, "include", "python3.12"))
    shutil.copy(os.path.join(build, "bin", "kiln"), os.path.join(target, "bin", "kiln"))
    shutil.copy(os.path.join(build, "lib", "libkiln_llvm.so"), os.path.join(target, "lib", "libkiln_llvm.so"))
    bundler = Bundler(target, os.path.join("lib", "bundled") if bundled else None)
    bundler.addModules(os.path.join("lib", "python3.12", "lib-dynload"))
    bundler.stripPrograms(["bin/kiln", "lib/libkiln_llvm.so"])
    hide(target, hidden)
    copyLicences(root, target, bundler.packages)
    writeManual(target)
    named = findNamed(target, hidden)
    if named:
        sys.exit("\n".join(["kiln: this would tell folders of this machine:"] + named))
    faults = findSystemFaults(target, bundled)
    if faults:
        sys.exit("\n".join(["kiln: this would not run on Debian 12 and Ubuntu 24.04:"] + faults))
