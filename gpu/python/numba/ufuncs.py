"""vectorize and guvectorize, with NumPy's broadcasting: kernels for large arrays, else loops in Python. They need NumPy."""

import re

from numba.types import Array, Signature, Type


def _numpy():
    """NumPy. ImportError that says who needs it."""
    try:
        import numpy
    except ImportError:
        raise ImportError("numba.vectorize and numba.guvectorize need NumPy, which is not installed") from None
    return numpy


def parse_type(text: str):
    """What a text such as "float32[:, ::1]" or "f8(f8, f8)" says: a Type, a Signature, or a tuple of types. TypeError when it is none."""
    from numba import types

    try:
        return eval(text.strip(), {"__builtins__": {}, "bool": types.boolean}, vars(types))
    except NameError as error:
        raise TypeError(f"{error.name!r} is not a type, in {text!r}") from None
    except Exception as error:
        raise TypeError(f"{text!r} is not a signature such as 'float64(float64)': {error}") from None


def parse_signature(signature) -> Signature:
    """The Signature of one, of its text ("f8(f8, f8)"), or of a tuple of argument types."""
    from numba import types

    found = parse_type(signature) if isinstance(signature, str) else signature
    if isinstance(found, tuple) and all(isinstance(part, Type) for part in found):
        return Signature(types.none, found)
    if not isinstance(found, Signature):
        raise TypeError(f"{signature!r} is not a signature such as 'float64(float64)'")
    return found

# Kinds of dtypes, each of which holds the numbers of those before it.
KINDS = "buifcOSUV"


class DUFunc:
    """A function of scalars as one of arrays."""

    def __init__(self, function, signatures: list[Signature], identity=None) -> None:
        _numpy()
        self.py_func = function
        self.signatures = signatures
        self.identity = identity
        self._kernel = None
        self.nin = function.__code__.co_argcount
        self.nout = 1
        self.nargs = self.nin + 1
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __repr__(self) -> str:
        return f"<numba._DUFunc {self.__name__!r}>"

    @property
    def types(self) -> list[str]:
        """The signatures by NumPy's letters: "ff->f"."""
        return ["".join(a.dtype.char for a in s.args) + "->" + s.return_type.dtype.char for s in self.signatures]

    ntypes = property(lambda self: len(self.signatures))

    def _choose(self, arrays, arguments=None) -> Signature | None:
        """The signature for arguments that became arrays; TypeError when there is none.

        Python's numbers fit all types of their kind or a higher one, as in numba. Without a signature of the arrays' own types: the
        first that holds their values.
        """
        numpy = _numpy()
        given = arrays if arguments is None else arguments
        typed = [hasattr(argument, "dtype") or array.ndim > 0 for argument, array in zip(given, arrays)]

        def suits(signature, matches) -> bool:
            return all(
                matches(array.dtype, wanted.dtype) if is_typed else KINDS.index(array.dtype.kind) <= KINDS.index(wanted.dtype.kind)
                for array, wanted, is_typed in zip(arrays, signature.args, typed)
            )

        exact = [signature for signature in self.signatures if suits(signature, lambda have, wanted: have == wanted)]
        if len(exact) > 1:  # Python's numbers choose among them
            exact = [s for s in exact if all(numpy.can_cast(a.dtype, w.dtype) for a, w in zip(arrays, s.args))] or exact
        if exact:
            return exact[0]
        for signature in self.signatures:
            if suits(signature, numpy.can_cast):
                return signature
        if self.signatures:
            raise TypeError(f"ufunc {self.__name__!r} has no signature for {[str(array.dtype) for array in arrays]}")
        return None

    def __call__(self, *arguments, out=None, dtype=None, stream=0, **options):
        """Broadcasts the arguments and calls the function for each element. A scalar for scalars, like a ufunc."""
        numpy = _numpy()
        if len(arguments) == self.nargs and out is None:
            *arguments, out = arguments
        if self._kernel is not None and dtype is None:
            result = self._kernel(arguments, out, stream)
            if result is not None:
                return result
        arrays = [numpy.asarray(argument) for argument in arguments]
        signature = self._choose(arrays, arguments)
        if signature is not None:
            arrays = [array.astype(wanted.dtype) for array, wanted in zip(arrays, signature.args)]
            dtype = dtype or signature.return_type.dtype
        results = numpy.frompyfunc(self.py_func, self.nin, 1)(*arrays)
        if dtype is None:
            dtype = numpy.asarray(numpy.asarray(results).tolist()).dtype
        if out is not None:
            out[...] = results
            return out
        typed = numpy.asarray(results).astype(dtype)
        return typed if typed.ndim else typed[()]

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, **options):
        """ufunc.reduce()."""
        numpy = _numpy()
        array = numpy.asarray(array)
        results = numpy.frompyfunc(self.py_func, 2, 1, identity=self._identity()).reduce(
            array, axis=axis, keepdims=keepdims
        )
        return self._finish(results, dtype or self._result_type(array), out)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """ufunc.accumulate()."""
        numpy = _numpy()
        array = numpy.asarray(array)
        results = numpy.frompyfunc(self.py_func, 2, 1).accumulate(array, axis=axis, dtype=object)
        return self._finish(results, dtype or self._result_type(array), out)

    def outer(self, first, second, **options):
        """ufunc.outer()."""
        numpy = _numpy()
        first, second = numpy.asarray(first), numpy.asarray(second)
        return self(first.reshape(first.shape + (1,) * second.ndim), second, **options)

    def _identity(self):
        return {"zero": 0, "one": 1}.get(self.identity, self.identity if isinstance(self.identity, int) else None)

    def _result_type(self, array):
        signature = self._choose([array] * self.nin)
        return signature.return_type.dtype if signature is not None else array.dtype

    def _finish(self, results, dtype, out):
        typed = _numpy().asarray(results).astype(dtype)
        if out is None:
            return typed if typed.ndim else typed[()]
        out[...] = typed
        return out


