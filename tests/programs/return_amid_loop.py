"""A loop that is left by a return takes its iterator from below the value: through finally clauses, and where what ends runs code."""


def through_finally(i):
    for j in range(10):
        try:
            if j == i % 10:
                return j
        finally:
            if i == -1:
                break


def through_two(i, items):
    for item in items:
        for j in range(10):
            try:
                if j == i % 10:
                    return j, item
            finally:
                if i < 0:
                    continue


class Ends:
    count = 0

    def __init__(self, value):
        self.value = value

    def __del__(self):
        Ends.count += 1


def last_of_its_kind(i):
    for item in [Ends(i), Ends(i + 1)]:
        for k in range(5):
            if item.value == i + k % 2:
                return item.value + k


def from_generator(i):
    def items():
        try:
            for k in range(10):
                yield k
        finally:
            Ends.count += 1

    for k in items():
        if k * 2 > i % 10:
            return k


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        Ends.count += 1


def from_with(i):
    with Manager():
        k = 0
        while True:
            k += 1
            if k > i % 10:
                return k


for function in through_finally, lambda i: through_two(i, ["a", "b"]), last_of_its_kind, from_generator, from_with:
    results = {}
    for i in range(4000):
        result = function(i)
        results[repr(result)] = results.get(repr(result), 0) + 1
    print(len(results), sorted(results.items())[:12], Ends.count)
