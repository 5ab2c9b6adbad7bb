"""Features: generators and coroutines that are closed early, thrown into, or die half way; greenlets; threads."""

from __future__ import annotations

from feature import Feature, said

GENERATORS = Feature(
    definitions="""
def gen(n):
    try:
        for j in range(5):
            yield (n + j) & 15
    finally:
        act(n)


def plain(n):
    j = 0
    while j < 4:
        got = yield j + (n & 3)
        j += 1 if got is None else got


def delegating(n):
    try:
        result = yield from gen(n)
        yield n & 7
    except ValueError:
        note("value", n)
        yield 3
    return result


class Waiting:
    def __await__(self):
        try:
            yield 1
        finally:
            act(4)


async def coroutine(n):
    k = n & 3
    await Waiting()
    return k


GENS = [None]
""",
    end="GENS = None",
    triggers=tuple(
        said(text)
        for text in (
            "for {d} in gen({n}): break",
            "for {d} in gen({n}):\n    if {d} % 3 == 2: break\n    {i} = fit({i} + {d})",
            "for {d} in gen({n}): {i} = fit({i} + {d})",
            "for {d} in plain({n}): {i} = fit({i} + {d})",
            "for {d} in delegating({n}):\n    {i} = fit({i} + {d})\n    if {d} == 5: break",
            "{i} = fit({i} + next(gen({n})))",
            "{d} = gen({n}); {i} = fit({i} + next({d})); {d}.close()",
            "{d} = gen({n}); {i} = fit({i} + next({d}))",
            "{d} = delegating({n}); {i} = fit({i} + next({d}))",
            "GENS[0] = gen({n}); {i} = fit({i} + next(GENS[0]))",
            "{d} = gen({n}); next({d})\ntry:\n    {d}.throw(KeyError)\nexcept KeyError as e:\n    note('thrown', e.__traceback__.tb_next is not None)",
            "{d} = delegating({n}); next({d}); {i} = fit({i} + {d}.throw(ValueError))",
            "{d} = plain({n}); next({d}); {i} = fit({i} + {d}.send(2))",
            "{i} = fit({i} + sum(gen({n})))",
            "{b} = any(j > 3 for j in gen({n}))",
            "{i} = fit({i} + sum(j for j in plain({n}) if j & 1))",
            "{i}, *{d} = gen({n})",
            "{d} = coroutine({n}); {d}.send(None); {d}.close()",
            "{d} = coroutine({n}); {d}.send(None)\ntry:\n    {d}.send(None)\nexcept StopIteration as e:\n    {i} = fit({i} + e.value)",
            "{i} = fit({i} + [*zip(gen({n}), (1, 2))][0][0])",
            "{d} = dict.fromkeys(gen({n})); {i} = fit({i} + len({d}))",
        )
    ),
)

GREENLETS = Feature(
    definitions="""
try:
    from greenlet import getcurrent, greenlet
except ImportError:
    greenlet = None


ENDING = [False]  # a greenlet that is thrown away or into must not switch again, whoever catches what ends it


def pause(n):
    if greenlet and getcurrent().parent is not None and not ENDING[0]:
        note("back", getcurrent().parent.switch(n))


def guarded(f):
    try:
        f()
    except Exception as error:
        show(error)
    finally:
        note("left", STATE[1])
    return "end"


def in_greenlets(f, count):
    if greenlet is None:
        guarded(f)
        return
    tasks = [greenlet(guarded) for _ in range(count + 1)]
    for task in tasks:
        note("out", str(task.switch(f)))
    for turn in range(40):
        for task in tasks:
            if not task.dead:
                note("out", str(task.switch(turn)))
        if turn == 7:
            ENDING[0] = True
            tasks.pop()
            task = None
            ENDING[0] = False
    ENDING[0] = True
    for task in tasks:
        if not task.dead:
            try:
                note("out", str(task.throw(KeyError, KeyError(1))))
            except KeyError:
                note("out", "KeyError")
    ENDING[0] = False
""",
    effects=("pause(n)", "if n % 50 == 3: pause(n)"),
    triggers=(said("if {n} % 97 == 5: pause({n})"), said("if {n} % 700 == 1: list(map(pause, (1,)))")),
    driver="in_greenlets",
)

THREADS = Feature(
    definitions="""
import _thread


def busy(n):
    total, x = 0, 0.5
    for j in range(n):
        total = (total * 31 + j) & 1048575
        x = x * 0.75 + total
    return total, x


def work(f, out, lock):
    try:
        out.append(f())
    except Exception as error:
        show(error)
    finally:
        lock.release()


def started(f):
    out, lock = [], _thread.allocate_lock()
    lock.acquire()
    _thread.start_new_thread(work, (f, out, lock))
    return out, lock


def in_threads(f, count):
    for k in range(count):
        others = [started(lambda: busy(4000)) for _ in range(k + 1)]
        out, lock = started(f)
        lock.acquire()
        for result, done in others:
            done.acquire()
            print(result)


def aside(n):
    out, lock = started(lambda: busy(n & 127))
    lock.acquire()
    return out[0][0] & 7
""",
    triggers=(said("if {n} % 501 == 7: {i} = fit({i} + aside({n}))"),),
    driver="in_threads",
)

FEATURES = {"generators": GENERATORS, "greenlets": GREENLETS, "threads": THREADS}
