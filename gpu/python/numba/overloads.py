"""Python functions that stand for others in kernels: cmath's, libdevice's, and what programs register."""

import operator

from numba import array_reductions, types
from numba.structures import find_attribute, find_call, has_attributes, has_types

_registered: dict = {}  # by function, the newest last
_prefer_literals: set = set()  # pairs of these
_members: dict = {}  # of values by their types, which Python knows nothing of: by name and whether it is called


def register(function, implementation, prefers_literals: bool = False):
    """The implementation, which is asked for the function that kernels call: with types of literals for what is constant at last, or first."""
    _registered.setdefault(function, []).append(implementation)
    if prefers_literals:
        _prefer_literals.add((function, implementation))
    return implementation


def find(callee, descriptions: tuple, in_loop: bool, values: tuple = (), names: tuple = ()):
    """The Python function for a call with arguments of these types, in a loop over prange or a kernel; None where there is none.

    values: the integers, bools and texts that are constant, each None where it is not. names: of the last ones, which are passed by name.
    """
    try:
        implementations = _registered.get(callee, ())
    except TypeError:  # what has no hash
        return None
    if implementations:
        made = _of_first(callee, [type_of(description) for description in descriptions], values, names)
        if made is not None:
            return getattr(made, "py_func", made)
    descriptions = descriptions[:len(descriptions) - len(names)]
    is_typed = has_types(callee)
    given = [type_of(description) for description in descriptions] if is_typed else []
    made = find_call(callee, given) if is_typed else None
    if made is not None:
        return made
    if in_loop:
        from numba import prange_random

        drawing = prange_random.find(callee, len(descriptions))
        if drawing is not None:
            return drawing
    if type(callee).__name__ == "ufunc":
        return _of_numpy(callee.__name__, descriptions)
    if getattr(callee, "__module__", None) == "numba.callbacks" and callee.__name__ in ("carray", "farray"):
        from numba import pointers

        return pointers.find(callee.__name__, list(map(type_of, descriptions)))
    if getattr(callee, "__module__", None) == "builtins":
        from numba import iterables

        return iterables.find(callee.__name__, list(map(type_of, descriptions)))
    if getattr(callee, "__module__", None) == "numpy":
        from numba import numpy_functions

        given = list(map(type_of, descriptions))
        return array_reductions.find(callee, given) or numpy_functions.find(callee, given, dict(zip(names, values[len(given):])), values)
    return _of_cmath(callee.__name__, descriptions) if getattr(callee, "__module__", None) == "cmath" else None


def _of_first(function, given: list, values: tuple, names: tuple):
    """What the last implementation gives that takes these types, or those with the literals that are known."""
    literal = _with_literals(given, values)
    count = len(given) - len(names)
    failure = None
    for is_second in range(1 if literal == given else 2):
        for implementation in reversed(_registered[function]):
            kinds = literal if is_second != ((function, implementation) in _prefer_literals) else given
            try:
                made = implementation(*kinds[:count], **dict(zip(names, kinds[count:])))
            except Exception as error:
                failure = failure or error
                continue
            if made is not None:
                return made
    if failure is not None:
        raise failure
    return None


def _with_literals(given: list, values: tuple) -> list:
    """The types, of what is constant with what it is."""
    return [kind if value is None else types.literal(value) for kind, value in zip(given, values or [None] * len(given))]


def find_operator(name: str, descriptions: tuple):
    """The Python function for an operator, by its name in `operator`, with operands of these types; None where there is none."""
    return find(getattr(operator, name), descriptions, False)


def find_signature(callee, descriptions: tuple):
    """Of a device function with signatures: the types of the one that fits arguments best, and of its result; None where it has none.

    TypeError where none fits.
    """
    wanted = getattr(callee, "_wanted", None)
    if not wanted:
        return None
    given = [type_of(description) for description in descriptions]
    ranked = []
    for signature in wanted:
        costs = [_cost(kind, target) for kind, target in zip(given, signature.args)]
        if len(given) == len(signature.args) and None not in costs:
            ranked.append((sorted(costs, reverse=True), signature))
    if not ranked:
        raise TypeError(f"No matching definition of {callee.__name__} for argument type(s) {', '.join(map(str, given))}")
    best = min(ranked, key=lambda entry: entry[0])[1]
    return (*best.args, best.return_type)


