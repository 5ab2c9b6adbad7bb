"""DUFunc: what @vectorize makes. A kernel for large arrays, else NumPy's loop over Python objects."""

import functools

import numpy

from numba.decorators import mark
from numba.elementwise import ElementwiseKernel
from numba.machine_results import Recording, any_leaves_type, fill, for_one, goes_on
from numba.types import Integer, Signature, none
from numba.typing import from_dtype
from numba.ufunc_types import by_letters, choose, choose_met, letters, returning

_NO_VALUE = object()
_IDENTITIES = {"zero": 0, "one": 1, 0: 0, 1: 1}


class DUFunc:
    """A function of scalars as one of arrays, with a ufunc's attributes, methods and options."""

    signature = None  # as a ufunc has it: there are no core dimensions
    nout = 1

    def __init__(self, function, signatures: list[Signature], identity, target: str) -> None:
        self.py_func = mark(getattr(function, "py_func", function))
        functools.update_wrapper(self, self.py_func, updated=())
        self.targetoptions = {"target": target}
        self.nin = self.py_func.__code__.co_argcount
        self.nargs = self.nin + 1
        self.reorderable = identity is not None
        if identity is not None and identity != "reorderable" and identity not in _IDENTITIES:
            raise ValueError(f"Invalid identity value {identity!r}")
        self.identity = _IDENTITIES.get(identity)
        self._given_identity = identity
        self._kernel = ElementwiseKernel(self, target)
        self._met: list[Signature] = []  # of a function without signatures: those of its calls
        self.signatures = [found for found in map(self._with_result, signatures) if found is not None]

    def __repr__(self) -> str:
        return f"<numba._DUFunc {self.__name__!r}>"

    def __reduce__(self):
        from numba.pickling import reduced

        return reduced(self, DUFunc, ([], self._given_identity, self.targetoptions["target"]), self.signatures)

    def _take_signature(self, signature: Signature) -> None:
        self.signatures.append(signature)

    @property
    def types(self) -> list[str]:
        """The signatures by NumPy's letters: "ff->f"; without signatures, those that calls had."""
        return [letters(signature) for signature in self.signatures or self._met]

    ntypes = property(lambda self: len(self.types))
    ufunc = property(lambda self: self)

    def add(self, signature):
        """Adds a signature. The DUFunc."""
        from numba.ufuncs import parse_signature

        found = self._with_result(parse_signature(signature))
        self.signatures += [] if found is None else [found]
        return self

    def _with_result(self, signature: Signature) -> Signature | None:
        """The signature; with the result that the kernels' compiler finds where it says none. None if it finds none."""
        if signature.return_type != none:
            return signature
        found = self._kernel.result_type([kind.dtype for kind in signature.args])
        return None if found is None else Signature(from_dtype(found), signature.args)

    def build_ufunc(self):
        """The DUFunc."""
        return self

    def disable_compile(self) -> None:
        """Has no effect: types that have no signature are refused where there are signatures."""

    def __call__(self, *arguments, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None, sig=None,
                 stream=0):
        """Broadcasts the arguments and calls the function for each element. A scalar for scalars, like a ufunc."""
        arguments, out = self._split(arguments, out)
        plain = where is True and dtype is None and signature is None and sig is None
        if plain and not any(_is_special(value) for value in (*arguments, out)):
            result = self._kernel(arguments, out, stream, casting)
            if result is not None:
                return result
        arrays = [numpy.asanyarray(value) if subok else numpy.asarray(value) for value in arguments]
        chosen = self._wanted(arrays, arguments, dtype, signature or sig, out, casting)
        kind = dtype or (self._inferred_type(arrays) if chosen is None else chosen.return_type.dtype)
        results = self._results(arrays, arguments, chosen, kind, out, where, order)
        typed = _typed(results, kind, chosen)
        if out is None:
            return typed if typed.ndim else typed[()]
        self._check_out(typed.dtype, out, casting)
        numpy.copyto(out, typed, where=where, casting="unsafe")
        return out

    def _split(self, arguments, out):
        """The arguments and `out`, which may be the last of them, or in a tuple."""
        if not self.nin <= len(arguments) <= self.nargs:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but "
                            f"{len(arguments)} {'was' if len(arguments) == 1 else 'were'} given")
        if len(arguments) == self.nargs:
            *arguments, out = arguments
        return arguments, out[0] if isinstance(out, tuple) else out

    def _wanted(self, arrays, arguments, dtype, text, out=None, casting="same_kind") -> Signature | None:
        """The signature that was asked for by `dtype` or by letters, else the first that fits."""
        if text is not None:
            return by_letters(self.signatures, text, self.__name__)
        found = None if dtype is None else returning(self.signatures, numpy.dtype(dtype), arrays)
        return found or self._choose(arrays, arguments, out, casting)

    def _choose(self, arrays, arguments=None, out=None, casting="same_kind") -> Signature | None:
        if not self.signatures:
            return self._choose_met(arrays, arguments)
        results = None if out is None else lambda signature: numpy.can_cast(signature.return_type.dtype, out.dtype, casting)
        return choose(self.signatures, arrays, arguments, self.__name__, self.targetoptions["target"] == "cuda", results)

    def _choose_met(self, arrays, arguments) -> Signature | None:
        """Without signatures: one that an earlier call had, else that of the arrays' own types; None where the compiler finds none."""
        found = choose_met(self._met, arrays, arguments)
        if found is None and (made := self._inferred_type(arrays)) is not None:
            found = Signature(from_dtype(made), tuple(from_dtype(array.dtype) for array in arrays))
            self._met.append(found)
        return found

    def _inferred_type(self, arrays):
        """What the kernels' compiler says that a function without signatures returns; None where it does not know."""
        return self._kernel.result_type([array.dtype for array in arrays])

    def _results(self, arrays, arguments, chosen, kind, out, where, order):
        """The function's results as objects; a kernel's where Python raises, as for a division by zero."""
        if chosen is not None:
            arrays = [array.astype(wanted.dtype) for array, wanted in zip(arrays, chosen.args)]
        operands = [array.astype(object) for array in arrays]

        def loop(function):
            options = {}
            if where is not True:
                shape = numpy.broadcast_shapes(*(array.shape for array in arrays), numpy.shape(where))
                made = numpy.zeros(shape, kind or float) if out is None else numpy.asarray(out)
                options = {"where": where, "out": made.astype(object)}
            return self._loop(function)(*operands, order=order, **options)

        try:
            results = numpy.asanyarray(loop(self.py_func))
            if not any_leaves_type(results, kind) or not self._kernel.knows(arrays, arguments):
                return results
        except (ArithmeticError, ValueError) as error:
            if not goes_on(error) or not self._kernel.knows(arrays, arguments):
                raise
        recording = Recording(self.py_func, kind)
        filled = fill(numpy.asanyarray(loop(recording), dtype=object), arrays, self._kernel)
        if filled is None and recording.error is not None:
            raise recording.error
        return results if filled is None else filled

    def _loop(self, function):
        """NumPy's ufunc of objects."""
        options = {"identity": self.identity} if self.reorderable else {}
        return _named(numpy.frompyfunc(function, self.nin, 1, **options), self.__name__)

    def _rounding(self, chosen: Signature | None):
        """The function with results of the signature's type, for where others are computed from them."""
        return self.py_func if chosen is None else for_one(self.py_func, self._kernel, chosen)

    def _check_out(self, kind, out, casting: str) -> None:
        if not numpy.can_cast(kind, out.dtype, casting):
            raise TypeError(f"Cannot cast ufunc {self.__name__!r} output from {kind!r} to {out.dtype!r} with casting rule {casting!r}")

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False, initial=_NO_VALUE, where=True, stream=0):
        """ufunc.reduce(). What happens on the stream before is waited for."""
        if hasattr(stream, "synchronize"):
            stream.synchronize()
        options = {"axis": axis, "keepdims": keepdims} | ({} if initial is _NO_VALUE else {"initial": initial})
        return self._method("reduce", array, (), dtype, out, options | ({} if where is True else {"where": where}))

    def accumulate(self, array, axis=0, dtype=None, out=None):
        """ufunc.accumulate()."""
        return self._method("accumulate", array, (), dtype, out, {"axis": axis})

    def reduceat(self, array, indices, axis=0, dtype=None, out=None):
        """ufunc.reduceat()."""
        return self._method("reduceat", array, (indices,), dtype, out, {"axis": axis})

    def outer(self, first, second, **options):
        """ufunc.outer()."""
        first, second = numpy.asanyarray(first), numpy.asanyarray(second)
        return self(first.reshape(first.shape + (1,) * second.ndim), second, **options)

    def at(self, array, indices, second=_NO_VALUE) -> None:
        """ufunc.at()."""
        others = () if second is _NO_VALUE else (numpy.asarray(second),)
        chosen = self._choose([array, *others], [array, *(() if second is _NO_VALUE else (second,))])
        objects = array.astype(object)
        self._loop(self._rounding(chosen)).at(objects, indices, *(other.astype(object) for other in others))
        array[...] = _typed(objects, array.dtype, None)

    def _method(self, name: str, array, extra, dtype, out, options):
        """A method of binary ufuncs, on objects."""
        if self.nin != 2:
            raise ValueError(f"{name} only supported for binary functions")
        array = numpy.asanyarray(array)
        chosen = self._wanted([array, array], None, dtype, None)
        kind = dtype or (array.dtype if chosen is None else chosen.return_type.dtype)
        if chosen is not None:
            array = array.astype(chosen.args[0].dtype)
        results = getattr(self._loop(self._rounding(chosen)), name)(array.astype(object), *extra, **options)
        typed = _typed(numpy.asanyarray(results), kind, chosen)
        if out is None:
            return typed if typed.ndim else typed[()]
        out = out[0] if isinstance(out, tuple) else out
        out[...] = typed
        return out


