# Global objects that compiled code takes for constant die when the program lets them go, and not later.
import sys
import weakref


class Loud:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def __call__(self, x):
        return x + self.value

    def __del__(self):
        print("gone:", self.name)


def use(n):
    total = 0
    for i in range(n):
        total += held(i) & 3
        if held is None:
            break
    return total


def rebind(i, n):
    global held
    if i == n // 2:
        held = Loud("rebound in a hot loop", 4)
        print("rebound")
    return i


def use_and_rebind(n):
    total = 0
    for i in range(n):
        total += held(i) & 3
        rebind(i, n)
    return total


def remove(n):
    global held
    total = 0
    for i in range(n):
        total += held(i) & 1
        if i == n - 2:
            saved = held
            del held
            held = Loud("in its place", 1)
            print("removed", sys.getrefcount(saved) - 1)
            del saved
            print("now it is gone")
    return total


for k in range(5):
    held = Loud(f"number {k}", k)
    print("made", k)
    print(use(2500), sys.getrefcount(held))
print(use_and_rebind(6000))
print(remove(4000))


def make_helper(k):
    def helper(x):
        return x * k

    return helper


for k in range(4):
    helper = make_helper(k)
    reference = weakref.ref(helper, lambda _: print("helper", k, "is gone"))
    total = 0
    for i in range(3000):
        total += helper(i)
    print(total, sys.getrefcount(helper))
    del helper
    print("after", k, reference() is None)

space = {}
exec("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nclass Mark:\n    pass\nmark = Mark()\n", space)
print(space["fib"](18))
reference = weakref.ref(space["mark"])
fib_alive = weakref.ref(space["fib"])
space.clear()
print(reference() is None, fib_alive() is None)
del held
print("end")
