"""Arrays in device memory, and copies between them and NumPy's. They need NumPy."""

import contextlib
import ctypes

import _kiln
from numba.cuda.layout import contiguous, extent, is_contiguous, sizes_of
from numba.cuda.memory import allocated
from numba.cuda.streams import stream_number

_, _DeviceArray, _DeviceMemory, _PinnedMemory = _kiln.kernel_types()


def _numpy():
    """NumPy. ImportError that says who needs it."""
    try:
        import numpy
    except ImportError:
        raise ImportError("device arrays need NumPy, which is not installed") from None
    return numpy


class DeviceNDArray(_DeviceArray):
    """An array in device memory."""

    def __new__(cls, shape, strides, dtype, owner=None, address=None, stream=0, readonly=False, gpu_data=None):
        dtype = _numpy().dtype(dtype)
        if gpu_data is not None:
            is_own = isinstance(gpu_data, _DeviceMemory)  # of another array; else a MemoryPointer
            owner = gpu_data if is_own else _DeviceMemory(gpu_data.size, int(gpu_data), gpu_data)
            address = owner.address
        if owner is None:
            low, span = extent(shape, strides, dtype.itemsize)
            owner = allocated(span)
            address = owner.address - low
        self = super().__new__(cls, owner, address, tuple(shape), tuple(strides), dtype, readonly)
        self.dtype = dtype
        self.stream = stream
        return self

    def __reduce_ex__(self, protocol):
        raise TypeError("a device array is not pickled: copy_to_host() gives its elements, and get_ipc_handle() what others open")

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for length in self.shape:
            count *= length
        return count

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    alloc_size = nbytes
    gpu_data = property(lambda self: self._owner)
    device_ctypes_pointer = property(lambda self: ctypes.c_void_p(self._fixed_address()))
    __cuda_memory__ = __cuda_ndarray__ = True

    def _fixed_address(self) -> int:
        if isinstance(self._owner, _DeviceMemory):
            self._owner.is_fixed = True
        return self._address

    @property
    def __cuda_array_interface__(self) -> dict:
        """For CuPy, PyTorch and others, when the array is on a GPU."""
        if _kiln.kernel_backend()[0] == "cpu":
            raise AttributeError("this device array is in host memory (kernels run on the CPU)")
        self._owner.is_shared = True
        return self._kiln_array

    @property
    def _kiln_array(self) -> dict:
        """The same wherever the array is: for kernels that name it."""
        strides = None if self._layout == "C" else self.strides
        fields = {"descr": self.dtype.descr} if self.dtype.names else {}
        address = self._fixed_address() if self.size else 0
        return {"shape": self.shape, "strides": strides, "data": (address, self._readonly), "typestr": self.dtype.str,
                "version": 3, "stream": stream_number(self.stream) or None, **fields}

    def __dlpack_device__(self) -> tuple[int, int]:
        """DLPack's numbers for where the memory is: on a GPU, or the CPU's."""
        return (1, 0) if _kiln.kernel_backend()[0] == "cpu" else (2, self._device)

    def __dlpack__(self, stream=None, max_version=None, dl_device=None, copy=None):
        """The array's memory for another library."""
        if copy:
            raise BufferError("a device array gives out its own memory, not a copy")
        return self._dlpack()

    def is_c_contiguous(self) -> bool:
        """Whether the last index is the fastest one, without gaps."""
        return is_contiguous(self.shape, self.strides, self.itemsize, "C")

    def is_f_contiguous(self) -> bool:
        """Whether the first index is the fastest one, without gaps."""
        return is_contiguous(self.shape, self.strides, self.itemsize, "F")

    @property
    def flags(self) -> dict:
        """NumPy's names for the layout."""
        return {"C_CONTIGUOUS": self.is_c_contiguous(), "F_CONTIGUOUS": self.is_f_contiguous()}

    def _span(self) -> tuple[int, int]:
        """First and last byte of the elements, relative to the address."""
        low = sum(min(0, (n - 1) * s) for n, s in zip(self.shape, self.strides))
        high = sum(max(0, (n - 1) * s) for n, s in zip(self.shape, self.strides)) + self.itemsize
        return (low, high) if self.size else (0, 0)

    def _read_raw(self, stream):
        """A NumPy array of this shape and these strides with the elements."""
        numpy = _numpy()
        low, high = self._span()
        raw = numpy.empty(high - low, dtype=numpy.uint8)
        if high > low:
            self._owner.read(raw, self._address - self._owner.address + low, stream_number(stream))
        return numpy.ndarray(self.shape, self.dtype, raw, offset=-low, strides=self.strides), raw, low

    def copy_to_host(self, ary=None, stream=0):
        """The elements as a NumPy array, or in ary, which must have the same shape and type."""
        numpy = _numpy()
        if ary is not None:
            if not isinstance(ary, numpy.ndarray) or ary.dtype != self.dtype:
                raise TypeError(f"incompatible dtype: {self.dtype} vs. {getattr(ary, 'dtype', type(ary))}")
            if numpy.squeeze(ary).shape != tuple(size for size in self.shape if size != 1):
                raise ValueError(f"incompatible shape: {self.shape} vs. {ary.shape}")
            if ary.flags.c_contiguous and self._layout == "C" and ary.size:
                self._owner.read(ary.reshape(-1).view(numpy.uint8), self._address - self._owner.address, stream_number(stream))
                return ary
        view = self._read_raw(stream)[0]
        if ary is None:
            return view
        ary[...] = view.reshape(ary.shape)
        return ary

    def copy_to_device(self, ary, stream=0) -> None:
        """Sets the elements to those of ary, a NumPy or device array of the same shape and type."""
        numpy = _numpy()
        if isinstance(ary, DeviceNDArray) and self._copy_within(ary, stream):
            return
        source = ary.copy_to_host(stream=stream) if isinstance(ary, DeviceNDArray) else numpy.asarray(ary)
        if source.dtype != self.dtype:
            raise TypeError(f"incompatible dtype: {self.dtype} vs. {source.dtype}")
        if numpy.squeeze(source).shape != tuple(size for size in self.shape if size != 1):
            raise ValueError(f"incompatible shape: {self.shape} vs. {source.shape}")
        if self._layout in "CF":
            in_order = source if self._layout == "C" else source.reshape(self.shape).T
            raw, low = numpy.ascontiguousarray(in_order).reshape(-1).view(numpy.uint8), 0
        else:
            view, raw, low = self._read_raw(stream)
            view[...] = source.reshape(self.shape)
        if raw.size:
            self._owner.write(raw, self._address - self._owner.address + low, stream_number(stream))

    def _copy_within(self, ary, stream) -> bool:
        """Copies a contiguous device array of the same form without the host. False where that cannot be."""
        same = self.dtype == ary.dtype and self.shape == ary.shape and self.strides == ary.strides
        if not same or self._layout == "A":
            return False
        begin, target = ary._address - ary._owner.address, self._address - self._owner.address
        self._owner.copy(ary._owner, begin, target, self.nbytes, stream_number(stream))
        return True

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("`copy=False` is not supported. A copy is always created.")
        return self.copy_to_host() if dtype is None else self.copy_to_host().astype(dtype)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _derive(self, dummy, base):
        """The device array that lies where the NumPy view `dummy` lies in `base`, a stand-in of this one."""
        offset = dummy.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        return DeviceNDArray(
            dummy.shape, dummy.strides, dummy.dtype, self._owner, self._address + offset, self.stream, self._readonly
        )

    def _stand_in(self):
        """A NumPy array of this shape and these strides, whose elements mean nothing."""
        numpy = _numpy()
        low, high = self._span()
        return numpy.ndarray(self.shape, self.dtype, numpy.empty(max(high - low, 1), numpy.uint8), -low, self.strides)

    @property
    def _numba_type_(self):
        """The array's type in signatures."""
        from numba.typing import from_dtype
        from numba.types import Array

        return Array(from_dtype(self.dtype), self.ndim, self._layout, readonly=self._readonly)

    def __getitem__(self, index):
        return self.getitem(index)

    def getitem(self, index, stream=0):
        """The element or the view that an index names."""
        base = self._stand_in()
        chosen = base[index]
        if not isinstance(chosen, _numpy().ndarray):
            full = base[index if isinstance(index, tuple) and Ellipsis in index else (*_as_tuple(index), ...)]
            element = self._derive(full, base)
            return element._as_record() if self.dtype.names else element.copy_to_host(stream=stream)[()]
        return self._derive(chosen, base)

    def __setitem__(self, index, value) -> None:
        self.setitem(index, value)

    def setitem(self, index, value, stream=0) -> None:
        """Sets the elements that an index names."""
        numpy = _numpy()
        base = self._stand_in()
        part = self._derive(base[(*_as_tuple(index), ...)], base)
        source = value.copy_to_host() if isinstance(value, DeviceNDArray) else numpy.asarray(value)
        part.copy_to_device(numpy.broadcast_to(source.astype(self.dtype), part.shape), stream)

    def reshape(self, *shape, order="C"):
        """A view of another shape."""
        base = self._stand_in()
        wanted = base.reshape(*shape, order=order)
        if not _numpy().shares_memory(wanted, base) and self.size:
            raise NotImplementedError("reshaping this array would copy it")
        return self._derive(wanted, base)

    def ravel(self, order="C", stream=0):
        """A view with one dimension."""
        return self.reshape(-1, order=order)

    def transpose(self, axes=None):
        """A view with the dimensions in another order."""
        base = self._stand_in()
        return self._derive(base.transpose(axes) if axes else base.transpose(), base)

    T = property(transpose)

    def squeeze(self, axis=None, stream=0):
        """A view without the dimensions of length 1."""
        base = self._stand_in()
        return self._derive(base.squeeze(axis), base)

    def view(self, dtype):
        """A view of the same bytes as elements of another type."""
        base = self._stand_in()
        return self._derive(base.view(dtype), base)

    def split(self, section: int, stream=0):
        """Views of `section` elements each, one after the other."""
        return [self[begin : begin + section] for begin in range(0, self.size, section)]

    def bind(self, stream=0):
        """The same array, with a stream of its own."""
        base = self._stand_in()
        bound = self._derive(base, base)
        bound.stream = stream
        return bound

    def get_ipc_handle(self):
        """What other processes of the machine open the array's memory by. CudaSupportError on the CPU, and of memory that cannot be shared."""
        from numba.cuda.ipc import handle_of

        return handle_of(self)

    def _as_record(self):
        return DeviceRecord._at(self.dtype, self._owner, self._address, self.stream)

    def __repr__(self) -> str:
        return f"<numba.cuda.cudadrv.devicearray.DeviceNDArray shape={self.shape} dtype={self.dtype}>"