def _cost(given, wanted) -> int | None:
    """How far a conversion goes: 0 not at all, 1 to a wider type of the kind, 2 to another kind, 3 with a loss; None: not possible."""
    if given == wanted or not isinstance(wanted, types.Number):
        return 0 if given == wanted or not isinstance(given, types.Number) else None
    if not isinstance(given, types.Number) or (isinstance(given, types.Complex) and not isinstance(wanted, types.Complex)):
        return None
    order = [types.Boolean, types.Integer, types.Float, types.Complex]
    kinds = [next((i for i, kind in enumerate(order) if isinstance(each, kind)), 2) for each in (given, wanted)]
    if kinds[0] == kinds[1]:
        return 1 if given.bitwidth < wanted.bitwidth and getattr(given, "signed", 0) == getattr(wanted, "signed", 0) else 3
    return 2 if kinds[0] < kinds[1] and wanted.bitwidth >= given.bitwidth else 3


def register_member(kind: type, name: str, is_called: bool, implementation):
    """The implementation, which is asked for an attribute or a method of values of a type."""
    _members.setdefault((name, is_called), []).append((kind, implementation))
    return implementation


def find_member(name: str, descriptions: tuple, is_called: bool):
    """The Python function for a method, or an attribute, of a value of the first type; None where there is none."""
    known = _members.get((name, is_called), ())
    given = [type_of(description) for description in descriptions] if known or has_attributes() else [None]
    for kind, implementation in reversed(known):
        made = implementation(*given) if isinstance(given[0], kind) or given[0] == kind else None
        if made is not None:
            return getattr(made, "py_func", made)
    if is_called and name in _OF_NUMBERS:
        return _of_numbers(name, descriptions[0])
    return None if is_called or given[0] is None else find_attribute(given[0], name)


def has_method(name: str, descriptions: tuple) -> bool:
    """Whether a program has registered a method of that name for values of the type."""
    given = type_of(descriptions[0])
    return any(isinstance(given, kind) or given == kind for kind, _ in _members.get((name, True), ()))


_OF_NUMBERS = {"bit_count": "int", "is_integer": "float"}  # methods by the kind of number that has them


def _of_numbers(name: str, description):
    from numba.cuda import members

    found = isinstance(description, str) and _OF_NUMBERS[name] in description
    return members.FUNCTIONS[name].py_func if found else None


def _of_numpy(name: str, descriptions: tuple):
    """What NumPy's ufunc is of complex numbers, or of real ones where kernels have no operation for it."""
    from numba import numpy_ufuncs

    written = numpy_ufuncs.find(name, [type_of(description) for description in descriptions])
    if written is not None:
        return written
    other = {"log": "natural_log"} | {f"arc{part}": f"a{part}" for part in ("cos", "cosh", "sin", "sinh", "tan", "tanh")}
    same = {"cos", "cosh", "exp", "expm1", "log10", "log1p", "log2", "sin", "sinh", "sqrt", "tan", "tanh"}
    return _of_cmath(other.get(name, name), descriptions) if name in same or name in other else None


def _of_cmath(name: str, descriptions: tuple):
    from numba.cuda import cmath

    return cmath.find(name, [type_of(description) for description in descriptions])


def type_of(description) -> types.Type:
    """What the compiler says of a type, as one of numba's."""
    if description is None:
        return types.none
    if isinstance(description, str):
        kind, _, unit = description.partition("[")
        times = {"datetime64": types.NPDatetime, "timedelta64": types.NPTimedelta}
        return times[kind](unit.rstrip("]")) if kind in times else types.boolean if description == "bool" else getattr(types, description)
    kind, *parts = description
    if kind == "array":
        element, ndim, layout, readonly = parts
        return types.Array(_element(element), ndim, layout, readonly=bool(readonly))
    if kind == "record":
        return _element(parts[0])
    if kind == "tuple":
        cls, *items = parts
        if hasattr(cls, "_kiln_struct"):
            return cls._kiln_struct
        inner = [type_of(item) for item in items]
        if cls is not None and isinstance(cls, type):
            return types.NamedTuple(inner, cls)
        same = bool(inner) and all(item == inner[0] for item in inner)
        return types.UniTuple(inner[0], len(inner)) if same else types.Tuple(*inner)
    if kind == "enum":
        cls, item = parts
        return (types.IntEnumMember if issubclass(cls, int) else types.EnumMember)(cls, type_of(item))
    if kind == "text":
        return types.unicode_type
    return types.Type(f"object({parts[0]!r})")


def _element(description) -> types.Type:
    from numba.typing import from_dtype

    if isinstance(description, types.Type):
        return description
    return type_of(description) if isinstance(description, str) else from_dtype(description)
