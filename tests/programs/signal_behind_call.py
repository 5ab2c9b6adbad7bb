"""What a call of a C function asks of the interpreter is served right behind the call: in the `try` that is around it, at its line."""

import _thread
import ctypes
import math
import signal
import sys
import threading


class Stop(Exception):
    pass


lines = []


def handler(number, frame):
    lines.append((frame.f_lineno or 0) - frame.f_code.co_firstlineno)
    raise Stop


signal.signal(signal.SIGINT, handler)
interrupt = _thread.interrupt_main


def around_call(at):
    count = 0
    for i in range(6000):
        try:
            if i == at:
                interrupt()
            count += 1
        except Stop:
            return "caught", i, count
    return "not caught"


def around_last_call(at):
    rounds = 0
    while rounds < 6000:
        rounds += 1
        try:
            if rounds == at:
                interrupt()
        except Stop:
            return "caught", rounds
    return "not caught"


def with_finally(at):
    ends = 0
    for i in range(6000):
        try:
            try:
                if i == at:
                    interrupt(
                    )
            finally:
                ends += 1
        except Stop:
            return "caught", i, ends
    return "not caught"


def inlined(i, at):
    try:
        if i == at:
            interrupt()
        return i
    except Stop:
        return -1


def in_callee(at):
    total = 0
    for i in range(6000):
        total += inlined(i, at)
    return total


class Guarded:
    def __init__(self):
        self.seen = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        if kind is Stop:
            self.seen.append("stop")
            return True
        return False


def in_with(at):
    guarded = Guarded()
    for i in range(6000):
        with guarded:
            if i == at:
                interrupt()
    return guarded.seen


def exception_for_own_thread(at):
    raises = ctypes.pythonapi.PyThreadState_SetAsyncExc
    own = ctypes.c_ulong(threading.get_ident())
    stop = ctypes.py_object(Stop)
    for i in range(6000):
        try:
            if i == at:
                raises(own, stop)
        except Stop:
            return "caught", i
    return "not caught"


def traced(at):
    try:
        for i in range(6000):
            if i == at:
                interrupt()
    except Stop as stop:
        return stop.__traceback__.tb_lineno - sys._getframe().f_code.co_firstlineno


class Asking:
    """Asks where the interpreter does not look."""

    __getitem__ = interrupt


def then_native(at):
    count = 0.0
    for i in range(6000):
        try:
            if i == at:
                asking[signal.SIGINT]
            count += math.sqrt(4.0)
        except Stop:
            return "caught", i, count
    return "not caught"


def twice(x):
    return x + x


def then_python(at):
    count = 0
    for i in range(6000):
        try:
            if i == at:
                asking[signal.SIGINT]
            count += twice(i)
        except Stop:
            return "caught", i, count
    return "not caught"


def then_around(at):
    for i in range(6000):
        try:
            if i == at:
                asking[signal.SIGINT]
        except Stop:
            return "caught", i
    return "not caught"


def negative(number):
    return -number


def one_of_many(at):
    count = 0
    for i in range(6000):
        try:
            callees[i % 3 if i != at else 3](signal.SIGUSR1 if i != at else signal.SIGINT)
            count += 1
        except Stop:
            return "caught", i, count
    return "not caught"


def tb_lasti(at):
    for i in range(6000):
        try:
            inner(interrupt if i == at else negative)
        except Stop as stop:
            return stop.__traceback__.tb_next.tb_lasti
    return "not caught"


def inner(callee):
    total = 0.0
    for k in range(10):
        total += k * 0.5
    callee(signal.SIGINT)
    return total


asking = Asking()
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
callees = [negative, twice, interrupt, interrupt]


for function in around_call, around_last_call, with_finally, in_callee, in_with, exception_for_own_thread, traced, then_native, then_python, then_around, one_of_many, tb_lasti:
    for at in 5, 601, 2500, 5999:
        try:
            print(function.__name__, at, function(at))
        except Stop as stop:
            print(function.__name__, at, "escaped")
print(lines)
