"""Types that programs add to kernels: which class has which type, what its values consist of, and what calls, operators and attributes give.

A value of such a type is its members, as those of a named tuple. What a program says in the form of numba's compiler (`type_callable`,
`lower_builtin`, templates) becomes Python functions: recording.py has the code that would make LLVM IR say what it does.
"""

from collections.abc import Callable

from numba.core.errors import TypingError, UnsupportedError
from numba.type_base import Signature, Type
from numba.types import NPDatetime, NPTimedelta, Number

_type_of_class: dict = {}  # what typeof_impl was given
_models: list = []  # (class of types, model), the newest last
_classes: dict = {}  # of values, by type
_wrappers: list = []  # (class of types, member, the attribute that shows it)
_typers: dict = {}  # by callee: functions from argument types to a Signature or None, the newest last
_intrinsics: dict = {}  # by callee: functions from argument types to a Signature and an implementation, or None
_lowerings: dict = {}  # by callee: (argument types, implementation)
_attribute_types: list = []  # (type or class of types, template)
_attribute_lowerings: list = []  # (type or class of types, name or None for all, implementation)


class _TypeofImpl:
    """typeof_impl: @typeof_impl.register(class) decorates a function that gives the type of an instance."""

    def register(self, cls: type, function: Callable | None = None):
        """Says what the type of a class's instances is."""
        if function is None:
            return lambda function: self.register(cls, function)
        _type_of_class[cls] = function
        return function

    def __call__(self, value, context=None):
        return registered_type(value)


typeof_impl = _TypeofImpl()


def registered_type(value) -> Type | None:
    """The type that the program gave the value's class; None where it gave none."""
    for cls in type(value).__mro__[:-1]:
        if cls in _type_of_class:
            return _type_of_class[cls](value, None)
    return None


class StructModel:
    """The members of a type's values, as (name, type)."""

    def __init__(self, manager, fe_type: Type, members: list) -> None:
        self.fe_type, self.members = fe_type, list(members)

    def get_member_fe_type(self, name: str) -> Type:
        """The type of a member."""
        return dict(self.members)[name]


class OpaqueModel:
    """Of values that are only passed on."""

    def __init__(self, manager, fe_type: Type) -> None:
        self.fe_type = fe_type


PrimitiveModel = PointerModel = OpaqueModel


def register_model(kind: type):
    """@register_model(class of types): the decorated class of models says what values of these types consist of."""

    def decorate(model: type) -> type:
        _models.append((kind, model))
        return model

    return decorate


def members_of(kind: Type) -> list | None:
    """The (name, type) of the members that values of a type have; None where no StructModel is registered for it."""
    for registered, model in reversed(_models):
        if isinstance(kind, registered):
            made = model(None, kind)
            return made.members if isinstance(made, StructModel) else None
    return None


def class_of(kind: Type) -> type:
    """The class that marks the tuples which are the type's values. TypingError where the program gave the type no members."""
    if kind not in _classes:
        members = members_of(kind)
        if members is None:
            raise TypingError(f"values of type {kind} have no StructModel, and kiln's kernels know no other")
        _classes[kind] = type(kind.name, (tuple,), {"_fields": tuple(name for name, _ in members), "_kiln_struct": kind})
    return _classes[kind]


def is_structure(kind) -> bool:
    """Whether it is a type whose values have members."""
    return isinstance(kind, Type) and members_of(kind) is not None


def parts_of(kind: Type) -> tuple[type, tuple]:
    """What an element of an array of such values consists of: (class of the values, (name, type's name or such a type) of each member)."""
    parts = []
    for name, member in members_of(kind):
        if not isinstance(member, (Number, NPDatetime, NPTimedelta)) and not is_structure(member):
            raise TypeError(f"arrays of {kind} cannot be had: its member '{name}' is of type {member}")
        parts.append((name, member if is_structure(member) else member.name))
    return class_of(kind), tuple(parts)


def element_of(value) -> Type | None:
    """The type of the elements of an array whose class the program gave a type: an array of values of a type of its own. None for another."""
    kind = registered_type(value) if _type_of_class else None
    element = getattr(kind, "dtype", None)
    return element if is_structure(element) else None


def argument_of(value):
    """A value of a registered type as kernels take it: its members, as a tuple of the type's class. None for another value.

    A member is read from the attribute that shows it in kernels (make_attribute_wrapper), else from that of its own name.
    """
    kind = registered_type(value)
    if kind is None:
        return None
    cls = class_of(kind)
    return cls(_member(value, kind, name, member) for name, member in members_of(kind))


