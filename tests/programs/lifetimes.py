# What compiled code relies on lives no longer than under python: namespaces, functions, classes, and what they hold.
import gc
import sys
import types
import weakref

KINDS = {
    "init": "class C:\n    def __init__(self, x): self.x = x\ndef h(n):\n    s = 0\n    for i in range(n): s += C(i).x\n    return s\n",
    "method": "class C:\n    def m(self, k): return k + 1\nc = C()\ndef h(n):\n    s = 0\n    for i in range(n): s += c.m(i)\n    return s\n",
    "method_of_local": "class C:\n    def m(self, k): return k + 1\ndef h(n):\n    c = C(); s = 0\n    for i in range(n): s += c.m(i)\n    return s\n",
    "method_default": "class C:\n    def m(self, k, d=[1]): return k + len(d)\ndef h(n):\n    c = C(); s = 0\n    for i in range(n): s += c.m(i)\n    return s\n",
    "property": "class C:\n    @property\n    def p(self): return 2\ndef h(n):\n    c = C(); s = 0\n    for i in range(n): s += c.p\n    return s\n",
    "operator": "class C:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return o + self.x\n    def __radd__(self, o): return o + self.x\ndef h(n):\n    c = C(1); s = 0\n    for i in range(n): s += c + i; s = s + c\n    return s\n",
    "static": "class C:\n    @staticmethod\n    def f(k): return k + 1\ndef h(n):\n    s = 0\n    for i in range(n): s += C.f(i)\n    return s\n",
    "static_of_instance": "class C:\n    @staticmethod\n    def f(k): return k + 1\ndef h(n):\n    c = C(); s = 0\n    for i in range(n): s += c.f(i)\n    return s\n",
    "class_method": "class C:\n    @classmethod\n    def f(cls, k): return k + 1\ndef h(n):\n    s = 0\n    for i in range(n): s += C.f(i)\n    return s\n",
    "class_attribute": "class C:\n    table = [1, 2]\n    text = 'ab'\n    owner = None\nC.owner = C\ndef h(n):\n    c = C(); s = 0\n    for i in range(n): s += c.table[i & 1] + len(C.text) + (c.owner is C)\n    return s\n",
    "slots": "class C:\n    __slots__ = ('x',)\n    def __init__(self, x): self.x = x\ndef h(n):\n    s = 0\n    for i in range(n): s += C(i).x\n    return s\n",
    "inherited": "class B:\n    def __init__(self, x): self.x = x\n    def get(self): return self.x\nclass C(B):\n    def get(self): return super().get() + 1\ndef h(n):\n    s = 0\n    for i in range(n): s += C(i).get()\n    return s\n",
    "call": "class C:\n    def __call__(self, x): return x + 1\nc = C()\ndef h(n):\n    s = 0\n    for i in range(n): s += c(i)\n    return s\n",
    "items": "class C:\n    def __getitem__(self, x): return x + 1\n    def __len__(self): return 3\nc = C()\ndef h(n):\n    s = 0\n    for i in range(n): s += c[i] + len(c)\n    return s\n",
    "function": "def k(x): return x + 1\ndef h(n):\n    s = 0\n    for i in range(n): s += k(i)\n    return s\n",
    "default": "def k(x, y=[2]): return x + y[0]\ndef h(n, f=k):\n    s = 0\n    for i in range(n): s += f(i)\n    return s\n",
    "keyword_default": "def k(x, *, y=2): return x + y\ndef h(n):\n    s = 0\n    for i in range(n): s += k(i)\n    return s\n",
    "recursion": "def k(x): return 0 if x == 0 else 1 + k(x - 1)\ndef h(n):\n    s = 0\n    for i in range(n // 20): s += k(9)\n    return s\n",
    "function_is_a_lambda": "k = lambda x: x + 1\ndef h(n):\n    s = 0\n    for i in range(n): s += k(i)\n    return s\n",
    "closure": "def h(n):\n    t = 1\n    def k(x): return x + t\n    s = 0\n    for i in range(n): s += k(i)\n    return s\n",
    "nested": "def make(t):\n    def k(x): return x + t\n    return k\ndef h(n):\n    s = 0\n    for i in range(n): s += make(i)(1)\n    return s\n",
    "variable": "count = 0\ndef h(n):\n    global count\n    for i in range(n): count += i\n    return count\n",
    "dataclass": "from dataclasses import dataclass\n@dataclass\nclass C:\n    x: int\ndef h(n):\n    s = 0\n    for i in range(n): s += C(i).x\n    return s\n",
    "named_tuple": "from collections import namedtuple\nC = namedtuple('C', 'x y')\ndef h(n):\n    s = 0\n    for i in range(n): s += C(i, 1).x\n    return s\n",
    "enumeration": "import enum\nclass C(enum.IntEnum):\n    a = 1\ndef h(n):\n    s = 0\n    for i in range(n): s += C.a\n    return s\n",
    "metaclass": "class M(type):\n    def f(cls, k): return k + 1\nclass C(metaclass=M):\n    pass\ndef h(n):\n    s = 0\n    for i in range(n): s += C.f(i)\n    return s\n",
}

ROUNDS = 1500


class Marker:
    pass


def namespaces_die():
    for name, source in KINDS.items():
        refs = []
        for round in range(3):
            space = {"marker": Marker()}
            exec(source, space)
            total = sum(space["h"](ROUNDS) for _ in range(3))
            refs += [weakref.ref(space["h"]), weakref.ref(space["marker"])]
            if "C" in space:
                refs.append(weakref.ref(space["C"]))
            if "k" in space:
                refs.append(weakref.ref(space["k"]))
        del space
        gc.collect()
        print(name, total, sum(ref() is not None for ref in refs))


