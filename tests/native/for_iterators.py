# Loops over C's iterators, each of which is asked for its next item as the interpreter asks it
import itertools

from _harness import drive


def over_map(rounds):
    total = 0
    for number in map(abs, range(-rounds, 0)):  # kiln-native allow-opaque=FOR_ITER
        total += number * 3 % 7
    return total


def over_product(rounds):
    total = 0
    for left, right in itertools.product(range(rounds), (1, 2)):  # kiln-native allow-opaque=FOR_ITER
        total += left * right
    return total


def over_chain(rounds):
    total = 0
    for number in itertools.chain(range(rounds), [2.5, 3.5]):  # kiln-native allow-opaque=FOR_ITER
        total += number
    return total


def over_count(rounds):
    total = 0
    for number in itertools.count():  # kiln-native allow-opaque=FOR_ITER
        if number >= rounds:
            break
        total -= number
    return total


def work(n):
    return over_map(n), over_product(n), over_chain(n), over_count(n)


drive(work)
