"""as_numba_type: the types that annotations of Python stand for."""

import typing

from numba import types
from numba.core.errors import TypingError
from numba.type_base import Type


class _AsNumbaType:
    """as_numba_type(float), as_numba_type(typing.List[int]); .register(cls, type), .register(function) add more."""

    def __init__(self) -> None:
        self._known = {
            int: types.int64, float: types.float64, complex: types.complex128, bool: types.boolean, str: types.unicode_type,
            type(None): types.none,
        }
        self._functions: list = []

    def register(self, found, kind: Type | None = None):
        """The type of a class of Python's, or a function that gives it, or None."""
        if kind is None and not isinstance(found, type):
            self._functions.append(found)
            return found
        if kind is None:
            return lambda kind: self.register(found, kind)
        self._known[found] = kind
        return kind

    def __call__(self, annotation) -> Type:
        """TypingError where it stands for none."""
        if isinstance(annotation, Type):
            return annotation
        for function in (self._of_class, self._of_generic, *self._functions):
            found = function(annotation)
            if found is not None:
                return found
        raise TypingError(f"Cannot infer Numba type of Python type {annotation}")

    def _of_class(self, annotation) -> Type | None:
        if annotation is None:
            return types.none
        if not isinstance(annotation, type):
            return None
        made = vars(annotation).get("class_type")
        return made.instance_type if isinstance(made, types.ClassType) else self._known.get(annotation)

    def _of_generic(self, annotation) -> Type | None:
        origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Union and len(parts) == 2 and type(None) in parts:
            return types.Optional(self(next(part for part in parts if part is not type(None))))
        if origin is list and len(parts) == 1:
            return types.ListType(self(parts[0]))
        if origin is dict and len(parts) == 2:
            return types.DictType(self(parts[0]), self(parts[1]))
        if origin is set and len(parts) == 1:
            return types.Set(self(parts[0]))
        if origin is tuple and parts and Ellipsis not in parts:
            inner = [self(part) for part in parts]
            return types.UniTuple(inner[0], len(inner)) if all(part == inner[0] for part in inner) else types.Tuple(inner)
        return None


as_numba_type = _AsNumbaType()
