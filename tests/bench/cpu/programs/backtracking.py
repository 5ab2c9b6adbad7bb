"""A parser that backtracks by exceptions: alternatives fail inside several calls and are caught by their callers."""

import sys

BENCH = {"group": "objects", "size": 12_000, "short_size": 1600, "small": 3, "numba": "classes and exceptions"}

VARIABLES = {"alpha": 3, "beta": 5}


class ParseError(Exception):
    def __init__(self, place, wanted):
        self.place = place
        self.wanted = wanted


class Parser:
    def __init__(self, tokens):
        self.tokens = tokens
        self.place = 0
        self.failures = 0

    def take(self, wanted):
        token = self.tokens[self.place]
        if token != wanted:
            raise ParseError(self.place, wanted)
        self.place += 1
        return token

    def attempt(self, rule):
        start = self.place
        try:
            return rule()
        except ParseError:
            self.place = start
            self.failures += 1
            return None

    def number(self):
        try:
            value = int(self.tokens[self.place])
        except ValueError as error:
            raise ParseError(self.place, "number") from error
        self.place += 1
        return value

    def variable(self):
        try:
            value = VARIABLES[self.tokens[self.place]]
        except KeyError:
            raise ParseError(self.place, "variable") from None
        self.place += 1
        return value

    def group(self):
        self.take("(")
        value = self.total()
        self.take(")")
        return value

    def factor(self):
        for rule in (self.group, self.variable, self.number):
            value = self.attempt(rule)
            if value is not None:
                return value
        raise ParseError(self.place, "factor")

    def product(self):
        value = self.factor()
        while self.attempt(self.star):
            value = value * self.factor() % 65521
        return value

    def star(self):
        return self.take("*")

    def plus(self):
        return self.take("+")

    def total(self):
        value = self.product()
        while self.attempt(self.plus):
            value += self.product()
        return value


def text(step):
    return f"( {step % 97} + alpha ) * beta + {step % 13} * ( {step % 7} * alpha + 1 ) + beta ;".split()


def run(n):
    total = 0
    failures = 0
    for step in range(n):
        parser = Parser(text(step))
        total += parser.total()
        failures += parser.failures
        try:
            parser.take("end")
        except ParseError as error:
            total += error.place
    return f"{total} {failures}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