class DeviceRecord(DeviceNDArray):
    """A record in device memory: its fields are had, and set, by their names."""

    def __new__(cls, dtype, stream=0, gpu_data=None):
        return super().__new__(cls, (), (), dtype, stream=stream, gpu_data=gpu_data)

    @classmethod
    def _at(cls, dtype, owner, address, stream) -> "DeviceRecord":
        return super().__new__(cls, (), (), dtype, owner, address, stream)

    @property
    def _numba_type_(self):
        """The record's type in signatures."""
        from numba.typing import from_dtype

        return from_dtype(self.dtype)

    def _field(self, name: str) -> DeviceNDArray:
        if name not in (self.dtype.names or ()):
            raise KeyError(name)
        base = self._stand_in()
        return self._derive(base[name], base)

    def __getitem__(self, name: str):
        """A number, a record, or for an array a device array: the last two in the memory of this one."""
        field = self._field(name)
        return field._as_record() if field.dtype.names and not field.shape else field if field.shape else field.copy_to_host()[()]

    def __setitem__(self, name: str, value) -> None:
        """Sets a field."""
        field = self._field(name)
        source = value.copy_to_host() if isinstance(value, DeviceNDArray) else value
        host = _numpy().empty(field.shape, field.dtype)
        host[...] = source
        field.copy_to_device(host)

    getitem = __getitem__
    setitem = __setitem__

    def copy_to_host(self, ary=None, stream=0):
        """The record as a NumPy array of no dimensions, or in ary, which may be a record, too."""
        if isinstance(ary, _numpy().void):
            value = super().copy_to_host(stream=stream)
            for name in self.dtype.names:
                ary[name] = value[name]
            return ary
        return super().copy_to_host(ary, stream)

    def __repr__(self) -> str:
        return f"<numba.cuda.cudadrv.devicearray.DeviceRecord dtype={self.dtype}>"


