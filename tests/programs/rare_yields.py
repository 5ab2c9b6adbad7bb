"""Generators with loops that seldom yield, and who takes their items."""

import itertools


def primes(limit):
    for number in range(2, limit):
        for divisor in range(2, number):
            if divisor * divisor > number:
                yield number
                break
            if number % divisor == 0:
                break
        else:
            yield number


def hits(words, wanted):
    place = 0
    for word in words:
        place += 1
        if word == wanted:
            got = yield place
            if got is not None:
                place = got
    return place


def permutations(items):
    pool = tuple(items)
    count = len(pool)
    indices = list(range(count))
    cycles = list(range(count, 0, -1))
    yield tuple(pool[index] for index in indices)
    while count:
        for place in reversed(range(count)):
            cycles[place] -= 1
            if cycles[place] == 0:
                indices[place:] = indices[place + 1:] + indices[place:place + 1]
                cycles[place] = count - place
            else:
                other = cycles[place]
                indices[place], indices[-other] = indices[-other], indices[place]
                yield tuple(pool[index] for index in indices)
                break
        else:
            return


def queens(count):
    columns = range(count)
    for order in permutations(columns):
        if count == len(set(order[c] + c for c in columns)) == len(set(order[c] - c for c in columns)):
            yield order


def collatz(limit):
    longest = 0
    for start in range(1, limit):
        number, steps = start, 0
        while number != 1:
            number = number // 2 if number % 2 == 0 else 3 * number + 1
            steps += 1
        if steps > longest:
            longest = steps
            yield start, steps


def failing(limit):
    for number in range(limit):
        if number % 500 == 499:
            yield number
        if number == 1800:
            raise ValueError(number)


def closed(limit, log):
    total = 0
    try:
        for number in range(limit):
            total += number
            if number % 700 == 0:
                yield total
    finally:
        log.append(total)


def delegating(limit):
    for number in range(limit):
        if number % 900 == 0:
            yield from hits("abcab" * 3, "b")


def frames(limit):
    for number in range(limit):
        if number % 600 == 0:
            yield number


def main():
    print(sum(primes(3000)), list(itertools.islice(primes(10**9), 5)))
    words = [str(number % 997) for number in range(5000)]
    finder = hits(words, "13")
    print(next(finder), finder.send(7), next(finder), finder.send(None))
    print(list(queens(6)), sum(1 for _ in queens(5)))
    print(max(collatz(3000)), [pair for pair in collatz(2000)][-1])
    seen = []
    try:
        for number in failing(5000):
            seen.append(number)
    except ValueError as error:
        print(seen, error)
    log = []
    running = closed(10_000, log)
    print(next(running), next(running), next(running))
    running.close()
    running = closed(10_000, log)
    next(running)
    try:
        running.throw(KeyError("x"))
    except KeyError as error:
        print(error, log)
    print(sum(closed(10_000, log)), log)
    print(list(delegating(5000)))
    going = frames(5000)
    print([(going.gi_frame.f_locals["number"], item) for item in going])
    both = zip(frames(4000), primes(100))
    print(list(both))


for _ in range(4):
    main()
