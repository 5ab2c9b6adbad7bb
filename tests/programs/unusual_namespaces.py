"""Namespaces that are no plain dicts of strings, or that have no builtins of their own."""

import builtins
import sys
import types

SOURCE = """
x = [5]
def inner(n):
    global x
    total = 0
    for i in range(n):
        x = [i]
        total += len(x)
    return total
def reads(n):
    total = 0
    for i in range(n):
        total += x
    return total
def outer(n):
    global x
    total = 0
    for i in range(n):
        total += inner(5)
    for i in range(n):
        x = i
        total += reads(5)
    return total
"""
frames_seen = set()
looks = False


class Equal:
    """A key with the hash of a variable's name: looking that one up asks it."""

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        frame = sys._getframe(1) if looks else None
        frames = []
        while frame is not None:
            frames.append((frame.f_code.co_name, sorted([name for name in frame.f_locals if type(name) is str])))
            frame = frame.f_back
        frames_seen.add(repr(frames[:-1]))
        return False


names = {Equal("x"): 1}
exec(SOURCE, names)
print(names["outer"](30))
looks = True
print(names["outer"](1000))
print(*sorted(frames_seen), sep="\n")
looks = False
frames_seen.clear()

names = {}  # the same, but the key comes later
exec(SOURCE, names)
print(names["outer"](1000))
x = names.pop("x")
names[Equal("x")] = 1
names["x"] = x
looks = True
print(names["outer"](1000))
print(*sorted(frames_seen), sep="\n")

looks = False
frames_seen.clear()

# The same in a loop over a variable that is not set when the loop is entered.
late = compile("for i in range(3000):\n    first = i\n    if i > 2500:\n        last = first\n", "late", "exec")
names = {}
for _ in range(5):
    exec(late, names)
    print(names.pop("last"), names.pop("first"))
names[Equal("last")] = 1
looks = True
exec(late, names)
print(names.pop("last"), names.pop("first"))
print(*sorted(frames_seen), sep="\n")


class Answers(dict):
    def __getitem__(self, name):
        return 1000 if name == "answer" else dict.__getitem__(self, name)


class Missing(dict):
    def __missing__(self, name):
        if name == "absent":
            return 7
        raise KeyError(name)


LOOPS = """
def use(n):
    total = 0
    for _ in range(n):
        total += {name}
    return total
print(use(30000), use(30000))
total = 0
for _ in range(30000):
    total += {name}
print(total)
"""
exec(LOOPS.format(name="answer"), Answers(answer=1))
exec(LOOPS.format(name="absent"), Missing(absent=1))


def absent_use(n):
    total = 0
    for _ in range(n):
        total += absent  # noqa: F821
    return total


print(types.FunctionType(absent_use.__code__, Missing(range=range))(30000))

MAKES = """
def inner(n):
    total = 0
    for i in numbers(n):
        f = lambda: total
        total += i
    return total
def outer(n):
    total = 0
    for i in numbers(n):
        total += inner(5)
    return total
def make(n):
    return lambda: n
"""
names = {"numbers": range}
exec(MAKES, names)
del names["__builtins__"]
for name in "inner", "outer", "make":
    names[name] = types.FunctionType(names[name].__code__, names)
print(names["outer"](3000))
caller = {"__builtins__": {"marker": 1, "range": range}, "make": names["make"]}
exec("def call(n):\n    made = None\n    for i in range(n):\n        made = make(i)\n    return made", caller)
made = caller["call"](3000)
print(made.__builtins__ is builtins.__dict__, "marker" in made.__builtins__)


def makes_more(n):
    functions = []
    for i in range(n):
        functions.append(lambda: i)
        if i == 1500:
            globals()["__builtins__"] = dict(vars(builtins), marker=1)
        elif i == 1600:
            globals()["__builtins__"] = builtins
    return sum("marker" in function.__builtins__ for function in functions)


print(makes_more(3000))
