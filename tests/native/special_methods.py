# operations that call special methods: comparisons, in, len, truth, stores to items, calls of instances, with, iteration; class methods
from _harness import drive


class Span:
    count = 0

    def __init__(self, low, high):
        self.low = low
        self.high = high

    def __eq__(self, other):
        return self.low == other.low and self.high == other.high

    def __lt__(self, other):
        return self.low < other.low

    def __contains__(self, number):
        return self.low <= number < self.high

    def __len__(self):
        return self.high - self.low

    def __setitem__(self, index, number):
        self.high = self.low + index + number % 3 + 1

    def __call__(self, number, scale=2):
        return self.low + number * scale

    def __enter__(self):
        self.low += 1
        return self.low

    def __exit__(self, *about):
        self.low -= 1

    def __bool__(self):
        return self.low < self.high

    @classmethod
    def step(cls, number):
        return number + 1

    def same(self, other):
        return self.__class__ is other.__class__


class Numbers:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


class Halves(Numbers):
    def __iter__(self):
        for item in self.items:
            yield item // 2


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


def work(n):
    left, right = Span(1, 5), Span(2, 9)
    numbers, halves = Numbers([1, 2, 3, 4]), Halves([5, 6, 7, 8])
    bound = left.same
    total = 0
    for i in range(n):  # kiln-native
        if left == right:
            total += 1
        if left < right:
            total += 2
        if i % 10 in right:
            total += 3
        total += len(left)
        right[i % 4] = i
        total += left(i) + right(i, 3)
        with left as low:
            total += low
        total = Span.step(total)
        if left.same(right) and bound(right):
            total -= 1
        for item in numbers:
            total += item
        for item in halves:
            total += item
        for item in Countdown(5):
            total += item
        if left and not right:
            total += 7
    return total


drive(work)
