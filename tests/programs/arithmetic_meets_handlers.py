"""Arithmetic with ints of any size asks for signals, and lets the collector run: callbacks see frames, exceptions arrive."""

import gc
import math
import signal
import sys


class Plain:
    pass


class Stop(Exception):
    pass


seen = set()


def look(phase, info):
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name in ("powers", "run_powers"):
            seen.add((frame.f_code.co_name, "n" in frame.f_locals))
        frame = frame.f_back


def powers(n, exponent):
    total = 0
    for _ in range(n):
        nine = [Plain(), Plain(), Plain(), Plain(), Plain(), Plain(), Plain(), Plain(), Plain()]
        power = pow(3, exponent)
        total += len(nine)
    return total + power.bit_length()


def run_powers(n):
    total = 0
    for _ in range(n):
        total += powers(40, 500)
    return total


run_powers(60)
gc.callbacks.append(look)
gc.set_threshold(5)
print(run_powers(300))
gc.callbacks.remove(look)
gc.set_threshold(700)
print(sorted(seen))

raised = caught = 0


def stop(number, frame):
    global raised
    raised += 1
    raise Stop


def multiples(n, a, b):
    total = 0
    for _ in range(n):
        total ^= math.lcm(a, b)
    return total


signal.signal(signal.SIGALRM, stop)
print(multiples(50_000, 3 * 10**17 + 7, 2))
for _ in range(25):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
        while True:
            multiples(50_000, 3 * 10**17 + 7, 2)
    except Stop:
        caught += 1
print(raised, caught)


def results(n):
    total = 0
    for i in range(1, n):
        total += math.gcd(i, 12) + math.comb(20, i % 20) + math.isqrt(i) + math.perm(5, i % 5) + math.factorial(i % 7)
        total += round(i * 10, -2) + round(i * 0.25, 1) + round(i * 0.75) + pow(i, 2) + pow(i, 3, 7) + pow(2, 70 + i % 3)
    return total


print(results(2000))
