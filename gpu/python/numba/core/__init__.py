"""numba.core: where programs find errors, types and config."""

from numba.core import config, errors


def __getattr__(name: str):
    """Submodules that need the rest of the package are imported when they are asked for."""
    import importlib

    if name in ("cgutils", "datamodel", "dispatcher", "extending", "imputils", "registry", "types", "typing"):
        return importlib.import_module(f"numba.core.{name}")
    raise AttributeError(f"module 'numba.core' has no attribute {name!r}")
