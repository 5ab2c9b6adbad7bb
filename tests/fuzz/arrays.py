"""Generates random programs of loops over NumPy arrays, which print the same under every correct interpreter.

Usage: arrays.py SEED

A program has scenes: functions with hot loops that read and store elements, of arrays of every dtype and layout, and
compute with NumPy scalars and Python numbers. A scene is called several times, sometimes with arrays of another dtype, under
one or another filter of warnings; printed are what it returns or raises, where, all its arrays and all warnings.
"""

from __future__ import annotations

import random
import sys

from array_expressions import COMPLEX, FLOATS, SIGNED, UNSIGNED, Array, ArrayExpressions, Names

ITERATIONS = (400, 900, 1500, 3000)  # of an outermost loop
MOST_ROUNDS = 6000  # of an innermost loop in a call of its scene, about
MOST_OF_FEW = 5  # rounds of a loop in another one whose number is a variable
LAYOUTS = ("C", "C", "C", "C", "F", "steps", "back", "part", "repeated", "odd", "swapped", "frozen", "subclass")
EFFECTS = ("a.flags.writeable = not a.flags.writeable", "a[:1] = a[-1:]", "np.seterr(all='ignore')", "np.seterr(all='warn')",
           "np.seterr(over='raise')", "a.shape = a.shape[::-1]", "a[...] = 1", "a.sort()", "a.strides = a.strides",
           "warnings.simplefilter('always')", "a.dtype = a.dtype.newbyteorder()", "sys._getframe(1).f_locals['a1']")
PRELUDE = '''\
import collections
import math
import sys
import warnings
import zlib

import numpy as np


class Subclass(np.ndarray):
    pass


def make(dtype, shape, layout, start, edges):
    size = math.prod(shape)
    values = (np.arange(size) * 7 + start) % 101
    values = values / 4 - 9 if np.dtype(dtype).kind in "fc" else values - 50 if np.dtype(dtype).kind == "i" else values
    a = (values > 40 if dtype == "bool" else values.astype(dtype)).reshape(shape)
    if edges and dtype != "bool":
        limits = np.finfo(dtype) if np.dtype(dtype).kind in "fc" else np.iinfo(dtype)
        special = [limits.max, limits.min, 0, 1]
        if isinstance(limits, np.finfo):
            special += [np.nan, np.inf, -np.inf, -0.0, limits.smallest_subnormal]
        for k, value in enumerate(special):
            a.flat[k * size // len(special)] = value
    if layout == "F":
        return np.asfortranarray(a)
    if layout == "steps":
        return np.repeat(a, 2, axis=-1)[..., ::2]
    if layout == "back":
        return np.ascontiguousarray(a[::-1])[::-1]
    if layout == "part":
        return np.pad(a, 2)[(slice(2, -2),) * a.ndim]
    if layout == "repeated":
        return np.lib.stride_tricks.as_strided(a, shape, (0,) + a.strides[1:])
    if layout == "odd":
        b = np.zeros(a.nbytes + 1, np.uint8)[1:].view(dtype).reshape(shape)
        b[...] = a
        return b
    if layout == "swapped":
        return a.astype(a.dtype.newbyteorder())
    if layout == "frozen":
        a.flags.writeable = False
    return a.view(Subclass) if layout == "subclass" else a


def whole(x):
    return int(x) if -1e9 < x < 1e9 else 7


def fit(x):
    return x if -1e15 < x < 1e15 else 5


def spell(x):
    if isinstance(x, np.ndarray):
        text = repr(x.tolist())
        return f"{type(x).__name__} {x.dtype.str} {x.shape} {zlib.crc32(text.encode()):08x} {text[:40]}"
    return f"{type(x).__name__} {x!r}"


def show(scene, error):
    tb = error.__traceback__.tb_next
    while tb:
        values = {k: spell(v) for k, v in tb.tb_frame.f_locals.items()}
        print("   at", tb.tb_frame.f_code.co_name, tb.tb_lineno, values)
        tb = tb.tb_next
    print("  ", type(error).__name__, error)


def call(scene, action, arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter(action)
        try:
            print(scene.__name__, *map(spell, scene(*arguments)))
        except Exception as error:
            show(scene, error)
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    for a in arguments:
        print("  ", spell(a))
    told = collections.Counter((w.category.__name__, str(w.message), w.lineno) for w in caught)
    print("  ", sorted(told.items()))
'''


