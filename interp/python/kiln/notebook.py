"""`%load_ext kiln`: `%%kiln` runs a cell and shows its report; `%kiln` does so with a line."""

import argparse
import ast
import html
import shlex
import sys
from typing import Any

from kiln.measurement import Measurement
from kiln.report_file import function_name, import_row, reason_of, tiers_of, total_seconds

LEAST_PART = 0.01

# Colours of the tiers, as on the page: readable on light and dark ground.
TIERS = (
    ("interpreted", "#d9822b", "interpreted"),
    ("native", "#2b9348", "native"),
    ("compile", "#8a63d2", "waiting for the compiler"),
)

STYLE = "text-align:left;font-family:monospace;white-space:nowrap"
BAR = '<span title="{words}" style="display:inline-block;height:.8em;width:{width:.1f}px;background:{colour}"></span>'
BAR_WIDTH = 160


class CellReport:
    """The report of a cell: a table in a terminal, a coloured one in a notebook."""

    def __init__(self, measurement: Measurement, shell: Any) -> None:
        self._table = measurement.table()
        named = [{**function, "file": cell_name(shell, function["file"])} for function in measurement.report["functions"]]
        self._report = {**measurement.report, "functions": named}

    def __repr__(self) -> str:
        return self._table.rstrip("\n")

    def _repr_html_(self) -> str:
        return render(self._report)


def cell_name(shell: Any, file: str) -> str:
    """In[7] for the file name that the shell made up for that cell; other names as they are."""
    described = shell.compile.format_code_name(file)
    return described[1] if described else file


def bar(function: dict[str, Any], total: float) -> str:
    """A function's time by tier, as a coloured bar."""
    parts = ""
    for name, colour, words in TIERS:
        seconds = function["self_s"] * function["share"][name]
        if seconds > 0:
            words = f"{seconds:.3f} s {words}"
            parts += BAR.format(words=words, width=BAR_WIDTH * seconds / total, colour=colour)
    return parts


def cell(text: str, align: str = "left") -> str:
    """A cell of the table; the text is HTML."""
    return f'<td style="{STYLE};text-align:{align}">{text}</td>'


def row(function: dict[str, Any], total: float) -> str:
    """A function as a row."""
    code, line = reason_of(function)
    reason = f"{code} line {line}" if code else ""
    return (
        "<tr>"
        + cell(f"{100 * function['self_s'] / total:.1f}", "right")
        + cell(f"{function['self_s']:.3f}", "right")
        + cell(html.escape(tiers_of(function)))
        + cell(bar(function, total))
        + cell(html.escape(function_name(function)))
        + cell(html.escape(reason))
        + "</tr>"
    )


def render(report: dict[str, Any]) -> str:
    """The table in HTML; all of the program's own texts are escaped."""
    total = total_seconds(report) if report else 0.0
    if total <= 0:
        return "<p>kiln: too short to measure</p>"
    functions = import_row(report["functions"])
    shown = [function for function in functions if function["self_s"] >= LEAST_PART * total]
    head = "".join(f'<th style="{STYLE}">{text}</th>' for text in ("self %", "self s", "tier", "", "function", "not native"))
    legend = " · ".join(
        f'<span style="color:{colour}">■</span> {words} {100 * report["share"][name]:.0f} %' for name, colour, words in TIERS
    )
    return (
        f'<div style="overflow-x:auto"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(row(function, total) for function in shown)}</tbody></table>"
        f"<p>kiln: {total:.3f} s · {legend}</p></div>"
    )


def make_parser() -> argparse.ArgumentParser:
    """The grammar of %%kiln's own line."""
    parser = argparse.ArgumentParser(prog="%%kiln", exit_on_error=False, add_help=False)
    parser.add_argument("--html", metavar="FILE.html", help="also write the report as a page for a browser")
    return parser


def execute(shell: Any, text: str) -> None:
    """Runs a cell's text as the shell runs cells: its last expression is displayed, its exceptions go on."""
    text = shell.transform_cell(text)
    name = shell.compile.cache(text, shell.displayhook.prompt_count)  # execution_count may be the next cell's
    body = ast.parse(text, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not text.rstrip().endswith(";") else None
    exec(compile(ast.Module(body, []), name, "exec"), shell.user_global_ns, shell.user_ns)
    if last is not None:
        sys.displayhook(eval(compile(ast.Expression(last.value), name, "eval"), shell.user_global_ns, shell.user_ns))


def run(shell: Any, text: str, page: str | None) -> None:
    """Runs the text and displays its report, also when it ends with an exception."""
    from IPython.display import display

    measurement = Measurement()
    try:
        with measurement:
            execute(shell, text)
    finally:
        if measurement.text:
            display(CellReport(measurement, shell))
            if page is not None:
                from kiln.report import write_private

                write_private(page, measurement.page().encode())


def register(shell: Any) -> None:
    """Makes the magics known to IPython's shell."""

    def kiln(line: str, cell: str | None = None) -> None:
        """%kiln STATEMENT, or %%kiln [--html FILE.html] above a cell: runs it and shows kiln's report of it."""
        if cell is None:
            run(shell, line, None)
            return
        try:
            options = make_parser().parse_args(shlex.split(line))
        except (argparse.ArgumentError, SystemExit) as error:
            raise ValueError(f"%%kiln takes --html FILE.html, not {line!r}") from error
        run(shell, cell, options.html)

    shell.register_magic_function(kiln, "line_cell", "kiln")
