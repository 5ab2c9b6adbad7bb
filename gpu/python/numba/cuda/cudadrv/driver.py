"""numba.cuda.cudadrv.driver: what the driver refused."""

from numba.cuda.cudadrv.error import CudaDriverError


class CudaAPIError(CudaDriverError):
    """A launch or a copy that a device cannot do."""

    def __init__(self, *arguments) -> None:
        code, message = arguments if len(arguments) == 2 else (0, arguments[0] if arguments else "")
        self.code = code
        self.msg = message
        super().__init__(code, message)

    def __str__(self) -> str:
        return f"[{self.code}] {self.msg}" if self.code else str(self.msg)


class LinkerError(RuntimeError):
    """Never raised by kiln; for those who name it."""


_ELSEWHERE = {"Stream": "streams", "Event": "streams", "Device": "device", "Context": "device", "MemoryInfo": "device"}


def __getattr__(name: str):
    """Classes that numba has here and kiln elsewhere, which needs this module itself."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'numba.cuda.cudadrv.driver' has no attribute {name!r}", name=name)
    import importlib

    return getattr(importlib.import_module(f"numba.cuda.{_ELSEWHERE[name]}"), name)
