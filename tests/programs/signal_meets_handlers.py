"""An exception of a signal's handler is raised where a loop begins again, and caught by the clauses that are around that place."""

import signal


class Stop(Exception):
    pass


def handler(number, frame):
    raise Stop


signal.signal(signal.SIGALRM, handler)


def start():
    signal.setitimer(signal.ITIMER_REAL, 0.1)


def returns_const():
    x = 0
    try:
        start()
        while True:
            x = (x * 3 + 1) % 1000003
            if x < 0:
                return 5
    except Stop:
        return "caught"


def breaks():
    x = 0
    try:
        start()
        while True:
            x = (x * 3 + 1) % 1000003
            if x < 0:
                break
    except Stop:
        return "caught"


def nested():
    x = 0
    try:
        start()
        while True:
            for i in range(1000):
                x = (x * 3 + i) % 1000003
                if x < 0:
                    return 5
    except Stop:
        return "caught"


def with_finally():
    x = 0
    ends = 0
    try:
        try:
            start()
            while True:
                x = (x * 3 + 1) % 1000003
                if x < 0:
                    return x
        finally:
            ends += 1
    except Stop:
        return "caught", ends


def raised_in_loop(count):
    """A signal that the loop sends to itself is served right behind the call that sends it."""
    x = 0
    rounds = 0
    try:
        for i in range(count):
            x = (x * 3 + i) % 1000003
            if i == count - 10:
                signal.raise_signal(signal.SIGALRM)
            rounds += 1
    except Stop:
        return "caught", rounds
    return "not caught"


for function in returns_const, breaks, nested, with_finally:
    for _ in range(6):
        try:
            print(function.__name__, function())
        except Stop as stop:
            print("escaped at line", stop.__traceback__.tb_next.tb_lineno)
for _ in range(5):
    print(raised_in_loop(5000))
