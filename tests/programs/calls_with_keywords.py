"""Hot calls whose arguments CPython binds: keywords, defaults, *args and **kwargs, and what may happen while it does."""

import inspect
import sys
import threading
import traceback


def weigh(x, n=6, *, scale=3):
    total = 0
    for i in range(n):
        total += x * i % 7 * scale
    return total


def gather(*values, start=0, **named):
    total = start
    for value in values:
        total = total * 3 % 1000003 + value
    for name in named:
        total += named[name] * len(name)
    return total


def feed(rounds):
    """Calls from a generator, which is always interpreted."""
    for i in range(rounds):
        yield weigh(i)
        yield weigh(i, scale=i & 3)
        yield weigh(n=i % 5, x=i)
        yield weigh(*(i, 4))
        yield weigh(**{"x": i, "scale": 2})
        yield gather(i, 1, 2)
        yield gather(i, 1, start=5)
        yield gather(a=i, bc=2)
        yield gather()


def changing_classes(rounds):
    kinds = [1, 2.5, True, 2**70, -0.0]
    for i in range(rounds):
        yield weigh(kinds[i % 5], scale=kinds[i // 5 % 5])


def refused(call):
    try:
        return call()
    except TypeError as error:
        return str(error)


def wrong_arguments(rounds):
    calls = [
        lambda: weigh(),
        lambda: weigh(1, x=2),
        lambda: weigh(1, 2, 3),
        lambda: weigh(1, what=2),
        lambda: weigh(1, scale=None),
        lambda: gather(1, "a"),
        lambda: weigh(1, 2, scale=1, n=2),
    ]
    messages = {}
    for i in range(rounds):
        for index, call in enumerate(calls):
            messages.setdefault(index, set()).add(refused(call))
    return messages


class Name(str):
    """A keyword that is compared by Python code: frames start while arguments are bound."""

    seen = 0

    def __eq__(self, other):
        Name.seen += weigh(1, n=2)
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def compared_keywords(rounds):
    total = 0
    for i in range(rounds):
        total += weigh(i, **{Name("scale"): 2})
    return total, Name.seen > 0


def descend(n, *, step=1, by=0):
    return by if n <= 0 else 1 + descend(n - step, step=step, by=by)


def depths():
    limit = sys.getrecursionlimit()
    shallow = [descend(900, by=k) for k in range(30)]
    try:
        descend(5000)
    except RecursionError as error:
        refusal = str(error)
    sys.setrecursionlimit(10**6)
    try:
        return set(shallow), refusal, descend(30000), descend(200000)
    finally:
        sys.setrecursionlimit(limit)


def fails_at(n, *, at=50):
    total = 0
    for i in range(n):
        total += 100 // (at - i)
    return total


def failures(rounds):
    texts = set()
    for _ in range(rounds):
        try:
            fails_at(100, at=60)
        except ZeroDivisionError:
            texts.add(traceback.format_exc())
    return sorted(texts)


def whose_frame(depth, *, say=False):
    names = []
    for i in range(depth):
        names.append(sys._getframe(1).f_code.co_name if say else i)
    return names[-1], inspect.currentframe().f_code.co_name, sorted(locals())


def collected_identity(*args, **kwargs):
    same = args is args and kwargs is kwargs
    kwargs["more"] = len(args)
    for value in args:
        same = same and value is not None
    return same, sorted(kwargs.items()), sys.getrefcount(args) < 20


class Noted:
    notes = []

    def __init__(self, label):
        self.label = label

    def __del__(self):
        Noted.notes.append(self.label)


def drops(a, *, b=None, times=4):
    total = 0
    for i in range(times):
        total += i * i
    Noted.notes.append(total)
    return total


def finalised(rounds):
    Noted.notes.clear()
    for i in range(rounds):
        drops(Noted("a"), b=Noted("b"))
        Noted.notes.append("after")
    return Noted.notes[-4:], len(Noted.notes)


def traced(rounds):
    """A tracer that comes and goes between calls sees every call."""
    seen = []

    def tracer(frame, event, arg):
        seen.append((event, frame.f_code.co_name))
        return None

    for i in range(rounds):
        if i % 100 == 99:
            sys.settrace(tracer)
        weigh(i, scale=1)
        sys.settrace(None)
    return len(seen), set(seen)


def in_threads():
    results = []

    def work(k):
        total = 0
        for value in feed(300):
            total += value
        results.append(total)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def with_new_defaults(rounds):
    total = 0
    for i in range(rounds):
        if i == rounds // 2:
            weigh.__kwdefaults__ = {"scale": 11}
            weigh.__defaults__ = (3,)
        total += sum(feed(1))
    return total


def main():
    for value in (sum(feed(600)), sum(changing_classes(600)), wrong_arguments(60), compared_keywords(300), depths()):
        print(value)
    for text in failures(120):
        print(text)
    for _ in range(60):
        seen = whose_frame(3), whose_frame(3, say=True), collected_identity(1, 2, k=3), collected_identity()
    print(seen, finalised(200), traced(600))
    print(in_threads(), with_new_defaults(400))


main()
