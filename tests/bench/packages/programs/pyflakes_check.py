"""pyflakes: modules of the standard library checked."""

import ast
import pathlib
import sys
import sysconfig

from pyflakes import checker

BENCH = {"size": 8, "small": 1}

MODULES = ("argparse", "difflib", "heapq", "textwrap", "shlex", "inspect", "tarfile", "typing")


def run(size):
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    found = []
    for name in MODULES[:size]:
        tree = ast.parse((folder / f"{name}.py").read_text())
        messages = checker.Checker(tree, filename=name).messages
        messages.sort(key=lambda message: (message.lineno, message.col))
        found.append((name, len(messages), [str(message) for message in messages[:3]]))
    return found


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
