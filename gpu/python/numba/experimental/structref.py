"""structref: structures with named fields as plain objects."""


class StructRefProxy:
    """Base of the classes that stand for structures."""

    def __new__(cls, *values):
        made = object.__new__(cls)
        names = cls.__dict__.get("_fields", ())
        if len(values) != len(names):
            raise TypeError(f"{cls.__name__} has {len(names)} fields, and {len(values)} values were given")
        for name, value in zip(names, values):
            object.__setattr__(made, name, value)
        return made

    def __init__(self, *arguments, **named) -> None:
        """__new__ has set the fields."""


def register(struct_type: type) -> type:
    """The class of types itself."""
    return struct_type


def define_proxy(py_class: type, struct_class: type, fields) -> None:
    """Gives a class its fields. Properties of the same names, which read them in compiled functions, go."""
    py_class._fields = tuple(fields)
    for name in py_class._fields:
        if isinstance(vars(py_class).get(name), property):
            delattr(py_class, name)


def define_constructor(py_class: type, struct_class: type, fields) -> None:
    """define_proxy() without attributes of its own; here the same."""
    define_proxy(py_class, struct_class, fields)


def define_attributes(struct_class: type) -> None:
    """Accepted: objects have attributes."""


def define_boxing(struct_class: type, py_class: type) -> None:
    """Accepted: objects are what they are."""