# A module that is imported again leaves nothing of the old one behind; one that is deleted is still there for its functions.
def modules_die():
    source = KINDS["inherited"] + KINDS["operator"].replace("h(n)", "g(n)").replace("class C", "class D").replace("C(1)", "D(1)")
    refs = []
    for round in range(4):
        module = types.ModuleType("plugin")
        sys.modules["plugin"] = module
        exec(source, module.__dict__)
        refs += [weakref.ref(module), weakref.ref(module.C), weakref.ref(module.D), weakref.ref(module.h)]
        loop = module.h
        del sys.modules["plugin"], module
        print(loop(ROUNDS), loop(ROUNDS), loop.__globals__["g"](ROUNDS))
    del loop
    gc.collect()
    print(sum(ref() is not None for ref in refs))


# While a function's loop runs, the last other reference to its module's namespace goes.
def module_goes_while_loop_runs():
    source = """
class C:
    def m(self, k): return k + 1
def drop(): pass
def h(n):
    c = C(); s = 0
    for i in range(n):
        s += c.m(i)
        if i == n - 5:
            drop()
    return s
"""
    for round in range(3):
        module = types.ModuleType("gone")
        exec(source, module.__dict__)
        holder = [module]
        ref = weakref.ref(module)
        def drop():
            holder.clear()
            gc.collect()
        module.h(ROUNDS)
        module.drop = drop
        loop = module.h
        del module
        print(loop(ROUNDS), ref())


# Without the collector: what nothing else refers to dies at once.
def functions_die_at_once():
    def use(f, n):
        s = 0
        for i in range(n):
            s += f(i)
        return s
    class C:
        def m(self, k):
            return k + 1
        @staticmethod
        def f(k):
            return k + 2
        @property
        def p(self):
            return 3
    def loop(c, n):
        s = 0
        for i in range(n):
            s += c.m(i) + C.f(i) + c.p
        return s
    print(loop(C(), ROUNDS), loop(C(), ROUNDS))
    gc.disable()
    method, static, getter = weakref.ref(C.m), weakref.ref(C.f), weakref.ref(C.__dict__["p"].fget)
    C.m = lambda self, k: k
    print(method() is None, loop(C(), ROUNDS))
    C.f = staticmethod(lambda k: k)
    print(static() is None, loop(C(), ROUNDS))
    C.p = property(lambda self: 1)
    print(getter() is None, loop(C(), ROUNDS))
    for round in range(5):
        f = lambda x: x + round
        ref = weakref.ref(f)
        print(use(f, ROUNDS))
        del f
        print(ref() is None)
    gc.enable()


# Nor does it matter that other compiled code waits meanwhile.
def functions_die_while_others_run():
    def change(round):
        class C:
            def m(self, k):
                return k + 1
        space = {"C": C}
        exec("def loop(n):\n    c = C(); s = 0\n    for i in range(n): s += c.m(i)\n    return s\n", space)
        value = space["loop"](1500) + space["loop"](1500)
        method = weakref.ref(C.m)
        C.m = lambda self, k: k + round
        return value, method() is None
    changes = [lambda round: (round, True)]
    def outer(n):
        dead = total = 0
        for round in range(n):
            value, died = next(map(changes[0], (round,)))
            total += value
            dead += died
        return total, dead
    print(outer(ROUNDS), outer(ROUNDS))
    gc.disable()
    changes[0] = change
    print(outer(30), outer(30))
    gc.enable()


# New classes, dicts and functions come to lie where dead ones were.
def addresses_used_again():
    def total(c, n):
        s = 0
        for i in range(n):
            s += c.m(i) + c.k
        return s
    for round in range(30):
        class C:
            k = round
            def m(self, i, round=round):
                return i * round
        print(total(C(), 200), end=" ")
        del C
        gc.collect()
    print()
    code = compile("def g(x): return x + step\ndef h(n):\n    s = 0\n    for i in range(n): s += g(i)\n    return s\n", "again", "exec")
    for round in range(30):
        space = {"step": round}
        exec(code, space)
        print(space["h"](200), end=" ")
        del space
        gc.collect()
    print()


# The code of a function is replaced while it, or one that was built around it, runs.
def code_replaced():
    def add(x):
        return x + 1
    def subtract(x):
        return x - 1
    def calls(n, change):
        s = 0
        for i in range(n):
            s += add(i)
            if i == change:
                add.__code__ = subtract.__code__
        return s
    original = add.__code__
    for change in (-1, 1200, -1):
        add.__code__ = original
        print(calls(ROUNDS, -1), calls(ROUNDS, change), calls(ROUNDS, -1))


# A class changes, and dies, while its method waits.
def class_dies_while_method_waits():
    def call(f):
        return f()
    def made(dies):
        holder = []
        class C:
            table = [5, 6]
            def m(self, k, at):
                table = self.table
                if k == at:
                    del self
                    call(dies)
                return k + len(table)
            def get(self):
                return self
        holder.append(C())
        ref = weakref.ref(C)
        del C
        return holder, ref
    def run(holder, n, at):
        s = 0
        for i in range(n):
            if holder:
                s += holder[0].m(i, at)
            else:
                s -= 1
        return s
    for round in range(4):
        state = []
        def dies():
            state[0].clear()
            gc.collect()
        holder, ref = made(dies)
        state.append(holder)
        print(run(holder, ROUNDS, -1), run(holder, ROUNDS, ROUNDS - 7))
        gc.collect()
        print(ref())


for test in (namespaces_die, modules_die, module_goes_while_loop_runs, functions_die_at_once, functions_die_while_others_run, addresses_used_again, code_replaced,
             class_dies_while_method_waits):
    print(test.__name__)
    test()
