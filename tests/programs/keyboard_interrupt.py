# Ctrl-C in hot loops: arrives within a second, at a line of the loop, in a function, a callee and at module level.
import _thread
import linecache
import os
import signal
import threading
import time

sent = 0.0


def interrupt():
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)


def interrupt_soon():
    threading.Timer(0.05, interrupt).start()


def plain_loop():
    i = 0
    while True:
        i += 1


def counted_loop():
    total = 0
    for i in range(10**12):
        total += i & 7
    return total


def nested_loops():
    n = 0
    while True:
        for i in range(1000):
            for j in range(1000):
                n = n + 1 & 0xFFFF


def callee(x):
    return x + 1


def calling_loop():
    x = 0
    while True:
        x = callee(x)


def empty_loop():
    while True:
        pass


def float_loop():
    x = 1.0
    while x > 0.0:
        x = x * 1.0000001
        if x > 2.0:
            x = 1.0


def recursion():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    fib(60)


def in_try():
    cleaned = []
    try:
        while True:
            try:
                pass
            finally:
                cleaned[:] = [1]
    except KeyboardInterrupt:
        assert cleaned in ([], [1])
        raise


def measure(function):
    try:
        interrupt_soon()
        function()
    except KeyboardInterrupt as error:
        waited = time.monotonic() - sent
        tb = error.__traceback__
        names = []
        while tb:
            code = tb.tb_frame.f_code
            lines = {line for _, _, line in code.co_lines()}
            assert tb.tb_lineno in lines, (code, tb.tb_lineno)
            if code.co_name not in names:
                names.append(code.co_name)
            tb = tb.tb_next
        # The innermost frame may or may not be the callee; what lies above it is certain.
        return names[1], waited < 1.0
    return "no interrupt"


for function in (plain_loop, counted_loop, nested_loops, calling_loop, empty_loop, float_loop, recursion, in_try):
    print(function.__name__, measure(function))
    print(function.__name__, measure(function))

threading.Timer(0.05, _thread.interrupt_main).start()
try:
    count = 0
    while True:
        count += 1
except KeyboardInterrupt as error:
    line = linecache.getline(__file__, error.__traceback__.tb_lineno).strip()
    print("module", line in ("count = 0", "while True:", "count += 1"), count >= 0)
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGINT)
for k in range(20000):
    count += k
print("ignored", k)
