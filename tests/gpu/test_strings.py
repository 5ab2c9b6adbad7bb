"""Strings in kernels: constants, and elements of NumPy's types S and U."""

import subprocess
import sys
import unittest

from support import main  # before NumPy: skips the tests where there is none

import numpy as np
from numba import cuda, from_dtype, types
from numba.core.errors import TypingError, UnsupportedError

HELLO = "hello"
BYTES = b"hello"
LONE = "a\udcffb"
ESCAPED = "a\\udcffb"


def values(function, count: int, *arguments) -> list:
    """What a kernel that is made of the function writes into an array of so many numbers."""
    out = np.zeros(count)
    cuda.jit(function)[1, 1](out, *arguments)
    return out.tolist()


class Constants(unittest.TestCase):
    def test_comparisons(self) -> None:
        def compare(out):
            out[0] = HELLO == "hello"
            out[1] = HELLO != "hello"
            out[2] = HELLO < "help"
            out[3] = HELLO >= "help"
            out[4] = BYTES == b"hello"
            out[5] = BYTES == b"help"
            out[6] = HELLO in ("help", "hello")
            out[7] = HELLO is None

        self.assertEqual(values(compare, 8), [1, 0, 1, 0, 1, 0, 1, 0])

    def test_parts(self) -> None:
        def look(out):
            out[0] = len(HELLO)
            out[1] = "ell" in HELLO
            out[2] = "elk" not in HELLO
            out[3] = HELLO[1] == "e"
            out[4] = HELLO[-3:] + "w" == "llow"
            out[5] = HELLO.startswith("he") and HELLO.upper() == "HELLO"
            out[6] = ord(HELLO[0])
            out[7] = BYTES[1]
            out[8] = len(BYTES) + (b"lo" in BYTES)
            for letter in HELLO:
                if letter == "l":
                    out[9] += 1
            if BYTES and not "":
                out[10] = len(str(1234))

        self.assertEqual(values(look, 11), [5, 1, 1, 1, 1, 1, 104, 101, 6, 2, 4])

    def test_exact(self) -> None:
        """Lone surrogates, their escapes, zeros and what is outside of ASCII are told apart."""

        def compare(out):
            out[0] = LONE == ESCAPED
            out[1] = len(LONE)
            out[2] = "a\0b" == "a"
            out[3] = "é\u20ac" == "é\u20ac"
            out[4] = len("é\u20ac")

        self.assertEqual(values(compare, 5), [0, 3, 0, 1, 2])

    def test_paths(self) -> None:
        """Names and functions that have one string or another."""

        @cuda.jit(device=True)
        def name_of(number):
            if number < 0:
                return "negative"
            if number == 0:
                return "no"
            return "a number that is positive"

        @cuda.jit(device=True)
        def constant():
            return "abc"

        def choose(out, number):
            word = "a" if number > 0 else "bcd"
            if number == 5:
                word = "five and more"
            out[0] = len(word)
            out[1] = word == "bcd"
            out[2] = name_of(number) == "negative"
            out[3] = constant() == "abc"
            last = ""
            for i in range(3):
                if i == number + 2:
                    last = "found"
            out[4] = len(last)

        self.assertEqual(values(choose, 5, -1), [3, 1, 1, 1, 5])
        self.assertEqual(values(choose, 5, 1), [1, 0, 0, 1, 0])
        self.assertEqual(values(choose, 5, 5), [13, 0, 0, 1, 0])

    def test_runtime_index(self) -> None:
        def spell(out):
            for i in range(3):
                out[i] = BYTES[i]
                if HELLO[i] == "e":
                    out[i] += 1000
            out[3] = BYTES[-int(out[3]) - 1]

        self.assertEqual(values(spell, 4), [104, 1101, 108, 111])

    def test_errors(self) -> None:
        def add(out):
            out[0] = HELLO + 1

        def index(out):
            out[0] = HELLO[9] == "a"

        def mixed(out):
            out[0] = HELLO < 3

        for function, text in ((add, "operator \\+ does not work"), (index, "index out of range"), (mixed, "have no order")):
            with self.subTest(text), self.assertRaisesRegex((TypingError, IndexError), text):
                values(function, 1)

    def test_numbers_of_strings(self) -> None:
        def read(out):
            out[0] = int("3")
            out[1] = int("-12")
            out[2] = int("ff", 16)
            out[3] = int(b"7", base=8)
            out[4] = float("2.5") + int(" 1_000 ")

        self.assertEqual(values(read, 5), [3, -12, 255, 7, 1002.5])
        for text in ('int("x")', 'int("1", out[0])', "int(out[0], 10)"):
            with self.subTest(text), self.assertRaises(TypingError):
                namespace = {}
                exec(f"def wrong(out):\n    out[0] = {text}\n", namespace)
                values(namespace["wrong"], 1)

    def test_f_strings(self) -> None:
        """Of constants they are strings."""
        number = 5

        def compare(out):
            out[0] = f"{number}" == "5"
            out[1] = f"<{HELLO!r:>9}>" == "<  'hello'>"
            out[2] = len(f"{number:03d}{1.5:.2f}")
            out[3] = f"{number=}" == "number=5"
            out[4] = f"" == ""

        self.assertEqual(values(compare, 5), [1, 1, 7, 1, 1])

    def test_f_strings_in_print(self) -> None:
        """Others are printed, formatted as Python does it."""
        program = """
import numpy as np
from numba import cuda
@cuda.jit
def kernel(x, n, u):
    i = cuda.grid(1)
    print(f"{i} of {cuda.gridsize(1)}: {x[i]:.3f}", f"100%{n:+5d}|{n:<6}|{u:06}|{u:x}", f"{n:.1f} {x[0]:10.2e}|{x[0]:>9.4F}|", sep="; ")
    print(f"{(i, True)} {x.shape[0] == 1} {'text'}")
kernel[1, 1](np.array([2.0625]), -42, np.uint32(255))
cuda.synchronize()
"""
        expected = ("0 of 1: 2.062; 100%  -42|-42   |000255|ff; -42.0   2.06e+00|   2.0625|\n"
                    "(0, True) True text\n")
        output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
        self.assertEqual((output.stdout, output.stderr), (expected, ""))

    def test_f_strings_refused(self) -> None:
        for text in ('len(f"{out[0]}")', 'print(f"{out[0]:.3}")', 'print(f"{out[0]:^9}")', 'print(f"{cuda.grid(1):x}")', 'print(f"{out[0] > 1:5}")',
                     'print(f"{out[0]:<05.1f}")', 'print(f"{out}")', 'x = f"{out[0]}"', 'print(f"{out[0]:d}")'):
            with self.subTest(text), self.assertRaises((TypingError, UnsupportedError)):
                namespace = {"cuda": cuda}
                exec(f"def wrong(out):\n    {text}\n", namespace)
                values(namespace["wrong"], 1)


