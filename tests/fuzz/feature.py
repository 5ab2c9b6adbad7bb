"""What a family of features gives to the program generator.

Foreign code is Python code that runs where a program does not show it: `act(n)` in the generated program. A *trigger* is a
way to run it from a hot loop, an *effect* is something that it does, an *observer* is a statement that would notice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from expressions import Scope
    from generate import Generator

# Statements, as text with relative indentation. A trigger gets an int expression that tells iterations apart.
Trigger = Callable[["Generator", "Scope", str], str]
Observer = Callable[["Generator", "Scope"], str]


@dataclasses.dataclass
class Feature:
    """One row of the table in features.py."""

    definitions: str = ""  # module-level code
    triggers: tuple[Trigger, ...] = ()
    observers: tuple[Observer, ...] = ()
    effects: tuple[str, ...] = ()  # statements of act(n)
    driver: str = ""  # the function that calls a scene: driver(scene, how often)
    globals: tuple[str, ...] = ()  # that its statements assign to
    end: str = ""  # module-level code at the program's end
    off: str = ""  # why programs do not have it, if they don't


def said(text: str) -> Trigger:
    """A trigger that is one fixed statement; {n} is the expression, {i}, {x}, {b} are variables, {d} is a new local."""

    def write(g: Generator, scope: Scope, n: str) -> str:
        return fill(g, scope, text, n)

    return write


def seen(text: str) -> Observer:
    """An observer that is one fixed statement, filled in as said() does it."""

    def write(g: Generator, scope: Scope) -> str:
        return fill(g, scope, text, g.expressions.varying(scope))

    return write


def fill(g: Generator, scope: Scope, text: str, n: str) -> str:
    """Puts names into a statement; a kind without variables gets a throw-away name."""
    names = {"i": "int", "x": "float", "y": "float", "m": "num", "b": "bool"}
    chosen = {}
    for short, kind in names.items():
        if f"{{{short}}}" not in text:
            continue
        if kind == "bool" and not scope.variables["bool"]:
            chosen[short] = "flag"
        else:
            chosen[short] = g.expressions.variable(scope, kind) or "spare"
    if "spare" in chosen.values():
        return "pass"
    return text.format(n=n, d=g.local(scope), **chosen)
