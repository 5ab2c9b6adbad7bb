# A profiler, a tracer or a frame-evaluation hook that a callee sets holds at once: for inlined calls, direct calls and loops.
import sys

try:
    import _testinternalcapi
except ImportError:
    _testinternalcapi = None


def leaf(x):
    return x + 1


def mid(x):
    return leaf(x) + leaf(x)


def rec(n):
    return 0 if n == 0 else rec(n - 1) + 1


def looping(n):
    s = 0
    for i in range(n):
        s += leaf(i)
    return s


class Number:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x

    @property
    def p(self):
        return self.x

    def __add__(self, other):
        return Number(self.x + other.x)


def in_loop(setter, table):
    """The setter is called each time round: nothing here is cold."""
    s = 0
    c = Number(0)
    one = Number(1)
    for i in range(len(table)):
        setter(table[i])
        s += mid(i) + rec(3) + c.get() + c.p
        c = c + one
    return s, c.x


def set_in_callee(setter, what):
    setter(what)
    return leaf(1)


def in_callee(setter, table):
    s = 0
    for i in range(len(table)):
        s += set_in_callee(setter, table[i]) + looping(3) + mid(i)
    return s


def deep(setter, what, n):
    if n == 0:
        setter(what)
        return 0
    return deep(setter, what, n - 1) + leaf(n)


def in_recursion(setter, table):
    s = 0
    for i in range(len(table)):
        s += deep(setter, table[i], 4) + leaf(i)
    return s


def main(setter, use, n=2400):
    log = []

    def hook(frame, event, arg):
        if frame.f_code.co_filename == __file__:
            log.append((event, frame.f_code.co_name, frame.f_lineno))
        return hook if setter is sys.settrace else None

    for places in (set(), {n - 300}, {n - 200, n - 199, n - 100}, {5, n - 9}):
        table = [hook if i in places else None for i in range(n)]
        result = use(setter, table)
        setter(None)
        print(setter.__name__, use.__name__, result, len(log), hash(tuple(log)), log[-3:])
        log.clear()


for use in in_loop, in_callee, in_recursion:
    main(sys.setprofile, use)
    main(sys.settrace, use)

if _testinternalcapi is not None:
    def set_recording(names):
        if names is None:
            _testinternalcapi.set_eval_frame_default()
        else:
            _testinternalcapi.set_eval_frame_record(names)

    for use in in_loop, in_callee, in_recursion:
        for place in (2000, 2395):
            names = []
            table = [names if i == place else None for i in range(2400)]
            print(use.__name__, use(set_recording, table), names)
            _testinternalcapi.set_eval_frame_default()
    print(looping(1000), mid(1))
