# Class patterns: attributes by place and by name, classes that are none, properties, instances that lack one, and classes that change.
from dataclasses import dataclass
import collections
@dataclass
class Num: value: float
@dataclass(frozen=True)
class Bin:
    op: str
    left: object
    right: object
@dataclass
class Neg:
    value: object
class Slots:
    __slots__ = ("a", "b")
    __match_args__ = ("a", "b")
    def __init__(self, a, b): self.a = a; self.b = b
class Sub(Slots): __slots__ = ()
class Prop:
    __match_args__ = ("p",)
    def __init__(self, v): self.v = v
    @property
    def p(self): return self.v * 2
class Liar:
    def __init__(self, v): self.value = v
    @property
    def __class__(self): return Num
class Lacks:
    __match_args__ = ("x", "y")
    def __init__(self, i):
        if i % 3: self.x = i
        if i % 5: self.y = -i
def evaluate(n):
    match n:
        case Num(value): return value
        case Neg(value=v): return -evaluate(v)
        case Bin("+", l, r): return evaluate(l) + evaluate(r)
        case Bin("-", l, r): return evaluate(l) - evaluate(r)
        case Bin(op="*", left=l, right=r): return evaluate(l) * evaluate(r)
        case Bin("/", _, Num(0)): return float("inf")
        case Bin("/", l, r): return evaluate(l) / evaluate(r)
    return None
def kind(x):
    match x:
        case Slots(1, b): return ("one", b)
        case Slots(a, b=2): return ("b2", a)
        case Slots(): return "slots"
        case Prop(8): return "eight"
        case Prop(p): return p
        case Num(value=v) if v is not None: return ("num", v)
        case Lacks(x, y): return (x, y)
        case Lacks(x): return ("x", x)
        case Lacks(): return "lacks"
        case int(i) | float(i): return i + 0.5
        case str() as s: return s * 2
        case {"k": v}: return v
        case [a, *rest]: return (a, len(rest))
    return None
def run(n):
    out = collections.Counter(); total = 0.0
    tree = Bin("+", Bin("*", Num(2.0), Neg(Num(3))), Bin("-", Num(5), Bin("/", Num(1.0), Num(4))))
    inf = Bin("/", Num(1), Num(0))
    for i in range(n):
        total += evaluate(tree)
        if i % 100 == 0: out[str(evaluate(inf))] += 1; out[str(evaluate(i))] += 1
        for x in (Slots(i % 3, i % 4), Sub(1, i % 2), Prop(i % 6), Num(i % 2 or None), Lacks(i), i, "s", Liar(i % 3), {"k": 1}, [1, 2]):
            out[str(kind(x))] += 1
    return total, sorted(out.items())[:40], len(out)
print(run(1500))
def changing(n):
    res = []
    class P:
        __match_args__ = ("x",)
        def __init__(self, x, y): self.x = x; self.y = y
    for i in range(n):
        if i == n // 3: P.__match_args__ = ("y",)
        if i == n // 2: P.__match_args__ = ("x", "x")
        if i == n * 2 // 3: P.__match_args__ = ["x"]
        if i == n * 3 // 4: del P.__match_args__
        try:
            match P(i, -i):
                case P(v): r = v
                case _: r = None
        except TypeError as e: r = str(e)
        if i % (n // 24) == 1: res.append(r)
    return res
print(changing(4800))
def twice(n):
    t = 0
    for i in range(n):
        try:
            match Slots(1, 2):
                case Slots(x, a=y): t += 1
        except TypeError as e: t += len(str(e))
    return t
print(twice(2000))
def loop_top():
    t = 0
    for i in range(5000):
        match Num(i) if i % 2 else Bin("+", i, i):
            case Bin(_, l, r): t += l + r
            case Num(v): t -= v
    return t
print(loop_top())
class Meta(type):
    def __instancecheck__(cls, o): return isinstance(o, int)
class Odd(metaclass=Meta): pass
def meta(n):
    t = 0
    for i in range(n):
        match (i if i % 2 else Num(i)):
            case Odd(): t += 1
            case Num(v): t += v
    return t
print(meta(3000))
