"""Tools that read source code: the tokenizer, the parser, walks over syntax trees, and re."""

import ast
import io
import re
import sys
import textwrap
import tokenize

BENCH = {"group": "other", "size": 45, "small": 1, "numba": "strings and the standard library"}

SOURCE = textwrap.dedent('''
    class Shape{0}:
        """A shape."""

        def __init__(self, width, height={0}):
            self.width, self.height = width, height

        def area(self):
            if self.width > 8 and self.height != {0}:
                return self.width * self.height  # usual
            return [item ** 2 for item in range(self.width)][-1]

        def names(self, prefix="item-"):
            for index, name in enumerate(("one", "two", prefix + "three")):
                yield prefix + str(index), name
''')


class Renamer(ast.NodeTransformer):
    def visit_Name(self, node):
        if node.id in ("self", "item"):
            return ast.copy_location(ast.Name(node.id + "_", node.ctx), node)
        return node

    def visit_arg(self, node):
        node.arg = node.arg + "_" if node.arg == "self" else node.arg
        return node


def run(n):
    total = 0
    pattern = re.compile(r"(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)|(?P<space>\s+)|(?P<other>.)")
    for k in range(n):
        text = "".join(SOURCE.format(k * 10 + j) for j in range(4))
        kinds = {}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            kinds[token.type] = kinds.get(token.type, 0) + 1
        tree = Renamer().visit(ast.parse(text))
        ast.fix_missing_locations(tree)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        # Versions of Python differ in where they write parentheses.
        total += len(ast.unparse(tree).replace("(", "").replace(")", "")) + len(names) + kinds[tokenize.OP]
        for match in pattern.finditer(text):
            total += match.lastgroup == "number"
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
