# os.fork in the midst of hot loops: parent and child go on, threads or none, warnings as python gives them.
import os
import sys
import warnings


def fork_at(count, at):
    """Forks in iteration `at`; the child finishes the loop, and its result comes back through a pipe."""
    total = 0
    read_end = None
    child = None
    for i in range(count):
        total += i * 3
        if i == at:
            read_end, write_end = os.pipe()
            child = os.fork()
            if child == 0:
                total += 1_000_000_000
    if child == 0:
        os.write(write_end, str(total).encode())
        os._exit(7)
    os.close(write_end)
    text = b""
    while chunk := os.read(read_end, 100):
        text += chunk
    os.close(read_end)
    status = os.waitpid(child, 0)[1]
    return total, int(text), os.waitstatus_to_exitcode(status)


def many_children(count):
    children = []
    for i in range(count):
        if i % 1000 == 999:
            pid = os.fork()
            if pid == 0:
                hot = 0
                for j in range(20000):
                    hot ^= j * i
                os._exit(hot % 100)
            children.append(pid)
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]


def grandchildren(depth):
    if depth == 0:
        return 1
    pid = os.fork()
    if pid == 0:
        total = 0
        for i in range(9000):
            total += i
        os._exit(grandchildren(depth - 1) + total % 7)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


warnings.simplefilter("always")
for at in (10, 1500, 8999):
    print(fork_at(9000, at))
print(many_children(6000), grandchildren(3))
for at in (5000, 5001):
    print(fork_at(9000, at))
sys.stdout.flush()
pid = os.fork()
for k in range(9000):
    pid += 0
if pid == 0:
    print("child", k)
    raise SystemExit(4)
print("parent", k, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
