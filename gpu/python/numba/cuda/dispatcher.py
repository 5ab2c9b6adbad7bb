"""cuda.jit: kernels and device functions."""

import collections
import copyreg
import functools
import linecache  # noqa: F401  for the compiler: a child that is forked while a thread imports it could never import it
import math
import os
import warnings
from collections.abc import Callable
from types import FunctionType

import _kiln
from numba.core.errors import DeprecationError, LoweringError, NumbaInvalidConfigWarning, NumbaPerformanceWarning, TypingError, UnsupportedError
from numba.cuda.kernel_form import CompileStats, Form
from numba.cuda.launch_shape import dimensions
from numba.cuda.linking import described
from numba.cuda.streams import stream_number
from numba.cuda.type_names import describe_type
from numba.overloads import type_of
from numba.types import CPointer, Type, none
from numba.ufuncs import parse_signature

_KernelBase, *_ = _kiln.kernel_types()

_NOT_COMPILED = (TypingError, UnsupportedError, LoweringError)

_UNCONFIGURED = """
Kernel launch configuration was not specified. Use the syntax:

kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)

See help(cuda.jit)."""

# Options that change nothing in kiln: its cache is always on, and it inlines and links as it sees fit.
_IGNORED = {"cache", "inline", "forceinline", "lto", "nopython", "locals",
            "abi", "abi_info", "target", "func_or_sig", "no_cpython_wrapper", "no_cfunc_wrapper", "nogil"}
_OPTIONS = _IGNORED | {"device", "fastmath", "lineinfo", "debug", "opt", "max_registers", "launch_bounds", "shared_memory_carveout", "link", "extensions"}
_CARVEOUTS = {"default": -1, "maxl1": 0, "maxshared": 100}
_NO_CARVEOUT = -2


class Simulated:
    """What launches a kernel under NUMBA_ENABLE_CUDASIM=1: compiled, or if it cannot be, as for a debugger in it, as Python."""

    def __init__(self, launcher, kernel: "CUDADispatcher", grid: tuple, block: tuple, dynamic_bytes: int) -> None:
        self._launcher, self._kernel, self._shape = launcher, kernel, (grid, block, dynamic_bytes)

    def __getattr__(self, name: str):
        return getattr(self._launcher, name)

    def __call__(self, *arguments, **options) -> None:
        """Launches the kernel."""
        if not self._kernel._is_python:
            try:
                return self._launcher(*arguments, **options)
            except _NOT_COMPILED:
                self._kernel._is_python = True
        from numba.cuda import simulator

        simulator.run(self._kernel.py_func, *self._shape, arguments, options)


class Extended:
    """What launches a kernel with extensions: each may put another value in an argument's place, the last one first."""

    def __init__(self, launcher, extensions: list, stream) -> None:
        self._launcher, self._extensions, self._stream = launcher, extensions, stream

    def __call__(self, *arguments, **options) -> None:
        """Launches the kernel, then calls what the extensions appended to retr."""
        afterwards: list = []
        self._launcher(*(self._prepared(value, afterwards) for value in arguments),
                       **{name: self._prepared(value, afterwards) for name, value in options.items()})
        for finish in afterwards:
            finish()

    def __getattr__(self, name: str):
        return getattr(self._launcher, name)  # griddim, pre_launch_callbacks and the like

    def _prepared(self, value, afterwards: list):
        kind = None if any(hasattr(value, name) for name in ("__cuda_array_interface__", "_kiln_argument")) else _type_or_none(value)
        for extension in reversed(self._extensions):
            kind, value = extension.prepare_args(kind, value, stream=self._stream, retr=afterwards)
        return value


class Pointed:
    """What launches a kernel whose signature has pointers: addresses become arrays without an end."""

    _COUNT = 1 << 40

    def __init__(self, launcher, pointers: dict) -> None:
        self._launcher, self._pointers = launcher, pointers

    def __call__(self, *arguments, **options) -> None:
        """Launches the kernel."""
        self._launcher(*(self._array(value, self._pointers[i]) if i in self._pointers else value for i, value in enumerate(arguments)),
                       **options)

    def __getattr__(self, name: str):
        return getattr(self._launcher, name)

    def _array(self, address, dtype):
        from numba.cuda.arrays import from_cuda_array_interface

        address = getattr(address, "value", address)  # of ctypes
        if not hasattr(address, "__index__"):
            return address
        interface = {"shape": (self._COUNT,), "typestr": dtype.str, "data": (address.__index__(), False), "version": 3, "strides": None}
        return from_cuda_array_interface(interface, owner=address, sync=False)


def _type_or_none(value):
    """The type of a value that numba knows."""
    from numba.typing import typeof

    try:
        return typeof(value)
    except (TypeError, ValueError):
        return None


