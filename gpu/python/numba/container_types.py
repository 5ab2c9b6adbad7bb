"""Types of lists and dicts: what they hold now, what they held when they were made, and of mixed ones each item's type."""

from numba.compound_types import Literal, literal, unliteral
from numba.type_base import IterableType, MutableSequence, Sized, Type


class InitialValue:
    """Base of the types that may know what the container held when it was made; None where nobody asked, or it is unknown."""

    initial_value = None


class List(MutableSequence, InitialValue):
    """A list whose items are of one type."""

    def __init__(self, dtype: Type, reflected: bool = False, initial_value: list | None = None) -> None:
        self.dtype = self.item_type = self.type = dtype = unliteral(dtype)
        self.reflected = reflected
        self.initial_value = initial_value
        super().__init__(f"{'reflected ' if reflected else ''}list({dtype})<iv={initial_value}>")


class DictType(IterableType, InitialValue):
    """A typed.Dict."""

    def __init__(self, key_type: Type, value_type: Type, initial_value: dict | None = None) -> None:
        self.key_type = unliteral(key_type)
        self.value_type = unliteral(value_type)
        self.initial_value = initial_value
        super().__init__(f"DictType[{self.key_type},{self.value_type}]<iv={initial_value}>")


class LiteralList(Literal, Sized):
    """A list whose items are of several types: those, which are literal ones where a literal can be."""

    def __init__(self, literal_value) -> None:
        self.literal_value = list(literal_value)
        self.types = tuple(self.literal_value)
        self.count = len(self.types)
        Type.__init__(self, f"LiteralList({literal_value})")

    literal_type = property(lambda self: self)  # there is no other type of such lists

    def __getitem__(self, index: int) -> Type:
        return self.types[index]

    def __len__(self) -> int:
        return self.count

    def __iter__(self):
        return iter(self.types)


class LiteralStrKeyDict(Literal, Sized):
    """A dict with texts as keys and values of several types: literal types of the keys, each with the type of its value."""

    def __init__(self, literal_value: dict, value_index: dict | None = None) -> None:
        self.literal_value = literal_value
        self.value_index = value_index
        self.types = tuple(literal_value.values())
        self.count = len(self.types)
        self.fields = tuple(key.literal_value for key in literal_value)
        Type.__init__(self, f"LiteralStrKey[Dict]({literal_value})")

    literal_type = property(lambda self: self)  # there is no other type of such dicts

    def __len__(self) -> int:
        return self.count

    def __iter__(self):
        return iter(self.types)


def type_of_argument(value) -> Type:
    """The type of what an overloaded function is called with: typeof(), and of mixed lists and dicts what their items are."""
    from numba.typing import typeof

    if type(value) is list and value:
        kinds = list(map(_type_of_item, value))
        return typeof(value) if _are_alike(kinds) else LiteralList(kinds)
    if type(value) is dict and value and all(type(key) is str for key in value):
        kinds = list(map(_type_of_item, value.values()))
        if not _fit_the_first(kinds):
            return LiteralStrKeyDict(dict(zip(map(literal, value), kinds)), {key: place for place, key in enumerate(value)})
    return typeof(value)


def literal_type(value, initial_value=None) -> Type:
    """What literally() makes of the type of an argument: of a list or dict, that with what it held when it was made, if it was literals."""
    if type(value) not in (list, dict):
        return literal(value)
    kind = type_of_argument(value)
    known = initial_value if type(initial_value) is type(value) and _holds_literals(initial_value) else None
    if isinstance(kind, DictType):
        return DictType(kind.key_type, kind.value_type, known)
    return List(kind.dtype, kind.reflected, known) if isinstance(kind, List) else kind


def _type_of_item(value) -> Type:
    """A literal type where there is one."""
    if type(value) in (int, bool, str):
        return literal(value)
    kind = type_of_argument(value)
    if isinstance(kind, List):  # an inner display
        return List(kind.dtype, initial_value=list(value) if _holds_literals(value) else None)
    return kind


def _holds_literals(value: list | dict) -> bool:
    """Whether all items have literal types, and all keys are texts."""
    items = value.values() if isinstance(value, dict) else value
    return all(type(item) in (int, bool, str) for item in items) and (not isinstance(value, dict) or all(type(key) is str for key in value))


def _are_alike(kinds: list) -> bool:
    """Whether a list can have items of these types: of one, or numbers."""
    from numba.types import Number

    plain = list(map(unliteral, kinds))
    return all(isinstance(kind, Number) for kind in plain) or all(kind == plain[0] for kind in plain)


def _fit_the_first(kinds: list) -> bool:
    """Whether a dict can have values of these types: each can become the first one's without a loss."""
    from numba.types import Boolean, Complex, Float, Integer

    order = [Boolean, Integer, Float, Complex]
    plain = list(map(unliteral, kinds))
    ranks = [next((rank for rank, kind in enumerate(order) if isinstance(each, kind)), -1) for each in plain]
    if len(plain) == 1 and isinstance(plain[0], (List, LiteralList, LiteralStrKeyDict)):
        return False  # no typed dict has such values
    return all(kind == plain[0] or 0 <= rank < ranks[0] for kind, rank in zip(plain, ranks))
