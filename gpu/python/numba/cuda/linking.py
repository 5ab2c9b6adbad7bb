"""Code of other languages that kernels are linked with on a GPU: declare_device(), link=[...], and the classes that hold such code."""

import io
import os
import weakref

from numba.cuda.cudadrv.error import LinkerError
from numba.types import CPointer, Number, none
from numba.ufuncs import parse_signature, parse_type


class LinkableCode:
    """Code as bytes, a str, or a file-like object. The subclass says what it is."""

    kind = ""
    default_name = "<unnamed>"

    def __init__(self, data, name: str | None = None, setup_callback=None, teardown_callback=None, nrt: bool = False) -> None:
        for what, callback in (("setup_callback", setup_callback), ("teardown_callback", teardown_callback)):
            if callback and not callable(callback):
                raise TypeError(f"{what} must be callable")
        if nrt:
            raise NotImplementedError("kiln has no runtime of numba's that code could call")
        if isinstance(data, (io.StringIO, io.BytesIO)):
            data = data.getvalue()
        if not isinstance(data, (str, bytes)):
            raise TypeError(f"code is bytes, a str, or one of io's objects that hold these, and not {type(data).__name__}")
        self.data = data.encode() if isinstance(data, str) else data
        self.name = name or self.default_name
        self.setup_callback, self.teardown_callback, self.nrt = setup_callback, teardown_callback, nrt

    @staticmethod
    def from_path(path: str) -> "LinkableCode":
        """The code in a file, whose ending says what it is."""
        name, ending = os.path.splitext(os.path.basename(os.fspath(path)))
        if ending[1:] not in KINDS:
            raise ValueError(f"Unknown extension: {ending}")
        with open(path, "rb") as file:
            return KINDS[ending[1:]](file.read(), name=name)

    @classmethod
    def from_path_or_obj(cls, path_or_obj) -> "LinkableCode":
        """The code in a file, or the code itself."""
        return cls.from_path(path_or_obj) if isinstance(path_or_obj, str) else path_or_obj

    def __eq__(self, other) -> bool:
        return isinstance(other, LinkableCode) and (self.kind, self.data) == (other.kind, other.data)

    def __hash__(self) -> int:
        return hash((self.kind, self.data))


def _class(name: str, kind: str, what: str):
    made = type(name, (LinkableCode,), {"kind": kind, "default_name": f"<unnamed-{kind}>", "__doc__": what, "__module__": __name__})
    globals()[name] = made
    return made


KINDS = {made.kind: made for made in (
    _class("CUSource", "cu", "CUDA C++."), _class("PTXSource", "ptx", "PTX."), _class("Cubin", "cubin", "Machine code for one architecture."),
    _class("Fatbin", "fatbin", "Code for several architectures."), _class("Archive", "a", "An archive of objects."),
    _class("Object", "o", "An object file with code for GPUs."), _class("LTOIR", "ltoir", "Code that is optimised when it is linked."))}


def described(items) -> tuple:
    """What link= names, as _kiln takes it: (kind, name, bytes, None or the code if it has callbacks) for each. Paths are read."""
    if isinstance(items, (str, os.PathLike, LinkableCode)):
        raise TypeError("link= takes a list of paths and of what holds code")
    return tuple(_described(item) for item in items)


def _described(item) -> tuple[str, str, bytes, LinkableCode | None]:
    if isinstance(item, LinkableCode):
        return (item.kind, item.name, item.data, item if item.setup_callback or item.teardown_callback else None)
    path = os.fspath(item)
    kind = os.path.splitext(path)[1][1:]
    if kind not in KINDS:
        raise RuntimeError(f"Don't know how to link file with {'extension .' + kind if kind else 'no extension'}: {path}")
    try:
        with open(path, "rb") as file:
            return (kind, path, file.read(), None)
    except FileNotFoundError:
        raise LinkerError(f"{path} not found") from None


class ObjectCode:
    """A library of the driver's that callbacks are told of. handle: its CUlibrary, as a number."""

    def __init__(self, handle: int) -> None:
        self.handle = handle


class _Loaded:
    """Lives as long as the library."""


def loaded(handle: int, codes: tuple) -> _Loaded:
    """Calls the set-up callbacks of what a library was linked with; those at its end are called when what this returns goes."""
    library, alive = ObjectCode(handle), _Loaded()
    for code in codes:
        if code.setup_callback:
            code.setup_callback(library)
    weakref.finalize(alive, _unload, [code.teardown_callback for code in codes if code.teardown_callback], library)
    return alive


def _unload(callbacks: list, library: ObjectCode) -> None:
    for callback in callbacks:
        callback(library)


class ExternFunction:
    """A function of other code, which kernels call."""

    def __init__(self, name: str, signature, code: tuple, abi: str, use_cooperative: bool) -> None:
        self.name, self.sig, self.abi = name, signature, abi
        returned = None if signature.return_type == none else _external_type(signature.return_type)
        self._kiln_external = (name, abi, returned, tuple(map(_external_type, signature.args)), code, use_cooperative)

    def __call__(self, *arguments):
        """It can be called in kernels only."""
        raise TypeError(f"{self.name} is no Python function: kernels call it")

    def __repr__(self) -> str:
        return f"<function {self.name} of other code>"


def _external_type(kind) -> str:
    if isinstance(kind, Number):
        return kind.name
    if isinstance(kind, CPointer) and isinstance(kind.dtype, Number):
        return f"*{kind.dtype.name}"
    raise TypeError(f"a function of other code takes and gives numbers and CPointer of these, not {kind}")


def declare_device(name: str, sig, link=None, use_cooperative: bool = False, abi: str = "numba") -> ExternFunction:
    """A function of other code, by its name and its signature, with the code that defines it if the kernel's link= does not name it.

    abi: by "numba" it returns a status, 0, and gives its result through its first argument; by "c" it is an ordinary function.
    use_cooperative: it waits for all blocks, so that kernels which call it are launched cooperatively.
    """
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    declared = parse_type(sig) if isinstance(sig, str) else sig
    if isinstance(declared, tuple):
        raise TypeError("Return type must be provided for device declarations: the signature of a function of other code says what it returns")
    signature = parse_signature(declared)
    if link is not None and not isinstance(link, (list, tuple, set)):
        link = [link]
    return ExternFunction(name, signature, described(link or ()), abi, use_cooperative)
