"""The peers of the CPU suite: Numba, which no other suite has, and all that can see NumPy."""

import dataclasses
import shutil

from suite.peers import FINDERS, ROOT, Finder, Peer, Unavailable, ask, plain_python, say
from suite.pypy import find_pypy

# What scripts/run installs for programs; python and kiln are shown it only where a program needs NumPy.
NUMPY_FOLDER = ROOT / ".venv" / "lib" / "python3.12" / "site-packages"
NUMBA_FOLDER = ROOT / "build" / "bench" / "numba"

DESCRIBE_NUMBA = "import numba, platform; print(f'Numba {numba.__version__} on CPython {platform.python_version()}')"


def find_numba(options) -> Peer:
    """The current Numba, in an environment of its own on the plain interpreter; made once."""
    plain = plain_python(options)
    python = str(NUMBA_FOLDER / "bin" / "python")
    try:
        version = ask([python, "-c", DESCRIBE_NUMBA])
    except Unavailable:
        say("installing Numba into build/bench/numba")
        shutil.rmtree(NUMBA_FOLDER, ignore_errors=True)
        ask([plain, "-m", "venv", str(NUMBA_FOLDER)])
        ask([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numba"])
        version = ask([python, "-c", DESCRIBE_NUMBA])
    return Peer("numba", (python,), version, numba=True, numpy="")


def with_numpy(find: Finder) -> Finder:
    """A peer that runs array programs too, if there is a NumPy for it."""
    def found(options) -> Peer:
        return dataclasses.replace(find(options), numpy=str(NUMPY_FOLDER) if (NUMPY_FOLDER / "numpy").exists() else None)
    return found


# In the order of the columns.
CPU_FINDERS: dict[str, Finder] = {**{name: with_numpy(find) for name, find in FINDERS.items()}, "pypy": find_pypy,
                                  "numba": find_numba}
