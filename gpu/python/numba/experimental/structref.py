"""structref: structures with named fields as plain objects."""


_proxies: dict = {}  # by class of types: the class of the values
_members: list = []  # (class of types, name, whether it is called, implementation) of what programs add


class StructRefProxy:
    """Base of the classes that stand for structures."""

    _struct_class = None

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

    @property
    def _numba_type_(self):
        """The structure's type. That of a structure in it tells no fields: it may be this one."""
        from numba.typing import typeof

        def of_field(value):
            return value._struct_class(()) if isinstance(value, StructRefProxy) else typeof(value)

        return self._struct_class([(name, of_field(getattr(self, name, None))) for name in self._fields])


def register(struct_type: type) -> type:
    """The class of types itself."""
    return struct_type


def define_proxy(py_class: type, struct_class: type, fields) -> None:
    """Gives a class its fields. Properties of the same names, which read them in compiled functions, go."""
    py_class._fields = tuple(fields)
    py_class._struct_class = struct_class
    _proxies[struct_class] = py_class
    for member in _members:
        _show(py_class, *member)
    for name in py_class._fields:
        if isinstance(vars(py_class).get(name), property):
            delattr(py_class, name)


def new(kind):
    """A structure of this type, whose fields are to be set."""
    return object.__new__(_proxies[type(kind)])


def add_member(kind, name: str, is_called: bool, implementation) -> None:
    """Shows a method, or an attribute, in Python too: overload_method() and overload_attribute() of a class of structures' types."""
    member = kind, name, is_called, implementation
    _members.append(member)
    for py_class in _proxies.values():
        _show(py_class, *member)


def _show(py_class: type, kind, name: str, is_called: bool, implementation) -> None:
    """Gives a class the member, if it is for its types and the class has none of that name itself."""
    if not isinstance(kind, type) or not issubclass(py_class._struct_class, kind):
        return
    from numba.by_types import ByTypes

    shown = vars(py_class).get(name)
    found = getattr(shown.fget if isinstance(shown, property) else shown, "_kiln_by_types", None)
    if found is not None:
        found.add(implementation)
    elif shown is None:
        chosen = ByTypes(name)
        chosen.add(implementation)

        def member(self, *arguments, **named):
            return chosen(self, *arguments, **named)

        member.__name__, member._kiln_by_types = name, chosen
        setattr(py_class, name, member if is_called else property(member))


def define_constructor(py_class: type, struct_class: type, fields) -> None:
    """define_proxy() without attributes of its own; here the same."""
    define_proxy(py_class, struct_class, fields)


def define_attributes(struct_class: type) -> None:
    """Accepted: objects have attributes."""


def define_boxing(struct_class: type, py_class: type) -> None:
    """Accepted: objects are what they are."""
