# Calls at one place of functions of several codes, of C functions, classes and instances, with stars and without.
def a(x, scale=1): return x * scale
def b(x, **kw): return x + len(kw)
def c(*args, **kw): return (args, sorted(kw))
def d(x, y=3, *, scale=2, z=4): return x + y + scale + z
class E:
    def __init__(self, x, scale=1): self.v = x * scale
    def __call__(self, x, scale=0): return self.v + x + scale
    def m(self, x, scale=5): return self.v - x * scale
e = E(3)
def bad(x): return x
def emit(hs, *args, **kw):
    out = []
    for h in hs:
        try: out.append(h(*args, **kw))
        except TypeError as err: out.append(str(err))
    return out
def emit2(hs, *args):
    return [h(*args) for h in hs]
def run(n):
    r = None
    for i in range(n):
        r = emit((a, b, d), i, scale=i % 5)
        if i % 97 == 0: r = emit((a, b, c, d, e, e.m, E, bad), i, scale=2); r[6] = r[6].v
        s = emit2([a, b, abs, c] if i % 3 else [str, a, repr], i) if i % 2 else emit2((len, a), "abc")
    return r, s
print(run(4000))
import functools
def compose(*fs): return functools.reduce(lambda f, g: lambda x: g(f(x)), fs)
def mixed(n):
    f = compose(lambda x: x + 1, str, len, lambda k: k * 2, float, abs, int, lambda v: v - 1, hex, lambda s: int(s, 16))
    g = compose(str.upper, str.strip, len, lambda k: [k], list, tuple, sum)
    t = 0
    for i in range(n):
        t += f(i) + g(" ab%d " % i)
        h = (str, len, lambda q: q, lambda q: (q,))[i % 4 if i % 4 != 1 else 0]
        t += len(str(h(i)))
    return t
print(mixed(4000))
def deco(fn):
    @functools.wraps(fn)
    def w(*a, **k):
        return fn(*a, **k)
    return w
@deco
def p(x, y=2): return x * y
@deco
def q(x, *, z=1): return x - z
def decorated(n):
    t = 0
    for i in range(n):
        f = p if i & 1 else q
        t += f(i) + p(i, y=3) + q(i, z=i)
        if i % 500 == 0:
            try: f(i, bogus=1)
            except TypeError as err: t += len(str(err))
    return t
print(decorated(4000))
