"""typed.List, typed.Dict and typed.Set: plain lists, dicts and sets."""

from types import GenericAlias


class _Plain(type):
    """Metaclass: instances are those of the plain type."""

    def __instancecheck__(cls, instance) -> bool:
        return isinstance(instance, cls.plain)

    def __getitem__(cls, kinds) -> GenericAlias:
        """List[int], as annotations have it; called, it makes a plain one."""
        return GenericAlias(cls.plain, kinds)


class List(metaclass=_Plain):
    """List(...) is list(...)."""

    plain = list

    def __new__(cls, *arguments, lsttype=None, meminfo=None, allocated=0) -> list:
        return list(*arguments)

    @staticmethod
    def empty_list(item_type, allocated: int = 0) -> list:
        """A new list; the type of its items is not checked."""
        return []


class Dict(metaclass=_Plain):
    """Dict(...) is dict(...)."""

    plain = dict

    def __new__(cls, *arguments, dcttype=None, meminfo=None, n_keys=0) -> dict:
        return dict(*arguments)

    @staticmethod
    def empty(key_type, value_type, n_keys: int = 0) -> dict:
        """A new dict; the types of its items are not checked."""
        return {}


class Set(metaclass=_Plain):
    """Set(...) is set(...)."""

    plain = set

    def __new__(cls, *arguments, settype=None, meminfo=None, n_keys=0) -> set:
        return set(*arguments)

    @staticmethod
    def empty(key_type, n_keys: int = 0) -> set:
        """A new set; the type of its items is not checked."""
        return set()