class Elements(unittest.TestCase):
    def test_assign(self) -> None:
        """numba-cuda's own tests: constants into arrays of strings, and into records' fields."""

        @cuda.jit
        def assign(words, raw, records):
            i = cuda.grid(1)
            if i < len(words) - 1:
                words[i] = "XYZ"
                raw[i] = b"XYZ"
                records[i]["x"] = i
                records[i]["y"] = "ABC"
                records[i].z = b"DEFGHIJ"

        words = np.full(5, "abcdef", dtype="<U12")
        raw = np.full(5, b"abcdef", dtype="S12")
        records = np.zeros(5, np.dtype([("x", np.float64), ("y", "U3"), ("z", "S4")]))
        assign[1, 8](words, raw, records)
        self.assertEqual(words.tolist(), ["XYZ"] * 4 + ["abcdef"])
        self.assertEqual(raw.tolist(), [b"XYZ"] * 4 + [b"abcdef"])
        self.assertEqual(records[3].tolist(), (3.0, "ABC", b"DEFG"))
        self.assertEqual(records[4].tolist(), (0.0, "", b""))

    def test_compare(self) -> None:
        @cuda.jit
        def compare(words, raw, out):
            i = cuda.grid(1)
            if i < words.size:
                out[i, 0] = words[i] == "abc"
                out[i, 1] = "b" in words[i]
                out[i, 2] = words[i] < "abd"
                out[i, 3] = words[i] >= words[0]
                out[i, 4] = raw[i] != b"x"
                out[i, 5] = len(words[i]) * 10 + len(raw[i])
                out[i, 6] = words[i] in ("x", "abcdefgh")
                out[i, 7] = 1 if words[i] else 0

        words = np.array(["abc", "x", "abcdefgh", "", "ab"], dtype="U8")
        raw = words.astype("S8")
        out = np.zeros((5, 8))
        compare[1, 8](words, raw, out)
        for word, row in zip(words.tolist(), out.tolist()):
            with self.subTest(word):
                self.assertEqual(row, [word == "abc", "b" in word, word < "abd", word >= "abc", word != "x", len(word) * 11,
                                       word in ("x", "abcdefgh"), bool(word)])

    def test_parts(self) -> None:
        @cuda.jit
        def look(words, raw, out):
            i = cuda.grid(1)
            if i < words.size:
                word = words[i]
                out[i, 0] = word.find("b")
                out[i, 1] = word.rfind("b")
                out[i, 2] = word.startswith("ab")
                out[i, 3] = word.endswith("cb")
                out[i, 4] = ord(word[1])
                out[i, 5] = raw[i][1]
                out[i, 6] = word[-1] == "b"
                out[i, 7] = word.isascii()

        words = np.array(["abcb", "bb", "aébc"], dtype="U8")
        raw = np.array([b"abcb", b"bb", b"axbc"], dtype="S8")
        out = np.zeros((3, 8))
        look[1, 4](words, raw, out)
        for word, bytes_, row in zip(words.tolist(), raw.tolist(), out.tolist()):
            with self.subTest(word):
                self.assertEqual(row, [word.find("b"), word.rfind("b"), word.startswith("ab"), word.endswith("cb"), ord(word[1]),
                                       bytes_[1], word[-1] == "b", word.isascii()])

    def test_copies(self) -> None:
        """From element to element of other lengths, whole arrays, device arrays, records with strings, and NumPy's scalars."""

        @cuda.jit
        def copy(a, longer, shorter, records, word):
            i = cuda.grid(1)
            if i < a.size:
                longer[i] = a[i]
                shorter[i] = a[i]
                records[i + a.size] = records[i]
                if a[i] == word:
                    longer[i] = "found"

        @cuda.jit
        def fill(a):
            a[:] = "xy"

        a = np.array(["abc", "de", ""], dtype="U3")
        longer, shorter = np.full(3, "zzzzz", dtype="U5"), np.full(3, "z", dtype="U1")
        records = np.zeros(6, [("n", "S3"), ("v", "f4")])
        records[:3] = [(b"ab", 1), (b"cde", 2), (b"", 3)]
        copy[1, 4](cuda.to_device(a), longer, shorter, records, np.str_("de"))
        self.assertEqual(longer.tolist(), ["abc", "found", ""])
        self.assertEqual(shorter.tolist(), ["a", "d", ""])
        self.assertEqual(records[3:].tolist(), records[:3].tolist())
        device = cuda.to_device(a)
        fill[1, 1](device)
        self.assertEqual(device.copy_to_host().tolist(), ["xy"] * 3)

    def test_types(self) -> None:
        """As in numba: their names, and signatures with them."""
        self.assertEqual(str(from_dtype(np.dtype("U8"))), "[unichr x 8]")
        self.assertEqual(str(from_dtype(np.dtype("S8"))), "[char x 8]")
        self.assertEqual(str(types.UnicodeCharSeq(3)[:]), "array([unichr x 3], 1d, A)")

        @cuda.jit((types.Array(types.CharSeq(4), 1, "C"), types.int64[::1]))
        def lengths(words, out):
            out[0] = len(words[1])

        out = np.zeros(1, np.int64)
        lengths[1, 1](np.array([b"a", b"bcd"], dtype="S4"), out)
        self.assertEqual(out[0], 3)
        self.assertEqual(str(lengths.signatures[0][0]), "array([char x 4], 1d, C)")

    def test_errors(self) -> None:
        def kinds(out, words):
            out[0] = words[0] == b"abc"

        def assign(out, words):
            words[0] = b"abc"

        def number(out, words):
            words[0] = 1.5

        def character(out, words):
            words[0][0] = "a"

        def upper(out, words):
            out[0] = words[0].upper() == "ABC"

        def part(out, words):
            out[0] = words[0][1:] == "bc"

        for function, text in ((kinds, "cannot be compared"), (assign, "cannot be assigned to"), (number, "cannot be assigned to"),
                               (character, "cannot be assigned to by index"), (upper, "has no method 'upper'"), (part, "new string")):
            with self.subTest(function.__name__), self.assertRaisesRegex((TypingError, UnsupportedError), text):
                values(function, 1, np.array(["abc"]))
        packed = np.zeros(2, [("flag", "u1"), ("name", "U3")])

        def unaligned(out, records):
            out[0] = records[0].name == "abc"

        with self.assertRaisesRegex(UnsupportedError, "field 'name' is a .unichr x 3. that is not aligned"):
            values(unaligned, 1, packed)
        with self.assertRaisesRegex(TypeError, "kernels cannot take arguments of type 'str'"):
            values(kinds, 1, "abc")


