# Greenlets that switch inside callees of compiled code: to others in the same code, back in any order, thrown away, never ended.
# kiln-test: needs=greenlet modes=always,quick,default,deopt,gc timeout=400
# kiln-test: asan='greenlet copies whole stacks, with what is poisoned in them'
import gc
import sys
import threading
import weakref

import greenlet

gc.freeze()  # what was there before is nothing for the collections of mode gc
main = greenlet.getcurrent()


def inner(i, period=97):
    if i % period == period - 1:
        greenlet.getcurrent().parent.switch(i)
    return i * 2 + 1


def summing(n, k):
    s = 0.0
    for i in range(n):
        s += inner(i) * 0.5 + k
    return s


def recursive(n):
    if n == 0:
        greenlet.getcurrent().parent.switch("bottom")
        return 1
    return recursive(n - 1) + n


def recursions(times):
    return sum(recursive(30) for _ in range(times))


def run_all(greenlets):
    """Runs them in turns to their ends; what each gave last."""
    last = {}
    while greenlets:
        for key in list(greenlets):
            g, arguments = greenlets[key]
            last[key] = g.switch(*arguments)
            greenlets[key] = (g, ())
            if g.dead:
                del greenlets[key]
    return last


def interleaved():
    made = {("sum", k): (greenlet.greenlet(summing), (1500 + 10 * k, k)) for k in range(5)}
    made |= {("rec", k): (greenlet.greenlet(recursions), (6 + k,)) for k in range(3)}
    print(sorted(run_all(made).items()))


for _ in range(3):
    interleaved()


# ---- thrown away, by the collector and by an exception
closed = []


def victim(tag):
    try:
        for i in range(10**7):
            inner(i, 31)
    finally:
        closed.append((tag, i))


def start(function, count, rounds):
    made = [greenlet.greenlet(function) for _ in range(count)]
    for tag, g in enumerate(made):
        g.switch(tag)
    for r in range(rounds):
        for g in made[::1 if r % 2 else -1]:
            g.switch()
    return made


def names(g):
    frame, found = g.gr_frame, []
    while frame is not None:
        found.append(frame.f_code.co_name)
        frame = frame.f_back
    return found


suspended = start(victim, 12, 60)
print(sorted({tuple(names(g)) for g in suspended}))
print(sorted((g.gr_frame.f_back.f_locals["i"], g.gr_frame.f_back.f_locals["tag"], g.gr_frame.f_locals["i"]) for g in suspended))
for g in suspended:  # their frames were looked at: they go on all the same
    g.switch()
print(sorted(g.gr_frame.f_back.f_locals["i"] for g in suspended))
del suspended[::2], g
gc.collect()
print(sorted(closed))
for g in suspended:
    try:
        g.throw(KeyError("thrown"))
    except KeyError as error:
        traceback = error.__traceback__
        trail = []
        while traceback is not None:
            trail.append((traceback.tb_frame.f_code.co_name, traceback.tb_lineno))
            traceback = traceback.tb_next
        print(trail)
del suspended, g
print(sorted(closed))


# ---- an exception caught in compiled code, and one that passes through it
def failing(i):
    if i % 50 == 49:
        greenlet.getcurrent().parent.switch(i)
        raise ValueError(i)
    return i


def catching(n):
    caught = 0
    for i in range(n):
        try:
            caught += failing(i) & 1
        except ValueError as error:
            caught += error.args[0]
    return caught


def passing(n):
    for i in range(n):
        failing(i)


print(sorted(run_all({k: (greenlet.greenlet(catching), (1000 + k,)) for k in range(3)}).items()))
for _ in range(30):
    g = greenlet.greenlet(passing)
    g.switch(100)
    try:
        g.switch()
    except ValueError as error:
        trail = error.args[0]
print(trail)


# ---- switches where an object is released
class Switching:
    def __init__(self, i):
        self.i = i

    def __del__(self):
        if self.i % 40 == 7:
            greenlet.getcurrent().parent.switch(self.i)


def releasing(n):
    s = 0
    held = None
    for i in range(n):
        held = Switching(i)
        s += held.i
    held = None
    return s


class Target:
    pass


def watching(n):
    count = 0

    def gone(reference):
        nonlocal count
        count += 1
        if count % 50 == 3:
            greenlet.getcurrent().parent.switch(count)

    for i in range(n):
        target = Target()
        reference = weakref.ref(target, gone)
        target = None
    return count


print(sorted(run_all({k: (greenlet.greenlet(releasing), (600 + k,)) for k in range(3)}).items()))
print(sorted(run_all({k: (greenlet.greenlet(watching), (600 + k,)) for k in range(3)}).items()))


# ---- in generators, comprehensions and sort keys
def producing(n):
    for i in range(n):
        yield inner(i, 61)


def consuming(n):
    total = 0
    for value in producing(n):
        total += value
    return total + sum([inner(i, 53) for i in range(n)]) + len(sorted(range(n), key=lambda i: -inner(i, 71)))


print(sorted(run_all({k: (greenlet.greenlet(consuming), (700 + k,)) for k in range(3)}).items()))


# ---- deep recursion, each on a stack of its own
def deep(n):
    if n == 0:
        return greenlet.getcurrent().parent.switch("deep") or 0
    return deep(n - 1) + 1


def deeper(rounds):
    return [deep(300) for _ in range(rounds)]


print([value[:3] for value in run_all({k: (greenlet.greenlet(deeper), (4,)) for k in range(6)}).values()])


def endless(n):
    return endless(n + 1) + 1


def limited(_):
    try:
        endless(0)
    except RecursionError:
        greenlet.getcurrent().parent.switch("limit")
    return summing(300, 1)


print(run_all({k: (greenlet.greenlet(limited), (0,)) for k in range(2)}))


# ---- each greenlet's results go on where the other's compiled code left by an exit
def mixed(n, change):
    s = 0
    for i in range(n):
        inner(i, 29)
        s = s + (i if i % change else 0.5)
    return s


print(sorted(run_all({k: (greenlet.greenlet(mixed), (500, 3 + 2 * k)) for k in range(4)}).items()))


# ---- greenlets of other threads, some left suspended when their thread ends
left = []


def in_thread(results, k):
    results[k] = sorted(run_all({j: (greenlet.greenlet(summing), (900 + j, k)) for j in range(3)}).items())
    g = greenlet.greenlet(victim)
    for step in range(40):
        g.switch(f"thread {k}") if step == 0 else g.switch()
    left.append(g)


for _ in range(3):
    results = {}
    threads = [threading.Thread(target=in_thread, args=(results, k)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sorted(results.items()))
print(len(left))
try:
    left[0].switch()
except greenlet.error as error:
    print("cannot switch")
del left[:6]
gc.collect()
interleaved()


# ---- code is thrown away and compiled again while greenlets wait in it
factor = 2


def scaled(i):
    if i % 90 == 89:
        greenlet.getcurrent().parent.switch(i)
    return i * factor


def scaling(n):
    s = 0
    for i in range(n):
        s += scaled(i)
    return s


def changing():
    global factor
    made = [greenlet.greenlet(scaling) for _ in range(4)]
    sums = [g.switch(1200) for g in made]
    while not all(g.dead for g in made):
        for k, g in enumerate(made):
            if not g.dead:
                sums[k] = g.switch()
        factor += 1
        gc.collect()
    print(sums, factor)


changing()
changing()

# ---- some are still suspended in compiled code at the end
remaining = start(victim, 4, 50)
sys.stdout.flush()
