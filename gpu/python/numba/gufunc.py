"""GUFunc: what @guvectorize makes. A kernel for large arrays, else a loop in Python."""

import functools

import numpy

from numba.decorators import mark
from numba.elementwise import device_view
from numba.gufunc_layout import Layout, cores_back, cores_last
from numba.machine_results import goes_on
from numba.subarrays import SMALLEST, SubarrayKernel
from numba.types import Array, Signature, Type, none
from numba.typing import from_dtype
from numba.ufunc_types import choose, choose_met, of_types, types_asked_for


class GUFunc:
    """A function of sub-arrays, which writes its results into its last arguments, as one of arrays."""

    identity = None

    def __init__(self, function, signatures: list[Signature], layout: str, target: str, writable: tuple = ()) -> None:
        self.py_func = mark(getattr(function, "py_func", function))
        functools.update_wrapper(self, self.py_func, updated=())
        self.signatures = signatures
        self._layout = Layout(layout)
        self.signature = self._layout.text
        self.nin, self.nout = len(self._layout.inputs), len(self._layout.outputs)
        self.nargs = self.nin + self.nout
        for given in signatures:
            if len(given.args) != self.py_func.__code__.co_argcount:
                raise TypeError(f"Signature mismatch: {len(given.args)} argument types given, but function takes "
                                f"{self.py_func.__code__.co_argcount} arguments")
            if target == "cuda" and given.return_type not in (none, None):
                raise TypeError(f"guvectorized functions cannot return values: signature {given} specifies {given.return_type} return type")
        self._target = target
        names = self.py_func.__code__.co_varnames
        self._written = [names.index(place) if isinstance(place, str) else place for place in writable]
        self._kernel = SubarrayKernel(self.py_func)
        self._inferred: dict[str, Signature] = {}  # of a function without signatures: those of its calls

    def __repr__(self) -> str:
        return f"<numba._GUFunc {self.__name__!r}>"

    def __reduce__(self) -> str:
        return self.__qualname__

    @property
    def types(self) -> list[str]:
        """The signatures by NumPy's letters: "dd->d"; without signatures, those that calls had."""
        found = [self._letters(self._elements(signature)) for signature in self.signatures]
        return found or list(self._inferred)

    ntypes = property(lambda self: len(self.types))

    def __call__(self, *arguments, out=None, axis=None, axes=None, keepdims=False, casting="same_kind", dtype=None, signature=None, sig=None,
                 stream=0):
        """Calls the function at each place of the dimensions in front of the layout's. Device arrays give device arrays."""
        inputs, given = (list(map(device_view, values)) for values in self._split(arguments, out))
        asked = types_asked_for(dtype, signature, sig, self.nin, self.nout, self.__name__)
        where = self._layout.axes(axis, axes)
        kept = self._layout.kept(self.__name__, where) if keepdims else ()
        finished = self._results(inputs, [numpy.squeeze(array, kept) for array in given] if kept else given, where, casting, asked, stream)
        if given:
            finished = given
        elif kept:
            finished = [numpy.expand_dims(array, kept) for array in finished]
        return finished[0] if len(finished) == 1 else tuple(finished)

    def _results(self, inputs, given, where, casting: str, asked, stream) -> list:
        """Fills the results that were given, or makes new ones."""
        from numba.cuda.arrays import DeviceNDArray, device_array

        on_device = any(isinstance(argument, DeviceNDArray) for argument in (*inputs, *given))
        arrays = [argument if isinstance(argument, DeviceNDArray) else numpy.asarray(argument) for argument in inputs]
        targets = given
        if where is not None:
            arrays = [cores_last(array, at) for array, at in zip(arrays, where)]
            targets = [cores_last(array, at) for array, at in zip(given, where[self.nin :])]
        signature = self._choose(arrays, inputs, targets, casting, asked)
        elements = self._elements(signature)
        originals, arrays = arrays, [_with_dtype(array, wanted.dtype) for array, wanted in zip(arrays, elements)]
        outer, sizes = self._layout.measure(self.__name__, arrays, targets)
        if targets:
            results = [self._target_for(array, kind.dtype, casting) for array, kind in zip(targets, elements[self.nin :])]
        else:
            results = [(device_array if on_device else numpy.empty)(outer + tuple(sizes[name] for name in core), dtype=kind.dtype)
                       for core, kind in zip(self._layout.outputs, elements[self.nin :])]
        filled = [result if result.ndim == len(outer) + len(core) else result.reshape(outer + result.shape[result.ndim - len(core) :])
                  for result, core in zip(results, self._layout.outputs)]
        self._fill(arrays, filled, outer, signature, stream, on_device)
        changed = [(originals[place], arrays[place]) for place in self._written]
        for target, result in [*zip(targets, results), *changed]:
            if result is not target:
                numpy.copyto(target, result, casting="unsafe")
        if targets:
            return given
        if where is None:
            return [array if array.ndim else array[()] for array in results]
        return [cores_back(array, at) for array, at in zip(results, (where + [()] * self.nout)[self.nin :])]

    def _split(self, arguments, out) -> tuple[list, list]:
        """The inputs, and the results that were given. TypeError for a wrong number."""
        if not self.signatures and out is None and len(arguments) < self.nargs:
            raise TypeError(f"Too few arguments for function {self.__name__!r}. Note that the pattern `out = gufunc(Arg1, Arg2, ..., ArgN)` "
                            "is not allowed. Use `gufunc(Arg1, Arg2, ..., ArgN, out) instead.")
        if self._target == "cuda" and len(arguments) not in (self.nin, self.nargs):
            raise TypeError(f"gufunc accepts {self.nin} positional arguments (when providing input only) or {self.nargs} positional "
                            f"arguments (when providing input and output). Got {len(arguments)} positional "
                            f"argument{'' if len(arguments) == 1 else 's'}.")
        if out is not None and len(arguments) == self.nargs:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        if not self.nin <= len(arguments) <= self.nargs:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but "
                            f"{len(arguments)} {'was' if len(arguments) == 1 else 'were'} given")
        given = arguments[self.nin :] or (() if out is None else out if isinstance(out, tuple) else (out,))
        return list(arguments[: self.nin]), list(given)

    def _fill(self, arrays, results, outer, signature: Signature, stream, on_device: bool) -> None:
        """Calls the function for all places: in a kernel, or one after the other."""
        layout = self._layout
        wants_array = [not core and isinstance(kind, Array) for core, kind in zip(layout.inputs, signature.args)]
        must = on_device or self._target == "cuda"

        def run(smallest: int) -> bool:
            return self._kernel.run(arrays, list(map(len, layout.inputs)), results, outer, wants_array, stream, must, smallest)

        if self._written and not must:
            self._loop(arrays, results, outer, signature)
        elif not run(SMALLEST):
            before = [result.copy() for result in results]
            try:
                self._loop(arrays, results, outer, signature)
            except (ArithmeticError, ValueError) as error:
                made = [result.copy() for result in results]
                for result, old in zip(results, before):
                    result[...] = old
                if not goes_on(error) or not run(0):
                    for result, new in zip(results, made):
                        result[...] = new
                    raise

    def _loop(self, arrays, results, outer, signature: Signature) -> None:
        """Calls the function in Python."""
        arrays = [_spread(array, outer + array.shape[array.ndim - len(core) :]) for array, core in zip(arrays, self._layout.inputs)]
        for index in numpy.ndindex(*outer):
            self.py_func(*self._operands(arrays, index, signature), *(_part(array, index) for array in results))

    def _choose(self, arrays, arguments, results, casting: str, asked: list | None = None) -> Signature:
        """The first signature that fits, or has the types asked for; without signatures one that an earlier call had, or of the arrays'
        own types."""
        wanted = [Signature(signature, self._elements(signature)) for signature in self.signatures or self._inferred.values()]

        if asked is not None:
            return of_types(wanted, asked, arrays, arguments, casting, self.__name__).return_type

        def holds(signature) -> bool:
            made = signature.args[self.nin :]
            return all(numpy.can_cast(kind.dtype, array.dtype, casting) for kind, array in zip(made, results))

        if self.signatures:
            try:
                return choose(wanted, arrays, arguments, self.__name__, results=holds).return_type
            except TypeError:
                narrower = self._narrower(wanted, arrays)
                if narrower is None:
                    raise
                return narrower.return_type
        if (met := choose_met(wanted, arrays, None, holds)) is not None:
            return met.return_type
        kinds = [from_dtype(array.dtype) for array in (*arrays, *results)]
        cores = (*self._layout.inputs, *self._layout.outputs)
        made = Signature(None, tuple(kind if not core and place < self.nin else Array(kind, max(len(core), 1), "A")
                                     for place, (kind, core) in enumerate(zip(kinds, cores))))
        self._inferred[self._letters(kinds)] = made
        return made

    def _narrower(self, signatures: list[Signature], arrays) -> Signature | None:
        """For GPUs numba also takes a signature whose types can be cast to those of the host arrays, and casts these."""
        if self._target == "cuda" and all(isinstance(array, numpy.ndarray) for array in arrays):
            for signature in signatures:
                if all(numpy.can_cast(kind.dtype, array.dtype) for kind, array in zip(signature.args, arrays)):
                    return signature
        return None

    def _letters(self, elements: list[Type]) -> str:
        kinds = "".join(kind.dtype.char for kind in elements)
        return f"{kinds[: self.nin]}->{kinds[self.nin :]}"

    def _target_for(self, array, kind, casting: str):
        """The array that was given for a result, or one of the type that the function writes. TypeError if it can't be cast."""
        if array.dtype == kind:
            return array
        if not numpy.can_cast(kind, array.dtype, casting):
            raise TypeError(f"Cannot cast ufunc {self.__name__!r} output from {kind!r} to {array.dtype!r} with casting rule {casting!r}")
        return array.astype(kind)

    @staticmethod
    def _elements(signature: Signature) -> list[Type]:
        return [kind.dtype if isinstance(kind, Array) else kind for kind in signature.args]

    def _operands(self, arrays, index, signature: Signature) -> list:
        return [
            array[index] if not core and not isinstance(kind, Array) else _part(array, index)
            for array, core, kind in zip(arrays, self._layout.inputs, signature.args)
        ]


def _with_dtype(array, dtype):
    """The array with elements of this type; a device array that has others comes to the host."""
    if array.dtype == dtype:
        return array
    return (array.copy_to_host() if hasattr(array, "copy_to_host") else array).astype(dtype)


def _spread(array, shape):
    """The array with this shape; itself, which may be written, where it has it."""
    return array if array.shape == shape else numpy.broadcast_to(array, shape)


def _part(array, index):
    """The sub-array at an index; a scalar is an array of one element there."""
    part = array[index + (...,)]
    return part if part.ndim else part.reshape(1)
