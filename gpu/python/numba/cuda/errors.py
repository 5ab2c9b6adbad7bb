"""numba.cuda.errors: what a kernel raises."""

from numba.core.errors import LoweringError


class KernelRuntimeError(RuntimeError):
    """A kernel failed on the device."""

    def __init__(self, msg, tid=None, ctaid=None) -> None:
        self.msg, self.tid, self.ctaid = msg, tid, ctaid
        super().__init__(msg)
