"""`%load_ext kiln`: `%%kiln` runs a cell and shows its report; `%kiln` does so with a line."""

import ast
import html
import re
import shlex
import sys
from types import CodeType
from typing import Any

from kiln.annotate import title
from kiln.measurement import Measurement
from kiln.report_file import function_name, import_row, reason_of, tier_seconds, tiers_of, total_seconds

LEAST_PART = 0.01

# Names and colours of the tiers as on the page (profiler/page/page.css): readable on light and dark ground.
TIERS = (
    ("interpreted", "#e2703a", "interpreted"),
    ("c", "#a98bd6", "in C functions"),
    ("quick", "#8fce7c", "quick native code"),
    ("thorough", "#35a05a", "thorough native code"),
    ("waiting", "#d8b400", "waiting for the compiler"),
    ("kernel", "#4d8fe0", "kernels"),
    ("idle", "#9a9a9a", "waiting, no thread runs"),
)

HELP = """\
%kiln STATEMENT runs the statement, and %%kiln above a cell the cell; then they show kiln's report of it: where the
time went, and what is not native, with a code for the reason. `!{sys.executable} -m kiln explain CODE` tells more.

    %kiln total = sum(x * x for x in data)
    %kiln --html FILE.html STATEMENT      also writes the report as a page for a browser
    %%kiln --html FILE.html               the same for a cell
"""

STYLE = "text-align:left;font-family:monospace;white-space:nowrap"
BAR = '<span title="{words}" style="display:inline-block;height:.8em;width:{width:.1f}px;background:{colour}"></span>'
BAR_WIDTH = 160


class CellReport:
    """The report of a cell: a table in a terminal, a coloured one in a notebook."""

    def __init__(self, measurement: Measurement, shell: Any) -> None:
        self._table = measurement.table()
        report = measurement.report
        named = [
            {**function, "file": cell_name(shell, function["file"]), "tiers": tiers}
            for function, tiers in zip(report["functions"], tier_seconds(report))
        ]
        self._report = {**report, "functions": named}

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
        seconds = function["tiers"].get(name, 0)
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
    reason = f'<span title="{html.escape(title(code))}">{html.escape(f"{code} line {line}")}</span>' if code else ""
    return (
        "<tr>"
        + cell(f"{100 * function['self_s'] / total:.1f}", "right")
        + cell(f"{function['self_s']:.3f}", "right")
        + cell(html.escape(tiers_of(function)))
        + cell(bar(function, total))
        + cell(html.escape(function_name(function)))
        + cell(reason)
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
    sums = {name: sum(function["tiers"].get(name, 0) for function in functions) for name, _, _ in TIERS}
    legend = " · ".join(
        f'<span style="color:{colour}">■</span> {words} {100 * sums[name] / total:.0f} %' for name, colour, words in TIERS if sums[name] > 0
    )
    return (
        f'<div style="overflow-x:auto"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(row(function, total) for function in shown)}</tbody></table>"
        f"<p>kiln: {total:.3f} s · {legend}</p></div>"
    )


def split_option(line: str) -> tuple[str | None, str]:
    """The file that --html names in front of a line, and the rest."""
    found = re.match(r"""\s*--html(?:\s+|=)("[^"]*"|'[^']*'|\S+)\s*""", line)
    return (shlex.split(found[1])[0], line[found.end() :]) if found else (None, line)


def prepare(shell: Any, text: str) -> list[tuple[CodeType, bool]]:
    """A cell's text as the shell compiles cells: its last expression is displayed, which the second item tells."""
    text = shell.transform_cell(text)
    name = shell.compile.cache(text, shell.displayhook.prompt_count)  # execution_count may be the next cell's
    body = ast.parse(text, name).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) and not text.rstrip().endswith(";") else None
    codes = [(compile(ast.Module(body, []), name, "exec"), False)]
    return codes if last is None else [*codes, (compile(ast.Expression(last.value), name, "eval"), True)]


def run(shell: Any, text: str, page: str | None) -> None:
    """Runs the text as the shell runs cells and displays its report, also when it ends with an exception, which goes on."""
    from IPython.display import display

    # They live until the report is there: of code that is gone nothing is known.
    codes = prepare(shell, text)
    measurement = Measurement()
    try:
        with measurement:
            for code, is_shown in codes:
                value = eval(code, shell.user_global_ns, shell.user_ns)
                if is_shown:
                    sys.displayhook(value)
    finally:
        if measurement.text:
            display(CellReport(measurement, shell))
            if page is not None:
                from kiln.report import write_private

                write_private(page, measurement.page().encode())


def register(shell: Any) -> None:
    """Makes the magics known to IPython's shell."""
    from IPython.core.error import UsageError

    def kiln(line: str, cell: str | None = None) -> None:
        page, rest = split_option(line)
        if rest.strip() in ("--help", "-h", "help") or (cell is None and not line.strip()):
            print(HELP, end="")
        elif cell is not None and rest.strip():
            raise UsageError(f"%%kiln takes --html FILE.html, not {rest.strip()}; %kiln alone gives help")
        elif cell is None and not rest.strip():
            raise UsageError(f"%kiln --html {page} needs a statement behind it; %kiln alone gives help")
        else:
            run(shell, rest if cell is None else cell, page)

    kiln.__doc__ = HELP
    shell.register_magic_function(kiln, "line_cell", "kiln")
