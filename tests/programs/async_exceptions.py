# Exceptions set from another thread (PyThreadState_SetAsyncExc) reach hot loops, with and without a try inside.
# kiln-test: needs=ctypes
import ctypes
import threading
import time


class Cancelled(Exception):
    pass


def cancel(ident, delay):
    time.sleep(delay)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(Cancelled))


def endless(out):
    i = 0
    try:
        while True:
            i += 1
    except Cancelled as error:
        out.append((error.__traceback__.tb_lineno - endless.__code__.co_firstlineno in (2, 3, 4), i > 0))


def with_calls(out):
    def step(x):
        return x + 1

    x = 0
    try:
        for _ in range(10**12):
            x = step(x)
    except Cancelled:
        out.append(x > 0)
    finally:
        out.append("finally")


def survives(out):
    n = 0
    hits = 0
    while hits < 2:
        try:
            while True:
                n += 1
        except Cancelled:
            hits += 1
            if hits < 2:
                threading.Thread(target=cancel, args=(threading.get_ident(), 0.02)).start()
    out.append(hits)


for function in (endless, with_calls, survives):
    out = []
    worker = threading.Thread(target=function, args=(out,))
    worker.start()
    cancel(worker.ident, 0.03)
    worker.join(10)
    print(function.__name__, out, worker.is_alive())
