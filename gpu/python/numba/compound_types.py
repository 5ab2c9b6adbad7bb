"""Types that are made of others: tuples, containers, literals, pointers, records."""

from numba.type_base import Array, Container, Hashable, IterableType, MutableSequence, Sequence, Signature, Sized, Type


class Literal(Type):
    """The type of one value alone."""

    def __init__(self, value) -> None:
        self.literal_value = value
        super().__init__(f"Literal[{type(value).__name__}]({value})")

    @property
    def literal_type(self) -> Type:
        """The type of values such as this one."""
        from numba.typing import typeof

        return typeof(self.literal_value)


class IntegerLiteral(Literal):
    """An integer."""


class BooleanLiteral(Literal):
    """True or False."""


class StringLiteral(Literal):
    """A text."""


def literal(value) -> Literal:
    """The literal type of a value."""
    kinds = {int: IntegerLiteral, bool: BooleanLiteral, str: StringLiteral}
    return kinds.get(type(value), Literal)(value)


def unliteral(kind: Type) -> Type:
    """The type that a literal's value has; any other type itself."""
    return kind.literal_type if isinstance(kind, Literal) else kind


class BaseTuple(Sized, Hashable):
    """Base of the types of tuples."""


class BaseAnonymousTuple(BaseTuple):
    """Base of the types of tuples without names."""


class BaseNamedTuple(BaseTuple):
    """Base of the types of named tuples."""


class UniTuple(BaseAnonymousTuple, Sequence):
    """A tuple whose items are of one type."""

    def __init__(self, dtype: Type, count: int) -> None:
        self.dtype = dtype
        self.count = count
        self.types = (dtype,) * int(count)
        self.parts = (dtype, count)
        super().__init__(f"UniTuple({dtype} x {count})")

    def __len__(self) -> int:
        return int(self.count)

    def __iter__(self):
        return iter(self.types)


class Tuple(BaseAnonymousTuple):
    """A tuple: Tuple((int64, float64)), and Tuple(int64, float64)."""

    def __init__(self, *parts) -> None:
        self.types = tuple(parts[0]) if len(parts) == 1 and isinstance(parts[0], (tuple, list)) else parts
        self.parts = self.types
        super().__init__(f"Tuple({', '.join(map(str, self.types))})")

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self):
        return iter(self.types)


def _of_one(label: str, pattern: str, doc: str, base: type = Type):
    """A type that is made of one other, its dtype."""

    class Made(base):
        def __init__(self, dtype, reflected: bool = False) -> None:
            self.dtype = self.item_type = self.type = dtype
            super().__init__(("reflected " if reflected else "") + pattern.format(dtype))

    Made.__name__ = Made.__qualname__ = label
    Made.__doc__ = doc
    return Made


ListType = _of_one("ListType", "ListType[{}]", "A typed.List.", MutableSequence)
Set = _of_one("Set", "set({})", "A set.", Container)
Optional = _of_one("Optional", "OptionalType({})", "A value of a type, or None.")
optional = Optional


class Omitted(Type):
    """A parameter that was not given: its default."""

    def __init__(self, default) -> None:
        self.value = default
        super().__init__(f"omitted(default={default!r})")


class FunctionType(Type):
    """A function with a signature."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        super().__init__(f"FunctionType[{signature}]")


class StructRef(Type):
    """Base of the types of structures: their fields' names and types."""

    def __init__(self, fields) -> None:
        self._fields = self.preprocess_fields(tuple(fields))
        super().__init__(f"{type(self).__name__}{self._fields}")

    def preprocess_fields(self, fields):
        """The fields as they are to be; a subclass may change them."""
        return fields

    @property
    def field_dict(self) -> dict[str, Type]:
        """The fields' types by their names."""
        return dict(self._fields)


class ClassInstanceType(Type):
    """The instances of a class."""

    def __init__(self, class_type: "ClassType") -> None:
        self.class_type = class_type
        super().__init__(f"instance.{class_type}")


class ClassType(Type):
    """A class that jitclass decorated."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        super().__init__(f"jitclass.{cls.__name__}")

    @property
    def instance_type(self) -> ClassInstanceType:
        """The type of the instances."""
        return ClassInstanceType(self)


class Dispatcher(Type):
    """A function that jit decorated."""

    def __init__(self, dispatcher) -> None:
        self.dispatcher = dispatcher
        super().__init__(f"type(CPUDispatcher({dispatcher!r}))")


class DType(Type):
    """A dtype of NumPy's."""

    def __init__(self, dtype: Type) -> None:
        self.dtype = dtype
        super().__init__(f"dtype({dtype})")


class NumberClass(Type):
    """A class of numbers, such as numpy.int64."""

    def __init__(self, instance_type: Type) -> None:
        self.instance_type = instance_type
        super().__init__(f"class({instance_type})")


class NamedTuple(BaseNamedTuple):
    """A named tuple: the types of its fields, and its class."""

    def __init__(self, types, cls) -> None:
        self.types = tuple(types)
        self.instance_class = cls
        self.fields = tuple(cls._fields)
        super().__init__(f"{cls.__name__}({', '.join(map(str, self.types))})")


class NamedUniTuple(NamedTuple):
    """A named tuple whose fields are of one type."""

    def __init__(self, dtype: Type, count: int, cls) -> None:
        super().__init__([dtype] * count, cls)
        self.dtype = dtype
        self.count = count


class Record(Type):
    """A record: a structured dtype of NumPy's."""

    def __init__(self, dtype) -> None:
        self.dtype = dtype
        fields = ",".join(f"{name}[type={dtype.fields[name][0]};offset={dtype.fields[name][1]}]" for name in dtype.names)
        super().__init__(f"Record({fields};{dtype.itemsize};{dtype.isalignedstruct})")

    def __len__(self) -> int:
        return len(self.dtype.names)

    @property
    def fields(self):
        """The fields by their names, as NumPy has them."""
        return self.dtype.fields

    @classmethod
    def make_c_struct(cls, members) -> "Record":
        """A structure of C's, from (name, type) of its members."""
        import numpy
        from numba.np.numpy_support import as_dtype

        names, kinds = zip(*members)
        return cls(numpy.dtype({"names": list(names), "formats": [as_dtype(kind) for kind in kinds]}, align=True))


class NestedArray(Array):
    """An array that is a member of a record."""

    def __init__(self, dtype: Type, shape) -> None:
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        super().__init__(dtype, len(self.shape), "C", name=f"nestedarray({dtype}, {self.shape})")


class CPointer(Type):
    """A pointer of C's."""

    def __init__(self, dtype: Type, addrspace=None) -> None:
        self.dtype = dtype
        self.addrspace = addrspace
        super().__init__(f"{dtype}*")
