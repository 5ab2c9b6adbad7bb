"""Lets heat spread through a square plate with two hot edges, and prints the plate as shades.

Usage: heat_diffusion.py [SIZE [STEPS]]     (default 60 x 60 points, 3000 steps)
"""

import sys

SHADES = " .:-=+*#%@"


def plate(size):
    """Returns a cold plate, as a list of rows, whose upper and left edges are held at 100 degrees."""
    return [[100.0] * size] + [[100.0] + [0.0] * (size - 1) for _ in range(size - 1)]


def step(old, new, rate):
    """Writes into `new` the inner points of `old` one time step later; the edges keep their temperature."""
    size = len(old)
    for y in range(1, size - 1):
        above = old[y - 1]
        row = old[y]
        below = old[y + 1]
        out = new[y]
        for x in range(1, size - 1):
            centre = row[x]
            out[x] = centre + rate * (above[x] + below[x] + row[x - 1] + row[x + 1] - 4.0 * centre)


def main():
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
    if size < 3 or steps < 0:
        sys.exit("heat_diffusion.py: SIZE must be at least 3 and STEPS not negative")
    now = plate(size)
    after = plate(size)
    for _ in range(steps):
        step(now, after, 0.2)
        now, after = after, now
    for row in now[::2]:
        print("".join(SHADES[min(int(t / 10.0), 9)] for t in row).rstrip())
    total = sum(map(sum, now))
    print(f"after {steps} steps: mean {total / (size * size):.6f} degrees, centre {now[size // 2][size // 2]:.6f}")


if __name__ == "__main__":
    main()
