"""A loop whose compiled code leaves in each round still makes way for signals and other threads."""

import signal
import threading


class Stop(Exception):
    pass


def handler(number, frame):
    raise Stop


def lists():
    while True:
        x = [1, 2, 3]
        y = x


def unpacks(items=(1, 2, 3)):
    while True:
        a, *b = items


def matches(items=[1, 2]):
    while True:
        match items:
            case [a, b]:
                c = a


class Holder:
    value = 1


def stores_class_attribute():
    k = 0
    while True:
        k += 1
        Holder.value = [1, 2.5, "s", 1 << 70][k % 4]


signal.signal(signal.SIGALRM, handler)
for function in lists, unpacks, matches, stores_class_attribute:
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        function()
    except Stop:
        print(function.__name__, "stopped")

stop = False


def until_stopped():
    k = 0
    while not stop:
        k += 1
        x = [1, 2, k]
    return k


thread = threading.Thread(target=until_stopped)
thread.start()
stop = True
thread.join()
print("ended")
