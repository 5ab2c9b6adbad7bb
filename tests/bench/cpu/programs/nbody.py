"""Five bodies under gravity, each a list of floats: item loads and stores around a square root."""

import math
import sys

BENCH = {"group": "numeric", "size": 130_000, "short_size": 9_000, "small": 50, "kernels": ["system", "step", "energy", "run"]}


def system():
    """A heavy body at rest and four light ones around it: [x, y, z, vx, vy, vz, mass] each."""
    bodies = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 40.0]]
    for k in range(1, 5):
        radius = 3.0 * k
        speed = math.sqrt(40.0 / radius)
        x = radius if k % 2 == 0 else -radius
        vy = speed if k % 2 == 0 else -speed
        bodies.append([x, 0.0, 0.1 * k, 0.0, vy, 0.01 * k, 0.02 / k])
    return bodies


def step(bodies, dt):
    n = len(bodies)
    for i in range(n):
        a = bodies[i]
        for j in range(i + 1, n):
            b = bodies[j]
            dx = a[0] - b[0]
            dy = a[1] - b[1]
            dz = a[2] - b[2]
            d2 = dx * dx + dy * dy + dz * dz
            f = dt / (d2 * math.sqrt(d2))
            fa = f * b[6]
            fb = f * a[6]
            a[3] -= dx * fa
            a[4] -= dy * fa
            a[5] -= dz * fa
            b[3] += dx * fb
            b[4] += dy * fb
            b[5] += dz * fb
    for i in range(n):
        a = bodies[i]
        a[0] += dt * a[3]
        a[1] += dt * a[4]
        a[2] += dt * a[5]


def energy(bodies):
    total = 0.0
    n = len(bodies)
    for i in range(n):
        a = bodies[i]
        total += 0.5 * a[6] * (a[3] * a[3] + a[4] * a[4] + a[5] * a[5])
        for j in range(i + 1, n):
            b = bodies[j]
            dx = a[0] - b[0]
            dy = a[1] - b[1]
            dz = a[2] - b[2]
            total -= a[6] * b[6] / math.sqrt(dx * dx + dy * dy + dz * dz)
    return total


def run(n):
    bodies = system()
    for _ in range(n):
        step(bodies, 0.001)
    return energy(bodies)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
