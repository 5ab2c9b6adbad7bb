"""numba.cuda.descriptor: the target, whose contexts are LLVM's in numba, and not there in kiln."""


class CUDATarget:
    """The target of kernels."""

    def __init__(self, name: str) -> None:
        self._target_name = name

    def _missing(self):
        raise NotImplementedError("kiln compiles kernels without numba's typing and lowering contexts; numba.cuda.extending has overload() and its kin")

    typing_context = property(_missing)
    target_context = property(_missing)


cuda_target = CUDATarget("cuda")
