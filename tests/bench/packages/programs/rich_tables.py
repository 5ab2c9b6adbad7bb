"""Rich: tables, panels, markup and a tree drawn on a console of text."""

import hashlib
import io
import sys

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.tree import Tree

BENCH = {"size": 400, "small": 2}


def run(size):
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system="256", legacy_windows=False,
                      _environ={})
    table = Table(title="Rows", show_lines=True)
    for name in ("number", "name", "what it says"):
        table.add_column(name, justify="right" if name == "number" else "left")
    for k in range(size):
        words = f"some [red]coloured[/red] words that go on for a while, {k * k}"
        table.add_row(str(k), f"[bold]name {k}[/bold]", words)
    console.print(table)
    tree = Tree("root")
    for k in range(size // 2):
        branch = tree.add(f"[green]branch {k}")
        branch.add(Panel(f"leaf {k}", title="leaf", width=30))
    console.print(tree)
    console.print(Columns([f"[italic]{k}[/] of {size}" for k in range(size)], equal=True))
    return hashlib.sha256(stream.getvalue().encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
