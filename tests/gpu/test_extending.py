"""Types that programs add to kernels by numba's extension API: models, typers, implementations by a builder, operators, attributes."""

import math
import operator
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, njit, typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError, UnsupportedError
from numba.core.extending import lower_builtin, make_attribute_wrapper, models, register_model, type_callable, typeof_impl
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, ConcreteTemplate
from numba.cuda.cudadecl import registry
from numba.cuda.cudaimpl import lower, lower_attr
from numba.cuda.extending import intrinsic, overload, overload_attribute, overload_method


class Span:
    """From low to high."""

    def __init__(self, low, high):
        self.low, self.high = low, high


class SpanType(types.Type):
    def __init__(self):
        super().__init__(name="Span")


span_type = SpanType()


@typeof_impl.register(Span)
def typeof_span(value, context):
    return span_type


@type_callable(Span)
def type_span(context):
    def typer(low, high):
        if isinstance(low, types.Float) and isinstance(high, types.Float):
            return span_type

    return typer


@register_model(SpanType)
class SpanModel(models.StructModel):
    def __init__(self, manager, kind):
        models.StructModel.__init__(self, manager, kind, [("_low", types.float64), ("high", types.float64)])


make_attribute_wrapper(SpanType, "_low", "low")
make_attribute_wrapper(SpanType, "high", "high")


@lower_builtin(Span, types.Float, types.Float)
def make_span(context, builder, sig, args):
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made._low, made.high = args
    return made._getvalue()


@registry.register_attr
class SpanAttributes(AttributeTemplate):
    key = SpanType

    def resolve_width(self, kind):
        return types.float64

    def resolve_turn(self, kind):
        return types.float64


@lower_attr(SpanType, "width")
def span_width(context, builder, kind, value):
    return builder.fsub(builder.extract_value(value, 1), builder.extract_value(value, 0))


@lower_attr(SpanType, "turn")
def span_turn(context, builder, kind, value):
    turn = context.get_function(math.atan2, signature(types.float64, types.float64, types.float64))
    made = turn(builder, [builder.extract_value(value, 1), builder.extract_value(value, 0)])
    return builder.fmul(context.get_constant(types.float64, 2), made)


@registry.register_global(operator.add)
class SpanSum(ConcreteTemplate):
    cases = [signature(span_type, span_type, span_type)]


@lower(operator.add, span_type, span_type)
def add_spans(context, builder, sig, args):
    first, second = (cgutils.create_struct_proxy(span_type)(context, builder, value=value) for value in args)
    made = cgutils.create_struct_proxy(span_type)(context, builder)
    made._low, made.high = builder.fadd(first._low, second._low), builder.fadd(first.high, second.high)
    return made._getvalue()


@registry.register_global(operator.mul)
class SpanTimes(AbstractTemplate):
    def generic(self, args, keywords):
        if args[0] == span_type and isinstance(args[1], types.Number):
            return signature(span_type, span_type, types.float64)


@lower(operator.mul, span_type, types.Float)
def scale_span(context, builder, sig, args):
    value = builder.insert_value(args[0], builder.fmul(builder.extract_value(args[0], 0), args[1]), 0)
    return builder.insert_value(value, builder.fmul(builder.extract_value(args[0], [1]), args[1]), 1)


@overload(operator.neg)
def negate_span(span):
    if isinstance(span, SpanType):
        return lambda span: Span(-span.high, -span.low)


@overload(operator.lt)
def order_spans(first, second):
    if first == span_type and second == span_type:
        return lambda first, second: first.high < second.low


@overload(len)
def length_of_span(span):
    if isinstance(span, SpanType):
        return lambda span: int(span.width)


@overload_method(SpanType, "holds")
def span_holds(span, x):
    return lambda span, x: span.low <= x < span.high


@overload_attribute(SpanType, "middle")
def span_middle(span):
    return lambda span: (span.low + span.high) / 2


@njit
def joined(first, second):
    return Span(min(first.low, second.low), max(first.high, second.high))


@intrinsic
def multiply_add(context, a, b, c):
    if not isinstance(a, types.Float):
        return None

    def code(context, builder, sig, args):
        first, second, third = args
        return builder.fadd(builder.fmul(first, second), third)

    return a(a, a, a), code


@intrinsic
def peek(context, address):
    return types.int64(address), lambda context, builder, sig, args: builder.load(args[0])


