# Calls with the items of lists and tuples: of as many each time, of others, lists that change, arguments that end in the call.
# kiln-test: modes=always,quick,default,deopt,gc
import gc

gc.freeze()  # what was there before is nothing for the collections of mode gc


def spread(n):
    def f(a, b, *c):
        return a + b + len(c)
    def g(a, b=2):
        return a * b
    l = [1, 2, 3]
    t = (4, 5)
    s = 0
    for i in range(n):
        s += f(*l) + g(*t) + g(*[i]) + f(*t)
        m = l
        s += f(*m)
        if i % 500 == 499:
            l.append(i)
        if i % 700 == 699:
            t = (i, 1, 2)[: i % 2 + 1]
        try:
            s += g(*l)
        except TypeError as e:
            s += len(str(e))
    return s


try:
    print(spread(3000))
except TypeError as e:
    print(e)


class Dies:
    n = 0
    def __del__(self):
        Dies.n += 1


def drops(n):
    def f(a, b):
        a = None
        return Dies.n
    s = 0
    for i in range(n):
        l = [Dies(), i]
        s += f(*l)
        l = None
        s += f(*[Dies(), 2])
        s += f(*(Dies(), 2))
    return s, Dies.n


print(drops(2000))


class M:
    def go(self, a, b):
        return a - b
    def __call__(self, a, b):
        return a * b


def methods(n):
    m = M()
    l = [5, 3]
    s = 0
    for i in range(n):
        s += m.go(*l) + m(*l) + M.go(m, *l)
    return s


print(methods(3000))


def generic(n):
    fs = [lambda a, b: a + b, lambda *a: len(a), max, M().go, divmod]
    s = 0
    for i in range(n):
        r = fs[i % 5](*[i, 3])
        s += r if isinstance(r, int) else r[0]
    return s


print(generic(3000))


def lengths(n):
    s = 0
    def f(*a):
        return len(a)
    for i in range(n):
        s += f(*range(i % 4)) + f(*[0] * (i % 3)) + f(*"ab")
    return s


print(lengths(3000))