class _named:
    """A ufunc of numpy.frompyfunc()'s, whose errors call it by another name."""

    def __init__(self, ufunc, name: str) -> None:
        self._ufunc = ufunc
        self._name = name

    def __call__(self, *arguments, **options):
        return self._run(self._ufunc, arguments, options)

    def __getattr__(self, method: str):
        return lambda *arguments, **options: self._run(getattr(self._ufunc, method), arguments, options)

    def _run(self, called, arguments, options):
        try:
            return called(*arguments, **options)
        except ValueError as error:
            long = self._ufunc.__name__
            if len(error.args) != 1 or not isinstance(error.args[0], str) or long not in error.args[0]:
                raise
            raise ValueError(error.args[0].replace(long, self._name)) from None


def _is_special(value) -> bool:
    """Whether an array is of a class that results are to be of, too."""
    return isinstance(value, numpy.ndarray) and type(value) is not numpy.ndarray


def _typed(results, kind, chosen: Signature | None):
    """Objects as numbers of a dtype; of the one that holds them all without one. Integers wrap around, as under numba."""
    if kind is None:
        kind = numpy.asarray(numpy.asarray(results).tolist()).dtype
    kind = numpy.dtype(kind)
    with numpy.errstate(invalid="ignore"):
        try:
            return results.astype(numpy.int64).astype(kind) if kind.kind in "iu" else results.astype(kind)
        except (OverflowError, ValueError, TypeError):
            if kind.kind not in "iu":
                raise
    wrap = Integer(8 * kind.itemsize, kind.kind == "i").cast_python_value
    return numpy.frompyfunc(lambda value: wrap(_whole(value)), 1, 1)(results).astype(kind)


def _whole(value) -> int:
    """An integer for any number, as the machine converts it: the least one for what is none."""
    try:
        return int(value)
    except (OverflowError, ValueError):
        return -(1 << 63)