class ArrayGenerator:
    """Writes one program. Every random choice comes from the seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"arrays {seed}")
        self.expressions = ArrayExpressions(self.rng)
        self.lines = PRELUDE.splitlines()
        self.indent = 0
        self.counter = 0
        self.loops = 0  # around the statement
        self.rounds = 1  # of them all together

    def emit(self, line: str) -> None:
        """Writes a line at the current indent."""
        self.lines.append("    " * self.indent + line)

    def name(self, prefix: str) -> str:
        """A new name."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def block(self, names: Names, count: int) -> None:
        """Writes an indented block of statements."""
        self.indent += 1
        for _ in range(count):
            self.statement(names)
        self.indent -= 1

    def statement(self, names: Names) -> None:
        """Writes one random statement."""
        makers = [(self.store, 9), (self.store_part, 2), (self.augment, 6), (self.assign, 8), (self.branch, 4), (self.swap, 1), (self.guarded, 1),
                  (self.view, 2), (self.inner, 2 if self.loops < 2 else 0), (self.event, 0.6), (self.leave, 0.7),
                  (self.poke, 0.8)]
        options, weights = zip(*makers)
        self.rng.choices(options, weights)[0](names)

    def stored(self, names: Names, array: Array) -> str:
        """An expression that can be stored into elements of the array, unless the risk is taken."""
        made = self.expressions
        if array.kind != "int":
            return made.make(names, array.kind, 3)
        if made.chance(made.risk):
            return made.make(names, self.rng.choice(["python", "float", "int"]), 2)
        return made.same(names, array, 2) if made.chance(0.6) else f"{made.make(names, 'python', 2)} % 100"

    def store(self, names: Names) -> None:
        """element = expression"""
        array = self.rng.choice(names.arrays)
        self.emit(f"{self.expressions.place(names, array)} = {self.stored(names, array)}")

    def store_part(self, names: Names) -> None:
        """row, column or slice = number, or another part of the array"""
        array = self.rng.choice(names.arrays)
        length = array.shape[0]
        at = [self.expressions.index(names, length) for _ in range(2)]
        low = self.rng.randrange(length)
        pairs = [(f"[{low}:]", None), ("[:]", None), (f"[{at[0]}:]", None), (f"[::{at[1]} % 3 + 1]", None), ("[1:]", "[:-1]"), ("[:-1]", "[1:]"),
                 ("[::-1]", ""), ("[:]", "[::-1]"), (f"[{low}:{low + 3}]", f"[{low}:{low + 3}]"), ("[...]", f"[{low}:{low + 1}]")]
        if len(array.shape) > 1:
            columns = [self.expressions.index(names, array.shape[1]) for _ in range(2)]
            pairs += [(f"[{at[0]}]", f"[{at[1]}]"), (f"[{at[0]}]", None), (f"[:, {columns[0]}]", None), (f"[:, {columns[0]}]", f"[:, {columns[1]}]"),
                      (f"[{at[0]}, 1:]", f"[{at[1]}, :-1]"), ("[1:]", "[:1]"), (f"[{at[0]}:, {columns[0]}:]", None), (f"[..., {low}:]", None)]
        target, source = self.rng.choice(pairs)
        value = self.stored(names, array) if source is None else self.rng.choice([array.name, array.name, self.rng.choice(names.arrays).name]) + source
        self.emit("try:")
        text = f"{array.name}{target}.fill({value})" if source is None and self.expressions.chance(0.2) else f"{array.name}{target} = {value}"
        self.emit(f"    {text}")
        self.emit("except (IndexError, ValueError, TypeError, OverflowError):")
        self.emit(f"    {self.rng.choice(names.scalars['python'])} = 5")

    def augment(self, names: Names) -> None:
        """element op= expression"""
        array = self.rng.choice(names.arrays)
        operators = {"int": ["+=", "-=", "*=", "|=", "^=", "&="], "bool": ["|=", "&=", "^="]}
        operator = self.rng.choice(operators.get(array.kind, ["+=", "-=", "*="]))
        self.emit(f"{self.expressions.place(names, array)} {operator} {self.stored(names, array)}")

    def assign(self, names: Names) -> None:
        """variable = expression, or op="""
        kind = self.rng.choice([kind for kind, variables in names.scalars.items() if variables])
        target = self.rng.choice(names.scalars[kind])
        value = self.expressions.make(names, kind, 3)
        if kind in ("int", "float", "complex") and self.expressions.chance(0.4):
            self.emit(f"{target} {self.rng.choice(['+=', '-=', '*='])} {value}")
        else:
            self.emit(f"{target} = {f'fit({value})' if kind == 'python' else value}")

    def branch(self, names: Names) -> None:
        """if / else"""
        self.emit(f"if {self.expressions.make(names, 'bool', 2)}:")
        self.block(names, self.rng.randint(1, 2))
        if self.expressions.chance(0.5):
            self.emit("else:")
            self.block(names, 1)

    def swap(self, names: Names) -> None:
        """Two elements of an array change places."""
        array = self.rng.choice(names.arrays)
        one, other = self.expressions.place(names, array), self.expressions.place(names, array)
        self.emit(f"{one}, {other} = {other}, {one}")

    def guarded(self, names: Names) -> None:
        """A try statement whose body may well raise."""
        saved, self.expressions.risk = self.expressions.risk, 0.15
        self.emit("try:")
        self.block(names, 1)
        self.expressions.risk = saved
        self.emit("except (IndexError, ValueError, TypeError, OverflowError, ArithmeticError):")
        self.block(names, 1)

    def view(self, names: Names) -> None:
        """A view with a name, used by the next statements."""
        array = self.rng.choice(names.arrays)
        length = array.shape[0]
        inner = names.copy()
        if self.expressions.chance(0.25):
            view = self.turned(array)
        elif len(array.shape) > 1 and self.expressions.chance(0.4):
            index, left = self.axes(names, array.shape)
            view = Array(self.name("part"), array.dtype, left)
            self.emit(f"{view.name} = {array.name}[{index}]")
        elif len(array.shape) > 1 and self.expressions.chance(0.6):
            view = Array(self.name("row"), array.dtype, array.shape[1:])
            self.emit(f"{view.name} = {array.name}[{self.expressions.index(names, length)}]")
        else:
            start, step = self.rng.randrange(length), self.rng.choice([1, 1, 1, 2, -1])
            low = f"{self.expressions.index(names, start + 1)}" if self.expressions.chance(0.4) else str(start)
            text, left = (f"{low}::-1", 1) if step < 0 else (f"{low}::{step}", (length - start + step - 1) // step)
            low_is_constant = low == str(start)
            left = (start + 1 if step < 0 else left) if low_is_constant else 1
            view = Array(self.name("part"), array.dtype, (left,) + array.shape[1:])
            self.emit(f"{view.name} = {array.name}[{text}]")
        inner.arrays = [view] * 3 + inner.arrays
        for _ in range(self.rng.randint(1, 3)):
            self.statement(inner)

    def turned(self, array: Array) -> Array:
        """A view of all of the array: turned, with a new axis, or of its real or imaginary parts."""
        views = [(".T", array.dtype, array.shape[::-1]), ("[None]", array.dtype, (1, *array.shape)), ("[..., None]", array.dtype, (*array.shape, 1)),
                 ("[...]", array.dtype, array.shape), (".real", array.dtype, array.shape)]
        if array.kind == "complex":
            part = "float32" if array.dtype == "complex64" else "float64"
            views = [*views[:4], *[(f".{name}", part, array.shape) for name in ("real", "imag") * 2]]
        text, dtype, shape = self.rng.choice(views)
        view = Array(self.name("part"), dtype, shape)
        self.emit(f"{view.name} = {array.name}{text}")
        return view

    def axes(self, names: Names, shape: tuple) -> tuple[str, tuple]:
        """An index with slices of an array of several dimensions, and the shape that it leaves."""
        (rows, columns), rest = shape[:2], shape[2:]
        row, column = (self.expressions.index(names, length) for length in (rows, columns))
        return self.rng.choice([
            (f":, {column}", (rows, *rest)), (f"::2, {column}", ((rows + 1) // 2, *rest)), (f"{row}, ::-1", (columns, *rest)),
            (f"{row}, {columns // 2}:", (columns - columns // 2, *rest)), ("::-1, :", shape), (f"{rows // 2}:, ::3", (rows - rows // 2, (columns + 2) // 3, *rest)),
        ])

    def inner(self, names: Names) -> None:
        """A short loop."""
        self.loop(names, self.rng.choice([2, 3, 5, 8]) if self.rounds < MOST_ROUNDS else 2, self.rng.randint(1, 3))

    def leave(self, names: Names) -> None:
        """A rare continue or break."""
        if self.loops:
            counter = self.rng.choice(names.counters)[0]
            self.emit(f"if {counter} % {self.rng.choice([5, 97, 997])} == 3: {self.rng.choice(['continue', 'continue', 'break'])}")

    def event(self, names: Names) -> None:
        """Something that seldom happens: the settings change, an array is rebound or frozen, a variable changes class."""
        array = self.rng.choice(names.arrays)
        variable = self.rng.choice(names.scalars["float"])
        text = self.rng.choice([
            f"np.seterr(all='{self.rng.choice(['ignore', 'warn', 'raise'])}')", f"{variable} = np.float32({variable})",
            f"{variable} = float({variable})", f"{variable} = whole({variable})", f"{array.name} = {array.name}.copy()",
            f"{array.name} = {array.name}[::-1]", f"{array.name} = {array.name}.astype('{self.other_dtype(array)}')",
            f"{array.name}.flags.writeable = False", f"{array.name} = {array.name}[:-1]", f"{array.name}[...] = 1",
            f"{array.name} = {array.name}.tolist()", "warnings.simplefilter('ignore')", f"{variable} = np.float16(0.5)",
        ])
        counter = self.rng.choice(names.counters)[0]
        self.emit(f"if {counter} == {self.rng.choice([1, 7, 50, 300, 700])}: {text}")
        if self.expressions.chance(0.2):
            self.emit(f"with np.errstate(all='{self.rng.choice(['ignore', 'raise', 'warn'])}'):")
            self.block(names, 1)

    def poke(self, names: Names) -> None:
        """A call that may change an array, or what becomes of faults, behind the loop's back."""
        target = self.rng.choice(names.scalars["python"])
        self.emit(f"{target} = fit({target} + poke({self.rng.choice(names.arrays).name}, {self.rng.choice(names.counters)[0]}))")

    def poked(self) -> None:
        """Writes the function that such calls call."""
        self.lines += ["", "", "def poke(a, i):"]
        for effect in self.rng.sample(EFFECTS, self.rng.randint(1, 3)):
            period = self.rng.choice([7, 97, 301])
            self.lines += [f"    if i % {period} == {self.rng.randrange(period)}:", "        try:", f"            {effect}",
                           "        except (ValueError, AttributeError, TypeError):", "            pass"]
        self.lines.append("    return i & 3")

    def other_dtype(self, array: Array) -> str:
        """A dtype of the same kind."""
        return self.rng.choice({"int": SIGNED + UNSIGNED[:3], "float": FLOATS, "complex": COMPLEX}.get(array.kind, ("bool",)))

    def loop(self, names: Names, count: int, statements: int) -> None:
        """A loop of one of several forms, of about so many rounds."""
        inner = names.copy()
        array = self.rng.choice(names.arrays)
        counter = self.name("i")
        element = self.name("e")
        form = self.rng.randrange(9)
        if form <= 3 or array.kind == "bool" or len(array.shape) > 1 or self.rounds * array.shape[0] > MOST_ROUNDS:
            if count > array.shape[0] and self.expressions.chance(0.5):
                count = array.shape[0]
            few = ["few", "few - 1", "few + 1"] if count <= MOST_OF_FEW and self.loops else [count]
            self.emit(f"for {counter} in range({self.rng.choice([count, count, *few, f'np.int32({count})'])}):")
        elif form == 4:
            self.emit(f"{counter} = -1")
            self.emit(f"while {counter} < {count - 1}:")
            self.lines.append("    " * (self.indent + 1) + f"{counter} += 1")
        elif form == 5:
            self.emit(f"for {counter}, {element} in zip(range({count}), {array.name}):")
        else:
            self.emit(f"for {counter}, {element} in enumerate({array.name}):")
            count = array.shape[0]
        if self.lines[-1].startswith("    " * self.indent + f"for {counter}, {element}"):
            inner.scalars[array.kind].append(element)
        inner.counters.append((counter, count))
        self.loops += 1
        before, self.rounds = self.rounds, self.rounds * count
        self.block(inner, statements)
        self.rounds = before
        self.loops -= 1

    def arrays(self) -> list[Array]:
        """The arrays of a scene: a few of related dtypes, and one of indices."""
        rng = self.rng
        length = rng.choice([7, 40, 300, 1500])
        dtypes = [rng.choice(SIGNED + UNSIGNED[:3]), rng.choice(FLOATS[:2])]
        if rng.random() < 0.3:
            dtypes = [*rng.choices(COMPLEX, k=rng.randint(1, 2)), rng.choice(FLOATS[:2])]
        dtypes += rng.choices([*SIGNED, *UNSIGNED, *FLOATS, *COMPLEX, "bool", dtypes[0], dtypes[1]], k=rng.randint(0, 2))
        rng.shuffle(dtypes)
        shapes = [(length,), (length,), (rng.randint(2, 40), rng.randint(2, 30)), (3, 4, rng.randint(2, 9))]
        arrays = [Array(self.name("a"), dtype, rng.choices(shapes, (6, 3, 4, 1))[0]) for dtype in dtypes]
        return arrays + [Array("order", rng.choice(["int64", "int32", "int16"]), (rng.choice([16, 50]),))]

    def scene(self) -> None:
        """Writes a scene and its calls."""
        rng = self.rng
        name = self.name("scene")
        names = Names()
        names.arrays = self.arrays()
        self.emit("")
        self.emit("")
        self.emit(f"def {name}({', '.join(a.name for a in names.arrays)}):")
        self.indent += 1
        self.emit("few = FEW[0]")
        starts = {"python": ["0", "3"], "int": ["np.int64(0)", "np.int32(5)", "np.int16(1)", "np.uint8(7)"],
                  "float": ["0.0", "1.5", "np.float64(0.25)", "np.float32(1)"], "bool": ["False"]}
        if any(a.kind == "complex" for a in names.arrays):
            starts["complex"] = ["0j", "np.complex64(1 - 2j)", "np.complex128(0.5j)", "complex(-0.0, 1)"]
        for kind, values in starts.items():
            for _ in range(rng.randint(1, 2)):
                variable = self.name(kind[0])
                self.emit(f"{variable} = {rng.choice(values)}")
                names.scalars[kind].append(variable)
        variables = [variable for kind in names.scalars.values() for variable in kind]
        for _ in range(rng.randint(1, 2)):
            if any(len(a.shape) > 1 for a in names.arrays) and rng.random() < 0.5:
                self.nest(names)
            else:
                self.loop(names, rng.choice(ITERATIONS), rng.randint(1, 5))
        self.emit(f"return {', '.join(variables)},")
        self.indent -= 1
        self.calls(name, names.arrays)

    def nest(self, names: Names) -> None:
        """A loop over rows with a loop over columns in it."""
        array = self.rng.choice([a for a in names.arrays if len(a.shape) > 1])
        rows, columns = self.name("i"), self.name("j")
        inner = names.copy()
        inner.counters += [(rows, array.shape[0]), (columns, array.shape[1])]
        inner.arrays = [array] * 3 + inner.arrays
        self.emit(f"for {rows} in range({array.name}.shape[0]):")
        self.emit(f"    for {columns} in range({array.name}.shape[1]):")
        self.indent += 1
        self.loops += 2
        before, self.rounds = self.rounds, array.shape[0] * array.shape[1]
        self.block(inner, self.rng.randint(1, 4))
        self.rounds = before
        self.loops -= 2
        self.indent -= 1

    def calls(self, name: str, arrays: list[Array]) -> None:
        """Writes the calls of a scene; a later one may bring arrays of other dtypes and layouts."""
        rng = self.rng
        layouts = [rng.choice(LAYOUTS) if rng.random() < 0.6 else "C" for _ in arrays]
        edges = [rng.random() < 0.15 for _ in arrays]
        self.emit("")
        for number in range(rng.choice([2, 3, 4])):
            made = []
            for k, array in enumerate(arrays):
                change = number and rng.random() < 0.12 and array.name != "order"
                dtype = self.other_dtype(array) if change else array.dtype
                layout = rng.choice(LAYOUTS) if number and rng.random() < 0.08 else layouts[k]
                layout = "C" if array.name == "order" else layout
                made.append(f"make('{dtype}', {array.shape}, '{layout}', {rng.randrange(50)}, {edges[k]})")
            action = rng.choice(["always", "always", "always", "default", "once", "ignore", "error"])
            if rng.random() < 0.2:
                self.emit(f"FEW[0] = {rng.choice([0, 1, 2, 3, MOST_OF_FEW - 1])}")
            separator = ",\n    "
            self.lines += f"call({name}, '{action}', [{separator.join(made)}])".splitlines()

    def program(self) -> str:
        """Returns the whole program's text."""
        self.lines += ["", f"FEW = [{self.rng.choice([2, 3])}]  # rounds of loops inside of others"]
        self.poked()
        for _ in range(self.rng.randint(1, 3)):
            self.scene()
        return "\n".join(self.lines) + "\n"


def generate(seed: int) -> str:
    """Returns the program of a seed."""
    return ArrayGenerator(seed).program()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1])))