def _as_tuple(index) -> tuple:
    return index if isinstance(index, tuple) else (index,)


def device_array(shape, dtype=None, strides=None, order="C", stream=0) -> DeviceNDArray:
    """A device array with arbitrary elements; float64 by default."""
    numpy = _numpy()
    sizes = sizes_of(shape)
    kind = numpy.dtype(numpy.float64 if dtype is None else dtype)
    return DeviceNDArray(sizes, strides or contiguous(sizes, kind.itemsize, order), kind, stream=stream)


def device_array_like(ary, stream=0) -> DeviceNDArray:
    """A device array of the shape, type and order of another array; without gaps."""
    return device_array(ary.shape, ary.dtype, strides=_strides_like(ary), stream=stream)


def _strides_like(ary) -> tuple:
    """The strides of an array without gaps whose dimensions follow each other in memory as those of ary do."""
    strides = [0] * len(ary.shape)
    step = ary.dtype.itemsize
    for axis in sorted(range(len(strides)), key=lambda axis: (abs(ary.strides[axis]), -axis)):
        strides[axis] = step
        step *= ary.shape[axis]
    return contiguous(tuple(ary.shape), ary.dtype.itemsize, "C") if ary.flags["C_CONTIGUOUS"] else tuple(strides)


def to_device(obj, stream=0, copy=True, to=None) -> DeviceNDArray:
    """A device array with the elements of obj; `to` receives them when it is given."""
    source = obj if isinstance(obj, DeviceNDArray) else _numpy().asarray(obj)
    if isinstance(obj, _numpy().void) and to is None:
        to = DeviceRecord(source.dtype, stream)
    target = device_array_like(source, stream) if to is None else to
    if copy or to is not None:
        target.copy_to_device(source, stream)
    return target


