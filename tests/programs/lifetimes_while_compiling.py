# Functions, classes and namespaces die, change, and are made again at the same addresses while the compile thread works.
import gc
import weakref

SOURCE = """
class B:
    scale = {scale}
    table = [1, 2, {scale}]
    def __init__(self, x): self.x = x
    def get(self, d={scale}): return self.x * self.scale + d
    @property
    def p(self): return self.x & 7
    @staticmethod
    def s(k): return k + {scale}
    def __add__(self, o): return self.x + o
class C(B):
    def get(self): return super().get() + 1
def step(x, y={scale}): return x + y + offset
offset = {scale}
def h(n):
    b = B(3); c = C(4); s = 0
    for i in range(n):
        b.x = i & 15
        s += b.get() + c.get() + b.p + B.s(i) + (c + i) + step(i) + b.table[i % 3]
    return s
"""

refs = []
totals = []
code = {scale: compile(SOURCE.format(scale=scale), "plugin", "exec") for scale in range(3)}
for round in range(60):
    scale = round % 3
    space = {}
    exec(code[scale] if round % 2 else SOURCE.format(scale=scale), space)
    total = space["h"](1200)
    if round % 5 == 1:
        space["B"].scale = 100
    elif round % 5 == 2:
        space["B"].get = lambda self: 5
    elif round % 5 == 3:
        space["step"].__code__ = (lambda x, y: x).__code__
    elif round % 5 == 4:
        del space["B"].table
        space["C"].table = [9, 9, 9]
        space["b_table"] = setattr(space["B"], "table", (7, 8, 9))
    total += space["h"](900)
    refs += [weakref.ref(space["h"]), weakref.ref(space["B"]), weakref.ref(space["C"])]
    del space
    if round % 4 == 0:
        gc.collect()
    totals.append(total)
print(totals)
gc.collect()
print(sum(ref() is not None for ref in refs))


# One function, called with instances of classes that come and go.
def total(thing, n):
    s = 0
    for i in range(n):
        thing.v = i
        s += thing.get() + thing.k
    return s


def made(k):
    class Thing:
        __slots__ = ("v",)

        def get(self):
            return self.v + k

    Thing.k = k * 1000
    return Thing()


for k in range(40):
    thing = made(k)
    refs.append(weakref.ref(type(thing)))
    print(total(thing, 300), end=" ")
    if k % 3 == 0:
        type(thing).get = lambda self: 1
        print(total(thing, 50), end=" ")
    del thing
    gc.collect()
print()
print(sum(ref() is not None for ref in refs))
