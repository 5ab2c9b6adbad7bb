# `with` around what is hot, calls with * and **, and the dicts and tuples made for them.
import sys
import threading


class Manager:
    def __init__(self, swallow=False):
        self.swallow = swallow
        self.entered = self.left = self.raised = 0

    def __enter__(self):
        self.entered += 1
        return self

    def __exit__(self, kind, error, link):
        self.left += 1
        if kind is not None:
            self.raised += 1
            assert link.tb_frame.f_code.co_name in ("inside", "both", "leaves"), link.tb_frame
            assert sys.exc_info()[1] is error
        return self.swallow


class FailsToEnter:
    def __enter__(self):
        raise KeyError("enter")

    def __exit__(self, *_):
        raise AssertionError("not entered")


class FailsToLeave:
    def __enter__(self):
        return 1

    def __exit__(self, kind, error, link):
        raise ValueError("leave")


class NoExit:
    def __enter__(self):
        return self


class Slotted:
    __slots__ = ()
    __enter__ = __exit__ = lambda *args: len(args)


def inside(manager, values):
    total = 0
    for value in values:
        with manager as entered:
            total += int(value)
            assert entered is manager
    return total


def both(values):
    outer, inner = Manager(True), Manager()
    done = 0
    for value in values:
        with outer, inner:
            done += int(value)
        done += 1
    return done, outer.entered, outer.left, outer.raised, inner.raised


def leaves(values, manager):
    for value in values:
        with manager:
            if value == "x":
                continue
            if value == "stop":
                break
            if value == "back":
                return "returned"
    return "end"


def failing(makers):
    log = []
    for make in makers:
        try:
            with make() as entered:
                log.append(entered)
                if len(log) % 3 == 0:
                    raise LookupError("body")
        except Exception as error:
            log.append((type(error).__name__, str(error), type(error.__context__).__name__))
    return log


def locked(count):
    lock = threading.Lock()
    total = 0
    for number in range(count):
        with lock:
            total += number
    return total, lock.locked()


def takes(a, b=2, *rest, c=3, **others):
    return a + b + c + len(rest), sorted(others.items())


def spread(count):
    result = []
    options = {"c": 5, "d": 6}
    for number in range(count):
        pair = (number, 1)
        result.append(takes(*pair))
        result.append(takes(*pair, **options))
        result.append(takes(*[number, 2, 3], 4, **options, e=number))
        result.append(takes(number, **{"b": 7}, **options))
        result.append(max(*pair, number + 1))
        result.append({**options, "c": number, **{"z": 1}})
    return result[-6:], len(result)


def iterables(count):
    total = 0
    for number in range(count):
        total += takes(*range(number % 3 + 1))[0]
        total += takes(*{number: 1})[0]
        total += takes(*(item for item in (number, 1)))[0]
        total += takes(*"")[0] if number < 0 else 0
    return total


def wrong(count):
    texts = {}
    for number in range(count):
        try:
            if number % 4 == 0:
                takes(*number)
            elif number % 4 == 1:
                takes(1, **{"c": 1}, **{"c": 2})
            elif number % 4 == 2:
                takes(**[1])
            else:
                takes(1, **{1: 2})
        except TypeError as error:
            texts[str(error)] = texts.get(str(error), 0) + 1
    return sorted(texts.items())


class Mapping:
    def keys(self):
        return ["c", "q"]

    def __getitem__(self, key):
        return len(key)


def mappings(count):
    total = 0
    for _ in range(count):
        total += takes(1, **Mapping())[0]
        total += len({**Mapping(), "x": 1})
    return total


def wrapper(function):
    def call(*args, **kwargs):
        return function(*args, **kwargs)
    return call


wrapped = wrapper(wrapper(takes))


def decorated(count):
    total = 0
    for number in range(count):
        total += wrapped(number)[0] + wrapped(number, 1, 2, c=number)[0] + wrapped(a=number, z=1)[0]
    return total


class Noisy:
    ended = 0

    def __del__(self):
        Noisy.ended += 1


def temporaries(count):
    for _ in range(count):
        takes(1, 2, *[Noisy(), Noisy()])
        with Manager(Noisy()):
            pass
    return Noisy.ended


values = ["1", "2", "3"] * 40
for turn in range(8):
    print(inside(Manager(), values), inside(Manager(True), values + ["x"] * 50 + ["4"]))
    try:
        inside(Manager(), values + ["y"])
    except ValueError as error:
        print(error, error.__traceback__.tb_next.tb_lineno)
    print(both(values + ["x"] * 60))
    print(leaves(values + ["x"], Manager()), leaves(["1", "x", "stop"], Manager()), leaves(["1"] * 50 + ["back"], Manager()))
    print(failing([Slotted, FailsToEnter, FailsToLeave, NoExit, int] * 12)[-10:])
    print(locked(200))
    print(spread(50))
    print(iterables(60), mappings(40), decorated(60))
    print(wrong(80))
    print(temporaries(40), sys.exc_info())
