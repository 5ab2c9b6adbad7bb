# os.fork while another Python thread runs: python's DeprecationWarning comes once, and the child still runs hot loops.
import os
import threading
import warnings


def spin(n):
    total = 0
    for i in range(n):
        total += i % 3
    return total


stop = threading.Event()
t = threading.Thread(target=stop.wait)
t.start()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    before = spin(20000)
    pid = os.fork()
    if pid == 0:
        os._exit(spin(20000) % 251)
    print(before, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), spin(20000))
print([str(w.message).replace(str(os.getpid()), "PID") for w in caught], [w.lineno for w in caught])
stop.set()
t.join()
