"""Generates random Python programs that terminate and print the same under every correct interpreter.

Usage: generate.py SEED [FEATURE…]

A program has functions that call each other, scenes (functions and module-level code) with nested hot loops over
variables of many types, globals, closures, caught and escaping exceptions, and prints every variable at the end. Most
programs also have some of the features of features.py; those named on the command line, if any are.
"""

from __future__ import annotations

import random
import sys

import features
from expressions import Expressions, Function, Scope

MAX_COST = 600_000  # statements executed by a whole program, about
ACT_COST = 20  # statements of a feature's foreign code
PRELUDE = """\
import math
import sys
inf = math.inf
LIMIT = {limit}


def fit(x):
    return x if -LIMIT < x < LIMIT else x % 1000003


def whole(x):
    return int(x) if -1e25 < x < 1e25 else 3


def show(error):
    tb = error.__traceback__
    while tb:
        names = tb.tb_frame.f_locals if tb.tb_frame.f_code.co_name != "<module>" else {{}}
        values = {{k: v for k, v in names.items() if isinstance(v, (int, float, str, tuple, list))}}
        print("   at", tb.tb_frame.f_code.co_name, tb.tb_lineno, values)
        tb = tb.tb_next
    print("  ", type(error).__name__, error)
"""


class Generator:
    """Writes one program. Every random choice comes from the seed."""

    def __init__(self, seed: int, names: list[str] | None) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.expressions = Expressions(self.rng)
        self.lines: list[str] = []
        self.indent = 0
        self.functions: list[Function] = []
        self.globals: dict[str, str] = {}
        self.in_function = True
        self.multiplier = 1  # how often the statement being written runs in one call
        self.cost = 0
        self.cost_limit = 0
        self.counter = 0
        self.loop_depth = 0  # loops around the statement, in this function
        self.hot = False  # whether loops around the function's calls may run it often
        self.features = features.choose(self.rng, names)
        self.triggers = [trigger for feature in self.features for trigger in feature.triggers]
        self.observers = [observer for feature in self.features for observer in feature.observers]

    def emit(self, line: str) -> None:
        """Writes a statement line at the current indent, and counts what it costs."""
        self.lines.append("    " * self.indent + line)
        self.cost += self.multiplier

    def fresh(self, prefix: str) -> str:
        """A new name."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def value(self, scope: Scope, kind: str, depth: int = 3) -> str:
        """An expression of the kind that the cost limit still allows here."""
        self.expressions.call_budget = (self.cost_limit - self.cost) // max(1, self.multiplier * 3)
        text = self.expressions.make(scope, kind, depth)
        self.cost += sum(f.cost * text.count(f.name + "(") for f in scope.functions) * self.multiplier
        return text

    def condition(self, scope: Scope) -> str:
        """A condition, written without calls' cost surprises."""
        return self.value(scope, "bool", 2)

    def declare(self, scope: Scope) -> None:
        """Writes first assignments for a random set of variables of all kinds."""
        for kind, least, most in (("int", 2, 4), ("float", 1, 3), ("num", 1, 2), ("bool", 0, 2), ("any", 0, 2)):
            for _ in range(self.rng.randint(least, most)):
                name = self.fresh(kind[0])
                self.emit(f"{name} = {self.expressions.constant(kind if kind != 'num' else 'int')}")
                scope.variables[kind].append(name)
        for _ in range(self.rng.randint(0, 2)):
            name = self.fresh("l")
            self.emit(
                f"{name} = [{', '.join(self.expressions.constant('int') for _ in range(self.rng.randint(3, 8)))}]"
            )
            scope.variables["list"].append(name)
        if self.expressions.chance(0.5):
            name = self.fresh("p")
            self.emit(f"{name} = ({self.expressions.constant('int')}, {self.expressions.constant('float')})")
            scope.variables["pair"].append(name)

    def block(self, scope: Scope, statements: int) -> None:
        """Writes an indented block."""
        self.indent += 1
        before = len(self.lines)
        for _ in range(statements):
            self.statement(scope)
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= 1

    def statement(self, scope: Scope) -> None:
        """Writes one random statement."""
        if self.cost >= self.cost_limit:
            return
        options = [
            (self.assign, 10),
            (self.augment, 7),
            (self.branch, 5),
            (self.loop, 4 if self.loop_depth < 3 else 0),
            (self.list_change, 4 if scope.variables["list"] else 0),
            (self.any_change, 4 if scope.variables["any"] else 0),
            (self.pack, 3),
            (self.guarded, 2),
            (self.leave_loop, 2 if self.loop_depth else 0),
            (self.late_failure, 0.15 if self.loop_depth else 0),
            (self.use_features, 14 if self.features and (self.loop_depth or self.hot) else 0),
        ]
        makers, weights = zip(*options)
        self.rng.choices(makers, weights)[0](scope)

    def assign(self, scope: Scope) -> None:
        """name = expression, or a swap."""
        kind = self.rng.choice(["int", "int", "float", "num", "bool"])
        names = scope.variables[kind]
        if not names:
            return
        if len(names) > 1 and self.expressions.chance(0.15):
            a, b = self.rng.sample(names, 2)
            self.emit(f"{a}, {b} = {b}, {self.bounded(self.value(scope, kind), kind)}")
        else:
            self.emit(f"{self.rng.choice(names)} = {self.bounded(self.value(scope, kind), kind)}")

    def bounded(self, text: str, kind: str) -> str:
        """Keeps ints from growing without end in loops."""
        return (
            f"fit({text})"
            if kind in ("int", "num") and (self.loop_depth or self.hot) and self.expressions.chance(0.8)
            else text
        )

    def augment(self, scope: Scope) -> None:
        """name op= expression."""
        kind = self.rng.choice(["int", "int", "float", "num"])
        name = self.expressions.variable(scope, kind)
        if not name:
            return
        if kind == "int" and self.expressions.chance(0.4):
            operator = self.rng.choice(["&=", "|=", "^=", ">>=", "%=", "//="])
            right = {">>=": "3", "%=": "1000003", "//=": "3"}.get(operator) or self.value(scope, "int", 2)
        else:
            operator, right = self.rng.choice(["+=", "-="]), self.value(scope, kind, 2)
        self.emit(f"{name} {operator} {right}")
        if kind != "float" and (self.loop_depth or self.hot) and self.expressions.chance(0.5):
            self.emit(f"{name} = fit({name})")

    def branch(self, scope: Scope) -> None:
        """if / elif / else."""
        self.emit(f"if {self.condition(scope)}:")
        self.block(scope, self.rng.randint(1, 3))
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self.emit(f"elif {self.condition(scope)}:")
            self.block(scope, self.rng.randint(1, 2))
        if self.expressions.chance(0.5):
            self.emit("else:")
            self.block(scope, self.rng.randint(1, 2))

    def trips(self) -> int:
        """How many iterations the next loop may take."""
        room = max(2, (self.cost_limit - self.cost) // (self.multiplier * 8))
        few, many = [2, 3, 5, 12, 30], [3, 10, 1500, 6000, 6000, 20000]
        wanted = self.rng.choice(few if self.loop_depth or self.hot else many)
        return min(room, wanted)

    def loop(self, scope: Scope) -> None:
        """A for or while loop of a random form, sometimes with an else clause."""
        n = self.trips()
        name, items = self.fresh("k"), self.expressions.variable(scope, "list")
        form = self.rng.randrange(8)
        extra: list[tuple[str, str]] = []
        if form <= 2 or (not items and form in (4, 5)):
            start, step = self.rng.choice([0, 0, 5, -n, 2**31 - 10, 2**62]), self.rng.choice([1, 1, 1, 2, -1, -3])
            self.emit(f"for {name} in range({start}, {start + n * step}, {step}):")
        elif form == 3:
            self.emit(f"for {name} in range({n}):")
        elif form == 4:
            self.emit(f"for {name} in {items} * {max(1, min(n, 400) // 4)}:")
            n = min(n * 4, 4000)
        elif form == 5:
            other = self.fresh("k")
            extra.append(("int", other))
            repeated = f"{items} * {max(1, min(n, 3000) // 3)}"
            form = self.rng.choice(
                [f"enumerate({repeated}, {n})", f"zip({repeated}, range({n}))", f"zip(range({n}), {items})"]
            )
            self.emit(f"for {name}, {other} in {form}:")
            form = 5
        else:
            self.emit(f"{name} = 0")
            test = f" and {self.condition(scope)}" if self.expressions.chance(0.15) else ""
            self.emit(f"while {name} < {n}{test}:")
        saved = {kind: list(names) for kind, names in scope.variables.items()}
        before = self.multiplier
        self.multiplier *= n
        self.loop_depth += 1
        if form > 5:
            self.indent += 1
            self.emit(f"{name} += 1")
            self.indent -= 1
        # The loop variables are read by expressions but never assigned, so that loops end.
        self.block(self.reading(scope, [("int", name), *extra]), self.rng.randint(2, 6))
        self.loop_depth -= 1
        self.multiplier = before
        scope.variables = saved
        if self.expressions.chance(0.15):
            self.emit("else:")
            self.block(scope, 1)

    def reading(self, scope: Scope, names: list[tuple[str, str]]) -> Scope:
        """A scope for a loop body in which the loop's variables can be read too."""
        inner = Scope(scope.functions)
        inner.variables = {kind: list(variables) for kind, variables in scope.variables.items()}
        for kind, name in names:
            alias = self.fresh(kind[0])
            self.indent += 1
            self.emit(f"{alias} = {name}")
            self.indent -= 1
            inner.variables[kind].append(alias)
        return inner

    def list_change(self, scope: Scope) -> None:
        """A change to a list that keeps it from being empty or long."""
        items = self.expressions.variable(scope, "list")
        assert items
        value = f"fit({self.value(scope, 'int', 2)})"
        match self.rng.randrange(6):
            case 0 | 1:
                self.emit(f"{items}[{self.expressions.index(scope, items, 2)}] = {value}")
            case 2:
                self.emit(f"if len({items}) < 60: {items}.append({value})")
            case 3:
                self.emit(f"if len({items}) > 4: {self.expressions.variable(scope, 'int')} = {items}.pop()")
            case 4:
                i, j = self.expressions.index(scope, items, 1), self.expressions.index(scope, items, 1)
                self.emit(f"{items}[{i}], {items}[{j}] = {items}[{j}], {items}[{i}]")
            case 5:
                self.emit(f"{items}[{self.expressions.index(scope, items, 1)}] += {self.rng.randint(-9, 9)}")

    def any_change(self, scope: Scope) -> None:
        """Assigns values of changing types to a variable, or uses it according to its type."""
        name = self.expressions.variable(scope, "any")
        target = self.expressions.variable(scope, "int")
        match self.rng.randrange(4):
            case 0:
                self.emit(f"{name} = {self.expressions.constant('any')}")
            case 1:
                self.emit(f"{name} = {self.value(scope, self.rng.choice(['int', 'float', 'bool']), 2)}")
            case 2:
                self.emit(f"if isinstance({name}, int):")
                self.indent += 1
                self.emit(f"{target} = fit({target} + {name})")
                self.indent -= 1
                self.emit(f"elif {name} is None:")
                self.block(scope, 1)
            case 3:
                self.emit("try:")
                self.indent += 1
                self.emit(f"{name} = {name} {self.rng.choice('+-')} 1")
                self.indent -= 1
                self.emit("except TypeError:")
                self.indent += 1
                self.emit(f"{name} = {self.rng.randint(0, 9)}")
                self.indent -= 1

    def pack(self, scope: Scope) -> None:
        """Tuple packing and unpacking."""
        a, x = self.expressions.variable(scope, "int"), self.expressions.variable(scope, "float")
        pair = self.expressions.variable(scope, "pair")
        if pair and self.expressions.chance(0.5):
            self.emit(f"{pair} = (fit({self.value(scope, 'int', 2)}), {self.value(scope, 'float', 2)})")
        elif pair:
            self.emit(f"{a}, {x} = {pair}")
        elif a and x:
            self.emit(f"{a}, {x} = fit({self.value(scope, 'int', 2)}), {self.value(scope, 'float', 2)}")

    def guarded(self, scope: Scope) -> None:
        """A try statement whose body may well raise."""
        saved, self.expressions.risk = self.expressions.risk, 0.3
        self.emit("try:")
        self.block(scope, self.rng.randint(1, 2))
        self.expressions.risk = saved
        arithmetic = self.rng.choice(["ArithmeticError", "ZeroDivisionError, OverflowError"])
        self.emit(f"except ({arithmetic}, IndexError, ValueError) as e:")
        self.block(scope, 1)
        if self.expressions.chance(0.3):
            self.emit("finally:")
            self.block(scope, 1)

    def leave_loop(self, scope: Scope) -> None:
        """A rare continue or break."""
        how = self.rng.choice(["continue", "continue", "break"])
        rare = (
            f"{self.expressions.varying(scope)} % {self.rng.choice([5, 97] if how == 'continue' else [997, 4001])} == 3"
        )
        self.emit(f"if {rare}: {how}")

    def use_features(self, scope: Scope) -> None:
        """Something that runs foreign code, in some iterations, and statements that notice what it did."""
        if self.expressions.chance(0.7):
            varying, period = self.expressions.varying(scope), self.rng.choice([1, 1, 2, 7, 97, 701])
            room = max(1, self.cost_limit - self.cost)
            period = max(period, ACT_COST * self.multiplier // room)
            if period > 1:
                self.emit(f"if {varying} % {period} == {self.rng.randrange(period)}:")
            self.emit_text(self.rng.choice(self.triggers)(self, scope, varying), period > 1)
            self.cost += ACT_COST * self.multiplier // period
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            self.emit_text(self.rng.choice(self.observers)(self, scope), False)

    def emit_text(self, text: str, indented: bool) -> None:
        """Writes lines that are indented relative to each other."""
        for line in text.splitlines():
            self.emit("    " * indented + line)

    def local(self, scope: Scope) -> str:
        """One of a few locals that hold what features make."""
        return self.rng.choice(["d1", "d2", "d3"])

    def declare_globals(self) -> None:
        """Writes the global statement of a function that may use features."""
        names = sorted({name for feature in self.features for name in feature.globals})
        if names:
            self.emit(f"global {', '.join(names)}")

    def late_failure(self, scope: Scope) -> None:
        """An operation that raises after many iterations, if ever."""
        k = self.rng.randint(100, 5000)
        name = self.expressions.variable(scope, "int")
        self.emit(f"{name} = {name} + {k * 7} // ({k} - {self.expressions.varying(scope)} % {k + 50})")

    def function(self) -> None:
        """Writes a function that expressions may call."""
        name = self.fresh("f")
        kinds = [self.rng.choice(["int", "int", "float", "num"]) for _ in range(self.rng.randint(1, 4))]
        defaults = self.rng.randint(0, len(kinds) - 1)
        result = self.rng.choice(["int", "int", "float", "bool"])
        scope = Scope(list(self.functions))
        parameters = []
        for i, kind in enumerate(kinds):
            default = (
                f"={self.expressions.constant(kind if kind != 'num' else 'int')}" if i >= len(kinds) - defaults else ""
            )
            parameters.append(f"p{i}{default}")
            scope.variables[kind].append(f"p{i}")
        self.emit("")
        self.emit(f"def {name}({', '.join(parameters)}):")
        self.cost, self.cost_limit, self.multiplier, self.hot = 0, self.rng.choice([6, 20, 60]), 1, True
        self.indent += 1
        self.declare_globals()
        for _ in range(self.rng.randint(0, 4)):
            self.statement(scope)
        if self.expressions.chance(0.3):
            self.emit(f"if {self.condition(scope)}: return {self.bounded(self.value(scope, result), result)}")
        self.emit(f"return {self.bounded(self.value(scope, result), result)}")
        self.indent -= 1
        self.hot = False
        self.functions.append(Function(name, kinds, defaults, result, self.cost + 2))

    def recursive(self) -> None:
        """Writes a recursive function, called with a small depth only."""
        name = self.fresh("f")
        scope = Scope(list(self.functions))
        scope.variables["int"] += ["p0", "p1"]
        self.emit("")
        self.emit(f"def {name}(p0, p1=0):")
        self.cost, self.cost_limit, self.multiplier = 0, 4, 1
        self.indent += 1
        self.emit(f"p0 = p0 % {self.rng.randint(5, 12)}")
        self.emit("if p0 < 2: return fit(p0 + p1)")
        self.emit(f"p1 = {self.bounded(self.value(scope, 'int', 2), 'int')}")
        self.emit(
            self.rng.choice(["return fit({0}(p0 - 1, p1) + p0)", "return {0}(p0 - 1, fit(p1 * 3 + p0))"]).format(name)
        )
        self.indent -= 1
        self.functions.append(Function(name, ["int", "int"], 1, "int", (self.cost + 6) * 12))

    def scene(self, limit: int, module_level: bool) -> None:
        """Writes hot loops over a fresh set of variables, in a function that is called, or at module level."""
        name = self.fresh("scene")
        scope = Scope(list(self.functions))
        self.cost, self.cost_limit, self.multiplier = 0, limit, 1
        self.emit("")
        if module_level:
            self.emit("try:")
        else:
            self.emit(f"def {name}():")
            self.indent += 1
            self.declare_globals()
            for global_name, kind in self.globals.items():
                if self.expressions.chance(0.5):
                    self.emit(f"global {global_name}")
                    scope.variables[kind].append(global_name)
            self.indent -= 1
        self.indent += 1
        self.declare(scope)
        if not module_level and self.expressions.chance(0.3):
            self.closure(scope)
        mine = [v for variables in scope.variables.values() for v in variables]
        loops = self.rng.randint(1, 3)
        for i in range(loops):
            self.cost_limit = limit * (i + 1) // loops
            self.loop(scope)
            self.statement(scope)
        self.emit(f"print({name!r}, {', '.join(mine)})")
        self.indent -= 1
        if module_level:
            self.emit("except Exception as error:")
            self.emit("    show(error)")
        else:
            self.emit("")
            self.call_scene(name)

    def call_scene(self, name: str) -> None:
        """Writes what calls a scene a few times: the loop here, or a driver of a feature's."""
        count = self.rng.choice([3, 6, 12] if self.features else [1, 2, 3])  # compiled code arrives after a while
        drivers = [feature.driver for feature in self.features if feature.driver]
        if drivers and self.expressions.chance(0.8):
            self.emit(f"{self.rng.choice(drivers)}({name}, {count})")
        else:
            self.emit(f"for _ in range({count}):")
            self.emit("    try:")
            self.emit(f"        {name}()")
            self.emit("    except Exception as error:")
            self.emit("        show(error)")
        if self.features:
            self.emit("print(STATE)")

    def closure(self, scope: Scope) -> None:
        """Writes an inner function that changes a variable of the scene, and lets the scene call it."""
        name, shared = self.fresh("f"), self.rng.choice(scope.variables["int"])
        self.emit(f"def {name}(p0):")
        self.indent += 1
        self.emit(f"nonlocal {shared}" if not shared.startswith("G") else f"global {shared}")
        self.emit(f"{shared} = fit({shared} + p0 * {self.rng.randint(-5, 5)})")
        self.emit(f"return {shared} & {self.rng.choice([7, 255, 65535])}")
        self.indent -= 1
        scope.functions.append(Function(name, ["int"], 0, "int", 4))

    def program(self) -> str:
        """Returns the whole program's text."""
        self.lines = PRELUDE.format(limit=self.rng.choice(["2 ** 62", "2 ** 66", "2 ** 40", "10 ** 30"])).splitlines()
        if self.features:
            self.lines += features.definitions(self.rng, self.features).splitlines()
        for _ in range(self.rng.randint(1, 3)):
            name = self.fresh("G")
            kind = self.rng.choice(["int", "float", "any"])
            self.globals[name] = kind
            self.emit(f"{name} = {self.expressions.constant(kind)}")
        for _ in range(self.rng.randint(1, 4)):
            self.function()
        if self.expressions.chance(0.4):
            self.recursive()
        scenes = self.rng.randint(2, 3)
        for i in range(scenes):
            self.scene(MAX_COST // scenes // 2, module_level=i == scenes - 1)
        self.emit(f"print({', '.join(self.globals)})")
        if self.features:
            self.lines += features.end(self.features).splitlines()
        return "\n".join(self.lines) + "\n"


def generate(seed: int, names: list[str] | None = None) -> str:
    """Returns the program of a seed, with the named features or those that the seed gives it."""
    return Generator(seed, names).program()


if __name__ == "__main__":
    sys.stdout.write(generate(int(sys.argv[1]), sys.argv[2:] or None))
