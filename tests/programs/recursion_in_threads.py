# Recursion in other threads, with default and small stacks: the same depth, the same RecursionError, no crash.
import sys
import threading


def descend(n, deepest):
    deepest[0] = n
    descend(n + 1, deepest)


def count(n):
    return 0 if n == 0 else count(n - 1) + 1


def work(results, name):
    deepest = [0]
    try:
        descend(0, deepest)
    except RecursionError as error:
        results[name] = deepest[0], str(error), count(900)


def deep_work(results, name):
    results[name] = count(150000)


def run(function, names):
    results = {}
    threads = [threading.Thread(target=function, args=(results, name)) for name in names]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    return sorted(results.items())


for _ in range(20):
    count(500)
print(run(work, "abcd"))
for size in (256 * 1024, 1024 * 1024, 0):
    threading.stack_size(size)
    print(size, run(work, "ab"))
sys.setrecursionlimit(10**6)
print(run(deep_work, "xy"))
threading.stack_size(512 * 1024)
print(run(deep_work, "z"))
