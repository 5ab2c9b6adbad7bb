"""Virtual environments of a suite's own, with exactly the packages that a requirements file names."""

import hashlib
import pathlib
import shutil
import subprocess

from suite.peers import FINDERS, Finder, NotInstalled, Peer, Unavailable, ask, find_python, launcher, plain_python, say

INSTALLED = "installed"  # a file in the environment: what was installed there, and for which Python
COMPILED = "compiled"    # another: all modules there have their bytecode


def fingerprint(plain: str, requirements: pathlib.Path) -> str:
    """Returns a text that changes with the pins and with the Python."""
    version = ask([plain, "-c", "import sys; print(sys.version, sys.prefix)"])
    return f"{version}\n{hashlib.sha256(requirements.read_bytes()).hexdigest()}\n"


def ensure_environment(plain: str, folder: pathlib.Path, requirements: pathlib.Path) -> None:
    """Makes the environment unless it is there with these pins; NotInstalled if pip fails."""
    expected = fingerprint(plain, requirements)
    stamp = folder / INSTALLED
    if stamp.exists() and stamp.read_text() == expected:
        return
    say(f"installing the packages of {requirements.parent.name}/{requirements.name} into {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    try:
        ask([plain, "-m", "venv", str(folder)])
        ask([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
             "--no-deps", "--no-compile", "-r", str(requirements)], limit=3600.0)
    except Unavailable as reason:
        raise NotInstalled(str(reason)) from None
    stamp.write_text(expected)


def compile_packages(folder: pathlib.Path) -> None:
    """Makes the bytecode of all packages, so that no measured process has to. A check of results does without."""
    if not (folder / COMPILED).exists():
        # Its status tells of templates and the like that are no Python.
        subprocess.run([str(folder / "bin" / "python"), "-m", "compileall", "-q", str(folder / "lib")],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        (folder / COMPILED).touch()


def environment_finders(folder: pathlib.Path, requirements: pathlib.Path) -> dict[str, Finder]:
    """Returns the finders of python, off and kiln that all see the packages of one environment."""
    def in_environment(find: Finder) -> Finder:
        def found(options) -> Peer:
            ensure_environment(plain_python(options), folder, requirements)
            if not options.check:
                compile_packages(folder)
            return find(options)
        return found

    def python(options) -> Peer:
        plain = find_python(options)
        return Peer("python", (str(folder / "bin" / "python"),), plain.version)

    def kiln(options) -> Peer:
        return launcher(options, "kiln", {"VIRTUAL_ENV": str(folder)}, "")

    def off(options) -> Peer:
        return launcher(options, "off", {"VIRTUAL_ENV": str(folder), "KILN_JIT": "off"}, ", KILN_JIT=off")

    finders = {"python": python, "off": off, "kiln": kiln}
    return {name: in_environment(finders[name]) for name in FINDERS}
