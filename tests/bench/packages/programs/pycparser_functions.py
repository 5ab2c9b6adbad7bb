"""pycparser: C parsed, its tree visited, and C written from it."""

import hashlib
import sys

from pycparser import c_ast, c_generator, c_parser

BENCH = {"size": 110, "small": 1}

FUNCTION = """
typedef struct node{n} {{ int key; struct node{n} *left, *right; unsigned long flags : 3; }} node{n}_t;
static const double table{n}[] = {{ 1.0, 2.5e-3, {n}, -1 }};

int insert{n}(node{n}_t **root, int key, char *(*name)(int, ...)) {{
    node{n}_t *at = *root;
    for (int i = 0; at && i < {n} * 2 + sizeof(*at); i++) {{
        if (key < at->key) at = at->left; else if (key > at->key) at = at->right; else return i << 2 | 1;
    }}
    switch (key & 0xff) {{ case 1: goto out; case 'a': key += table{n}[key % 4] ? 1 : 2; break;
    default: do {{ key--; }} while (key > 0); }}
out:
    return (*name)(key, "text\\n") == 0 ? ~key : -key;
}}
"""


class Calls(c_ast.NodeVisitor):
    def __init__(self):
        self.kinds = {}

    def generic_visit(self, node):
        kind = type(node).__name__
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        for _, child in node.children():
            self.visit(child)


def run(size):
    tree = c_parser.CParser().parse("".join(FUNCTION.format(n=n) for n in range(size)))
    calls = Calls()
    calls.visit(tree)
    text = c_generator.CGenerator().visit(tree)
    return sorted(calls.kinds.items())[:5], hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
