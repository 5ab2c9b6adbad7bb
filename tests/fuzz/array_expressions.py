"""Random expressions over the elements of NumPy arrays, NumPy scalars and Python numbers."""

from __future__ import annotations

import dataclasses
import random

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
FLOATS = ("float64", "float32", "float16")
COMPLEX = ("complex128", "complex64")
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")


@dataclasses.dataclass
class Array:
    """An array that a program has; `kind` is that of its elements."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def kind(self) -> str:
        """The kind of the dtype: int, float, complex or bool."""
        return "int" if "int" in self.dtype else self.dtype.rstrip("0123456789")


class Names:
    """What an expression may read. Python's ints are a kind of their own: NumPy's do not take them all."""

    def __init__(self) -> None:
        self.arrays: list[Array] = []
        self.scalars: dict[str, list[str]] = {"python": [], "int": [], "float": [], "complex": [], "bool": []}
        self.counters: list[tuple[str, int]] = []  # ints from 0 below a bound

    def copy(self) -> Names:
        """The same names, to which an inner loop can add its own."""
        other = Names()
        other.arrays = list(self.arrays)
        other.scalars = {kind: list(names) for kind, names in self.scalars.items()}
        other.counters = list(self.counters)
        return other


class ArrayExpressions:
    """Makes expression texts. `risk` is the chance that something is written that may well raise."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.risk = 0.004

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return self.rng.random() < p

    def index(self, names: Names, length: int) -> str:
        """An index of an axis, in range unless the array was changed or the risk taken."""
        rng = self.rng
        if self.chance(self.risk):
            return rng.choice([str(length), str(-length - 1), f"{rng.choice(names.counters)[0]} * 2 - 1", "1.0", "None"])
        if not names.counters or self.chance(0.1):
            return str(rng.choice([0, -1, length - 1, -length, rng.randrange(length)]))
        name, bound = rng.choice(names.counters[-2:])
        forms = [f"{name} % {length}", f"(3 * {name} + 1) % {length}", f"-1 - {name} % {length}", f"{name} % {length} - 1"]
        if bound <= length:
            forms += [name] * 8 + [f"-1 - {name}", f"{name} - 1", f"np.{rng.choice(SIGNED[1:])}({name})", f"{name} // 2"]
        order = [a for a in names.arrays if a.name == "order"]
        if order:
            forms.append(f"order[{name} % {order[0].shape[0]}] % {length}")
        return rng.choice(forms)

    def place(self, names: Names, array: Array) -> str:
        """An element of the array, as text that can be assigned to."""
        indices = [self.index(names, length) for length in array.shape]
        if len(indices) > 1 and self.chance(0.2):
            return f"{array.name}[{indices[0]}]" + "".join(f"[{index}]" for index in indices[1:])
        if len(indices) > 1 and self.chance(0.1):
            return f"{array.name}[tuple([{', '.join(indices)}])]"
        return f"{array.name}[{', '.join(indices)}]"

    def element(self, names: Names, kind: str) -> str | None:
        """An element of any array whose elements have the kind; None if there is none."""
        arrays = [a for a in names.arrays if a.kind == kind]
        return self.place(names, self.rng.choice(arrays)) if arrays else None

    def make(self, names: Names, kind: str, depth: int) -> str:
        """An expression of the kind: python (an int of Python's), int, float, complex or bool."""
        if depth <= 0 or self.chance(0.2):
            return self.leaf(names, kind)
        maker = {"python": self.python, "int": self.integer, "float": self.floating, "complex": self.complex}
        return maker.get(kind, self.condition)(names, depth - 1)

    def leaf(self, names: Names, kind: str) -> str:
        """An element, a variable or a constant."""
        rng = self.rng
        element = self.element(names, kind) if self.chance(0.55) else None
        variables = names.scalars[kind] + [name for name, _ in names.counters if kind == "python"]
        if element or (variables and self.chance(0.7)):
            return element or rng.choice(variables)
        match kind:
            case "python":
                return str(rng.choice([0, 1, 2, 3, 7, 10, 100, 1000]))
            case "int":
                return f"np.{rng.choice(SIGNED + UNSIGNED[:3])}({rng.choice([0, 1, 2, 5, 100])})"
            case "float":
                return rng.choice(["0.5", "2.0", "-1.25", "0.1", "np.float32(0.3)", "np.float64(1.5)", "1e30", "0.0", "3"])
            case "complex":
                return rng.choice(["1j", "(0.5 - 2j)", "np.complex64(1 + 1j)", "2.0"])
        return rng.choice(["True", "np.True_", "False"])

    def small(self, names: Names) -> str:
        """A Python int that every dtype holds."""
        return self.rng.choice([f"({self.make(names, 'python', 1)} % 100)", "1", "2", "3", "5", "100"])

    def same(self, names: Names, array: Array, depth: int) -> str:
        """An int expression over one dtype and small Python ints: its value can be stored in the array."""
        if depth <= 0 or self.chance(0.2):
            arrays = [a for a in names.arrays if a.dtype == array.dtype]
            return self.place(names, self.rng.choice(arrays)) if self.chance(0.75) else self.small(names)
        left, right = self.same(names, array, depth - 1), self.same(names, array, depth - 1)
        form = self.rng.choice(["({0} + {1})", "({0} - {1})", "({0} * {1})", "({0} & {1})", "({0} ^ {1})", "min({0}, {1})",
                                "({0} // ({1} | 1))", "({0} % 7)", "max({0}, {1})", "({0} >> 1)", "({0} << 1)", "abs({0})"])
        return form.format(left, right)

    def python(self, names: Names, depth: int) -> str:
        """A Python int."""
        one, other = self.make(names, "python", depth), self.make(names, "python", depth)
        array = self.rng.choice(names.arrays)
        return self.rng.choice([
            f"({one} + {other})", f"({one} - {other})", f"({one} * 3)", f"({one} % 97)", f"({one} & 255)", f"(-{one})",
            f"whole({self.make(names, self.rng.choice(['int', 'float']), depth)})", f"len({array.name})", f"{array.name}.size",
            f"{array.name}.shape[{self.rng.randrange(len(array.shape))}]", f"max({one}, {other})",
            f"({one} if {self.condition(names, depth)} else {other})", f"round({self.make(names, 'int', depth)})",
            f"({self.make(names, 'int', depth)}).item()", f"divmod({one}, 7)[1]",
        ])

    def integer(self, names: Names, depth: int) -> str:
        """A NumPy int, of whatever class its operands make it."""
        rng = self.rng
        one, other = self.make(names, "int", depth), self.make(names, "int", depth)
        match rng.randrange(12):
            case 0 | 1 | 2:
                return f"({one} {rng.choice('+-*')} {other})"
            case 3:
                return f"({one} {rng.choice('+-*')} {self.small(names)})"
            case 4:
                return f"({self.small(names)} {rng.choice('+-*&|^')} {one})"
            case 5:
                return f"({one} {rng.choice('&|^')} {self.small(names)})"
            case 6:
                return f"({one} {rng.choice(['//', '%'])} {rng.choice(['3', '7', f'({other} | 1)', other])})"
            case 7:
                return f"({one} {rng.choice(['<<', '>>'])} {rng.randint(0, 9)})"
            case 8:
                return rng.choice([f"(-{one})", f"abs({one})", f"(~{one})", f"({one} ** 2)", f"(+{one})"])
            case 9:
                return rng.choice([f"{rng.choice(['min', 'max', 'np.minimum', 'np.maximum'])}({one}, {other})", f"divmod({one}, 7)[{rng.randrange(2)}]",
                                   f"np.{rng.choice(['abs', 'sign', 'square', 'conj'])}({one})"])
            case 10:
                return f"np.{rng.choice(SIGNED[1:] + UNSIGNED[2:])}({self.make(names, 'python', depth)} % 30000)"
        return f"({one} if {self.condition(names, depth)} else {other})"

    def floating(self, names: Names, depth: int) -> str:
        """A float, of Python's or NumPy's class."""
        rng = self.rng
        one, other = self.make(names, "float", depth), self.make(names, rng.choice(["float", "float", "int"]), depth)
        match rng.randrange(14):
            case 0 | 1 | 2 | 3:
                return f"({one} {rng.choice('+-*')} {other})"
            case 4:
                return f"({one} / {rng.choice([other, '3', f'(abs({other}) + 0.5)'])})"
            case 5:
                return f"({self.make(names, 'int', depth)} / {rng.choice(['4', self.make(names, 'int', depth)])})"
            case 6:
                return f"({one} {rng.choice(['//', '%'])} {rng.choice(['0.75', '3', other])})"
            case 7:
                return rng.choice([f"(-{one})", f"abs({one})", f"float({one})", f"np.float32({one})", f"np.float64({one})"])
            case 8:
                return f"{rng.choice(['min', 'max', 'np.minimum', 'np.maximum', 'np.hypot', 'np.arctan2'])}({one}, {other})"
            case 9:
                return f"np.{rng.choice(['sqrt', 'floor', 'ceil', 'abs', 'exp', 'log', 'sin', 'tanh', 'square', 'sign'])}({one})"
            case 10:
                return rng.choice([f"math.sqrt(abs({one}))", f"(abs({one}) ** 0.5)", f"({one} ** 2)", f"({one} * {one})"])
            case 11 if any(a.kind == "complex" for a in names.arrays):
                element = self.element(names, "complex")
                made = self.make(names, "complex", depth)
                return rng.choice([f"{element}.real", f"{element}.imag", f"abs({element})", f"({made}).real", f"abs({made})"])
            case 12:
                return rng.choice([f"({one} + {self.make(names, 'python', depth)})", f"np.sqrt(np.abs({self.make(names, 'int', depth)}))",
                                   f"divmod({one}, 0.75)[{rng.randrange(2)}]", f"np.fabs({self.make(names, 'int', depth)})"])
        return f"({one} if {self.condition(names, depth)} else {other})"

    def complex(self, names: Names, depth: int) -> str:
        """A complex number."""
        one, other = self.make(names, "complex", depth), self.make(names, self.rng.choice(["complex", "complex", "float", "int"]), depth)
        left, right = self.rng.choice([(one, other), (other, one)])
        return self.rng.choice([f"({left} + {right})", f"({left} - {right})", f"({left} * {right})", f"({left} * {right})", f"(-{one})",
                                f"({one} / (abs({other}) + 0.5))", f"({left} / {right})", f"({one} / ({other} + 2j))", f"({one} ** 2)",
                                f"({one}).conjugate()", f"np.conj({one})", f"np.complex64({one})", f"np.complex128({other})", f"complex({other}, {self.leaf(names, 'float')})",
                                f"complex({one})", f"({one} if {self.condition(names, depth)} else {other})"])

    def condition(self, names: Names, depth: int) -> str:
        """A truth value, or what stands for one."""
        rng = self.rng
        if any(a.kind == "complex" for a in names.arrays) and self.chance(0.2):
            return f"({self.make(names, 'complex', depth - 1)} {rng.choice(['==', '!='])} {self.make(names, 'complex', depth - 1)})"
        kind = rng.choice(["int", "float", "float", "python"])
        one, other = self.make(names, kind, depth - 1), self.make(names, kind, depth - 1)
        match rng.randrange(9):
            case 0 | 1 | 2 | 3:
                return f"({one} {rng.choice(COMPARISONS)} {other})"
            case 4:
                return f"({one} {rng.choice(COMPARISONS)} {rng.choice(['0', '3', '1.5', '100'])})"
            case 5 if depth > 0:
                two = [self.condition(names, depth - 1), self.condition(names, depth - 1)]
                return f"({two[0]} {rng.choice(['and', 'or', '|', '&'])} {two[1]})"
            case 6 if depth > 0:
                return f"(not {self.condition(names, depth - 1)})"
            case 7:
                return f"np.{rng.choice(['isnan', 'isfinite', 'isinf', 'signbit'])}({self.make(names, 'float', depth - 1)})"
        return self.element(names, "bool") or f"({one} {rng.choice(COMPARISONS)} {other})"
