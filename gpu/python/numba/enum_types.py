"""Types of enums and their members."""

import enum

from numba.type_base import Type

__all__ = ["EnumClass", "EnumMember", "IntEnumClass", "IntEnumMember"]


class _OfEnum(Type):
    """An enum, and the type of its members' values."""

    basename = ""

    def __init__(self, cls: type, dtype: Type) -> None:
        self.instance_class = cls
        self.dtype = dtype
        super().__init__(f"{self.basename}<{dtype}>({cls.__name__})")

    @property
    def key(self) -> tuple:
        return self.instance_class, self.dtype

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class EnumMember(_OfEnum):
    """A member of an enum."""

    basename = "Enum"


class IntEnumMember(EnumMember):
    """A member of an enum of integers."""

    basename = "IntEnum"


class EnumClass(_OfEnum):
    """An enum itself."""

    basename = "Enum class"
    _member = EnumMember

    @property
    def member_type(self) -> EnumMember:
        """The type of the enum's members."""
        return self._member(self.instance_class, self.dtype)


class IntEnumClass(EnumClass):
    """An enum of integers."""

    basename = "IntEnum class"
    _member = IntEnumMember


def type_of_enum(cls: type, typeof) -> EnumClass:
    """The type of an enum, whose members' values are of one type. ValueError as numba's for another one."""
    kinds = {typeof(member.value) for member in cls}
    if not kinds:
        raise ValueError("Cannot type enum with no members")
    if len(kinds) > 1:
        raise ValueError(f"Cannot type heterogeneous enum: got value types {', '.join(sorted(map(str, kinds)))}")
    return (IntEnumClass if issubclass(cls, enum.IntEnum) else EnumClass)(cls, kinds.pop())
