"""A kernel for one list of types: what programs ask about it."""

import collections
import math

import _kiln
from numba.cuda.launch_shape import dimensions
from numba.overloads import type_of
from numba.types import Signature, none

FuncAttr = collections.namedtuple("FuncAttr", "regs shared local const maxthreads")
CompileStats = collections.namedtuple("_CompileStats", "cache_path cache_hits cache_misses")


class Loaded:
    """Machine code: its name and its numbers."""

    def __init__(self, name: str, attrs: FuncAttr, form: "Form") -> None:
        self.name, self.attrs, self._form = name, attrs, form

    def __repr__(self) -> str:
        return f"<CUDA function {self.name}>"


class Form:
    """A kernel for one list of types."""

    def __init__(self, kernel: "CUDADispatcher", described: tuple) -> None:
        self._kernel = kernel
        self._described = described
        self.argtypes = tuple(map(type_of, described))
        self.signature = Signature(none, self.argtypes)

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize: int = 0) -> int:
        """How many blocks of these threads run at the same time, and so may wait for each other."""
        threads = math.prod(dimensions(blockdim, "blockdim"))
        return self._kernel._most_cooperative(self._described, threads, dynsmemsize)

    @property
    def argument_types(self) -> tuple:
        """The types, as argtypes."""
        return self.argtypes

    @property
    def entry_name(self) -> str:
        """The name of the machine code's entry."""
        text = self.inspect_llvm()
        return text[: text.rindex("(", 0, text.index("{", text.index("__global__")))].split()[-1]

    @property
    def py_func(self):
        """The Python function."""
        return self._kernel.py_func

    def bind(self) -> None:
        """Compiles it for the device in use."""
        self.max_threads_per_block

    def get_cufunc(self) -> "Loaded":
        """The machine code."""
        return Loaded(self._kernel.__name__, FuncAttr(self.regs_per_thread, self.shared_mem_per_block, self.local_mem_per_thread,
                                                      self.const_mem_size, self.max_threads_per_block), self)

    get = get_cufunc

    @property
    def _func(self) -> "Form":
        return self  # of which programs ask get().attrs

    _codelibrary = library = _func

    def inspect_asm(self, cc=None) -> str:
        """The kernel as PTX."""
        return self._kernel._source(self._described, "asm")

    def inspect_lto_ptx(self, cc=None) -> str:
        """The kernel as PTX."""
        return self.inspect_asm()

    def inspect_types(self, file=None) -> None:
        """Prints the types of the arguments, and kiln's typed form of the kernel."""
        print(f"{self._kernel.__name__} {self.argtypes}", "-" * 80, self._kernel._source(self._described, "ir"), sep="\n", file=file)

    def inspect_llvm(self) -> str:
        """The kernel as CUDA C++: kiln makes no NVVM IR."""
        return self._kernel._source(self._described, "cuda")

    def inspect_sass(self) -> str:
        """The kernel's machine code for the device in use, with lines where the kernel has lineinfo. Needs nvdisasm."""
        return self._disassembled("-g")

    def inspect_sass_cfg(self) -> str:
        """The control flow of its machine code, as dot draws it. Needs nvdisasm."""
        return self._disassembled("-cfg")

    def _disassembled(self, option: str) -> str:
        from numba.cuda.sass import disassembled

        _, _, capability = _kiln.kernel_probe()[2][_kiln.kernel_selected_device()]
        return disassembled(self._kernel._image(self._described, capability, "cubin"), option)

    @property
    def cooperative(self) -> bool:
        """Whether its blocks wait for each other."""
        text = self._kernel._source(self._described, "ir")
        return "barrier grid" in text or "cooperative function" in text

    @property
    def regs_per_thread(self) -> int:
        """Registers that a thread uses; 0 on the CPU."""
        return self._kernel._attribute(self._described, "registers")

    @property
    def shared_mem_per_block(self) -> int:
        """Bytes of shared memory that a block uses."""
        return self._kernel._attribute(self._described, "shared")

    @property
    def local_mem_per_thread(self) -> int:
        """Bytes of local memory that a thread uses."""
        return self._kernel._attribute(self._described, "local")

    @property
    def const_mem_size(self) -> int:
        """Bytes of constant memory."""
        return self._kernel._attribute(self._described, "constant")

    @property
    def max_threads_per_block(self) -> int:
        """The largest block."""
        return self._kernel._attribute(self._described, "threads")
