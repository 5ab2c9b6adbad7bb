"""Loops of generators and coroutines that neither yield nor await."""

import asyncio
import gc
import inspect
import sys
import traceback


def primes(most):
    for candidate in range(2, most):
        divisor = 2
        while divisor * divisor <= candidate:
            if candidate % divisor == 0:
                break
            divisor += 1
        else:
            yield candidate


def sums(rows, columns):
    for row in range(rows):
        total = 0.0
        for column in range(columns):
            total += row * column % 7 * 0.5
        got = yield total
        if got is not None:
            for column in range(columns):
                got += column
            yield got


def fails(limit):
    total = 0
    try:
        for i in range(1000):
            total += 100 // (limit - i)
    except ZeroDivisionError as error:
        yield total, type(error), error.__traceback__.tb_lineno - error.__traceback__.tb_frame.f_code.co_firstlineno
    finally:
        for i in range(300):
            total += i
    yield total
    for i in range(1000):
        total += [1, 2, 3][i % 4]
    yield "never"


def stops(limit):
    yield 0
    items = iter(range(limit))
    while True:
        next(items)  # its StopIteration becomes a RuntimeError


def look():
    frame = sys._getframe(1)
    return frame.f_locals["total"], frame.f_lineno - frame.f_code.co_firstlineno, frame.f_back.f_code.co_name


def looked_at(rounds):
    total = 0
    for i in range(rounds):
        total += i
        if i % 250 == 249:
            seen = look()
    yield seen
    yield total


def held(rounds):
    """What it loops over ends with it."""
    items = [Held(i) for i in range(3)]
    total = 0
    for i in range(rounds):
        total += items[i % 3].value
    yield total
    yield total


class Held:
    def __init__(self, value):
        self.value = value

    def __del__(self):
        print("end of", self.value)


def tree(depth):
    total = 0
    for i in range(200):
        total += i * depth
    if depth > 0:
        yield from tree(depth - 1)
        yield total
        yield from tree(depth - 1)


def entered(rounds):
    """Runs itself while it runs."""
    total = 0
    for i in range(rounds):
        total += 1
        if i == rounds - 2:
            try:
                next(me)
            except ValueError as error:
                yield str(error)
    yield total


async def counted(rounds, name):
    total = 0
    for i in range(rounds):
        total += i * i % 7
    await asyncio.sleep(0)
    for i in range(rounds):
        total += i * i % 5
    return name, total


async def stream(rounds):
    for row in range(4):
        total = 0
        for i in range(rounds):
            total += i ^ row
        yield total


async def main():
    results = await asyncio.gather(*[counted(1000 + i, i) for i in range(5)])
    async with asyncio.timeout(10):
        return results, [total async for total in stream(900)]


for _ in range(4):
    print(list(primes(300))[-5:])
    print(list(sums(5, 400)))
    generator = sums(5, 400)
    print([next(generator), generator.send(2.5), next(generator)], inspect.getgeneratorstate(generator))
    print(generator.gi_frame.f_locals["row"], generator.gi_frame.f_lineno)
    generator.close()
    print(inspect.getgeneratorstate(generator))

    generator = fails(600)
    print(next(generator), next(generator))
    try:
        next(generator)
    except IndexError:
        print(traceback.format_exc().splitlines()[-3:])
    try:
        print(sum(stops(700)))
    except RuntimeError as error:
        print(repr(error), repr(error.__cause__))

    print(list(looked_at(1000)))
    generator = held(1000)
    print(next(generator))
    gc.collect()
    del generator
    print(sum(tree(4)))
    me = entered(800)
    print(list(me))
    print(asyncio.run(main()))

generator = sums(3, 100)
next(generator)
try:
    generator.throw(KeyError("thrown"))
except KeyError as error:
    print(repr(error), list(generator))