class Types(unittest.TestCase):
    def test_values(self) -> None:
        @cuda.jit
        def kernel(x, out):
            span = Span(x[0], x[1])
            out[0], out[1] = span.low, span.high
            out[2], out[3] = span.width, span.turn
            out[4] = span.middle
            out[5], out[6] = span.holds(2.0), span.holds(3.5)
            total = span + Span(10.0, 20.0)
            out[7], out[8] = total.low, total.high
            wide = joined(span, total)
            out[9], out[10] = wide.low, wide.high
            out[11] = len(total)

        x, out = np.array([1.5, 3.5]), np.zeros(12)
        kernel[1, 1](x, out)
        expected = [1.5, 3.5, 2.0, 2 * math.atan2(3.5, 1.5), 2.5, 1, 0, 11.5, 23.5, 1.5, 23.5, 12]
        np.testing.assert_allclose(out, expected, rtol=1e-15)

    def test_arguments(self) -> None:
        """Values of the program's classes are arguments, alone and in tuples: their members, as the type has them."""

        @cuda.jit
        def kernel(span, more, out):
            total = span + more[0]
            out[0], out[1] = span.low, span.width
            out[2], out[3] = total.low, total.high
            out[4] = more[1]

        out = np.zeros(5)
        kernel[1, 1](Span(1, 3.5), (Span(10.0, 20.0), 7), out)
        self.assertEqual(out.tolist(), [1, 2.5, 11, 23.5, 7])
        kernel[1, 1](Span(2, np.float32(2.5)), (Span(0, 0), 8), out)
        self.assertEqual(out.tolist(), [2, 0.5, 2, 2.5, 8])
        self.assertEqual(len(kernel.signatures), 1)

        @cuda.jit(types.void(span_type, types.float64[:]))
        def declared(span, out):
            out[0] = span.low + span.high

        declared[1, 1](Span(4, 5), out)
        self.assertEqual(out[0], 9)
        lacking = Span(1, 2)
        del lacking.high
        with self.assertRaisesRegex(TypeError, "this Span: it has no attribute for the member 'high' of type Span"):
            declared[1, 1](lacking, out)

        class Opaque:
            pass

        typeof_impl.register(Opaque, lambda value, context: types.Type("Opaque"))
        with self.assertRaisesRegex(TypingError, "Opaque have no StructModel"):
            declared[1, 1](Opaque(), out)

    def test_operators_and_paths(self) -> None:
        """Values that differ by path, and go round a loop."""

        @cuda.jit
        def kernel(x, out):
            i = cuda.grid(1)
            span = Span(0.0, 1.0)
            if i % 2:
                span = -Span(x[i], x[i] + 1)
            for k in range(i):
                span = span + Span(0.5, 1.0) * 2
            out[i, 0], out[i, 1] = span.low, span.high
            out[i, 2] = 1 if span < Span(3.0, 4.0) else 0

        x, out = np.arange(6.0), np.zeros((6, 3))
        kernel[1, 6](x, out)
        for i in range(6):
            low, high = (-(x[i] + 1), -x[i]) if i % 2 else (0.0, 1.0)
            low, high = low + i, high + 2 * i
            self.assertEqual(out[i].tolist(), [low, high, high < 3])

    def test_float32_members_are_rounded(self) -> None:
        class PairType(types.Type):
            def __init__(self):
                super().__init__(name="Pair")

        pair_type = PairType()

        def pair(a, b):
            raise NotImplementedError

        @register_model(PairType)
        class PairModel(models.StructModel):
            def __init__(self, manager, kind):
                super().__init__(manager, kind, [("a", types.float32), ("b", types.int8)])

        type_callable(pair)(lambda context: lambda a, b: pair_type)

        @lower_builtin(pair, types.Type, types.Type)
        def make_pair(context, builder, sig, args):
            made = cgutils.create_struct_proxy(pair_type)(context, builder)
            made.a, made.b = args
            made.b = builder.add(made.b, made.b)
            return made._getvalue()

        make_attribute_wrapper(PairType, "a", "a")
        make_attribute_wrapper(PairType, "b", "b")

        @cuda.jit
        def kernel(x, out):
            made = pair(x[0], 100)
            out[0], out[1] = made.a, made.b

        out = np.zeros(2)
        kernel[1, 1](np.array([0.1]), out)
        self.assertEqual(out.tolist(), [float(np.float32(0.1)), -56.0])

    def test_intrinsics(self) -> None:
        @cuda.jit
        def kernel(x, out):
            out[0] = multiply_add(x[0], x[1], x[2])

        out = np.zeros(1)
        kernel[1, 1](np.array([2.0, 3.0, 4.0]), out)
        self.assertEqual(out[0], 10)
        with self.assertRaisesRegex(TypingError, "multiply_add is an intrinsic"):
            multiply_add(1.0, 2.0, 3.0)

    def test_intrinsics_without_results(self) -> None:
        @intrinsic
        def nothing(typingctx, x):
            return types.void(types.int64), lambda context, builder, signature, args: context.get_dummy_value()

        @intrinsic
        def silent(typingctx, x):
            return types.void(types.int64), lambda context, builder, signature, args: None

        @intrinsic
        def wrong(typingctx, x):
            return types.int32(types.int64), lambda context, builder, signature, args: None

        @intrinsic
        def less(typingctx, x):
            signature = types.float64(types.float64)
            return signature, lambda context, builder, signature, args: context.compile_internal(builder, lambda x: x - 1, signature, args)

        @cuda.jit
        def kernel(out):
            nothing(1)
            silent(2)
            out[0] = less(3.0)

        @cuda.jit
        def refused(out):
            out[0] = wrong(1)

        out = np.zeros(1)
        kernel[1, 1](out)
        self.assertEqual(out[0], 2)
        with self.assertRaisesRegex(TypingError, "non-void function returns None"):
            refused[1, 1](out)

    def test_overloads_of_literals(self) -> None:
        """An overload is asked with types first and then with the literals that are known, or the other way round; arguments by name are given so."""

        def power(x, n):
            pass

        def plain(x, n):
            pass

        def kind(x, how="lower"):
            pass

        def required(x, n):
            pass

        def of_power(x, n):
            if isinstance(n, types.IntegerLiteral):
                return (lambda x, n: x * x) if n.literal_value == 2 else None
            return lambda x, n: x * n

        overload(power, prefer_literal=True)(of_power)
        overload(plain)(of_power)

        @overload(required)
        def of_required(x, n):
            if not isinstance(n, types.IntegerLiteral):
                raise TypingError("n must be a literal")
            return (lambda x, n: x + 100) if n.literal_value > 1 else (lambda x, n: x)

        @overload(kind)
        def of_kind(x, how="lower"):
            if how == "lower" or getattr(how, "literal_value", "") == "lower":
                return lambda x, how="lower": x - 1
            if getattr(how, "literal_value", None) == "upper":
                return lambda x, how="lower": x + 1

        @cuda.jit
        def kernel(out, x, n):
            out[0], out[1], out[2] = power(x, 2), power(x, 3), power(x, n)
            out[3], out[4] = plain(x, 2), plain(x, n)
            out[5], out[6] = required(x, 1), required(n=2, x=x)
            out[7], out[8], out[9], out[10] = kind(x), kind(x, "upper"), kind(x, how="upper"), kind(how="lower", x=x)

        out = np.zeros(11)
        kernel[1, 1](out, 5.0, 7)
        self.assertEqual(out.tolist(), [25, 15, 35, 10, 35, 5, 105, 4, 6, 6, 4])

        @cuda.jit
        def refused(out, n):
            out[0] = required(1.0, n)

        with self.assertRaisesRegex(TypingError, "n must be a literal"):
            refused[1, 1](out, 3)

    def test_errors(self) -> None:
        def of_ints(out):
            out[0] = Span(1, 2).width

        def unknown_operator(out):
            out[0] = (Span(1.0, 2.0) - Span(1.0, 2.0)).low

        def unknown_attribute(out):
            out[0] = Span(1.0, 2.0).colour

        def load(out):
            out[0] = peek(5)

        for body, error, words in [
            (of_ints, TypingError, "Span"), (unknown_operator, TypingError, "operator.sub does not work on"),
            (unknown_attribute, TypingError, "has no attribute 'colour'"), (load, (TypingError, UnsupportedError), "builder.load makes LLVM IR"),
        ]:
            with self.assertRaisesRegex(error, words):
                cuda.jit(body)[1, 1](np.zeros(1))
        with self.assertRaises(TypeError):
            make_attribute_wrapper(Span, "low", "low")

    def test_elements(self) -> None:
        """Of shared and local arrays; a member may be such a value, too."""

        class PairType(types.Type):
            def __init__(self):
                super().__init__(name="SpanPair")

        class Pair:
            pass

        pair_type = PairType()

        @register_model(PairType)
        class PairModel(models.StructModel):
            def __init__(self, manager, kind):
                models.StructModel.__init__(self, manager, kind, [("on", types.boolean), ("span", span_type), ("count", types.int16)])

        @type_callable(Pair)
        def type_pair(context):
            return lambda on, span, count: pair_type

        @lower_builtin(Pair, types.Boolean, SpanType, types.Integer)
        def make_pair(context, builder, sig, args):
            made = cgutils.create_struct_proxy(pair_type)(context, builder)
            made.on, made.span, made.count = args
            return made._getvalue()

        for name in ("on", "span", "count"):
            make_attribute_wrapper(PairType, name, name)

        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            shared = cuda.shared.array(8, span_type)
            local = cuda.local.array((2, 2), pair_type)
            shared[i] = Span(float(i), 2.0 * i)
            cuda.syncthreads()
            local[1, 1] = Pair(i > 3, shared[7 - i] + Span(1.0, 1.0), np.int16(i))
            local[0, 0] = local[1, 1]
            found = local[0, 0]
            out[i, 0] = found.span.low + found.span.width
            out[i, 1] = found.count if found.on else -1
            out[i, 2] = -shared[i].high if shared[i].holds(3.5) else 0
            total = Span(0.0, 0.0)
            for span in shared:
                total = total + span
            out[i, 3] = total.high

        out = np.zeros((8, 4))
        kernel[1, 8](out)
        for i in range(8):
            self.assertEqual(out[i].tolist(), [2 * (7 - i) + 1, i if i > 3 else -1, -2 * i if i <= 3.5 < 2 * i else 0, 56])

        @cuda.jit
        def other(out):
            local = cuda.local.array(2, span_type)
            local[0] = 1.5

        with self.assertRaisesRegex(TypingError, "cannot be assigned to"):
            other[1, 1](out)

    def test_typeof(self) -> None:
        self.assertEqual(typeof(np.int32).instance_type, types.int32)
        self.assertIs(typeof(Span(1.0, 2.0)), span_type)


if __name__ == "__main__":
    main()
