# C code that reads the frame of a caller in compiled code: its locals and self are the true ones.
import ctypes
import inspect
import sys
import warnings

get_locals = ctypes.pythonapi.PyEval_GetLocals
get_locals.restype = ctypes.c_void_p  # borrowed
frame_locals = ctypes.pythonapi.PyFrame_GetLocals
frame_locals.restype = ctypes.py_object
frame_locals.argtypes = [ctypes.py_object]
frame_variable = ctypes.pythonapi.PyFrame_GetVarString
frame_variable.restype = ctypes.py_object
frame_variable.argtypes = [ctypes.py_object, ctypes.c_char_p]


def through_map(n):
    s = 0
    for i in range(n):
        s += i * 2
        s += list(map(eval, ["i + s % 7"]))[0]
    return s


def through_next(n):
    s = 0.5
    for i in range(n):
        s += i
        s += next(map(eval, ["s % 3.0"])) + len(next(map(dir, [[]]))) % 2
    return s


def executed(n):
    run = exec
    out = []
    s = 0
    for i in range(n):
        s += i
        if i % 100 == 0:
            run("out.append((i, s))")
    return out[-3:]


def by_name(n):
    look = [locals, vars]
    total = 0
    for i in range(n):
        half = i / 2
        for j in range(2):
            found = look[j]()
            total += found["i"] + found["half"] + found["j"]
    return total


def by_api(n):
    total = 0
    for i in range(n):
        third = i * 3
        if i % 50 == 0:
            total += ctypes.cast(get_locals(), ctypes.py_object).value["third"] + frame_locals(sys._getframe())["i"] + frame_variable(sys._getframe(), b"third")
    return total


class Base:
    def value(self, x):
        return x + 1


class Derived(Base):
    def value(self, x):
        parent = super
        return parent().value(x) * 2

    def many(self, n):
        total = 0
        for i in range(n):
            total += self.value(i)
        return total

    def in_loop(self, n):
        parent = super
        total = 0
        for i in range(n):
            total += parent().value(i)
        return total

    def rebound(self, n):
        parent = super
        total = 0
        for i in range(n):
            if i == n - 5:
                self = Derived()
            total += parent().value(i) + (self is not None)
        return total


def callee():
    frame = sys._getframe(1)
    return frame.f_locals["i"] + frame.f_locals["held"][0]


def read_by_callee(n):
    total = 0
    for i in range(n):
        held = (i, 1)
        total += callee()
    return total


def sorting(n):
    out = 0
    for i in range(n):
        data = [3, 1, 2]
        data.sort(key=lambda x: -x + len(inspect.currentframe().f_back.f_locals["data"]))
        out += sorted([i, 5], key=eval.__call__ if False else str)[0] + sys._getframe().f_locals["i"]
    return out


def warned():
    warnings.warn("from here", stacklevel=2)


def warning(n):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(n):
            if i % 400 == 0:
                warned()
    return [(w.lineno, str(w.message)) for w in caught]


for _ in range(3):
    print(through_map(2500), through_next(2500), executed(2000), by_name(1500))
    print(by_api(2000), Derived().many(2500), Derived().in_loop(2500), Derived().rebound(2500))
    print(read_by_callee(2500), sorting(1500), warning(2500))
