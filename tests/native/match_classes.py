# Class patterns over instances of the program's classes: no attribute is looked up, and no tuple is made
from dataclasses import dataclass

from _harness import drive


@dataclass
class Number:
    value: float


@dataclass
class Binary:
    operator: str
    left: object
    right: object


def evaluate(node):  # kiln-native
    match node:
        case Number(value):
            return value
        case Binary("+", left, right):
            return evaluate(left) + evaluate(right)
        case Binary("*", left=left, right=right):
            return evaluate(left) * evaluate(right)


TREE = Binary("+", Binary("*", Number(2.0), Number(3.0)), Binary("+", Number(1.0), Binary("*", Number(4.0), Number(5.0))))


def work(n):
    total = 0.0
    for i in range(n):  # kiln-native
        total += evaluate(TREE)
    return total


drive(work)
