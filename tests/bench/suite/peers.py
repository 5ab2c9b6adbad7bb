"""The Pythons that every suite compares, and how each is found."""

import dataclasses
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = ROOT / "build" / "release"

DESCRIBE_PYTHON = """
import platform, sysconfig
tuned = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
print(f"CPython {platform.python_version()}, {'with' if tuned else 'without'} profile-guided optimisation")
"""


class Unavailable(Exception):
    """A peer can't be found or installed; the text says why and what would help."""


class NotInstalled(Unavailable):
    """The packages that a suite needs can't be installed."""


@dataclasses.dataclass(frozen=True)
class Peer:
    """One Python: `command` runs a script in it; with `numba`, programs run through Numba's njit."""

    name: str
    command: tuple[str, ...]
    version: str
    numba: bool = False
    environment: dict[str, str] = dataclasses.field(default_factory=dict)  # variables that it needs
    numpy: str | None = None  # the folder with its NumPy, "" for its own packages, None if it has none
    python: tuple[int, int] = (3, 12)  # the version of the language that it understands


Finder = Callable[[object], Peer]  # from the options of the command line; Unavailable if the peer is not there


def built_python() -> str:
    """Returns the CPython that kiln was built on."""
    cache = BUILD / "CMakeCache.txt"
    for line in cache.read_text().splitlines() if cache.exists() else ():
        if line.startswith("KILN_PYTHON:"):
            return line.partition("=")[2]
    raise Unavailable("build/release/CMakeCache.txt does not name KILN_PYTHON; configure again with scripts/run")


def ask(command: list[str], environment: dict[str, str] | None = None, limit: float = 600.0) -> str:
    """Returns what a short command prints; Unavailable with its error text if it fails or takes over `limit` seconds."""
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=limit,
                                env={**os.environ, **(environment or {})})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{command[0]}: {error}") from None
    if answer.returncode != 0:
        lines = (answer.stderr.strip() or answer.stdout.strip() or "no message").splitlines()
        raise Unavailable(f"{' '.join(command[:4])} failed: {lines[-1]}")
    return answer.stdout.strip()


def say(text: str) -> None:
    """Tells what a long step is about to do."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def plain_python(options) -> str:
    """The path of the plain interpreter: --python, or the one that kiln was built on."""
    return options.python or built_python()


def find_python(options) -> Peer:
    """The plain interpreter."""
    python = plain_python(options)
    return Peer("python", (python,), ask([python, "-c", DESCRIBE_PYTHON]))


def launcher(options, name: str, environment: dict[str, str], note: str) -> Peer:
    """The launcher as a peer: --kiln, or the release build's."""
    kiln = options.kiln or str(BUILD / "bin" / "kiln")
    version = ask([kiln, "-c", "import platform; print(platform.python_version())"], environment)
    built = time.strftime("%Y-%m-%d %H:%M", time.localtime(os.stat(kiln).st_mtime))
    return Peer(name, (kiln,), f"kiln built {built}, CPython {version} inside{note}", environment=environment)


def find_kiln(options) -> Peer:
    """kiln as it is."""
    return launcher(options, "kiln", {}, "")


def find_off(options) -> Peer:
    """kiln that compiles nothing."""
    return launcher(options, "off", {"KILN_JIT": "off"}, ", KILN_JIT=off")


# The peers of every suite, in the order of the columns.
FINDERS: dict[str, Finder] = {"python": find_python, "off": find_off, "kiln": find_kiln}


def find_peers(names: list[str], finders: dict[str, Finder], options) -> tuple[list[Peer], list[str]]:
    """Returns the peers that are there, and a line on each of the others; python, off and kiln must be there."""
    peers = []
    absent = []
    for name, finder in finders.items():
        if name not in names:
            continue
        try:
            peers.append(finder(options))
        except Unavailable as reason:
            if name in FINDERS:
                raise
            absent.append(f"{name} is left out: {reason}")
    return peers, absent
