"""Implementations that make LLVM IR by a builder, as numba's extensions have them, run once to say what they do: the result is Python.

`builder`, `context` and structure proxies are stand-ins that write a statement for each call. What they do not know is refused by name.
"""

import linecache
from collections.abc import Callable
from itertools import count
from types import FunctionType

from numba import types
from numba.core.errors import LoweringError, UnsupportedError
from numba.structures import class_of, members_of
from numba.type_base import Signature, Type

_numbers = count(1)


class Recorded:
    """A value: an expression of the text that is written, and its type."""

    def __init__(self, text: str, kind: Type | None) -> None:
        self.text, self.type = text, kind


class _Writer:
    """The text of a function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.scope: dict = {}

    def let(self, text: str, kind: Type | None) -> Recorded:
        """A new name for the value of an expression."""
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        return Recorded(name, kind)

    def name(self, thing) -> str:
        """A name of an object, for the text."""
        for known, value in self.scope.items():
            if value is thing:
                return known
        known = f"c{len(self.scope)}"
        self.scope[known] = thing
        return known

    def cast(self, value: Recorded, kind: Type | None) -> Recorded:
        """A number as one of a type; another value as it is."""
        if not isinstance(kind, types.Number) or value.type == kind:
            return value
        return self.let(f"{self.name(kind)}({value.text})", kind)


def _given(value) -> Recorded:
    if not isinstance(value, Recorded):
        raise UnsupportedError(f"kiln cannot follow {value!r} in code that makes LLVM IR; overload() takes Python functions")
    return value


class Proxy:
    """A structure whose members are read and set by name."""

    def __init__(self, writer: _Writer, kind: Type, value: Recorded | None) -> None:
        members = members_of(kind)
        if members is None:
            raise UnsupportedError(f"{kind} has no StructModel")
        given = {name: None if value is None else Recorded(f"{value.text}[{i}]", part) for i, (name, part) in enumerate(members)}
        vars(self).update(_writer=writer, _kind=kind, _types=dict(members), _values=given)

    def __getattr__(self, name: str) -> Recorded:
        if name not in self._values:
            raise AttributeError(f"{self._kind} has no member {name!r}")
        if self._values[name] is None:
            raise UnsupportedError(f"member {name!r} of {self._kind} is used before it has a value")
        return self._values[name]

    def __setattr__(self, name: str, value) -> None:
        if name not in self._values:
            raise AttributeError(f"{self._kind} has no member {name!r}")
        self._values[name] = _given(value)

    def _getvalue(self) -> Recorded:
        """The structure."""
        parts = [self._writer.cast(getattr(self, name), kind).text for name, kind in self._types.items()]
        return self._writer.let(f"{self._writer.name(class_of(self._kind))}({', '.join(parts)})", self._kind)


_BINARY = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/", "add": "+", "sub": "-", "mul": "*", "and_": "&", "or_": "|", "xor": "^",
           "shl": "<<"}
_UNARY = {"fneg": "-", "neg": "-", "not_": "~"}
_COMPARE = {"icmp_signed", "icmp_unsigned", "fcmp_ordered", "fcmp_unordered"}
_MISSING = "makes LLVM IR that kiln's kernels have no Python for; overload() takes Python functions"
_CAST = {"sitofp", "uitofp", "fptosi", "fptoui", "fpext", "fptrunc", "sext", "zext", "trunc", "bitcast"}


class Builder:
    """Stands for LLVM's IRBuilder."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer

    def __getattr__(self, name: str) -> Callable:
        writer = self._writer
        if name in _BINARY:
            return lambda a, b, *options, **more: writer.cast(
                writer.let(f"{_given(a).text} {_BINARY[name]} {_given(b).text}", None if isinstance(a.type, types.Integer) else a.type),
                a.type)
        if name in _UNARY:
            return lambda a, *options, **more: self._unary(name, _given(a))
        if name in _COMPARE:
            return lambda op, a, b, *options, **more: self._compare(name, op, _given(a), _given(b))
        if name in _CAST:
            return lambda a, kind, *options, **more: self._cast(name, _given(a), kind)
        raise UnsupportedError(f"builder.{name} {_MISSING}")

    def _unary(self, name: str, value: Recorded) -> Recorded:
        sign = "not " if name == "not_" and value.type == types.boolean else _UNARY[name]
        return self._writer.cast(self._writer.let(sign + value.text, None), value.type)

    def _compare(self, name: str, op: str, first: Recorded, second: Recorded) -> Recorded:
        # Python's operators know the sign of integers by their type; of a nan, only != is true.
        is_signed = getattr(first.type, "signed", None)
        is_known = {"icmp_signed": is_signed is not False, "icmp_unsigned": not is_signed, "fcmp_ordered": op != "!=",
                    "fcmp_unordered": op == "!="}
        if not is_known[name]:
            raise UnsupportedError(f"builder.{name}({op!r}) of {first.type} {_MISSING}")
        return self._writer.let(f"{first.text} {op} {second.text}", types.boolean)

    def _cast(self, name: str, value: Recorded, kind) -> Recorded:
        if name == "bitcast" and kind != value.type:
            raise UnsupportedError("builder.bitcast: kiln's kernels keep values of their type")
        return self._writer.cast(value, kind)

    def select(self, condition, first, second, *options, **more) -> Recorded:
        """The one or the other."""
        return self._writer.let(f"{_given(first).text} if {_given(condition).text} else {_given(second).text}", first.type)

    def extract_value(self, aggregate, index, *options, **more) -> Recorded:
        """A member by its position."""
        [place] = index if isinstance(index, (list, tuple)) else [index]
        aggregate = _given(aggregate)
        members = members_of(aggregate.type)
        kind = members[place][1] if members is not None else getattr(aggregate.type, "types", {place: None})[place]
        return Recorded(f"{aggregate.text}[{place}]", kind)

    def insert_value(self, aggregate, value, index, *options, **more) -> Recorded:
        """A structure with another member."""
        [place] = index if isinstance(index, (list, tuple)) else [index]
        made = Proxy(self._writer, _given(aggregate).type, aggregate)
        setattr(made, members_of(aggregate.type)[place][0], value)
        return made._getvalue()