def vectorize(ftylist_or_function=(), target="cpu", identity=None, **options):
    """@vectorize, @vectorize([...], ...): a DUFunc."""
    if callable(ftylist_or_function) and not isinstance(ftylist_or_function, Type):
        return _vectorized(ftylist_or_function, [], identity, target)
    listed = ftylist_or_function if isinstance(ftylist_or_function, (list, tuple)) else [ftylist_or_function]
    signatures = [parse_signature(signature) for signature in listed]
    return lambda function: _vectorized(function, signatures, identity, target)


def _vectorized(function, signatures: list[Signature], identity, target: str) -> DUFunc:
    """The DUFunc; large arrays go through a kernel."""
    from numba.elementwise import ElementwiseKernel

    made = DUFunc(getattr(function, "py_func", function), signatures, identity)
    made._kernel = ElementwiseKernel(made, target)
    return made


class GUFunc:
    """A function of sub-arrays, which writes its results into its last arguments, as one of arrays."""

    def __init__(self, function, signatures: list[Signature], layout: str, target: str) -> None:
        from numba.subarrays import SubarrayKernel

        _numpy()
        self._kernel = SubarrayKernel(getattr(function, "py_func", function))
        self._target = target
        self.py_func = getattr(function, "py_func", function)
        self.signatures = signatures
        self.signature = layout.replace(" ", "")
        inputs, _, outputs = self.signature.partition("->")
        self.inputs = [[name.strip() for name in part.split(",") if name.strip()] for part in re.findall(r"\(([^)]*)\)", inputs)]
        self.outputs = [[name.strip() for name in part.split(",") if name.strip()] for part in re.findall(r"\(([^)]*)\)", outputs)]
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *arguments, out=None, stream=0):
        """Calls the function at each place of the dimensions in front of the layout's. Device arrays give device arrays."""
        numpy = _numpy()
        from numba.cuda.arrays import DeviceNDArray, device_array

        count = len(self.inputs)
        given = arguments[count:] or (() if out is None else out if isinstance(out, tuple) else (out,))
        on_device = any(isinstance(argument, DeviceNDArray) for argument in (*arguments, *given))
        arrays = [argument if isinstance(argument, DeviceNDArray) else numpy.asarray(argument) for argument in arguments[:count]]
        signature = self._choose(arrays)
        elements = self._elements(signature)
        arrays = [_with_dtype(array, wanted.dtype) for array, wanted in zip(arrays, elements)]
        outer, sizes = self._measure(arrays)
        results = list(given) or [
            (device_array if on_device else numpy.empty)(outer + tuple(sizes[name] for name in core), dtype=kind.dtype)
            for core, kind in zip(self.outputs, elements[count:])
        ]
        wants_array = [not core and isinstance(kind, Array) for core, kind in zip(self.inputs, signature.args)]
        if not self._kernel.run(arrays, [len(core) for core in self.inputs], results, [len(core) for core in self.outputs],
                                outer, wants_array, stream, on_device or self._target == "cuda"):
            self._loop(arrays, results, outer, signature)
        finished = [array if array.ndim else array[()] for array in results]
        return finished[0] if len(finished) == 1 else tuple(finished)

    def _loop(self, arrays, results, outer, signature: Signature) -> None:
        """Calls the function in Python."""
        numpy = _numpy()
        arrays = [
            numpy.broadcast_to(array, outer + array.shape[array.ndim - len(core) :])
            for array, core in zip(arrays, self.inputs)
        ]
        for index in numpy.ndindex(*outer):
            self.py_func(*self._operands(arrays, index, signature), *(_part(array, index) for array in results))

    def _choose(self, arrays) -> Signature:
        numpy = _numpy()
        for signature in self.signatures:
            if all(
                numpy.can_cast(array.dtype, wanted.dtype) for array, wanted in zip(arrays, self._elements(signature))
            ):
                return signature
        raise TypeError(f"gufunc {self.__name__!r} has no signature for {[str(array.dtype) for array in arrays]}")

    @staticmethod
    def _elements(signature: Signature) -> list[Type]:
        return [kind.dtype if isinstance(kind, Array) else kind for kind in signature.args]

    def _measure(self, arrays) -> tuple[tuple[int, ...], dict[str, int]]:
        """The dimensions to loop over, and the size of each named one. ValueError where sizes differ."""
        sizes: dict[str, int] = {}
        outer = []
        for array, core in zip(arrays, self.inputs):
            if array.ndim < len(core):
                raise ValueError(f"{self.__name__}: an argument has {array.ndim} dimensions, its layout {len(core)}")
            outer.append(array.shape[: array.ndim - len(core)])
            for name, size in zip(core, array.shape[array.ndim - len(core) :]):
                if sizes.setdefault(name, size) != size:
                    raise ValueError(f"{self.__name__}: dimension {name} is {sizes[name]} and {size}")
        return _numpy().broadcast_shapes(*outer), sizes

    def _operands(self, arrays, index, signature: Signature) -> list:
        return [
            array[index] if not core and not isinstance(kind, Array) else _part(array, index)
            for array, core, kind in zip(arrays, self.inputs, signature.args)
        ]


def _with_dtype(array, dtype):
    """The array with elements of this type; a device array that has others comes to the host."""
    if array.dtype == dtype:
        return array
    return (array.copy_to_host() if hasattr(array, "copy_to_host") else array).astype(dtype)


def _part(array, index):
    """The sub-array at an index; a scalar is an array of one element there."""
    part = array[index + (...,)]
    return part if part.ndim else part.reshape(1)


def guvectorize(ftylist, signature: str, target="cpu", **options):
    """@guvectorize([...], "(n),()->(n)"): a GUFunc."""
    listed = ftylist if isinstance(ftylist, (list, tuple)) else [ftylist]
    signatures = [parse_signature(item) for item in listed]
    return lambda function: GUFunc(function, signatures, signature, target)
