# Functions that were taken in have no frames until somebody looks: whoever does sees the same stack as ever.
import gc
import signal
import sys
import threading
import time
import traceback
import warnings


def stack(frame):
    names = []
    while frame is not None:
        names.append((frame.f_code.co_name, frame.f_lineno - frame.f_code.co_firstlineno))
        frame = frame.f_back
    return names


seen = []


class Looks:
    """Its methods are called by operations of CPython's, some of them from C."""

    def __init__(self, value):
        self.value = value

    def note(self):
        seen.append(stack(sys._getframe(1)))
        return self.value

    def __hash__(self):
        return self.note()

    def __lt__(self, other):
        self.note()
        return self.value < other.value

    def __repr__(self):
        return f"Looks({self.note()})"

    def __index__(self):
        return self.note()

    def __del__(self):
        if self.value < 0:
            self.note()


def generator(n):
    for i in range(n):
        if i == 2:
            seen.append(stack(sys._getframe()))
        yield i


def hashed(item):
    return hash((item, 1))


def least(items):
    return min(items)


def shown(item):
    return str(item)


def listed(n):
    return list(iter(generator(n)))


def mapped(depth):
    frames = list(map(sys._getframe, [depth]))
    if depth:
        seen.append([frame.f_code.co_name for frame in frames])


def indexed(item):
    return [1, 2, 3][item]


def ended(value):
    item = Looks(value)
    item = None
    return item


def module_of(depth):
    found = list(map(sys._getframemodulename, [depth]))
    if depth:
        seen.append(found)


def warned(text):
    warnings.warn(text, stacklevel=2)


def names(function):
    return sorted(map(str, function()))


def evaluated(text):
    return list(map(eval, [text]))


def failing(items):
    return sorted(items, key=lambda item: 1 // item)


def imported(name):
    return list(map(__import__, [name]))


def outer(function, argument):
    result = function(argument)
    return result


def loop(function, argument, rare, n=2000):
    count = 0
    for i in range(n):
        try:
            outer(function, rare if i == n - 1 else argument)
            count += 1
        except ZeroDivisionError as error:
            lines = [(entry.name, entry.lineno) for entry in traceback.extract_tb(error.__traceback__)]
            seen.append(lines)
    return count


for function, argument, rare in ((hashed, 1, Looks(3)), (least, [1, 2], [Looks(1), Looks(2)]), (shown, 1, Looks(4)), (listed, 2, 3), (mapped, 0, 1),
                                 (indexed, 0, Looks(1)), (ended, 1, -1), (module_of, 0, 1), (names, dict, dict), (evaluated, "1", "len(globals()) > 3"),
                                 (failing, [1, 2], [1, 0]), (imported, "sys", "this_is_not" if False else "math")):
    print(function.__name__, loop(function, argument, rare))
    for item in seen:
        print("   ", item)
    seen.clear()

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(loop(warned, "often", "rare", 1500))
print(sorted({(w.lineno, str(w.message)) for w in caught}))


class Base:
    def describe(self):
        return self.__class__.__name__


class Derived(Base):
    def describe(self):
        return super().describe() + "".join(map(str, [super().__class__]))


def described(item):
    return item.describe()


print(loop(described, Base(), Derived()))


def asleep(seconds):
    time.sleep(seconds)


def waits(function, seconds):
    for i in range(1500):
        outer(function, seconds if i == 1499 else 0)


def look_from_outside(main):
    time.sleep(0.15)
    frame = sys._current_frames()[main]
    seen.append([name for name, _ in stack(frame)])


watcher = threading.Thread(target=look_from_outside, args=(threading.get_ident(),))
watcher.start()
waits(asleep, 0.4)
watcher.join()
print(seen.pop())


def on_alarm(number, frame):
    seen.append([name for name, _ in stack(frame)])


signal.signal(signal.SIGALRM, on_alarm)
signal.setitimer(signal.ITIMER_REAL, 0.15)
waits(asleep, 0.4)
print(seen.pop())


def locals_seen(value):
    kept = value * 2
    return list(map(lambda frame: sorted(frame.f_back.f_locals.items()), [sys._getframe()])) if value == 7 else len([kept])


print(loop(locals_seen, 1, 7))


def kept_frames(value):
    return list(map(sys._getframe, [0])) if value else hash(value)


def keeps(n):
    frames = []
    for i in range(n):
        result = outer(kept_frames, i == n - 1)
        if i == n - 1:
            frames = result
    return [(frame.f_code.co_name, frame.f_back.f_code.co_name) for frame in frames]


print(keeps(2000))


def recursing(depth, item):
    if depth == 0:
        return hash(item)
    return recursing(depth - 1, item) + 1


def recursions(n):
    total = 0
    for i in range(n):
        total += recursing(i % 6, Looks(2) if i == n - 1 else 1)
    return total


print(recursions(3000))
print([name for name, _ in seen.pop()])
gc.collect()
