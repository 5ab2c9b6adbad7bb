"""Variables of a module that are reached through an instance whose __dict__ they are, and through the module itself."""

import sys
class A: pass
a = A(); a.__dict__ = globals()
m = sys.modules['__main__']
total = 0
other = 0
for i in range(20000):
    total += 1
    if i % 7 == 0:
        a.total = 5
    other += total
print(total, other)
def f(): pass
total = 0
other = 0
for i in range(20000):
    total += 1
    if i % 7 == 0:
        m.total = 5
    other += total
print(total, other)
total = 0
other = 0
for i in range(20000):
    total += 1
    m.total = i
    other += total + m.total + a.total
print(total, other)
count = 0
def g(n):
    global count
    for i in range(n):
        count += 1
        m.count = count + 1
        f.calls = count
    return count, f.calls
print(g(5000))


class Shared:
    state = {"n": 0}

    def __init__(self):
        self.__dict__ = Shared.state


def shared(k):
    one, two = Shared(), Shared()
    seen = 0
    for i in range(k):
        one.n += 1
        two.n += i & 1
        seen += Shared.state["n"]
    return one.n, two.n, seen


print(shared(4000), shared(3000))
total = 0
for i in range(20000):
    total += 1
    if a.total != total or m.total != total:
        print("stale", i, a.total, m.total, total)
        break
print(total)
