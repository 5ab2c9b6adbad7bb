"""Shrinks a failing program for as long as it still fails: drops statements, unwraps blocks, simplifies expressions."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator

# A step takes a program and a position; it returns a smaller program, an empty text when there is none at that
# position, or None when there are no more positions.
Step = Callable[[str, int], str | None]


def statements(tree: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yields the place of every statement, outer ones first: its list, and its index there."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield from ((block, i) for i in range(len(block)))


def unparse(tree: ast.AST) -> str:
    """Returns the tree's text, or an empty text when it does not compile (a `break` may have lost its loop)."""
    text = ast.unparse(ast.fix_missing_locations(tree))
    try:
        compile(text, "<candidate>", "exec")
    except SyntaxError:
        return ""
    return text


def halve(source: str, position: int) -> str | None:
    """Drops one half of a statement list; the two halves of a list have neighbouring positions."""
    tree = ast.parse(source)
    blocks = list({id(block): block for block, _ in statements(tree)}.values())
    if position // 2 >= len(blocks):
        return None
    block = blocks[position // 2]
    if len(block) < 4:
        return ""
    middle = len(block) // 2
    block[:] = block[:middle] if position % 2 else block[middle:]
    return unparse(tree)


def drop(source: str, position: int) -> str | None:
    """Drops one statement."""
    tree = ast.parse(source)
    places = list(statements(tree))
    if position >= len(places):
        return None
    block, index = places[position]
    if len(block) == 1 and isinstance(block[0], ast.Pass):
        return ""
    del block[index]
    if not block:
        block.append(ast.Pass())
    return unparse(tree)


def unwrap(source: str, position: int) -> str | None:
    """Replaces one if, try, with or for by its body."""
    tree = ast.parse(source)
    places = list(statements(tree))
    if position >= len(places):
        return None
    block, index = places[position]
    statement = block[index]
    if not isinstance(statement, ast.If | ast.Try | ast.With | ast.For):
        return ""
    block[index : index + 1] = statement.body
    return unparse(tree)


def simplify(source: str, position: int) -> str | None:
    """Replaces one expression by one of the expressions that it is made of."""
    tree = ast.parse(source)
    choices = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            fields = [(node, name, None, value)] if isinstance(value, ast.expr) else []
            if isinstance(value, list):
                fields = [(node, name, i, v) for i, v in enumerate(value) if isinstance(v, ast.expr)]
            for field in fields:
                choices += [(field, child) for child in ast.iter_child_nodes(field[3]) if isinstance(child, ast.expr)]
    if position >= len(choices):
        return None
    (node, name, index, _), child = choices[position]
    if index is None:
        setattr(node, name, child)
    else:
        getattr(node, name)[index] = child
    return unparse(tree)


def minimise(source: str, fails: Callable[[str], bool], seconds: float) -> str:
    """Returns a program for which `fails` is true, as small as could be found in the time."""
    deadline = time.monotonic() + seconds
    plain = unparse(ast.parse(source))
    if not fails(plain):
        return source
    size = len(plain) + 1
    while len(plain) < size:
        size = len(plain)
        for step in (halve, drop, unwrap, simplify):
            plain = repeat(step, plain, fails, deadline)
    return plain + "\n"


def repeat(step: Step, source: str, fails: Callable[[str], bool], deadline: float) -> str:
    """Takes a step at every position once, and keeps what still fails."""
    position = 0
    while time.monotonic() < deadline and (text := step(source, position)) is not None:
        if text and len(text) < len(source) and fails(text):
            source = text
        else:
            position += 1
    return source
