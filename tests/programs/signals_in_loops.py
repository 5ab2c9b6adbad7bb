# Signal handlers run in the midst of hot loops: timers, handlers that change locals' cells, globals, and that raise.
import os
import signal
import threading
import time

fired = 0


def on_alarm(number, frame):
    global fired
    fired += 1
    names.add(frame.f_code.co_name)


names = set()


def spin_until(n):
    i = 0
    while fired < n:
        i += 1


def spin_range(n):
    deadline = time.monotonic() + 20
    while True:
        for i in range(1000):
            pass
        if fired >= n or time.monotonic() >= deadline:
            return i


def in_the_loop(attempt, *arguments):
    """What an attempt gives; again while the signal came before its loop, which then gives None."""
    while (result := attempt(*arguments)) is None:
        pass
    return result


class Stop(Exception):
    pass


def raise_stop(number, frame):
    raise Stop(number)


def interrupted(delay):
    signal.signal(signal.SIGALRM, raise_stop)
    i = total = 0
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        while True:
            i += 1
            total += i & 3
    except Stop as stop:
        if total == 0:
            return None
        tb = stop.__traceback__
        lines = tb.tb_lineno - interrupted.__code__.co_firstlineno
        return stop.args, lines in (5, 6, 7), 0 <= 3 * i - total, tb.tb_next.tb_frame.f_code.co_name


def consistent_state(rounds):
    """The handler raises at any point: a and b may differ by the one step under way only."""
    worst = 0
    for k in range(rounds):
        a = b = 0
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.002 + 0.0005 * k)
            while True:
                a += 1
                b += 1
        except Stop:
            worst = max(worst, abs(a - b))
    return worst <= 1


def from_thread():
    seen = []
    signal.signal(
        signal.SIGUSR1, lambda number, frame: seen.append(threading.current_thread() is threading.main_thread())
    )
    t = threading.Thread(target=lambda: [os.kill(os.getpid(), signal.SIGUSR1) for _ in range(3)])
    t.start()
    n = 0
    while not seen:
        n += 1
    t.join()
    return set(seen)


def handler_rebinds_global():
    global step
    step = 1

    def change(number, frame):
        global step
        step = 0

    signal.signal(signal.SIGALRM, change)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    n = 0
    while step:
        n += step
    return (step,) if n > 0 else None


def handler_sees_locals():
    seen = {}

    def look(number, frame):
        if frame.f_code is handler_sees_locals.__code__:
            seen.update(frame.f_locals)
        done.append(1)

    done = []
    constant, counter = "kept", 0
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    while not done:
        counter += 1
    return (seen["constant"], seen["counter"] <= counter) if seen.get("counter") else None


signal.signal(signal.SIGALRM, on_alarm)
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
while "spin_until" not in names:
    spin_until(fired + 5)
print(spin_range(fired + 10), fired >= 10)
signal.setitimer(signal.ITIMER_REAL, 0)
print(in_the_loop(interrupted, 0.03), in_the_loop(interrupted, 0.01))
print(consistent_state(12), from_thread(), in_the_loop(handler_rebinds_global), in_the_loop(handler_sees_locals))
