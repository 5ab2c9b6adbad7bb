"""Functions that are made of functions: counters, memos, decorators, partial application and composition."""

import functools
import sys

BENCH = {"group": "objects", "size": 220_000, "short_size": 29_500, "small": 60, "numba": "closures over changing variables"}


def counter(step):
    count = 0

    def tick():
        nonlocal count
        count += step
        return count

    return tick


def logged(function):
    calls = [0]

    @functools.wraps(function)
    def wrapper(*arguments):
        calls[0] += 1
        return function(*arguments)

    wrapper.calls = calls
    return wrapper


def memo(function):
    known = {}

    def wrapper(number):
        if number not in known:
            known[number] = function(number)
        return known[number]

    wrapper.known = known
    return wrapper


@memo
def steps(number):
    return 0 if number == 1 else 1 + steps(number // 2 if number % 2 == 0 else 3 * number + 1)


@logged
def blend(first, second, weight):
    return (first * weight + second * (16 - weight)) // 16


def compose(*functions):
    def composed(value):
        for function in functions:
            value = function(value)
        return value

    return composed


def scale(factor, offset, value):
    return (value * factor + offset) % 10007


def run(n):
    steps.known.clear()
    blend.calls[0] = 0
    ticks = [counter(step) for step in (1, 3, 5)]
    change = compose(functools.partial(scale, 31, 7), lambda value: value ^ 85, functools.partial(scale, offset=11, factor=17) if n < 0 else abs)
    total = 0
    for number in range(1, n):
        tick = ticks[number % 3]
        total += tick() % 17 + steps(number % 5000 + 1)
        total += blend(number, total % 1000, number % 16)
        total = (total + change(number)) % 1000003
        key = min(((total, number), (number, total)), key=lambda pair: pair[1])
        total += key[0] % 3
    return f"{total} {blend.calls[0]} {[tick() for tick in ticks]}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
