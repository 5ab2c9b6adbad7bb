# One code object that runs with several namespaces: each loop looks its names up in its own.

import types


def work(n):
    total = 0
    for i in range(n):
        total += step
    return total


def scaled(x):
    return x * step + step


def drive(function, n):
    total = 0
    for i in range(n):
        total += function(i)
    return total


step = 1
print(work(3000))
others = [types.FunctionType(work.__code__, {"step": factor, "range": range}) for factor in (2, 0.5, 10**20)]
for other in others + [work]:
    print(other(3000), other(30))
print([other(2000) for other in others], work(2000))

scalers = [scaled] + [types.FunctionType(scaled.__code__, {"step": factor}) for factor in (2, -3, 0.25)]
for scaler in scalers * 2:
    print(drive(scaler, 3000), scaler(7))

# The namespaces live on, so that each is another dict.
source = compile("total = 0\nfor i in range(3000):\n    total += step\n", "repeated", "exec")
spaces = [{"step": factor} for factor in (1, 2, 3.5)]
for space in spaces + spaces:
    exec(source, space)
print([space["total"] for space in spaces])

# Module code with locals of its own, and functions with builtins of their own.
for factor in (3, 4):
    names = {}
    exec(source, {"step": factor}, names)
    print(names["total"], names["i"])
counting = compile("def measure(n):\n    total = 0\n    for i in range(n):\n        total += len('ab')\n    return total\n",
                   "counting", "exec")
for length in (lambda text: 5, len, lambda text: 7):
    space = {"__builtins__": {"len": length, "range": range}}
    exec(counting, space)
    print(space["measure"](3000))
