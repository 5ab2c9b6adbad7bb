"""Features: callees that look at the frames of their callers, and C code that calls back or evaluates in a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from feature import Feature, Trigger, said

if TYPE_CHECKING:
    from expressions import Scope
    from generate import Generator

LOOK = """
def look(n, depth=1):
    frame = sys._getframe(depth)
    for _ in range(4):
        if frame is None or frame.f_code.co_filename != look.__code__.co_filename:
            break
        note(frame.f_code.co_name, frame.f_lineno)
        if frame.f_code.co_name == "<module>":
            break
        for name, value in sorted(frame.f_locals.items()):
            if type(value) in (int, float, bool):
                note(name, value)
        frame = frame.f_back
    return n & 3


def acting(n):
    act(n)
    return n & 7


def looks_twice(n):
    a, b = n + 1, n * 0.5
    return look(a) + look(a, 2)


class Looking:
    def __add__(self, n):
        return look(n)

    def __lt__(self, n):
        look(1)
        return True

    @property
    def value(self):
        return look(5)


LOOKING = Looking()
"""


def evaluates(form: str) -> Trigger:
    """C code that evaluates a text in the frame that runs: {v} is the name of a variable that it reads."""

    def write(g: Generator, scope: Scope, n: str) -> str:
        mine = [name for name in scope.variables["int"] if name not in g.globals]
        v = g.rng.choice(mine) if mine else None
        target = g.expressions.variable(scope, "int")
        return form.format(v=v, t=target, n=n) if v else "pass"

    return write


CALLBACKS = Feature(
    definitions=LOOK,
    effects=("look(n, 2)", "look(n, 3)"),
    triggers=(
        *(
            said(text)
            for text in (
                "{i} = fit({i} + look({n}))",
                "{i} = fit({i} + list(map(look, ({n},)))[0])",
                "{i} = fit({i} + looks_twice({n}))",
                "{i} = fit({i} + max({n}, 3, key=look))",
                "{d} = sorted(({n}, 4, 2), key=acting); {i} = fit({i} + {d}[0])",
                "{i} = fit({i} + sum(map(acting, ({n}, 1))))",
                "{i} = fit({i} + len([*filter(acting, ({n}, 5))]))",
                "{i} = fit({i} + (LOOKING + {n}))",
                "{b} = LOOKING < {n}",
                "{i} = fit({i} + LOOKING.value)",
                "{i} = fit({i} + (lambda k: look(k) + k)({n} & 3))",
                "{i} = fit({i} + sum(look(j) for j in (1, 2)))",
                "{i} = fit({i} + [look(j) for j in (3, 4)][0])",
            )
        ),
        *(
            evaluates(form)
            for form in (
                "{t} = fit({t} + list(map(eval, ['{v}']))[0])",
                "{t} = fit({t} + eval('{v} + 1'))",
                "{t} = fit({t} + locals()['{v}'])",
                "{t} = fit({t} + vars()['{v}'])",
                "{t} = fit({t} + sys._getframe().f_locals['{v}'])",
                "{t} = fit({t} + [*map(vars, ())].__len__() + [f() for f in (locals,)][0]['{v}'])",
                "exec('note(\"exec\", {v})')",
            )
        ),
    ),
)

FEATURES = {"callbacks": CALLBACKS}
