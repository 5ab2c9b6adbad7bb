"""Which of a ufunc's signatures a call uses: NumPy's casting rules, and numba's for Python's numbers."""

import numpy

from numba.types import Signature

# Kinds of dtypes, each of which holds the numbers of those before it.
_KINDS = "buifcOSUV"
# The kinds that NumPy tells apart where it asks whether numbers take the types of arrays.
_ORDER = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 2}
_BY_VALUE = int(numpy.__version__.partition(".")[0]) < 2  # whether these are all values without dimensions, by what they are


def letters(signature: Signature) -> str:
    """A signature by NumPy's letters: "ff->f"."""
    return "".join(kind.dtype.char for kind in signature.args) + "->" + signature.return_type.dtype.char


def choose(signatures: list[Signature], arrays, arguments, name: str, exact_first: bool = False, results=None) -> Signature | None:
    """The first signature that holds what the arguments, which became arrays, may be; None where there are no signatures at all.

    Numbers beside arrays fit as NumPy says; all that are Python's fit types of their kind or a higher one where nothing fits otherwise.
    `exact_first`: a signature of the arrays' own types comes before all others, and numbers fit by their kinds, or any type in the end. `results`: says of a
    signature whether what it makes can be cast to what is to hold it; the others come last. TypeError when none fits, OverflowError
    where an int of Python's is none of the type.
    """
    given = arrays if arguments is None else arguments
    typed = [hasattr(argument, "dtype") or array.ndim > 0 for argument, array in zip(given, arrays)]
    by_kind = [_safely if is_typed else _by_kind for is_typed in typed]
    anyhow = [_safely if is_typed else _always for is_typed in typed]
    if exact_first:
        tries = [[_exactly if is_typed or not any(typed) else _by_kind for is_typed in typed], by_kind if any(typed) else [_safely] * len(arrays)]
    else:
        tries = [_tests(arrays, given)]
    ordered = signatures if results is None else sorted(signatures, key=lambda signature: not results(signature))
    for tests in [*tries, by_kind, *([anyhow] if exact_first else [])]:
        found = _first(ordered, arrays, tests)
        if found is not None:
            _check_bounds(found, given)
            return found
    if signatures:
        raise TypeError(f"ufunc {name!r} not supported for the input types, and the inputs could not be safely coerced to any supported "
                        f"types according to the casting rule ''safe'': {[str(array.dtype) for array in arrays]}")
    return None


def choose_met(signatures: list[Signature], arrays, arguments, results=None) -> Signature | None:
    """Of the signatures that earlier calls had, the first that NumPy's search finds; None where there is none."""
    suitable = signatures if results is None else [signature for signature in signatures if results(signature)]
    return _first(suitable, arrays, _tests(arrays, arrays if arguments is None else arguments))


def _first(signatures, arrays, tests) -> Signature | None:
    for signature in signatures:
        if all(fits(array, wanted.dtype) for fits, array, wanted in zip(tests, arrays, signature.args)):
            return signature
    return None


def _tests(arrays, given) -> list:
    """How NumPy asks of each argument whether it fits a dtype."""
    numbers = [_is_number(argument, array) for argument, array in zip(given, arrays)]
    kinds = [_ORDER.get(array.dtype.kind, 3) for array in arrays]
    of_arrays = [kind for kind, is_number in zip(kinds, numbers) if not is_number]
    if not of_arrays or max(of_arrays) < max((kind for kind, is_number in zip(kinds, numbers) if is_number), default=0):
        return [_safely] * len(arrays)
    return [(_by_value if _BY_VALUE else _by_kind) if is_number else _safely for is_number in numbers]


def _is_number(argument, array) -> bool:
    """Whether NumPy lets an argument take the type of arrays beside it."""
    if _BY_VALUE:
        return isinstance(array, numpy.ndarray) and array.ndim == 0
    return isinstance(argument, (int, float, complex)) and not isinstance(argument, (bool, numpy.generic))


def _exactly(array, wanted) -> bool:
    return array.dtype == wanted


