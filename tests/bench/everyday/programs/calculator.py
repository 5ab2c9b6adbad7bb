"""A tokenizer and a recursive descent calculator."""

import re
import sys
from collections import namedtuple

BENCH = {"size": 5000, "small": 10}

Token = namedtuple("Token", "kind value")
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*)|(.))")
FORMULAS = [
    "1 + 2 * 3 - x / 4", "(a + b) * (a - b) % 17", "-(3.5 * x) + ((2 + 1) * (4 - b)) / 7",
    "x * x * x - 3 * x * x + 2 * x - 1", "((((a))))+((b)*(x+1))-(-a)",
]


def tokenize(text):
    tokens = []
    for number, name, op in TOKEN.findall(text):
        if number:
            tokens.append(Token("num", float(number) if "." in number else int(number)))
        elif name:
            tokens.append(Token("name", name))
        elif op:
            tokens.append(Token("op", op))
    tokens.append(Token("end", None))
    return tokens


class Parser:
    def __init__(self, text, variables):
        self.tokens = tokenize(text)
        self.pos = 0
        self.variables = variables

    def peek(self):
        return self.tokens[self.pos]

    def advance(self):
        token = self.tokens[self.pos]
        self.pos += 1
        return token

    def accept(self, op):
        token = self.peek()
        if token.kind == "op" and token.value == op:
            self.pos += 1
            return True
        return False

    def expression(self):
        value = self.term()
        while True:
            if self.accept("+"):
                value += self.term()
            elif self.accept("-"):
                value -= self.term()
            else:
                return value

    def term(self):
        value = self.factor()
        while True:
            if self.accept("*"):
                value *= self.factor()
            elif self.accept("/"):
                value /= self.factor()
            elif self.accept("%"):
                value %= self.factor()
            else:
                return value

    def factor(self):
        if self.accept("-"):
            return -self.factor()
        token = self.advance()
        if token.kind == "num":
            return token.value
        if token.kind == "name":
            return self.variables[token.value]
        if token.kind == "op" and token.value == "(":
            value = self.expression()
            if not self.accept(")"):
                raise SyntaxError("missing )")
            return value
        raise SyntaxError(f"unexpected {token}")


def run(size):
    total = 0.0
    errors = 0
    for i in range(size):
        variables = {"x": i, "a": i % 13 + 1, "b": i % 7 + 2}
        for formula in FORMULAS:
            total += Parser(formula, variables).expression()
        try:
            Parser("(1 + ", variables).expression()
        except SyntaxError:
            errors += 1
    return round(total, 3), errors


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
