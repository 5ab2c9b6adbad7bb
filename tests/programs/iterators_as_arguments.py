# Iterators that functions get as arguments, and advance more than once: by position, keyword, `*its`, as operands and items.
# kiln-test: modes=always,quick,default,deopt
from array import array


def use(it): return next(it), next(it)


def pair():
    yield 1
    yield 2


class Taken:
    def __init__(self, it): self.taken = next(it), next(it)


def kinds(n):
    bad = 0
    for i in range(n):
        bad += use(iter([1, 2])) != (1, 2)
        bad += use(iter(range(1, 3))) != (1, 2)
        bad += use(pair()) != (1, 2)
        bad += use(enumerate((5, 6))) != ((0, 5), (1, 6))
        bad += use(zip((1, 2))) != ((1,), (2,))
        bad += use(map(int, "12")) != (1, 2)
        bad += use(iter({1: 1, 2: 2})) != (1, 2)
        bad += use(x for x in (1, 2)) != (1, 2)
        bad += use(reversed([2, 1])) != (1, 2)
        bad += use(iter("ab")) != ("a", "b")
        bad += use(iter(array("d", (1, 2)))) != (1, 2)
        bad += use(iter(b"ab")) != (97, 98)
        bad += use(it=iter([1, 2])) != (1, 2)
        bad += Taken(iter([1, 2])).taken != (1, 2)
    return bad


def twice(it):
    a = next(it)
    b = next(it)
    return a + b
def raised(n):
    bad = 0
    for i in range(n):
        try:
            twice(iter((1,)))
            bad += 1
        except StopIteration: pass
    return bad
def two3(it):
    return len([1 for x in it]) + len(list(it))
def counted(n):
    t = 0
    for i in range(n): t += two3(iter((1,2)))
    return t
def loop2(it):
    t = 0
    for x in it:
        t += x
        if x == 2: break
    for x in it: t += 10 * x
    return t
def looped(n):
    t = 0
    for i in range(n): t += loop2(iter((1,2,3)))
    return t
def loop3(a, b):
    t = 0
    for x in a:
        t += x
        for y in b:
            t += 10 * y
            break
    return t
def nested_loops(n):
    t = 0
    for i in range(n):
        t += loop3(range(3), iter((1, 2, 3)))
    return t
def other_loops(n):
    t = 0
    for i in range(n):
        t += loop3(iter([1,2]), enumerate([1,2,3]).__iter__() and iter(range(5)))
    return t
def walrus(n):
    t = 0
    for i in range(n):
        for x in (it := iter([1, 2, 3, 4])):
            t += x
            if x == 2: break
        t += 100 * next(it)
        a = b = iter((5, 6, 7))
        t += next(a) + 10 * next(b)
        (c := zip([1, 2], [3, 4])).__next__()
        t += next(c)[1]
        d = (e := enumerate([7, 8, 9])) and e
        t += next(d)[1] + next(e)[0]
    return t
def star(*its):
    return next(its[0]) + 10 * next(its[0])
def kw(*, it): return next(it) + 10 * next(it)
def kws(**k): return next(k["it"]) + 10 * next(k["it"])
def default(n, it=None):
    it = it or iter((3, 4, 5))
    return next(it) + 10 * next(it)
class C:
    def __init__(self, it):
        self.it = it
        self.first = next(it)
    def m(self, it): return next(it) + 10 * next(self.it) + next(it)
    def __add__(self, it): return next(it) + next(it) * 7
    def __getitem__(self, it): return next(it) + next(it) * 7
    def __call__(self, it): return next(it) + next(it) * 9
    def __contains__(self, it): return next(it) + next(it) == 3
    def __eq__(self, it): return next(it) + next(it) == 3
    def __setitem__(self, k, it): self.got = next(it) + 10 * next(it)
    def __enter__(self): return iter((1, 2, 3))
    def __exit__(self, *a): pass
    @property
    def its(self): return iter((1, 2, 3))
    @its.setter
    def its(self, it): self.got = next(it) * 3 + next(it)
def args(n):
    t = 0
    for i in range(n):
        t += star(iter((1, 2, 3))) + kw(it=iter((1, 2, 3))) + kws(it=iter((1, 2, 3))) + default(i) + default(i, iter((1, 2)))
        it = iter((1, 2, 3, 4, 5))
        c = C(iter((1, 2, 3, 4)))
        t += c.first + c.m(iter((5, 6, 7)))
        t += (c + iter((1, 2, 3))) + c[iter((1, 2, 3))] + c(iter((1, 2, 3))) + (iter((1, 2)) in c) + (c == iter((1, 2)))
        c[0] = iter((1, 2, 3))
        t += c.got
        c.its = iter((1, 2, 3))
        t += c.got
        with c as got: t += next(got) + 10 * next(got)
        got = c.its
        t += next(got) + 10 * next(got)
        f = lambda it: next(it) + 10 * next(it)
        t += f(iter((1, 2, 3))) + f(zip((1, 2), (3, 4)))[0] if 0 else f(iter((1, 2, 3)))
        def inner(it):
            def more(): return next(it)
            return more() + 10 * more()
        t += inner(iter((1, 2, 3)))
    return t
def gen(it):
    yield next(it)
    yield next(it) * 10
def gens(n):
    t = 0
    for i in range(n):
        t += sum(gen(iter((1, 2, 3))))
        for x in gen(iter((4, 5))): t += x
        g = (x for x in (1, 2, 3))
        t += next(g) + 10 * next(g)
        pair = iter((1, 2)), iter((3, 4))
        t += next(pair[0]) + next(pair[1]) + next(pair[0]) * 3 + next(pair[1]) * 5
        a, b = iter((1, 2)), iter((3, 4))
        t += next(a) + next(b) + next(a) * 3 + next(b) * 5
        its = [iter((1, 2, 3, 4))] * 2
        t += sum(x * y for x, y in zip(*its))
        its = [iter([1, 2, 3, 4])] * 2
        for x, y in zip(*its): t += x * y * 3
        it = iter([1, 2, 3, 4])
        for x, y in zip(it, it): t += x * 5 + y
        it = iter(range(6))
        for k, x in enumerate(it):
            t += next(it, 0) * k
        m = map(next, [iter((1, 2))] * 2)
        t += sum(m)
    return t
def pass_on(it): return second(it) + second(it) * 10
def second(it): return next(it) * 10 + next(it)
def nested(n):
    t = 0
    for i in range(n):
        t += pass_on(iter((1, 2, 3, 4)))
        t += pass_on(iter(range(9)))
        t += pass_on(iter([4, 3, 2, 1]))
        t += pass_on(reversed([4, 3, 2, 1]))
        t += pass_on(map(abs, (-1, -2, -3, 4)))
        t += pass_on(x for x in (1, 2, 3, 4))
        t += len(pass_on(iter("abcd")) if 0 else "ab")
    return t
for function in (kinds, raised, counted, looped, nested_loops, other_loops, walrus, args, gens, nested):
    print(function.__name__, function(300), function(1200), function(3000))
