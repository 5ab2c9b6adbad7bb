"""Builtin functions, classes and methods at places of any callee: errors, arguments that end with the call, names that are replaced."""
import builtins, weakref, gc, sys
class D:
    def __init__(self, n): self.n = n
    def __del__(self): seen.append((self.n, sys._getframe(1).f_code.co_name))
    def __str__(self): return "D%d" % self.n
    def __len__(self): return self.n
class T(tuple): pass
class S(str): pass
seen = []
def mk(k): return [lambda x: x, str, len, repr, abs, int, float, list, tuple, set, sorted, sum, min, max, dict, bool, type, hash, id, callable, ord, chr, lambda x: (x,), str.upper, str.strip, list.copy, dict.copy, bytes][k]
args = [3, -4, 2.5, "ab", " x ", [1, 2], (3, 4), {1: 2}, {5, 6}, b"q", True, None, S("sub"), T((1, 2)), 10**30, "12", "é"]
def through(f, x): return f(x)
def loop(rounds):
    out = []
    for i in range(rounds):
        f = mk(i % 28)
        x = args[i % len(args)]
        try: r = through(f, x)
        except Exception as e: r = type(e).__name__ + str(e)
        if f is not id: out.append(r if not isinstance(r, dict) else sorted(r.items(), key=str))
    return out
a = loop(3000)
print(hash(str(a[-476:])), len(a), a[:60])
def objects(rounds):
    n = 0
    for i in range(rounds):
        f = [str, len, repr, lambda x: x.n, type, bool, hash, callable][i % 8]
        n += f is str and len(through(f, D(i))) or 0
        if f is not str: through(f, D(i))
    return n
print(objects(2000), len(seen), sorted({w for _, w in seen}), seen[-3:])
def appends(rounds):
    l = []; fs = [l.append, list.append, l.extend, lambda x: l.append(x)]
    for i in range(rounds):
        f = fs[i % 4]
        if f is list.append: f(l, D(i))
        elif i % 4 == 2: f([D(i)])
        else: f(D(i))
        if len(l) > 20: l.clear()
    return len(l)
print(appends(2000), len(seen))
real = builtins.len
def swapped(rounds):
    t = 0
    for i in range(rounds):
        if i == rounds // 2: builtins.len = lambda x: 1000
        t += through([len, str, lambda x: 7, real][i % 4], "abc") != "abc"
        g = [len, real, sum][i % 3]
        t += through(g, [1, 2])
    builtins.len = real
    return t
print(swapped(3000))
print(sys.getrefcount(args[3]) > 0, [sys.getrefcount(x) < 10**9 and type(x).__name__ for x in args][:3])