def is_cuda_array(obj) -> bool:
    """Whether kernels take obj as a device array."""
    return isinstance(obj, DeviceNDArray) or hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj, sync=True) -> DeviceNDArray:
    """A device array that is the same memory as obj's __cuda_array_interface__. TypeError without one."""
    if isinstance(obj, DeviceNDArray):
        return obj
    if not hasattr(obj, "__cuda_array_interface__"):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(obj.__cuda_array_interface__, owner=obj, sync=sync)


def from_cuda_array_interface(desc: dict, owner=None, sync=True) -> DeviceNDArray:
    """A device array that is the memory that an interface dict tells of. NotImplementedError where it has a mask."""
    if desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    dtype = _numpy().dtype(desc["descr"] if desc["typestr"].startswith("|V") and "descr" in desc else desc["typestr"])
    if dtype.kind == "V" and getattr(getattr(owner, "dtype", None), "name", "") == "bfloat16":  # which the interface has no code for
        dtype = owner.dtype
    shape = tuple(desc["shape"])
    strides = desc.get("strides") or contiguous(shape, dtype.itemsize, "C")
    address, readonly = desc["data"]
    if sync and (desc.get("stream") or 0) > 1:
        _kiln.kernel_synchronize(desc["stream"])
    low, span = extent(shape, strides, dtype.itemsize)
    return DeviceNDArray(shape, strides, dtype, _DeviceMemory(span, address + low, desc if owner is None else owner), address, readonly=readonly)