def _member(value, kind: Type, name: str, wanted: Type):
    shown = [attribute for registered, member, attribute in _wrappers if member == name and isinstance(kind, registered)]
    for attribute in (*shown, name):
        if hasattr(value, attribute):
            found = getattr(value, attribute)
            return wanted.dtype.type(found) if isinstance(wanted, Number) else found
    raise TypeError(f"kernels cannot take this {type(value).__name__}: it has no attribute for the member '{name}' of type {kind}")


def make_attribute_wrapper(typeclass: type, struct_attr: str, python_attr: str) -> None:
    """Has values of these types show a member as an attribute."""
    if not isinstance(typeclass, type) or not issubclass(typeclass, Type):
        raise TypeError(f"typeclass should be a Type subclass, got {typeclass}")

    def member(context, builder, kind, value):
        return context.make_helper(builder, kind, value).__getattr__(struct_attr)

    _attribute_lowerings.append((typeclass, python_attr, member))
    _wrappers.append((typeclass, struct_attr, python_attr))


def add_typer(callee, typer: Callable) -> None:
    """Says what a call of `callee` gives: typer(argument types) is a Signature, a type, or None for types that it does not know."""
    _typers.setdefault(callee, []).append(typer)


def type_callable(callee):
    """@type_callable(callee): the decorated function gives, for a context, a function from argument types to the result's type."""

    def decorate(function: Callable) -> Callable:
        add_typer(callee, function(None))
        return function

    return decorate


def lower(callee, *kinds):
    """@lower(callee, types...): the decorated function implements calls with such arguments, by a builder of code."""

    def decorate(function: Callable) -> Callable:
        _lowerings.setdefault(callee, []).append((kinds, function))
        return function

    return decorate


def add_attributes(template: type) -> type:
    """@register_attr: the decorated class's resolve_NAME() give the types of attributes."""
    _attribute_types.append((template.key, template))
    return template


def lower_attribute(kind, name: str | None):
    """@lower_attr(type, name): the decorated function implements an attribute; of any name, for None, with the name as last argument."""

    def decorate(function: Callable) -> Callable:
        _attribute_lowerings.append((kind, name, function))
        return function

    return decorate


def add_intrinsic(callee, maker: Callable) -> None:
    """Says what calls of `callee` are: maker(context, argument types) is a Signature and its implementation by a builder, or None."""
    _intrinsics[callee] = maker


def _matches(wanted, kind: Type) -> bool:
    return wanted is Type or (isinstance(kind, wanted) if isinstance(wanted, type) else wanted == kind)


def has_types(callee) -> bool:
    """Whether the program said what calls of this give. It has a hash."""
    return callee in _typers or callee in _intrinsics


def has_attributes() -> bool:
    """Whether the program registered attributes."""
    return bool(_attribute_lowerings)


def find_call(callee, kinds: list) -> Callable | None:
    """The Python function for a call with arguments of these types; None where the program registered none."""
    from numba.recording import recorded

    made = _intrinsics[callee](None, *kinds) if callee in _intrinsics else None
    if made is not None:
        return recorded(callee.__name__, made[1], made[0], False)
    for typer in reversed(_typers.get(callee, ())):
        found = typer(*kinds) if _takes(typer, kinds) else None
        if found is not None:
            signature = found if isinstance(found, Signature) else Signature(found, tuple(kinds))
            return _lowered(callee, signature)
    return None


def _takes(typer: Callable, kinds: list) -> bool:
    import inspect

    try:
        inspect.signature(typer).bind(*kinds)
    except TypeError:
        return False
    return True


def _lowered(callee, signature: Signature) -> Callable:
    from numba.recording import recorded

    for kinds, implementation in reversed(_lowerings.get(callee, ())):
        if len(kinds) == len(signature.args) and all(map(_matches, kinds, signature.args)):
            return recorded(getattr(callee, "__name__", str(callee)), implementation, signature, False)
    raise UnsupportedError(f"{callee!r} has a type for {signature.args}, and no implementation (lower_builtin)")


def find_attribute(kind: Type, name: str) -> Callable | None:
    """The Python function for an attribute of values of this type; None where the program registered none."""
    from numba.recording import recorded

    for wanted, known, implementation in reversed(_attribute_lowerings):
        if known in (name, None) and _matches(wanted, kind):
            result = _attribute_type(kind, name)
            code = implementation if known is not None else lambda *given: implementation(*given, name)
            return recorded(name, code, Signature(result, (kind,)), True)
    return None


def _attribute_type(kind: Type, name: str) -> Type | None:
    for wanted, template in reversed(_attribute_types):
        if not _matches(wanted, kind):
            continue
        made = template(None)
        resolve = getattr(made, f"resolve_{name}", None)
        result = resolve(kind) if resolve is not None else made.generic_resolve(kind, name)
        if result is not None:
            return result
    return None
