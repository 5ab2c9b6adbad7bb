# What compiled code has for constant dies, or is cleared by the collector, while that code waits for a callee.
import gc, weakref
def big(i, at):
    a = i
    for k in range(3):
        a = (a * 3 + k) % 1000003
    for k in range(3):
        a = (a * 5 + k) % 1000003
    if i == at:
        dies()
    return a & 3
def maybe(i, at):
    if i == at:
        dies()
    return 0
def made():
    class C:
        table = [1, 2, 3]
        names = {'a': 1}
        def m(self, i, at):
            t = self.table
            self = None
            z = big(i, at)
            return i + z + len(t)
        def first(self, d=[4, 5]):
            return d
        @staticmethod
        def st(i, at):
            return big(i, at) + 1
    return [C()]
calls = [maybe]
def run_m(holder, n, at):
    s = 0
    for i in range(n):
        if holder:
            s += holder[0].m(i, at)
        else:
            s -= 1
    return s
def run_table(holder, n, at):
    s = 0
    for i in range(n):
        if not holder:
            s -= 1
            continue
        t = holder[0].table
        calls[0](i, at)
        s += len(t) + t[1]
    return s
def run_default(holder, n, at):
    s = 0
    for i in range(n):
        if not holder:
            s -= 1
            continue
        t = holder[0].first()
        calls[0](i, at)
        s += len(t) + t[1]
    return s
def run_bound(holder, n, at):
    s = 0
    for i in range(n):
        if not holder:
            s -= 1
            continue
        s += holder[0].st(i, at)
    return s
def run_args(holder, n, at):
    s = 0
    for i in range(n):
        if not holder:
            s -= 1
            continue
        s += holder[0].st(i, calls[0](i, at))
    return s
for run in (run_m, run_table, run_default, run_bound, run_args):
    for r in range(4):
        holder = made()
        ref = weakref.ref(type(holder[0]))
        print(run.__name__, run(holder, 2000, -5), end=' ')
        def dies():
            holder.clear(); gc.collect()
        print(run(holder, 3000, 2900 - r % 2), end=' ')
        gc.collect()
        print(ref())


# The code of a function that waits is replaced.
def other(x, y):
    return -x


def switch():
    add.__code__ = other.__code__


def dies():
    switch()


def add(x, at):
    y = x + 1
    z = big(x, at)
    return y + z


def run_add(n, at):
    s = 0
    for i in range(n):
        s += add(i, at)
    return s


code = add.__code__
for r in range(5):
    add.__code__ = code
    print(run_add(3000, -1), run_add(3000, 2900), run_add(10, -1))
    gc.collect()


# Builtins that are found through a class.
def made_of_builtins():
    class D:
        size = len
        kind = dict
        both = (int, [1])
        def m(self, x):
            return self.kind(), isinstance(x, self.both[0]), self.both[1]
    return D()


def run_builtins(d, n):
    s = 0
    for i in range(n):
        if not holder_of_d:
            return s
        a, b, c = holder_of_d[0].m(i)
        calls[0](i, n - 100)
        s += len(a) + b + len(c) + c[0]
    return s


def dies():
    holder_of_d.clear()
    gc.collect()


for r in range(4):
    holder_of_d = [made_of_builtins()]
    print(run_builtins(None, 2000))
