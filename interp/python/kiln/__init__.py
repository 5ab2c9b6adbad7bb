"""kiln, seen from Python: what this process runs on. `kiln -m kiln` lists the commands."""

import _kiln

__all__ = ["is_active"]
__version__ = _kiln.versions()["kiln"]


def is_active() -> bool:
    """Whether kiln compiles the hot code of this process."""
    return _kiln.is_active()
