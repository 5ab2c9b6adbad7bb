# complex numbers: made, operators, a power, abs, parts, equality, truth; variables of a loop and of an inlined function
from _harness import drive


def step(z, c):
    return z * z + c


def work(n):
    z, total = 0j, 0.0
    for i in range(n):  # kiln-native
        c = complex(i % 5 / 10, 0.25)
        z = step(z, c) - 0.5j * z / (c + 1)
        if abs(z) > 2 or z == c:
            z = -z ** 3 / (1 + abs(z) ** 3)
        total += z.real - z.imag if z else 1.0
    return total


drive(work)
