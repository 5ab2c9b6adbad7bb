# One call of methods of many classes: functions, C methods, static and class methods, attributes of instances, callables, and what hides them.
import types
class A:
    def m(self, x): return ("A", x)
    @staticmethod
    def s(x): return ("s", x)
    @classmethod
    def c(cls, x): return (cls.__name__, x)
    @property
    def p(self): return lambda x: ("p", x)
    v = 5
class B(A):
    def m(self, x): return ("B", x)
class C(A):
    def m(self, x, y=2): return ("C", x, y)
class D(A):
    m = staticmethod(lambda x: ("D", x))
class E(A):
    m = len
class F(A):
    def __init__(self): self.m = lambda x: ("own", x)
class G(A): __slots__ = ()
class H:
    __slots__ = ("m",)
    def __init__(self): self.m = str
class I(list):
    def m(self, x): return super().__len__() + 1 if x else 0
class Call:
    def __call__(self, x): return ("call", x)
class J(A): m = Call()
class K(A):
    @property
    def m(self): return repr
def use(objs, n):
    out = []
    for i in range(n):
        o = objs[i % len(objs)]
        r = o.m(i % 3)
        if i < 30 or i % 997 == 0: out.append(r)
    return out
quiet = [A(), B(), C(), D(), F(), G(), H(), I([1, 2]), J()]
print(use(quiet, 6000))
print(use(quiet + [K()], 6000))
def hide(n):
    objs = [A(), B(), C(), G(), F(), J()]; out = []
    for i in range(n):
        o = objs[i % 6]
        if i == n // 4: objs[0].m = lambda x: ("hidden", x)
        if i == n // 2: B.m = lambda self, x: ("patched", x)
        if i == n * 2 // 3: del objs[0].m
        if i == n * 3 // 4: A.m = C.m
        r = o.m(i % 2)
        if i % (n // 40) < 3: out.append(r)
    return out
print(hide(6000))
def missing(n):
    objs = [A(), B(), C(), G(), D(), object(), 5, "x", types.SimpleNamespace(m=abs)]; bad = 0; t = 0
    for i in range(n):
        try: t += len(objs[i % 9].m(i % 2)) if i % 9 != 8 else objs[8].m(-i)
        except AttributeError as e: bad += len(str(e))
    return bad, t
print(missing(6000))
def texts(n):
    t = 0; xs = ["ab", b"ab", bytearray(b"ab"), [1, 1], (1, 2, 1)]
    for i in range(n):
        x = xs[i % 5]
        t += x.count(1 if i % 5 > 2 else "a" if i % 5 == 0 else b"a")
    return t
print(texts(5000))
