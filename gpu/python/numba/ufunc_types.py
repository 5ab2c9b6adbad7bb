"""Which of a ufunc's signatures a call uses: NumPy's casting rules, and numba's for Python's numbers."""

import numpy

from numba.types import Signature

# Kinds of dtypes, each of which holds the numbers of those before it.
_KINDS = "buifcOSUV"


def letters(signature: Signature) -> str:
    """A signature by NumPy's letters: "ff->f"."""
    return "".join(kind.dtype.char for kind in signature.args) + "->" + signature.return_type.dtype.char


def choose(signatures: list[Signature], arrays, arguments, name: str, exact_first: bool = False, results=None) -> Signature | None:
    """The first signature that holds what the arguments, which became arrays, may be; None where there are no signatures at all.

    Beside arrays Python's numbers fit all types of their kind or a higher one; without, too, where nothing fits them otherwise.
    `exact_first`: a signature of the arrays' own types comes before all others. `results`: says of a signature whether what it makes
    can be cast to what is to hold it; the others come last. TypeError when none fits.
    """
    given = arrays if arguments is None else arguments
    typed = [hasattr(argument, "dtype") or array.ndim > 0 for argument, array in zip(given, arrays)]

    def suits(signature, matches, weak: bool) -> bool:
        return all(
            _rank(array.dtype) <= _rank(wanted.dtype) if weak and not is_typed else matches(array.dtype, wanted.dtype)
            for array, wanted, is_typed in zip(arrays, signature.args, typed)
        )

    tries = [(numpy.can_cast, True)] if any(typed) else [(numpy.can_cast, False), (numpy.can_cast, True)]
    if exact_first:
        tries.insert(0, (lambda have, wanted: have == wanted, any(typed)))
    ordered = signatures if results is None else sorted(signatures, key=lambda signature: not results(signature))
    for matches, weak in tries:
        for signature in ordered:
            if suits(signature, matches, weak):
                return signature
    if signatures:
        raise TypeError(f"ufunc {name!r} not supported for the input types, and the inputs could not be safely coerced to any supported "
                        f"types according to the casting rule ''safe'': {[str(array.dtype) for array in arrays]}")
    return None


def _rank(dtype) -> int:
    return _KINDS.index(dtype.kind) if dtype.kind in _KINDS else len(_KINDS)


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
