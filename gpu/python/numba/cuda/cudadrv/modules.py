"""Code that programs load themselves: images of it, modules, and the functions in these."""

import collections
import weakref

import _kiln

FuncAttr = collections.namedtuple("FuncAttr", "regs shared local const maxthreads")
_NUMBERS = {"maxthreads": 0, "shared": 1, "const": 2, "local": 3, "regs": 4}  # the driver's, of attributes
_CARVEOUT = 9


class ObjectCode:
    """PTX, machine code, or what is linked to it. It is loaded when its handle is asked for, on the device in use then."""

    def __init__(self, code: bytes | str, code_type: str, name: str = "") -> None:
        self.code = code.encode() if isinstance(code, str) else bytes(code)
        self.code_type, self.name = code_type, name
        self._handle = None

    @property
    def handle(self) -> int:
        """The driver's library of it."""
        if self._handle is None:
            image = self.code if self.code_type != "ptx" or self.code.endswith(b"\0") else self.code + b"\0"
            self._handle = _kiln.kernel_load_image(image)
            self._unload = weakref.finalize(self, _kiln.kernel_unload_image, self._handle)
            self._unload.atexit = False
        return self._handle

    def close(self) -> None:
        """Unloads it; what is under way ends first."""
        if self._handle is not None:
            self._unload()
            self._handle = None

    def get_kernel(self, name: str | bytes) -> int:
        """The driver's number of a function."""
        return _kiln.kernel_image_function(self.handle, name.decode() if isinstance(name, bytes) else name)


def as_object_code(image) -> ObjectCode:
    """An image: bytes, a str of PTX, or an object with `code` as cuda.core's ObjectCode has it. TypeError for another."""
    if isinstance(image, ObjectCode):
        return image
    if isinstance(image, (bytes, bytearray, str)):
        is_text = isinstance(image, str) or (not bytes(image[:4]) == b"\x7fELF" and b".version" in image)
        return ObjectCode(image, "ptx" if is_text else "cubin")
    code = getattr(image, "code", None)
    if not isinstance(code, (bytes, str)):
        raise TypeError(f"an image is bytes, or an object with code, and not {type(image).__name__}")
    return ObjectCode(code, getattr(image, "code_type", "cubin"), getattr(image, "name", ""))


class Module:
    """Loaded code."""

    def __init__(self, context, object_code, finalizer=None, setup_callbacks=None, teardown_callbacks=None) -> None:
        self.context, self.object_code = context, as_object_code(object_code)
        self.handle = self.object_code.handle
        self.initialized = False
        self.setup_functions, self.teardown_functions = setup_callbacks, teardown_callbacks
        if finalizer is not None:
            weakref.finalize(self, finalizer)
        if teardown_callbacks is not None:
            weakref.finalize(self, _call_all, teardown_callbacks, self.object_code)

    def unload(self) -> None:
        """Takes the code off the device."""
        self.object_code.close()

    def setup(self) -> None:
        """Calls the set-up callbacks. RuntimeError the second time."""
        if self.initialized:
            raise RuntimeError("The module has already been initialized.")
        if self.setup_functions is not None:
            _call_all(self.setup_functions, self.object_code)
            self.initialized = True

    def get_function(self, name: str) -> "Function":
        """A function of the code. CudaAPIError where it has none of that name."""
        return Function(self, self.object_code.get_kernel(name), name)

    def get_global_symbol(self, name: str) -> tuple:
        """A variable of the code as a MemoryPointer, and its bytes."""
        from numba.cuda.memory import MemoryPointer

        address, size = _kiln.kernel_image_variable(self.handle, name)
        return MemoryPointer(self.context, address, size, owner=self), size


def _call_all(callbacks, code) -> None:
    for callback in callbacks:
        callback(code)


class Function:
    """A function in loaded code. handle: the driver's number, for cuLaunchKernel; `kernel` is for cuda.core's launch()."""

    griddim = blockdim = 1, 1, 1
    stream = sharedmem = 0

    def __init__(self, module: Module, kernel: int, name: str) -> None:
        self.module, self.handle, self.name = module, kernel, name
        self.attrs = FuncAttr(**{field: _kiln.kernel_function_attribute(kernel, _NUMBERS[field]) for field in FuncAttr._fields})

    def __repr__(self) -> str:
        return f"<CUDA function {self.name}>"

    @property
    def device(self):
        """Where it was loaded."""
        return self.module.context.device

    @property
    def kernel(self):
        """The function as cuda.core has it, which must be installed: cuda.core launches what the program loads itself."""
        from cuda.core import ObjectCode as Code

        code = self.module.object_code
        made = Code.from_ptx(code.code) if code.code_type == "ptx" else Code.from_cubin(code.code)
        return made.get_kernel(self.name)

    @property
    def max_threads_per_block(self) -> int:
        """The largest block."""
        return self.attrs.maxthreads

    def active_blocks(self, threads: int, dynamic_bytes: int = 0) -> int:
        """How many blocks run on a multiprocessor at the same time."""
        return _kiln.kernel_function_blocks(self.handle, threads, dynamic_bytes)

    def cache_config(self, prefer_equal: bool = False, prefer_cache: bool = False, prefer_shared: bool = False) -> None:
        """How the multiprocessor's memory is parted into L1 and shared memory, where the driver listens."""
        is_equal = prefer_equal or (prefer_cache and prefer_shared)
        self.set_shared_memory_carveout(50 if is_equal else 0 if prefer_cache else 100 if prefer_shared else -1)

    def set_shared_memory_carveout(self, carveout: int) -> None:
        """Percent of that memory that are shared; -1 as the driver likes."""
        if not -1 <= int(carveout) <= 100:
            raise ValueError("Carveout must be between -1 and 100")
        _kiln.kernel_function_attribute(self.handle, _CARVEOUT, int(carveout))


def load_module_image(context, object_code, setup_callbacks=None, teardown_callbacks=None) -> Module:
    """Loads PTX, a cubin or a fatbin. CudaAPIError where the driver does not take it; CudaSupportError on the CPU."""
    return Module(context, object_code, None, setup_callbacks, teardown_callbacks)