class Context:
    """Stands for numba's target context."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer

    def __getattr__(self, name: str):
        raise UnsupportedError(f"context.{name} {_MISSING}")

    def get_constant(self, kind: Type, value) -> Recorded:
        """A number."""
        return self._writer.let(f"{self._writer.name(kind)}({self._writer.name(value)})", kind)

    def get_dummy_value(self) -> Recorded:
        """None."""
        return Recorded("None", types.none)

    def get_constant_null(self, kind: Type) -> Recorded:
        """Zero."""
        return self.get_constant(kind, 0)

    def get_function(self, function, signature: Signature) -> Callable:
        """What calls a function, by the builder with a list of arguments."""
        return lambda builder, arguments: self._called(function, signature, arguments)

    def compile_internal(self, builder, function, signature: Signature, arguments) -> Recorded:
        """A call of a Python function, which kernels need not be able to call by themselves."""
        from numba.cuda.dispatcher import jit

        return self._called(jit(function, device=True) if isinstance(function, FunctionType) else function, signature, arguments)

    def _called(self, function, signature: Signature, arguments) -> Recorded:
        passed = [self._writer.cast(_given(value), kind).text for value, kind in zip(arguments, signature.args)]
        made = self._writer.let(f"{self._writer.name(function)}({', '.join(passed)})", None)
        return self._writer.cast(made, signature.return_type)

    def cast(self, builder, value, source: Type, target: Type) -> Recorded:
        """A value of another type."""
        return self._writer.cast(_given(value), target)

    def make_helper(self, builder, kind: Type, value=None, ref=None) -> Proxy:
        """A structure, with the members of a value or none yet."""
        return Proxy(self._writer, kind, value)

    def get_value_type(self, kind: Type) -> Type:
        """What a cast takes as the type of its result."""
        return kind

    get_data_type = get_argument_type = get_value_type


def create_struct_proxy(kind: Type, type_kind: str = "value") -> Callable:
    """cgutils.create_struct_proxy(type)(context, builder, value=...)."""
    return lambda context, builder, value=None, ref=None: context.make_helper(builder, kind, value, ref)


def recorded(name: str, implementation: Callable, signature: Signature, is_attribute: bool) -> Callable:
    """The Python function that does what the implementation has the builder do."""
    writer = _Writer()
    arguments = [Recorded(f"a{i}", kind) for i, kind in enumerate(signature.args)]
    given = (signature.args[0], arguments[0]) if is_attribute else (signature, arguments)
    result = implementation(Context(writer), Builder(writer), *given)
    if signature.return_type == types.none:
        result = Recorded("None", types.none)
    elif result is None:
        raise LoweringError("non-void function returns None")
    result = writer.cast(_given(result), signature.return_type)
    parameters = ", ".join(argument.text for argument in arguments)
    text = "\n".join([f"def implementation({parameters}):", *writer.lines, f"    return {result.text}", ""])
    file = f"<implementation {next(_numbers)} of {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # where kernels' sources are looked for
    exec(compile(text, file, "exec"), writer.scope)
    return writer.scope["implementation"]