class Names(unittest.TestCase):
    """Names with what UTF-8 has no form of."""

    def test_fields(self) -> None:
        records = np.zeros(2, [("\udcff", "f8"), ("\\udcff", "f8")])
        records["\udcff"], records["\\udcff"] = 1, 2

        def read(out, records):
            out[0] = records[0]["\udcff"]
            out[1] = records[0]["\\udcff"]

        def absent(out, records):
            out[0] = records[0]["\udcfe"]

        self.assertEqual(values(read, 2, records), [1, 2])
        with self.assertRaisesRegex(TypingError, "has no such field"):
            values(absent, 2, records)

    def test_objects(self) -> None:
        """Functions and classes whose names they are, in messages."""

        def odd():
            pass

        odd.__name__ = odd.__qualname__ = "a\udcff"

        class Odd(tuple):
            _fields = ("\udcff",)

        def call(out):
            out[0] = len(odd)

        def make(out):
            out[0] = Odd(x=1) == 2

        with self.assertRaisesRegex(TypingError, r"a\\udcff"):
            values(call, 1)
        with self.assertRaisesRegex(TypingError, "class 'Odd' takes 1 values"):
            values(make, 1)

    def test_described(self) -> None:
        """Types that the package passes by name."""

        @cuda.jit
        def kernel(out):
            out[0] = 1

        for described in ("\udcff", ("\udcff", 1), ("array", "\udcff", 1, "C", False)):
            with self.subTest(repr(described)), self.assertRaises(Exception) as raised:
                kernel._add_signature((described,), True)
            self.assertNotIsInstance(raised.exception, (SystemError, UnicodeError))

    def test_named_tuples(self) -> None:
        """Fields outside of ASCII."""
        import collections

        Pair = collections.namedtuple("Pair", "é b")

        def add(out, pair):
            out[0] = pair.é + Pair(é=3, b=4).é

        self.assertEqual(values(add, 1, Pair(1, 2)), [4])


if __name__ == "__main__":
    main()
