# Hundreds of short-lived threads that make functions hot, some while another thread forks or changes what they rely on.
import os
import sys
import threading

SOURCE = """
def work(n):
    total = 0
    for i in range(n):
        total += helper(i) + {number}
    return total

def helper(x):
    return x % {modulus} + offset

offset = 1
"""
sys.setswitchinterval(1e-5)


def make(number):
    names = {}
    exec(SOURCE.format(number=number, modulus=3 + number % 4), names)
    return names


def run_all(targets):
    """Runs each (function, arguments, results) on a thread of its own, all at once."""
    threads = []
    for function, arguments, results in targets:
        threads.append(threading.Thread(target=lambda f=function, a=arguments, r=results: r.append(f(*a))))
        threads[-1].start()
    for thread in threads:
        thread.join()


checks = []
for round_number in range(20):
    names = make(round_number)
    results = []
    run_all([(names["work"], (400 + k,), results) for k in range(8)])
    checks.append(sum(results))
print(checks)

# The global that compiled code takes for constant changes while the code is being compiled.
changed = []
for round_number in range(30):
    names = make(round_number)
    first = names["work"](500)
    names["offset"] = 5
    second = names["work"](500)
    names["helper"] = lambda x: x
    changed.append((first, second, names["work"](500)))
print(changed)

# The function dies while it is being compiled.
print([make(k)["work"](450) for k in range(40)][-3:])
statuses = []
for k in range(5):
    names = make(k)
    names["work"](450)
    pid = os.fork()
    if pid == 0:
        results = []
        run_all([(names["work"], (500,), results) for _ in range(4)])
        os._exit(sum(results) % 200)
    statuses.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(statuses)
