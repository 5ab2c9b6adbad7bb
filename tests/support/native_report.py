"""Judges a kiln report: did the marked loops and functions of a program run in compiled code, as they must?"""

from __future__ import annotations

import ast
import dataclasses
import os
import pathlib

MARK = "# kiln-native"
MIN_NATIVE_SHARE = 0.99
MAX_COMPILES = 3
MAX_EXIT_SHARE = 0.01
MAX_OVERCOUNT = 1.01
REPORT_VERSION = 1


@dataclasses.dataclass
class Marked:
    """A loop or function whose first line carries the mark."""

    kind: str  # "loop" or "function", as in the report
    line: int
    end_line: int
    header_lines: frozenset[int]  # where the report may place it: a while loop jumps back to the first line of its body
    allowed_opaque: tuple[str, ...]  # prefixes of the operations that may stay opaque in it
    total: int = 0  # iterations or calls in the whole run, measured under plain CPython


@dataclasses.dataclass
class Problem:
    """One way in which a report falls short. `code` is one of: missing, share, overcount, compiles, exits, opaque."""

    code: str
    text: str


def find_marked(program: pathlib.Path) -> list[Marked]:
    """Returns all marked loops and functions of the program, in order of lines; a mark elsewhere raises ValueError."""
    source = program.read_text()
    lines = source.splitlines()
    marked = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.For | ast.While | ast.FunctionDef) or MARK not in lines[node.lineno - 1]:
            continue
        kind = "function" if isinstance(node, ast.FunctionDef) else "loop"
        headers = {node.lineno, node.body[0].lineno} if isinstance(node, ast.While) else {node.lineno}
        allowed = lines[node.lineno - 1].partition("allow-opaque=")[2].split()
        last = node.end_lineno or node.lineno
        marked.append(Marked(kind, node.lineno, last, frozenset(headers), tuple(allowed[0].split(",")) if allowed else ()))
    if len(marked) != source.count(MARK) or not marked:
        raise ValueError(f"{program}: {source.count(MARK)} marks, {len(marked)} of them on a loop or function")
    return sorted(marked, key=lambda m: m.line)


def measure(marked: list[Marked], few: dict, more: dict, rounds: int) -> None:
    """Sets the totals for a run of `rounds` rounds from the counts of runs with one and with two rounds."""

    def count(counts: dict, m: Marked) -> int:
        if m.kind == "function":
            return sum(n for line, n in counts["calls"] if line == m.line)
        return sum(n for source, target, n in counts["jumps"] if target in m.header_lines and source <= m.end_line)

    for m in marked:
        one = count(few, m)
        each = count(more, m) - one
        if each <= 0:
            raise ValueError(f"line {m.line}: a round runs the marked {m.kind} no more often")
        m.total = one + each * (rounds - 1)


def functions_of(report: dict, program: pathlib.Path) -> list[dict]:
    """Returns the report's entries for code of the program's file."""
    if report.get("kiln_report") != REPORT_VERSION:
        raise ValueError(f"report version {report.get('kiln_report')!r}, expected {REPORT_VERSION}")
    return [f for f in report["functions"] if os.path.realpath(f["file"]) == os.path.realpath(program)]


def judge_loop(functions: list[dict], m: Marked) -> tuple[int, int, list[dict]]:
    """Returns the interpreted and native iterations of a marked loop, and its root records."""
    roots = [r for f in functions for r in f["roots"] if r["kind"] == "loop" and r["line"] in m.header_lines]
    return (sum(r["iterations"]["interpreted"] for r in roots), sum(r["iterations"]["native"] for r in roots), roots)


def judge_function(functions: list[dict], m: Marked) -> tuple[int, int, list[dict]]:
    """Returns the interpreted and native calls of a marked function, and its entry's root records."""
    entries = [f for f in functions if f["first_line"] == m.line]
    roots = [r for f in entries for r in f["roots"] if r["kind"] == "function"]
    calls = [f["calls"] for f in entries]  # null for a function whose calls nothing counted
    return sum(c["interpreted"] or 0 for c in calls), sum(c["native"] or 0 for c in calls), roots


def judge(report: dict, program: pathlib.Path, marked: list[Marked]) -> list[Problem]:
    """Returns all the ways in which the report fails the marks; an empty list means native."""
    functions = functions_of(report, program)
    problems = []
    for m in marked:
        name = f"{m.kind} at line {m.line}"
        interpreted, native, roots = (judge_loop if m.kind == "loop" else judge_function)(functions, m)
        if not roots and not interpreted and not native:
            problems.append(Problem("missing", f"{name}: not in the report"))
            continue
        if native < MIN_NATIVE_SHARE * m.total:
            states = "; ".join(describe_root(r) for r in roots) or "no root"
            share = f"{native:,} of {m.total:,} native ({native / m.total:.1%})"
            problems.append(Problem("share", f"{name}: {share}; {states}"))
        if interpreted + native > MAX_OVERCOUNT * m.total:
            problems.append(Problem("overcount", f"{name}: {interpreted:,} + {native:,} counted, {m.total:,} ran"))
        for r in roots:
            if r["compiles"] > MAX_COMPILES:
                problems.append(Problem("compiles", f"{name}: compiled {r['compiles']} times"))
        exits = sum(e["count"] for r in roots for e in r["exits"])
        if exits > MAX_EXIT_SHARE * m.total:
            problems.append(Problem("exits", f"{name}: {exits:,} exits in {m.total:,} iterations"))
    return problems + find_opaque(functions, program, marked)


def describe_root(root: dict) -> str:
    """Says in a few words where a root stands."""
    refusal = root["refusal"]
    why = f", refused {refusal['code']} at line {refusal['line']}: {refusal['detail']}" if refusal else ""
    exits = ", ".join(f"{e['count']}x {e['reason']} at line {e['line']}" for e in root["exits"])
    return f"{root['state']}, {root['compiles']} compiles{why}{', exits ' + exits if exits else ''}"


def find_opaque(functions: list[dict], program: pathlib.Path, marked: list[Marked]) -> list[Problem]:
    """Returns a problem for each opaque operation on a line of a marked loop or function, or of what it calls."""
    spans = [(m.line, m.end_line, m.allowed_opaque) for m in marked]
    tree = ast.parse(program.read_text())
    definitions = {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    for m in marked:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and m.line <= node.lineno <= m.end_line and isinstance(node.func, ast.Name):
                if callee := definitions.get(node.func.id):
                    spans.append((callee.lineno, callee.end_lineno or callee.lineno, m.allowed_opaque))
    found = {(o["operation"], o["line"]) for f in functions for r in f["roots"] for o in r["opaque"]}
    problems = []
    for operation, line in sorted(found, key=lambda item: item[1]):
        covering = [allowed for first, last, allowed in spans if first <= line <= last]
        if covering and not any(operation.startswith(allowed) for allowed in covering):
            problems.append(Problem("opaque", f"line {line}: opaque operation {operation}"))
    return problems
