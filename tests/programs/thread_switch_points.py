"""Threads change places only where a loop begins again or a call ends: what stands between is done by one of them at once."""

import sys
import threading

ROUNDS = 200_000
THREADS = 4

total = 0
large = 1 << 70


class Counter:
    def __init__(self):
        self.count = 0
        self.sums = [0, 0.0]


def add_global(rounds):
    global total
    for i in range(rounds):
        total += 1 if i & 1 else 3


def add_global_in_short_loops(rounds):
    global total
    for _ in range(rounds // 4):
        for j in range(4):
            total = total + j


def add_attribute(counter, rounds):
    for i in range(rounds):
        counter.count += 1


def add_item(counter, rounds):
    sums = counter.sums
    for i in range(rounds):
        sums[0] += 2
        sums[1] += 0.5


def read_total():
    weight = 0.0
    for k in range(40):
        weight += k * 0.5
    return total


def add_in_generator(rounds):
    global total
    for _ in range(rounds):
        total = read_total() + 1
        yield


def add_to_call(rounds):
    for _ in add_in_generator(rounds // 8):
        pass


def add_to_spread_call(rounds):
    global total
    nothing = ()
    for _ in range(rounds // 8):
        total = read_total(*nothing) + 1


def grow_attribute(counter, rounds):
    for i in range(rounds):
        counter.count += large if i % 1000 == 0 else i


def run(function, *arguments):
    threads = [threading.Thread(target=function, args=arguments) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


sys.setswitchinterval(1e-5)
run(add_global, ROUNDS)
print("global", total)
run(add_global_in_short_loops, ROUNDS)
print("short loops", total)
for function in add_to_call, add_to_spread_call:
    total = 0
    run(function, ROUNDS)
    print(function.__name__, total)
counter = Counter()
run(add_attribute, counter, ROUNDS)
print("attribute", counter.count)
run(add_item, counter, ROUNDS)
print("items", counter.sums)
run(grow_attribute, counter, ROUNDS)
print("large", counter.count)
