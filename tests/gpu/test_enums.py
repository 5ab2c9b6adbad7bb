"""Members of enums in kernels: equality, identity, values, names, flags, and what numba refuses."""

import enum
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, int16, int64, types, vectorize
from numba.core.errors import TypingError


class Colour(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    AZURE = 3


class Fruit(enum.Enum):
    APPLE = 1
    PEAR = 2


class Planet(enum.Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius) -> None:
        self.mass = mass
        self.radius = radius


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 7


class Status(enum.IntEnum):
    ONE = 1
    NONE = -1


class Weight(float, enum.Enum):
    LIGHT = 0.5
    HEAVY = 8.0


class Mode(enum.StrEnum):
    FAST = "fast"
    SAFE = "safe"


class Permission(enum.Flag):
    READ = 4
    WRITE = 2
    RUN = 1


class Style(enum.IntFlag):
    BOLD = 1
    WIDE = 2
    LARGE = 8


class Strange(enum.Enum):
    A = 1
    B = 2

    def __eq__(self, other):
        return True


def run(function, *arguments, count: int = 10) -> list:
    out = np.zeros(count)
    cuda.jit(function)[1, 1](out, *arguments)
    return out.tolist()


class Enums(unittest.TestCase):
    def check(self, function, *arguments) -> None:
        """A kernel does what the function does as Python."""
        wanted = np.zeros(10)
        function(wanted, *arguments)
        self.assertEqual(run(function, *arguments), wanted.tolist())

    def test_comparisons(self) -> None:
        def kernel(out, a, b):
            out[0] = a == b
            out[1] = a != b
            out[2] = a is b
            out[3] = a is not b
            out[4] = a in (b,)
            out[5] = (a, 1) == (b, 1)

        pairs = [(Colour.RED, Colour.RED), (Colour.RED, Colour.GREEN), (Colour.BLUE, Colour.AZURE), (Colour.RED, Fruit.APPLE), (Level.LOW, Status.ONE),
                 (Level.LOW, Level.LOW), (Level.LOW, Level.HIGH), (Colour.RED, Level.LOW), (Level.LOW, Colour.RED), (Colour.RED, 1), (Planet.EARTH, Planet.MARS),
                 (Planet.MARS, Planet.MARS), (Style.BOLD, Level.LOW), (Weight.HEAVY, 8.0), (Weight.HEAVY, Weight.HEAVY), (Permission.READ, Permission.READ)]
        for a, b in pairs:
            with self.subTest(a=a, b=b):
                self.check(kernel, a, b)

    def test_constants(self) -> None:
        def kernel(out):
            out[0] = Colour.RED is Fruit.APPLE
            out[1] = Level.LOW is Status.ONE
            out[2] = Level.LOW == Status.ONE
            out[3] = Colour["RED"] is Colour(1)
            out[4] = Colour.AZURE is Colour.BLUE
            out[5] = Level["HIGH"] - Status.NONE
            out[6] = Mode.FAST == "fast"
            out[7] = Mode.FAST is Mode.SAFE
            out[8] = Planet.EARTH.mass / Planet.EARTH.value[1]
            out[9] = len(Colour.GREEN.name)

        self.check(kernel)

    def test_numbers(self) -> None:
        def kernel(out, level, x, weight):
            out[Level.LOW] = x[Level.LOW] + level
            out[0] = level << Level.LOW
            out[2] = -level + ~level
            out[3] = max(level, Level.LOW)
            out[4] = level > Level.LOW and level
            out[5] = weight * Weight.LIGHT
            out[6] = abs(Status.NONE) + int(level)
            for i in range(level):
                out[7] += i
            out[8] = x[:level].size
            level = 5
            out[9] = level

        self.check(kernel, Level.HIGH, np.arange(9.0), Weight.HEAVY)

    def test_paths(self) -> None:
        """A name keeps its enum through branches, loops and calls, unless another type meets it."""
        @cuda.jit(device=True)
        def chosen(first):
            return Colour.RED if first else Colour.BLUE

        @cuda.jit(device=True)
        def same(a, b):
            return a is b

        def kernel(out, n, level):
            colour = Colour.GREEN
            for i in range(n):
                colour = Colour.RED if i % 2 == 0 else Colour.BLUE
                out[i] = colour.value
            out[3] = colour is Colour.RED
            out[4] = chosen(n > 2) == Colour.RED
            out[5] = chosen(n > 4).value
            out[6] = same(level, Level.HIGH)
            out[7] = same(level, Status.ONE)
            number = level if n > 5 else n
            out[8] = number

        self.assertEqual(run(kernel, 3, Level.HIGH), [1, 3, 1, 1, 1, 3, 1, 0, 3, 0])

    def test_truth_and_classes(self) -> None:
        def kernel(out, colour, level, flags):
            out[0] = 1 if colour else 2
            out[1] = 1 if level else 2
            out[2] = 1 if flags else 2
            out[3] = not colour
            out[4] = colour in Colour
            out[5] = colour in Fruit
            out[6] = 2 in Fruit
            total = 0
            for each in Colour:
                total = total * 10 + each.value
            out[7] = total

        self.check(kernel, Colour.RED, Level.HIGH, Permission.READ)
        self.check(kernel, Colour.BLUE, Status.NONE, Permission(0))

    def test_flags(self) -> None:
        def kernel(out, flags, style):
            both = flags | Permission.RUN
            out[0] = both.value
            out[1] = (both & Permission.READ) is Permission.READ
            out[2] = Permission.WRITE in both
            out[3] = (~both).value
            out[4] = (both ^ Permission.READ) == Permission.RUN
            out[5] = bool(both & Permission.WRITE)
            out[6] = style | Style.LARGE
            out[7] = (~style).value
            out[8] = Style.BOLD in style
            out[9] = style & 3

        self.check(kernel, Permission.READ, Style.BOLD)
        self.check(kernel, Permission.READ | Permission.WRITE, Style.BOLD | Style.LARGE)

    def test_print(self) -> None:
        @cuda.jit
        def kernel(level):
            print(Colour.RED, Level.HIGH, f"{Colour.BLUE}", level)

        kernel[1, 1](Level.LOW)
        cuda.synchronize()

    def test_signatures(self) -> None:
        @cuda.jit("void(float64[:], int64)")
        def kernel(out, level):
            out[0] = level + 1

        out = np.zeros(1)
        kernel[1, 1](out, Level.HIGH)
        self.assertEqual(out[0], 8)

        @vectorize(["int64(int64)"], target="cuda")
        def mapped(x):
            if x != Level.LOW:
                return Level["HIGH"]
            return Status.NONE

        self.assertEqual(mapped(np.array([1, 2, 7])).tolist(), [-1, 7, 7])

    def test_casts(self) -> None:
        def kernel(out, level):
            out[0] = int16(level) + int64(Level.LOW)

        self.assertEqual(run(kernel, Level.HIGH)[0], 8)

    def test_refused(self) -> None:
        def add(out, colour):
            out[0] = colour + 1

        def order(out, colour):
            out[0] = colour < Colour.BLUE

        def stored(out, colour):
            out[0] = colour

        def index(out, colour):
            out[0] = out[colour]

        def named(out, colour):
            out[0] = len(colour.name)

        def own(out, colour):
            out[0] = Strange.A == Strange.B

        def unpacked(out, colour):
            a, b = colour
            out[0] = a

        for function in add, order, stored, index, named, own, unpacked:
            with self.subTest(function=function.__name__), self.assertRaisesRegex(Exception, r"Enum<int64>\((Colour|Strange)\)") as caught:
                run(function, Colour.RED)
            self.assertIsInstance(caught.exception, TypingError if function is not own else Exception)

        def unknown(out, colour):
            out[0] = Colour(9) is colour

        with self.assertRaisesRegex(TypingError, "9 is not a valid Colour"):
            run(unknown, Colour.RED)

    def test_types(self) -> None:
        from numba import typeof

        self.assertEqual(str(typeof(Level.LOW)), "IntEnum<int64>(Level)")
        self.assertEqual(str(typeof(Colour.RED)), "Enum<int64>(Colour)")
        self.assertIsInstance(typeof(Level.LOW), types.IntEnumMember)
        self.assertEqual(typeof(Colour.RED), types.EnumMember(Colour, int64))
        self.assertEqual(typeof(Colour).member_type, typeof(Colour.RED))


main()
