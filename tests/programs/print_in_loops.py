# Output written from hot loops keeps its order on both streams: print with options, write, flush, __str__ with effects.
import sys


class Noisy:
    def __init__(self, n):
        self.n = n

    def __str__(self):
        sys.stdout.write(f"[str {self.n}]")
        return str(self.n)


def rare_prints(count):
    total = 0
    for i in range(count):
        total += i
        if i % 1000 == 0:
            print("at", i, total, sep="|", end=";\n")
        if i % 2500 == 0:
            print("err", i, file=sys.stderr)
    return total


def many_prints(count):
    for i in range(count):
        print(i, end=" " if i % 20 else "\n")
    print()


def noisy(count):
    for i in range(count):
        if i % 3000 == 0:
            print(Noisy(i), f"{Noisy(i + 1)}", i, flush=True)


class Redirect:
    def __init__(self):
        self.parts = 0

    def write(self, text):
        self.parts += len(text)


def redirected(count):
    saved, sys.stdout = sys.stdout, Redirect()
    try:
        for i in range(count):
            print(i)
        return sys.stdout.parts
    finally:
        sys.stdout = saved


print(rare_prints(6000))
many_prints(6000)
noisy(9000)
print(redirected(6000))
for k in range(6000):
    if k % 2000 == 0:
        print("module", k)
