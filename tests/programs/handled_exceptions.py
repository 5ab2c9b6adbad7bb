# Exceptions that are handled where they are raised, in a caller, and in loops: what the handler sees, and what it leaves behind.
import sys
import traceback


class Custom(Exception):
    pass


class Noisy(Exception):
    ended = 0

    def __del__(self):
        Noisy.ended += 1


def lookup(table, keys):
    found = missing = 0
    for key in keys:
        try:
            found += table[key]
        except KeyError:
            missing += 1
    return found, missing


def passing(table, keys):
    count = 0
    for key in keys:
        try:
            count += table[key]
        except KeyError:
            pass
    return count


def two_classes(values):
    good = bad = 0
    for value in values:
        try:
            good += int(value)
        except (ValueError, TypeError):
            bad += 1
    return good, bad


def two_clauses(values):
    counts = [0, 0, 0]
    for value in values:
        try:
            int(value)
        except ValueError:
            counts[0] += 1
        except TypeError as error:
            counts[1] += len(str(error)) > 0
        else:
            counts[2] += 1
    return counts


def named(values):
    texts = []
    for value in values:
        try:
            int(value)
        except ValueError as error:
            texts.append((str(error), error.__traceback__.tb_lineno, error.__traceback__.tb_next is None, error.__context__))
    return texts


def until_stop(items):
    iterator = iter(items)
    total = 0
    while True:
        try:
            total += next(iterator)
        except StopIteration:
            break
    return total


def default(table, key):
    try:
        return table[key]
    except KeyError:
        return -1


def picky(value):
    if value % 3 == 0:
        raise Custom(value)
    return value


def from_callee(count):
    total = caught = 0
    for value in range(count):
        try:
            total += picky(value)
        except Custom:
            caught += 1
    return total, caught


def callee_traceback(count):
    lines = set()
    for value in range(count):
        try:
            picky(value)
        except Custom as error:
            lines.add(tuple((frame.name, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)))
            lines.add(error.__traceback__.tb_frame.f_locals["value"] == value)
    return sorted(lines, key=str)


def nested(values):
    trace = []
    for value in values:
        try:
            try:
                int(value)
            except ValueError:
                trace.append(sys.exc_info()[0].__name__)
                float(value)
        except ValueError as error:
            trace.append((str(error), type(error.__context__).__name__, error.__context__.__traceback__ is not None))
        trace.append(sys.exc_info())
    return trace


def reraised(values):
    log = []
    for value in values:
        try:
            try:
                log.append(int(value))
            finally:
                log.append("finally")
        except ValueError:
            log.append("caught")
    return log


def unexpected(values):
    for index, value in enumerate(values):
        try:
            int(value)
        except KeyError:
            return "wrong"
    return index


def with_stack(values):
    results = []
    for value in values:
        results.append([1, 2, default_int(value), 3])
    return results


def default_int(value):
    for factor in (1, 2):
        try:
            return factor * int(value)
        except ValueError:
            continue
    return None


def outer_handler(values):
    try:
        total = 0
        for value in values:
            total += int(value)
    except ValueError:
        return "stopped", total, value
    return total


def finalisers(count):
    for value in range(count):
        try:
            complain(value)
        except Noisy:
            pass
    return Noisy.ended


def complain(value):
    raise Noisy(value)


kept = []


def keeps(count):
    saved = Custom("always the same")
    for value in range(count):
        try:
            give(saved)
        except Custom:
            pass
    depth = 0
    link = saved.__traceback__
    while link is not None:
        depth += 1
        link = link.tb_next
    return depth


def give(error):
    raise error


def lists(count):
    items = [1, 2, 3]
    out = 0
    for index in range(count):
        try:
            items[index % 5] += 1
        except IndexError:
            out += 1
    return out, items


def divisions(count):
    bad = 0
    for value in range(count):
        try:
            100 // (value % 4)
        except ZeroDivisionError:
            bad += 1
    return bad


class Lazy:
    def __init__(self):
        self.asked = 0

    def value(self):
        try:
            return self._value
        except AttributeError:
            self.asked += 1
            return 0


def lazy(count):
    lazies = Lazy()
    for index in range(count):
        lazies.value()
        if index == count - 10:
            lazies._value = 5
    return lazies.asked, lazies.value()


rebound = ValueError


def rebinding(values):
    global rebound
    caught = 0
    for index, value in enumerate(values):
        try:
            int(value)
        except rebound:
            caught += 1
        except ValueError:
            caught += 1000
        if index == len(values) - 3:
            rebound = KeyError
    rebound = ValueError
    return caught


def in_module():
    pass


keys = [n % 7 for n in range(400)]
table = {n: n * n for n in range(5)}
texts = ["1", "x", "22", None, "y"] * 60
words = ["1", "x", "22", "y"] * 60
for turn in range(6):
    print(lookup(table, keys), passing(table, keys))
    print(two_classes(texts), two_clauses(texts))
    print(len(named(words)), named(words)[-1], sorted(set(named(words))))
    print(until_stop(list(range(300))))
    print(sum(default(table, key) for key in keys))
    print(from_callee(300))
    print(callee_traceback(60))
    print(nested(words)[-8:])
    print(reraised(words)[-6:])
    print(with_stack(words)[-3:])
    print(outer_handler(["1"] * 200), outer_handler(["1"] * 200 + ["x", "2"]))
    print(finalisers(100), keeps(50), lists(200), divisions(200), lazy(200), rebinding(words))
    try:
        unexpected(["1"] * 100 + ["x"])
    except ValueError as error:
        print(error, [frame.lineno for frame in traceback.extract_tb(error.__traceback__)][1:])
    print(sys.exc_info())

total = 0
for turn in range(3000):
    try:
        total += table[turn % 6]
    except KeyError:
        total += 1
print(total)