class ForAll:
    """What kernel.forall() returns: calling it launches enough threads in one dimension."""

    def __init__(self, kernel: "CUDADispatcher", ntasks: int, tpb: int, stream, sharedmem: int) -> None:
        self.dispatcher, self.ntasks, self.thread_per_block, self.stream, self.sharedmem = kernel, ntasks, tpb, stream, sharedmem

    def __call__(self, *arguments) -> None:
        """Launches the kernel; with no tasks, not at all."""
        if self.ntasks:
            threads = self.thread_per_block or self.dispatcher._best_block(self.sharedmem, *arguments)
            blocks = (self.ntasks + threads - 1) // threads
            self.dispatcher[blocks, threads, self.stream, self.sharedmem](*arguments)


class CUDADispatcher(_KernelBase):
    """A kernel, or a device function. kernel[grid, block, stream, shared_bytes](arguments) launches it."""

    def __new__(cls, function, options: dict, signatures: list):
        bounds = options.get("launch_bounds") or (0, 0, 0)
        bounds = (bounds,) if isinstance(bounds, int) else tuple(bounds)
        if len(bounds) > 3:
            raise ValueError(f"Got {len(bounds)} launch bounds: {bounds}. A maximum of three are supported: "
                             "(max_threads_per_block, min_blocks_per_sm, max_blocks_per_cluster)")
        bounds += (0,) * (3 - len(bounds))
        debug = bool(options.get("debug"))
        self = super().__new__(
            cls, function, bool(options.get("fastmath")), bool(options.get("lineinfo")), debug,
            bool(options.get("opt", not debug)), bool(options.get("device")), int(options.get("max_registers") or 0), bounds,
            _carveout(options.get("shared_memory_carveout")), described(options.get("link") or ())
        )
        functools.update_wrapper(self, function)
        self.targetoptions = dict(options)
        self.extensions = list(options.get("extensions") or ())
        self._is_device = bool(options.get("device"))
        self._wanted = []
        self._specialized = {}
        self._pointers = {}
        for signature in signatures:
            self._take_signature(signature)
        return self

    def _take_signature(self, signature) -> None:
        self._wanted.append(signature)
        self._pointers.update((i, kind.dtype.dtype) for i, kind in enumerate(signature.args) if isinstance(kind, CPointer))
        if self._is_device:
            return
        try:
            self._add_signature(tuple(map(describe_type, signature.args)), True)
        except _NOT_COMPILED:
            if os.environ.get("NUMBA_ENABLE_CUDASIM") != "1":
                raise
            self._is_python = True

    _is_python = False  # kiln does not compile it, and it runs as Python
    _is_own = False  # one of the package's, whose launches are no business of the program's

    def __reduce__(self):
        from numba.pickling import reduced

        return reduced(self, CUDADispatcher, (self.targetoptions, []), self._wanted)

    def _configured(self, configuration):
        """What launches the kernel on grid and block, and optionally stream and bytes of dynamic shared memory: kernel[configuration], where
        _launchers has none for it."""
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise ValueError("must specify at least the griddim and blockdim")
        return self.configure(*configuration)

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        """kernel[griddim, blockdim, stream, sharedmem]."""
        if self._is_device:
            raise RuntimeError(f"Cannot compile a device function as a kernel: kernels call {self.__name__}, it cannot be launched")
        if not isinstance(sharedmem, int) or sharedmem < 0:
            raise ValueError(f"the bytes of shared memory must be 0 or more, got {sharedmem!r}")
        self._check_occupancy(griddim)
        launcher = self._launcher(
            dimensions(griddim, "griddim"), dimensions(blockdim, "blockdim"), stream_number(stream), sharedmem, stream
        )
        copyreg.dispatch_table.setdefault(type(launcher), _launcher_parts)
        if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1":
            launcher = Simulated(launcher, self, dimensions(griddim, "griddim"), dimensions(blockdim, "blockdim"), sharedmem)
        if self._pointers:
            return Pointed(launcher, self._pointers)
        if self.extensions:
            return Extended(launcher, self.extensions, stream)
        if isinstance(stream, int) and len(self._launchers) < 128:
            try:
                self._launchers[griddim, blockdim, stream, sharedmem] = launcher
                if sharedmem == 0:
                    self._launchers[griddim, blockdim, stream] = launcher
                if (stream, sharedmem) == (0, 0):
                    self._launchers[griddim, blockdim] = launcher
            except TypeError:
                pass  # lists as dimensions
        return launcher

    def _check_occupancy(self, griddim) -> None:
        """Warns as numba does, where there is a GPU to use: few blocks leave most of it idle."""
        from numba.core import config

        blocks = math.prod(dimensions(griddim, "griddim"))
        if self._is_own:
            return
        is_wanted = config.CUDA_LOW_OCCUPANCY_WARNINGS and not config.DISABLE_PERFORMANCE_WARNINGS
        if blocks < 128 and is_wanted and not self.targetoptions.get("debug") and _kiln.kernel_probe()[0] == "gpu":
            message = f"Grid size {blocks} will likely result in GPU under-utilization due to low occupancy."
            warnings.warn(NumbaPerformanceWarning(message), stacklevel=4)

    def forall(self, ntasks: int, tpb: int = 0, stream=0, sharedmem: int = 0):
        """What launches the kernel with at least ntasks threads in one dimension."""
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        return ForAll(self, ntasks, tpb, stream, sharedmem)

    def __call__(self, *arguments, **options):
        """A device function runs as Python outside of kernels; a kernel needs a configuration. ValueError says so."""
        if self._is_device:
            return self.py_func(*arguments, **options)
        raise ValueError(_UNCONFIGURED)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        return f"<kiln CUDA kernel {self.__name__}>"

    @property
    def signatures(self) -> list:
        """The argument types that there is compiled code for, as tuples."""
        return list(self.overloads)

    @property
    def nopython_signatures(self) -> list:
        """The signatures that there is compiled code for."""
        return [form.signature for form in self.overloads.values()]

    @property
    def overloads(self) -> dict:
        """The compiled forms, by the types of their arguments."""
        return {form.argtypes: form for form in (Form(self, described) for described in self._forms())}

    @property
    def specialized(self) -> bool:
        """Whether a signature was given."""
        return bool(self._wanted)

    @property
    def _func(self) -> Form:
        """The form of a kernel that was made for one signature, of which programs ask get().attrs."""
        (form,) = self.overloads.values()
        return form

    @property
    def stats(self) -> CompileStats:
        """Where machine code is kept, and for which types it was found there or not, by how many pieces."""
        import kiln.cache

        return CompileStats(kiln.cache.folder(), self._cache_hits, self._cache_misses)

    @property
    def _cache_hits(self) -> collections.Counter:
        return self._counted(True)

    @property
    def _cache_misses(self) -> collections.Counter:
        return self._counted(False)

    def _counted(self, from_cache: bool) -> collections.Counter:
        return collections.Counter(tuple(map(type_of, types)) for types, was_cached in self._images() if was_cached == from_cache)

    def recompile(self) -> None:
        """Compiles all forms again: with what globals are now."""
        self._recompile()

    def mark_launch_config_sensitive(self) -> None:
        """Nothing: no code of kiln's depends on grid and block."""

    def enable_caching(self) -> None:
        """Nothing: the cache is always on."""

    def specialize(self, *arguments):
        """A kernel for the types of these arguments, or for these types, only. RuntimeError for one that was made for a signature."""
        from numba.typing import typeof

        if self._wanted:
            raise RuntimeError("Dispatcher already specialized")
        types = tuple(value if isinstance(value, Type) else typeof(value) for value in arguments)
        if types not in self._specialized:
            self._specialized[types] = CUDADispatcher(self.py_func, self.targetoptions, [parse_signature(types)])
        return self._specialized[types]

    @property
    def specializations(self) -> dict:
        """The kernels that specialize() made, by the types of their arguments."""
        return dict(self._specialized)

    def compile(self, signature):
        """Makes the form for these argument types; those of other launches are made as they come."""
        self._add_signature(tuple(map(describe_type, parse_signature(signature).args)), False)

    def inspect_source(self, signature=None) -> str:
        """The kernel as CUDA C++; without a signature, all of its forms."""
        if signature is None:
            return self._source(None, "cuda")
        return self._of_forms(signature, Form.inspect_llvm)

    def inspect_asm(self, signature=None):
        """The kernel as PTX. Without a signature, a dict of all forms."""
        return self._of_forms(signature, Form.inspect_asm)

    def inspect_llvm(self, signature=None):
        """The kernel as CUDA C++: kiln makes no NVVM IR. Without a signature, a dict of all forms."""
        return self._of_forms(signature, Form.inspect_llvm)

    def inspect_lto_ptx(self, signature=None):
        """The kernel as PTX: no code of others takes part in what the CPU or NVRTC compile alone."""
        return self._of_forms(signature, Form.inspect_asm)

    def _numbers(self, signature, what: str):
        if signature is None and len(self._wanted) == 1:
            return self._attribute(tuple(map(describe_type, self._wanted[0].args)), what)
        if signature is None:
            return {form.argtypes: self._attribute(form._described, what) for form in self.overloads.values()}
        types = signature if isinstance(signature, tuple) else parse_signature(signature).args
        return self._attribute(tuple(map(describe_type, types)), what)

    def get_regs_per_thread(self, signature=None):
        """Registers that a thread uses; 0 on the CPU. Without a signature, a dict of all forms, if the kernel was not made for one."""
        return self._numbers(signature, "registers")

    def get_shared_mem_per_block(self, signature=None):
        """Bytes of shared memory that a block uses."""
        return self._numbers(signature, "shared")

    def get_local_mem_per_thread(self, signature=None):
        """Bytes of local memory that a thread uses."""
        return self._numbers(signature, "local")

    def get_const_mem_size(self, signature=None):
        """Bytes of constant memory."""
        return self._numbers(signature, "constant")

    def get_max_threads_per_block(self, signature=None):
        """The largest block."""
        return self._numbers(signature, "threads")

    def _of_forms(self, signature, inspect):
        """What is said of one form, or of all in a dict."""
        if signature is None:
            return {types: inspect(form) for types, form in self.overloads.items()}
        types = signature if isinstance(signature, tuple) else parse_signature(signature).args
        return inspect(Form(self, tuple(map(describe_type, types))))

    def inspect_sass(self, signature=None):
        """The kernel's machine code for the device in use. Without a signature, a dict of all forms. Needs nvdisasm."""
        if self._is_device:
            raise RuntimeError("Cannot inspect SASS of a device function")
        return self._of_forms(signature, Form.inspect_sass)

    def inspect_sass_cfg(self, signature=None):
        """The control flow of its machine code, as dot draws it."""
        if self._is_device:
            raise RuntimeError("Cannot get the CFG of a device function")
        return self._of_forms(signature, Form.inspect_sass_cfg)

    def inspect_types(self, file=None) -> None:
        """Prints the types of the kernel's arguments, and kiln's typed form of it."""
        for form in self.overloads.values():
            form.inspect_types(file)