def _safely(array, wanted) -> bool:
    return numpy.can_cast(array.dtype, wanted)


def _by_value(array, wanted) -> bool:
    return numpy.can_cast(array, wanted)


def _by_kind(array, wanted) -> bool:
    if _BY_VALUE and array.dtype.kind in "iu" and wanted.kind in "iu":
        return _by_value(array, wanted)
    return _rank(array.dtype) <= _rank(wanted) or {array.dtype.kind, wanted.kind} == {"u", "i"}


def _always(array, wanted) -> bool:
    return True


def _rank(dtype) -> int:
    return _KINDS.index(dtype.kind) if dtype.kind in _KINDS else len(_KINDS)


def _check_bounds(signature: Signature, given) -> None:
    """OverflowError of NumPy's, from 2 on, for a number of Python's that is none of the type which its argument has."""
    if not _BY_VALUE:
        for argument, wanted in zip(given, signature.args):
            if type(argument) is int and wanted.dtype.kind in "iu":
                wanted.dtype.type(argument)


def by_letters(signatures: list[Signature], text, name: str) -> Signature:
    """The signature that a text, "dd->d", or a tuple of dtypes asks for. TypeError when there is none."""
    wanted = text if isinstance(text, str) else "".join(numpy.dtype(kind).char for kind in text[:-1]) + "->" + numpy.dtype(text[-1]).char
    for signature in signatures:
        if letters(signature) == wanted or (len(wanted) == 1 and letters(signature).endswith(f"->{wanted}")):
            return signature
    raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")


def returning(signatures: list[Signature], dtype, arrays) -> Signature | None:
    """The first signature with results of a dtype that the arrays can be cast for."""
    for signature in signatures:
        if signature.return_type.dtype == dtype:
            if all(numpy.can_cast(array.dtype, wanted.dtype, "same_kind") for array, wanted in zip(arrays, signature.args)):
                return signature
    return None


def types_asked_for(dtype, signature, sig, inputs: int, outputs: int, name: str) -> list | None:
    """The dtypes that a call asks for, one for each argument and result, None for any. None where it asks for none."""
    if signature is not None and sig is not None:
        raise TypeError("cannot specify both 'sig' and 'signature'")
    asked = signature if signature is not None else sig
    if asked is None:
        return None if dtype is None else [None] * inputs + [numpy.dtype(dtype)] * outputs
    if dtype is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    if len(asked) == 1:
        raise TypeError("Use `dtype` or  fill the tuple with more than one 'None'.")
    if isinstance(asked, str):
        before, arrow, behind = asked.partition("->")
        if not arrow or (len(before), len(behind)) != (inputs, outputs):
            raise ValueError(f"a type-string for {name}, {inputs} typecode(s) before and {outputs} after the -> sign")
        asked = before + behind
    elif len(asked) != inputs + outputs:
        raise ValueError(f"a type-tuple must be specified of length {inputs + outputs} for ufunc '{name}'")
    return [None if kind is None else numpy.dtype(kind) for kind in asked]


def of_types(signatures: list[Signature], asked: list, arrays, arguments, casting: str, name: str) -> Signature:
    """The first signature of these dtypes. TypeError where there is none, or the arguments cannot be cast for it."""
    for signature in signatures:
        if all(kind is None or kind.char == wanted.dtype.char for kind, wanted in zip(asked, signature.args)):
            break
    else:
        raise TypeError(f"No loop matching the specified signature and casting was found for ufunc {name}")
    for place, (array, argument, wanted) in enumerate(zip(arrays, arguments, signature.args)):
        if not (type(argument) is int and wanted.dtype.kind in "iufc") and not numpy.can_cast(array.dtype, wanted.dtype, casting):
            which = f"input {place}" if len(arrays) > 1 else "input"
            raise TypeError(f"Cannot cast ufunc {name!r} {which} from {array.dtype!r} to {wanted.dtype!r} with casting rule {casting!r}")
    _check_bounds(signature, arguments)
    return signature
