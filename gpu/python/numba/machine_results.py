"""What a machine computes where Python raises, or leaves floats for complex numbers: ufuncs of numba's have NumPy's error model."""

import numpy

_MESSAGES = ("math domain error", "cannot convert float NaN to integer", "negative shift count")
_LEFT = object()


def goes_on(error: Exception) -> bool:
    """Whether a machine computes on where Python raises this."""
    return isinstance(error, ArithmeticError) or isinstance(error, ValueError) and str(error) in _MESSAGES


def leaves_type(value, kind) -> bool:
    """Whether Python made a complex number, as of a negative number's root, where the machine has no place for one."""
    return type(value) is complex and kind is not None and numpy.dtype(kind).kind != "c"


def any_leaves_type(results, kind) -> bool:
    """Whether any of the results does."""
    return any(leaves_type(value, kind) for value in (results.tolist() if results.ndim else [results.item()]))


class Recording:
    """A function whose results are marked where the machine's have to be found; in `error`, what Python raised last."""

    def __init__(self, function, kind) -> None:
        self._function = function
        self._kind = kind
        self.error = None

    def __call__(self, *arguments):
        try:
            result = self._function(*arguments)
        except (ArithmeticError, ValueError) as error:
            if not goes_on(error):
                raise
            self.error = error
            return _LEFT
        return _LEFT if leaves_type(result, self._kind) else result


def fill(results, arrays, kernel):
    """The results with the kernel's where they are marked. None where the kernel can't."""
    marks = numpy.asarray(numpy.frompyfunc(lambda value: value is _LEFT, 1, 1)(results)).astype(bool)
    found = kernel([numpy.broadcast_to(numpy.asarray(array), marks.shape)[marks] for array in arrays], None, 0, smallest=0)
    if found is None:
        return None
    results[marks] = found.astype(object)
    return results


def for_one(function, kernel, signature):
    """The function of two numbers with a ufunc's results: one of the signature's types, the kernel's where Python has none."""
    cast, kind = signature.return_type.cast_python_value, signature.return_type.dtype

    def called(*arguments):
        failed = None
        try:
            result = function(*arguments)
            if not leaves_type(result, kind):
                return cast(result)
        except (ArithmeticError, ValueError) as error:
            if not goes_on(error):
                raise
            failed = error
        found = kernel([numpy.full(1, value, kind.dtype) for value, kind in zip(arguments, signature.args)], None, 0, smallest=0)
        if found is not None:
            return found[0].item()
        raise failed or TypeError(f"the result {result} does not fit {kind}")

    return called
