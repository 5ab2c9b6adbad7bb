"""Random expressions for the program generator: typed, so that most of them compute and only chosen ones can raise."""

from __future__ import annotations

import dataclasses
import random

INT_EDGES = [
    *(
        0,
        1,
        -1,
        2,
        3,
        7,
        10,
        63,
        64,
        100,
        255,
        256,
        1000,
        2**15,
        2**30 - 1,
        2**30,
        -(2**30),
        2**31 - 1,
        2**31,
        -(2**31),
    ),
    *(2**32, 2**53 + 1, 2**60, 2**62 - 1, 2**62, -(2**62), 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 2**65 + 3),
]
FLOAT_EDGES = [
    "0.0",
    "-0.0",
    "0.5",
    "-1.5",
    "0.1",
    "3.0",
    "1e-9",
    "1e16",
    "9007199254740993.0",
    "1e300",
    "-2.5e-310",
    "inf",
]
OTHER_VALUES = ["None", "'text'", "True", "False", "(1, 2.5)", "[1]", "2 ** 70", "0.25", "7", "-1", "''"]
COMPARISONS = ["<", "<=", "==", "!=", ">", ">="]


@dataclasses.dataclass
class Function:
    """A generated function that expressions may call."""

    name: str
    parameters: list[str]  # kinds: "int", "float" or "num"
    defaults: int  # how many of the last parameters have defaults
    result: str  # kind
    cost: int  # statements that one call executes, at most


class Scope:
    """The variables that an expression may read, by kind, and the functions it may call."""

    KINDS = ("int", "float", "num", "bool", "any", "list", "pair")

    def __init__(self, functions: list[Function]) -> None:
        self.variables: dict[str, list[str]] = {kind: [] for kind in self.KINDS}
        self.functions = functions


