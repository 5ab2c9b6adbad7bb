"""kiln, seen from Python: what this process runs on. `kiln -m kiln` lists the commands."""

import _kiln

__all__ = ["is_active", "kernel", "measure"]
__version__ = _kiln.versions()["kiln"]


def is_active() -> bool:
    """Whether kiln compiles the hot code of this process."""
    return _kiln.is_active()


def measure():
    """A measurement, for a `with` statement: `with kiln.measure() as part: ...`, and then `print(part)`."""
    from kiln.measurement import Measurement

    return Measurement()


def load_ipython_extension(shell) -> None:
    """`%load_ext kiln`: the magics %kiln and %%kiln."""
    from kiln import notebook

    notebook.register(shell)


def __getattr__(name: str):
    """`kernel` is numba.cuda.jit of kiln's own numba; ImportError says what to do where another numba is installed."""
    if name != "kernel":
        raise AttributeError(f"module 'kiln' has no attribute {name!r}")
    from numba import cuda

    if getattr(cuda, "_KIND", "") != "kiln":
        raise ImportError("kiln.kernel needs kiln's own numba, and another one is installed; set KILN_NUMBA=1")
    return cuda.jit
