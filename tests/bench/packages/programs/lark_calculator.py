"""Lark: arithmetic and a small JSON dialect parsed by LALR grammars, and the trees walked."""

import sys

from lark import Lark, Transformer, v_args

BENCH = {"size": 500, "small": 3}

GRAMMAR = r"""
?start: sum
?sum: product | sum "+" product -> add | sum "-" product -> sub
?product: atom | product "*" atom -> mul | product "%" atom -> mod
?atom: NUMBER -> number | "-" atom -> neg | "(" sum ")" | NAME "[" [sum ("," sum)*] "]" -> call
NAME: /[a-z]+/
%import common.NUMBER
%import common.WS
%ignore WS
"""


@v_args(inline=True)
class Calculate(Transformer):
    def number(self, token):
        return int(token)

    def add(self, left, right):
        return left + right

    def sub(self, left, right):
        return left - right

    def mul(self, left, right):
        return left * right % 1_000_003

    def mod(self, left, right):
        return left % (abs(right) + 1)

    def neg(self, value):
        return -value

    def call(self, name, *values):
        return max(values) if name == "max" else sum(values)


def run(size):
    parser = Lark(GRAMMAR, parser="lalr")
    calculate = Calculate()
    total = 0
    for k in range(size):
        text = f"({k} + {k % 7} * 3) % 11 - max[{k}, 4 * {k % 13}, -({k} - 5)] + " * 3
        text += f"sum[{k}, 2, 3 * (4 + {k})] * 2"
        tree = parser.parse(text)
        total = (total * 31 + calculate.transform(tree)) % 1_000_000_007
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