def _launcher_parts(launcher):
    """How a launcher is pickled."""
    from numba.pickling import launcher_parts

    return launcher_parts(launcher)


def _carveout(wish) -> int:
    """Percent of the memory that is L1 or shared, as the driver takes it. ValueError and TypeError as numba raises them."""
    if wish is None:
        return _NO_CARVEOUT
    if isinstance(wish, str):
        if wish.lower() not in _CARVEOUTS:
            raise ValueError(f"Invalid carveout value: {wish}. Must be -1 to 100 or one of {list(_CARVEOUTS)}")
        return _CARVEOUTS[wish.lower()]
    if not isinstance(wish, int):
        raise TypeError(f"shared_memory_carveout must be str or int, got {type(wish).__name__}")
    if not -1 <= wish <= 100:
        raise ValueError("Carveout must be between -1 and 100")
    return wish


def _warn_of_options(message: str) -> None:
    warnings.warn(NumbaInvalidConfigWarning(message), stacklevel=4)


def _check_options(options: dict) -> None:
    """Errors and warnings about options, as numba has them."""
    debug = options.get("debug")
    if debug and options.get("opt"):
        _warn_of_options("debug=True with opt=True is not supported by CUDA. This may result in a crash - set debug=False or opt=False.")
    if debug and options.get("lineinfo"):
        _warn_of_options("debug and lineinfo are mutually exclusive. Use debug to get full debug info (this disables some optimizations), "
                         "or lineinfo for code locations only, with code generation unaffected.")
    _carveout(options.get("shared_memory_carveout"))
    if options.get("device") and options.get("link"):
        raise ValueError("link keyword invalid for device function")
    if options.get("boundscheck"):
        raise NotImplementedError("bounds checking is not supported for CUDA; run kiln with KILN_DEBUG=1")
    for name in ("argtypes", "restype", "bind"):
        if name in options:
            raise DeprecationError(f"The {name} keyword argument is no longer supported.")
    unknown = set(options) - _OPTIONS - {"boundscheck"}
    if unknown:
        warnings.warn(f"kiln ignores these options of cuda.jit: {', '.join(sorted(unknown))}", stacklevel=3)


def jit(func_or_sig=None, device: bool = False, **options) -> Callable:
    """@cuda.jit in all its spellings: bare, with options, with a signature or a list of them."""
    from numba.core import config

    if device:
        options["device"] = True
    if options.get("debug") is None and config.CUDA_DEBUGINFO_DEFAULT:
        options["debug"] = True
    _check_options(options)
    if isinstance(func_or_sig, CUDADispatcher):
        return func_or_sig
    if isinstance(func_or_sig, FunctionType):
        return CUDADispatcher(func_or_sig, options, [])
    listed = func_or_sig if isinstance(func_or_sig, list) else [] if func_or_sig is None else [func_or_sig]
    signatures = [parse_signature(item) for item in listed]
    for signature in signatures:
        if not device and signature.return_type not in (none, None):
            raise TypeError("CUDA kernel must have void return type.")

    def decorate(function):
        target = getattr(function, "py_func", function)
        if not isinstance(target, FunctionType):
            raise TypeError(f"cuda.jit decorates functions, and this is a {type(function).__name__}")
        return CUDADispatcher(target, options, signatures)

    return decorate
