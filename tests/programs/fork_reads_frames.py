"""A forked child reads the locals of frames in which a thread of its parent waited: the thread's native stack is another's by then."""
import os
import sys
import threading
import warnings

started = threading.Event()
go_on = threading.Event()
frames = []


def waits(i, last):
    if i == last:
        frames.append(sys._getframe(1))
        started.set()
        go_on.wait()
    return i


def loops(rounds):
    name, total, ratio = "loops", 0, 0.5
    for i in range(rounds):
        total += waits(i, rounds - 1)
        ratio += 0.25
    return name, total, ratio


def fills(depth):
    text = "x" * depth
    return len(text) + (fills(depth - 1) if depth else 0)


def main():
    go_on.set()
    for _ in range(3):
        loops(3000)
    go_on.clear()
    started.clear()
    waiting = threading.Thread(target=loops, args=(3000,))
    waiting.start()
    started.wait()
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        for _ in range(3):
            other = threading.Thread(target=fills, args=(200,))
            other.start()
            other.join()
        seen = frames[-1].f_locals
        os.write(write, repr({name: seen[name] for name in ("name", "total", "ratio", "i", "rounds")}).encode())
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        raise SystemExit(f"the child ended with {status}")
    print(os.read(read, 1000).decode())
    go_on.set()
    waiting.join()


main()
