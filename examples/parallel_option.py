"""Prices an Asian option by simulating many paths of a stock, over numba's prange.

Usage: parallel_option.py [PATHS [STEPS]]     (default 20000 paths of 100 steps)

kiln brings a numba of its own; the program runs unchanged with the other one.
"""

import math
import sys

from numba import njit, prange

STOCK, STRIKE, RATE, VOLATILITY, YEARS = 100.0, 105.0, 0.03, 0.25, 1.0
MODULUS = 2147483647


@njit
def payoff(path, steps):
    """Returns what one path pays: the mean of the stock above the strike, if it is. Each path has its own random numbers."""
    state = (path * 7919 + 12345) % (MODULUS - 1) + 1
    step = YEARS / steps
    drift = (RATE - 0.5 * VOLATILITY * VOLATILITY) * step
    spread = VOLATILITY * math.sqrt(step)
    stock = STOCK
    total = 0.0
    for _ in range(steps):
        state = state * 48271 % MODULUS
        u = state / MODULUS
        state = state * 48271 % MODULUS
        v = state / MODULUS
        normal = math.sqrt(-2.0 * math.log(u)) * math.cos(2.0 * math.pi * v)
        stock *= math.exp(drift + spread * normal)
        total += stock
    return max(total / steps - STRIKE, 0.0)


@njit(parallel=True)
def simulate(paths, steps):
    """Returns the sum of what the paths pay, and the sum of the squares."""
    total = 0.0
    squares = 0.0
    for path in prange(paths):
        paid = payoff(path, steps)
        total += paid
        squares += paid * paid
    return total, squares


def main():
    paths = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    if paths < 2 or steps < 1:
        sys.exit("parallel_option.py: PATHS must be at least 2 and STEPS at least 1")
    total, squares = simulate(paths, steps)
    mean = total / paths
    error = math.sqrt((squares / paths - mean * mean) / paths)
    discount = math.exp(-RATE * YEARS)
    print(f"{paths} paths: the option is worth {discount * mean:.4f}, give or take {discount * error:.4f}")


if __name__ == "__main__":
    main()