def pinned_array(shape, dtype=None, strides=None, order="C"):
    """A NumPy array in memory that a GPU copies from and to without a detour."""
    return _host_array(shape, dtype, strides, order, False)


def _host_array(shape, dtype, strides, order, managed: bool):
    numpy = _numpy()
    sizes = sizes_of(shape)
    kind = numpy.dtype(numpy.float64 if dtype is None else dtype)
    low, span = extent(sizes, strides or contiguous(sizes, kind.itemsize, order), kind.itemsize)
    return numpy.ndarray(sizes, kind, _PinnedMemory(max(span, 1), managed), offset=-low, strides=strides, order=order)


def pinned_array_like(ary):
    """A pinned array of the shape, type and order of another."""
    return pinned_array(ary.shape, ary.dtype, strides=_strides_like(ary))


def _host_class(name: str):
    """The class of arrays that host and device see at one address, made when NumPy is there."""
    if name not in _host_classes:
        numpy = _numpy()

        def interface(self) -> dict:
            if _kiln.kernel_backend()[0] == "cpu":
                raise AttributeError("kernels run on the CPU, and take this array as any other")
            address, readonly = self.__array_interface__["data"]
            return {"shape": self.shape, "strides": self.strides, "data": (address, readonly), "typestr": self.dtype.str, "version": 3,
                    "stream": stream_number(getattr(self, "stream", 0)) or None, "descr": self.dtype.descr}

        _host_classes[name] = type(name, (numpy.ndarray,), {
            "__doc__": "A NumPy array that kernels read and write where it is.", "__module__": __name__,
            "__cuda_array_interface__": property(interface), "copy_to_host": lambda self, ary=None, stream=0: _copied(self, ary), "get_ipc_handle": _unshared})
    return _host_classes[name]


_host_classes: dict = {}


def _unshared(array):
    from numba.cuda.cudadrv.error import CudaSupportError

    raise CudaSupportError(f"a {type(array).__name__} lies in the host's memory, which other processes cannot open; share a device array")


def _in_place(array, name: str, stream):
    """The array as one of such a class, used on a stream."""
    view = array.view(_host_class(name))
    view.stream = stream
    return view


def _copied(array, target):
    _kiln.kernel_synchronize(0)
    if target is None:
        return _numpy().array(array)
    target[...] = array
    return target


def mapped_array(shape, dtype=None, strides=None, order="C", stream=0, portable=False, wc=False):
    """A NumPy array that kernels read and write where it is, over the bus."""
    return _in_place(pinned_array(shape, dtype, strides, order), "MappedNDArray", stream)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A mapped array of the shape, type and order of another array."""
    return _in_place(pinned_array_like(ary), "MappedNDArray", stream)


def managed_array(shape, dtype=None, strides=None, order="C", stream=0, attach_global=True):
    """A NumPy array in memory that moves to where it is used."""
    return _in_place(_host_array(shape, dtype, strides, order, True), "ManagedNDArray", stream)


@contextlib.contextmanager
def pinned(*arrays):
    """`with pinned(array):` a GPU copies from and to the NumPy arrays without a detour."""
    places = [(array.__array_interface__["data"][0], array.nbytes) for array in arrays if array.nbytes]
    done = []
    try:
        for address, size in places:
            _kiln.kernel_pin(address, size)
            done.append(address)
        yield
    finally:
        for address in done:
            _kiln.kernel_pin(address, -1)


@contextlib.contextmanager
def mapped(*arrays, **options):
    """`with mapped(array) as device_array:` the arrays, which kernels read and write where they are."""
    with pinned(*arrays):
        views = [_in_place(array, "MappedNDArray", options.get("stream", 0)) for array in arrays]
        yield views[0] if len(views) == 1 else views
