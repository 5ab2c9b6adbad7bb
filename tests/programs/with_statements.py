# with in hot loops: enter and exit order, swallowed exceptions, several managers, returns and breaks through them.
# kiln-test: libraries=compiled
import contextlib
import threading


class Manager:
    depth = 0
    log = []

    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow

    def __enter__(self):
        Manager.depth += 1
        if len(self.log) < 40:
            self.log.append("+" + self.name)
        return self.name

    def __exit__(self, kind, value, tb):
        Manager.depth -= 1
        if len(self.log) < 40:
            self.log.append("-" + self.name + (kind.__name__ if kind else ""))
        return self.swallow


def several(count):
    total = 0
    for i in range(count):
        with Manager("a") as a, Manager("b", swallow=True) as b:
            total += len(a) + len(b)
            if i % 3 == 0:
                raise KeyError(i)
            total += 1
    return total, Manager.depth


def escapes(count):
    def find(i):
        with Manager("r"):
            if i % 2:
                return i
        return -1

    total = 0
    for i in range(count):
        total += find(i)
        for j in range(5):
            with Manager("l"):
                if j == i % 5:
                    break
                if j == 1:
                    continue
                total += 1
    return total, Manager.depth


@contextlib.contextmanager
def tracked(counts, key):
    counts[key] = counts.get(key, 0) + 1
    try:
        yield counts
    except ValueError:
        counts["caught"] = counts.get("caught", 0) + 1
    finally:
        counts["left"] = counts.get("left", 0) + 1


def generator_based(count):
    counts = {}
    for i in range(count):
        with tracked(counts, i % 3):
            if i % 7 == 0:
                raise ValueError
    return counts


def locks(count):
    lock = threading.Lock()
    total = 0
    for i in range(count):
        with lock:
            total += i
    return total, lock.locked()


def suppressing(count):
    n = 0
    for i in range(count):
        with contextlib.suppress(ZeroDivisionError, IndexError):
            n += 10 // (i % 5)
            n += [1, 2][i % 3]
    return n


def uncaught(count):
    for i in range(count):
        with Manager("u"):
            if i == count - 1:
                raise ValueError(i)


def enter_fails(count):
    class Broken:
        def __enter__(self):
            raise OSError("enter")

        def __exit__(self, *details):
            print("never")

    errors = 0
    for i in range(count):
        try:
            with Broken():
                pass
        except OSError:
            errors += 1
    try:
        with 5:
            pass
    except TypeError as error:
        return errors, str(error)


print(several(6000), Manager.log)
Manager.log.clear()
print(escapes(3000), Manager.log)
print(generator_based(6000), locks(9000), suppressing(9000), enter_fails(5000))
try:
    uncaught(6000)
except ValueError as error:
    print(error, error.__traceback__.tb_next.tb_lineno, Manager.depth)
