"""The Pythons that are compared, and how each is found or installed."""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "release"
NUMBA_FOLDER = ROOT / "build" / "bench" / "numba"

DESCRIBE_PYTHON = """
import platform, sysconfig
tuned = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
print(f"CPython {platform.python_version()}, {'with' if tuned else 'without'} profile-guided optimisation")
"""
DESCRIBE_PYPY = "import sys; print('PyPy %d.%d.%d, Python ' % sys.pypy_version_info[:3] + sys.version.split()[0])"
DESCRIBE_NUMBA = "import numba, platform; print(f'Numba {numba.__version__} on CPython {platform.python_version()}')"


class Unavailable(Exception):
    """A peer can't be found or installed; the text says why and what would help."""


@dataclasses.dataclass(frozen=True)
class Peer:
    """One Python: `command` runs a script in it; with `numba`, programs run through Numba's njit."""

    name: str
    command: tuple[str, ...]
    version: str
    numba: bool = False


def built_python() -> str:
    """Returns the CPython that kiln was built on."""
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("KILN_PYTHON:"):
            return line.partition("=")[2]
    raise Unavailable("build/release/CMakeCache.txt does not name KILN_PYTHON; configure again with scripts/run")


def ask(command: list[str]) -> str:
    """Returns what a short command prints; Unavailable with its error text if it fails."""
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{command[0]}: {error}") from None
    if answer.returncode != 0:
        lines = (answer.stderr.strip() or answer.stdout.strip() or "no message").splitlines()
        raise Unavailable(f"{' '.join(command[:4])} failed: {lines[-1]}")
    return answer.stdout.strip()


def say(text: str) -> None:
    """Tells what a long step is about to do."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def find_python(options) -> Peer:
    """The plain interpreter: --python, or the one that kiln was built on."""
    python = options.python or built_python()
    return Peer("python", (python,), ask([python, "-c", DESCRIBE_PYTHON]))


def find_kiln(options) -> Peer:
    """The launcher: --kiln, or the release build's."""
    kiln = options.kiln or str(BUILD / "bin" / "kiln")
    version = ask([kiln, "-c", "import platform; print(platform.python_version())"])
    built = time.strftime("%Y-%m-%d %H:%M", time.localtime(os.stat(kiln).st_mtime))
    return Peer("kiln", (kiln,), f"kiln built {built}, CPython {version} inside")


def find_pypy(options) -> Peer:
    """PyPy from PATH, else from the distribution's packages."""
    if not shutil.which("pypy3"):
        remedy = "apt-get install pypy3"
        if not shutil.which("apt-get"):
            raise Unavailable("there is no pypy3 on PATH")
        root = [] if os.geteuid() == 0 else ["sudo", "-n"]
        say(f"installing PyPy: {remedy}")
        try:
            ask([*root, "apt-get", "install", "-y", "--no-install-recommends", "pypy3"])
        except Unavailable:
            try:
                ask([*root, "apt-get", "update"])
                ask([*root, "apt-get", "install", "-y", "--no-install-recommends", "pypy3"])
            except Unavailable as error:
                raise Unavailable(f"{error}; install it by hand: {remedy}") from None
    return Peer("pypy", ("pypy3",), ask(["pypy3", "-c", DESCRIBE_PYPY]))


def find_numba(options) -> Peer:
    """The current Numba, in an environment of its own on the plain interpreter; made once."""
    plain = options.python or built_python()
    python = str(NUMBA_FOLDER / "bin" / "python")
    try:
        version = ask([python, "-c", DESCRIBE_NUMBA])
    except Unavailable:
        say("installing Numba into build/bench/numba")
        shutil.rmtree(NUMBA_FOLDER, ignore_errors=True)
        ask([plain, "-m", "venv", str(NUMBA_FOLDER)])
        ask([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numba"])
        version = ask([python, "-c", DESCRIBE_NUMBA])
    return Peer("numba", (python,), version, numba=True)


# In the order of the columns.
FINDERS = {"python": find_python, "kiln": find_kiln, "pypy": find_pypy, "numba": find_numba}


def find_peers(names: list[str], options) -> tuple[list[Peer], list[str]]:
    """Returns the peers that are there, and a line on each of the others; only PyPy and Numba may be absent."""
    peers = []
    absent = []
    for name in FINDERS:
        if name not in names:
            continue
        try:
            peers.append(FINDERS[name](options))
        except Unavailable as reason:
            if name in ("python", "kiln"):
                raise
            absent.append(f"{name} is left out: {reason}")
    return peers, absent
