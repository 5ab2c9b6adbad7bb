"""Jedi: completions, definitions and signatures inferred in a source text."""

import sys
import tempfile

import jedi

BENCH = {"size": 4, "small": 1}

CACHE = tempfile.TemporaryDirectory()  # of this process alone: the user's would make the second one faster
jedi.settings.cache_directory = CACHE.name

SOURCE = """
class Shape:
    "A shape."
    def __init__(self, name, sides=3):
        self.name = name
        self.sides = [Side(k) for k in range(sides)]

    def longest(self):
        return max(self.sides, key=lambda side: side.length)

class Side:
    def __init__(self, length):
        self.length = length
        self.label = "side {n}" % length

def make(kind):
    table = {{"a": Shape("a"), "b": Shape("b", {n})}}
    for shape in table.values():
        if shape.name == kind:
            return shape
    return Shape(kind)

shape_{n} = make("a")
side_{n} = shape_{n}.longest()
shape_{n}.
side_{n}.
"""


def run(size):
    found = []
    for n in range(4, size + 4):
        text = SOURCE.format(n=n)
        lines = text.splitlines()
        script = jedi.Script(text)
        for line in (len(lines) - 1, len(lines)):
            names = script.complete(line, len(lines[line - 1]))
            found.append([name.name for name in names if not name.name.startswith("__")])
        for name in script.get_names(all_scopes=True):
            found.append((name.name, name.type, name.line, [target.line for target in name.goto()]))
    return len(found), found[:3], found[-1]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
