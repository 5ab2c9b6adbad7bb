# Threads with small stacks, 32 KiB the least that Python allows: what is hot in them runs, compiled or not.
# kiln-test: timeout=300
import threading


class Point:
    def __init__(self, x):
        self.x = x

    def move(self, k):
        self.x = (self.x + k) % 1001
        return self.x

    @property
    def double(self):
        return self.x * 2

    def __add__(self, other):
        return Point(self.x + other.x)


def inner(a, b):
    return a * b + 1


def mixed(n):
    total = 0
    point = Point(3)
    items = [0] * 10
    for i in range(n):
        total += inner(i, i & 3) % 7
        if i % 3:
            total -= point.move(i)
        items[i % 10] += total
        total += point.double
    return total, sum(items)


def floats(n):
    x = y = 0.5
    for i in range(n):
        x = x * x - y * 0.25 + 0.1
        y = (y + x) / 2.0 if y < 1.0 else y - 1.0
    return x, y


def raising(n):
    caught = 0
    items = [1, 2, 3]
    for i in range(n):
        try:
            caught += items[i % 4]
        except IndexError:
            caught += 1000
    return caught


def objects(n):
    point = Point(0)
    names = {}
    for i in range(n):
        point = point + Point(i)
        names[i % 50] = point.x
    return point.x, len(names), sum([value % 7 for value in names.values()])


def recursive(n):
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def called_by_c(n):
    return sum(map(inner, range(n), range(n)))


def big(n):
    total = 1
    for i in range(n):
        total = total * 3 + i
        if i % 50 == 0:
            total %= 1000003
    return total


WORK = [(mixed, 20000), (floats, 20000), (raising, 5000), (objects, 5000), (recursive, 17), (deep, 300), (called_by_c, 5000), (big, 5000)]


def run(kibibytes, function, argument):
    results = []
    threading.stack_size(kibibytes * 1024)
    threads = [threading.Thread(target=lambda: results.append(function(argument))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


for kibibytes in (32, 64, 48, 128, 1024):
    for function, argument in WORK:
        print(kibibytes, function.__name__, run(kibibytes, function, argument))
    print([function(argument) for function, argument in WORK])