class Expressions:
    """Makes expression texts. `risk` is the chance that an operation goes without the guard against exceptions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.risk = 0.01
        self.call_budget = 0  # the dearest call that may still be made, in statements

    def chance(self, p: float) -> bool:
        """True with probability p."""
        return self.rng.random() < p

    def variable(self, scope: Scope, kind: str) -> str | None:
        """A variable of the kind, or None when there is none."""
        names = scope.variables[kind]
        return self.rng.choice(names) if names else None

    def constant(self, kind: str) -> str:
        """A constant; usually a small one, sometimes an edge value."""
        rng = self.rng
        if kind == "int":
            n = rng.choice(INT_EDGES) if self.chance(0.25) else rng.randint(-20, 20)
            return str(n) if n >= 0 else f"({n})"
        if kind == "float":
            return rng.choice(FLOAT_EDGES) if self.chance(0.2) else repr(round(rng.uniform(0.0, 10.0), 3))
        if kind == "bool":
            return rng.choice(["True", "False"])
        return rng.choice(OTHER_VALUES)

    def make(self, scope: Scope, kind: str, depth: int = 3) -> str:
        """An expression whose value has the kind ("num" is int, float or bool)."""
        if kind == "num":
            name = self.variable(scope, "num")
            if name and self.chance(0.5):
                return name if depth <= 0 else self.number(scope, name, depth)
            kind = self.rng.choice(["int", "float", "int", "bool"])
        if kind == "any":
            return self.variable(scope, "any") or self.constant("any")
        if depth <= 0 or self.chance(0.25):
            name = self.variable(scope, kind)
            if kind == "bool" and self.chance(0.8):
                return name or f"({self.varying(scope)} % {self.rng.randint(2, 9)} == 0)"
            return name if name and self.chance(0.85) else self.constant(kind)
        if self.chance(0.15) and (call := self.call(scope, kind, depth)):
            return call
        if self.chance(0.06):
            one, other = self.make(scope, kind, depth - 1), self.make(scope, kind, depth - 1)
            return f"({one} if {self.condition(scope, depth - 1)} else {other})"
        return {"int": self.integer, "float": self.floating, "bool": self.condition}[kind](scope, depth)

    def varying(self, scope: Scope) -> str:
        """A short int expression that changes in every iteration, most likely: the newest variable is a loop's."""
        names = scope.variables["int"]
        if not names:
            return self.constant("int")
        return names[-1] if self.chance(0.6) else f"({names[-1]} + {self.rng.choice(names)})"

    def call(self, scope: Scope, kind: str, depth: int) -> str | None:
        """A call of a generated function of that result, some arguments by keyword or left to their defaults."""
        fitting = [f for f in scope.functions if f.result == kind and f.cost <= self.call_budget]
        if not fitting:
            return None
        f = self.rng.choice(fitting)
        given = len(f.parameters) - self.rng.randint(0, f.defaults)
        by_name = self.rng.randint(0, given) if self.chance(0.3) else given
        values = [self.make(scope, k, depth - 2) for k in f.parameters[:given]]
        return f"{f.name}({', '.join(v if i < by_name else f'p{i}={v}' for i, v in enumerate(values))})"

    def number(self, scope: Scope, name: str, depth: int) -> str:
        """An expression around a variable that may be an int, a float or a bool."""
        other = self.make(scope, self.rng.choice(["int", "float", "num"]), depth - 2)
        form = self.rng.choice(
            [
                "{0} + {1}",
                "{0} - {1}",
                "fit({0} * {1})",
                "{1} - {0}",
                "{0} / 3",
                "{0} // 7",
                "{0} % 11",
                "-{0}",
                "abs({0})",
            ]
        )
        return f"({form.format(name, other)})"

    def divisor(self, scope: Scope, kind: str, depth: int) -> str:
        """A divisor: nonzero by construction, or, rarely, anything."""
        e = self.make(scope, kind, depth - 1)
        if self.chance(self.risk):
            return e
        if self.chance(0.5):
            return self.rng.choice(
                ["3", "7", "-5", "10", "64", "1000003"] if kind == "int" else ["0.5", "3.0", "-7.25"]
            )
        return f"({e} | 1)" if kind == "int" else f"(abs({e}) + 0.5)"

    def index(self, scope: Scope, items: str, depth: int) -> str:
        """An index of a list that is never empty: in range by construction, or, rarely, any small number."""
        if self.chance(self.risk * 2):
            return str(self.rng.randint(-70, 70))
        if self.chance(0.3):
            return self.rng.choice(["0", "-1", "1", "2", "-3"])
        return f"{self.make(scope, 'int', depth - 1)} % len({items})"

    def integer(self, scope: Scope, depth: int) -> str:
        """An int expression."""

        def sub(kind: str = "int") -> str:
            return self.make(scope, kind, depth - 1)

        rng, items = self.rng, self.variable(scope, "list")
        match rng.randrange(17):
            case 0 | 1 | 2:
                return f"({sub()} {rng.choice('+-')} {sub()})"
            case 3:
                return f"fit({sub()} * {sub()})"
            case 4:
                return f"({sub()} * {rng.randint(-9, 9)})"
            case 5:
                return f"({sub()} {rng.choice('&|^')} {sub()})"
            case 6:
                return f"({sub()} {rng.choice(['//', '%'])} {self.divisor(scope, 'int', depth)})"
            case 7:
                return f"fit({sub()} << ({sub()} & {rng.choice([1, 7, 31, 63])}))"
            case 8:
                return f"({sub()} >> ({sub()} & {rng.choice([1, 7, 63, 127])}))"
            case 9:
                return rng.choice([f"-{sub()}", f"(~{sub()})", f"abs({sub()})", f"(+{sub('bool')})"])
            case 10:
                return f"{rng.choice(['min', 'max'])}({sub()}, {sub()})"
            case 11 | 12 if items:
                return rng.choice(
                    [f"{items}[{self.index(scope, items, depth)}]", f"len({items})", f"fit(sum({items}))"]
                )
            case 13:
                return f"({sub()} % 13 - 6) ** {rng.randint(0, 4)}"
            case 14:
                return f"divmod({sub()}, {self.divisor(scope, 'int', depth)})[{rng.randint(0, 1)}]"
            case 15:
                return f"whole({sub('float')})" if not self.chance(self.risk) else f"int({sub('float')})"
            case _:
                pair = self.variable(scope, "pair")
                return f"{pair}[0]" if pair else f"({sub()} + {sub('bool')})"

    def floating(self, scope: Scope, depth: int) -> str:
        """A float expression."""

        def sub(kind: str = "float") -> str:
            return self.make(scope, kind, depth - 1)

        rng = self.rng
        match rng.randrange(13):
            case 0 | 1 | 2:
                return f"({sub()} {rng.choice('+-')} {sub(rng.choice(['float', 'int']))})"
            case 3 | 4:
                return f"({sub()} * {sub()})"
            case 5:
                return f"({sub()} / {self.divisor(scope, 'float', depth)})"
            case 6:
                return f"({sub('int')} / {self.divisor(scope, 'int', depth)})"
            case 7:
                return f"({sub()} {rng.choice(['//', '%'])} {self.divisor(scope, 'float', depth)})"
            case 8:
                return rng.choice([f"-{sub()}", f"abs({sub()})", f"float({sub('int')})", f"math.fabs({sub()})"])
            case 9:
                return f"{rng.choice(['min', 'max'])}({sub()}, {sub()})"
            case 10:
                return f"(abs({sub()}) % 1e6) ** {rng.choice(['0.5', '2', '2.0', '1.5', '3', '0.25', '0'])}"
            case 11:
                return (
                    f"math.{rng.choice(['sin', 'cos', 'atan', 'tanh'])}({sub()} % 1000.0)"
                    if self.chance(0.5)
                    else f"math.sqrt(abs({sub()}))"
                )
            case _:
                pair = self.variable(scope, "pair")
                return f"{pair}[1]" if pair else f"({sub()} + {sub('bool')})"

    def condition(self, scope: Scope, depth: int) -> str:
        """A bool expression."""

        def sub(kind: str) -> str:
            return self.make(scope, kind, depth - 1)

        rng, other, items = self.rng, self.variable(scope, "any"), self.variable(scope, "list")
        match rng.randrange(11):
            case 0 | 1 | 2:
                kind = rng.choice(["int", "float", "num"])
                return f"({sub(kind)} {rng.choice(COMPARISONS)} {sub(rng.choice([kind, 'int']))})"
            case 3:
                return f"({sub('int')} {rng.choice(COMPARISONS)} {sub('int')} {rng.choice(COMPARISONS)} {sub('num')})"
            case 4 if depth > 0:
                one, two = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
                return f"({one} {rng.choice(['and', 'or'])} {two})"
            case 5 if depth > 0:
                return f"(not {self.condition(scope, depth - 1)})"
            case 6 if other:
                return f"({other} is {rng.choice(['', 'not '])}None)"
            case 7 if other:
                return f"isinstance({other}, {rng.choice(['int', 'float', 'str', '(int, float)', 'bool'])})"
            case 8 if items:
                return f"({sub('int')} {rng.choice(['in', 'not in'])} {items})"
            case 9:
                return f"({self.varying(scope)} % {rng.randint(2, 9)} in (0, 2, 5))"
            case _:
                return f"({self.varying(scope)} % {rng.randint(2, 11)} == {rng.randint(0, 3)})"
