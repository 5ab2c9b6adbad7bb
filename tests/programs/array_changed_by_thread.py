# Another thread changes an array, its shape or who it is between two rounds of a loop that waits for that.
# kiln-test: needs=numpy
import threading

import numpy as np
from _arrays import exact, fresh


def wait_for_element(a):
    while a[3] == 0:
        pass
    return exact(a[3])


def wait_for_view(grid):
    row = grid[1]
    seen = 0
    while not row[2] > 1.5:
        seen += row[0]
    return exact(row[2]), exact(type(seen)(0))


def wait_for_shape(a):
    while len(a) < 100:
        a[0] += 1
    return a.shape, exact(a[-1])


def wait_for_other(holder):
    while holder[0][1] != 77:
        pass
    return exact(holder[0])


def wait_for_flag(a, done):
    """Reads the array in an inner loop, the flag outside; the array is as told when the flag is set."""
    t = finished = 0
    while not finished:
        finished = done[0]
        t = 0
        for i in range(len(a)):
            t += a[i]
    return exact(t)


def wait_for_lock(a):
    i = 0
    try:
        while True:
            a[i % 5] = i % 3
            i += 1
    except ValueError as error:
        return str(error)


def during(function, change, *arguments):
    """Calls `function` while another thread waits until it is hot and then calls `change`."""
    timer = threading.Timer(0.15, change)
    timer.start()
    result = function(*arguments)
    timer.join()
    return result


for dtype in ("int64", "float32", "bool", "uint8", "complex128"):
    a = np.zeros(8, dtype)
    print(dtype, during(fresh(wait_for_element), lambda: a.__setitem__(3, 1), a))
grid = np.zeros((3, 4))
print(during(wait_for_view, lambda: grid.fill(2.0), grid))
growing = np.zeros(10)
print(during(wait_for_shape, lambda: growing.resize(100, refcheck=False), growing))
holder = [np.zeros(3)]
print(during(wait_for_other, lambda: holder.__setitem__(0, np.array([1, 77], np.int16)), holder))


def fill_and_tell():
    a[:] = 5
    done[0] = True


a, done = np.zeros(300, np.int32), np.zeros(1, bool)
print(during(wait_for_flag, fill_and_tell, a, done))
locked = np.zeros(5)
print(during(wait_for_lock, lambda: locked.setflags(write=False), locked))


def count_up(a, count):
    for i in range(count):
        a[i % len(a)] += 1


parts = [np.zeros(16, np.int64) for _ in range(4)]
threads = [threading.Thread(target=count_up, args=(part, 30000)) for part in parts]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*map(exact, parts))
