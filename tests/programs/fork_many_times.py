# 200 forks while regions are being compiled: nobody waits, warns, crashes or hangs, and both processes go on compiling.
# `fork_many_times.py times` prints how long os.fork() took, too.
# In mode always whoever needs a region waits for it, so that no fork meets one that is being compiled.
# kiln-test: timeout=600 modes=quick,default,deopt
import os
import sys
import threading
import time
import warnings

warnings.simplefilter("error")

SOURCE = """
def work(n, scale):
    total = {number}
    for i in range(n):
        for j in range(3):
            if (i + j) % {modulus} == 0:
                total += i * scale - j
            elif total > 1000000:
                total -= i ^ j
            else:
                total += j * {number}
            if total % 7 == {modulus}:
                total += 1
            elif total % 13 == 3:
                total ^= {number}
    return total
"""


def make(number):
    names = {}
    exec(SOURCE.format(number=number, modulus=2 + number % 5), names)
    return names["work"]


def child(work, number):
    """The exit status: everything is computed as in the parent, by code that was there, was on its way, or is new."""
    if number % 4 != 0:
        return 0 if work(1200, 3) == make(number)(1200, 3) else 1
    fresh = make(number)
    if number % 20 == 0:
        thread = threading.Thread(target=make(number + 1), args=(2000, 2))
        thread.start()
        thread.join()
        time.sleep(0.05)  # what the parent had begun may come to its end
    return 0 if fresh(1200, 3) == work(1200, 3) == fresh(1200, 3) else 1


def main():
    times = []
    failed = 0
    total = 0
    for number in range(200):
        work = make(number)
        work(700, 3)
        time.sleep(number % 4 * 0.001)
        start = time.perf_counter()
        pid = os.fork()
        if pid == 0:
            os._exit(child(work, number))
        times.append(time.perf_counter() - start)
        total += work(1200, 3)
        failed += os.waitpid(pid, 0)[1] != 0
    print(total, failed)
    if "times" in sys.argv:
        times.sort()
        print(f"os.fork(): median {times[100] * 1e3:.2f} ms, longest {times[-1] * 1e3:.2f} ms")


main()
