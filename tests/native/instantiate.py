# instances made and dropped, with lists in them
from _harness import drive


class Pair:
    def __init__(self, first, second=1):
        self.first = first
        self.items = [first, second]


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        pair = Pair(i & 7)
        total += pair.first + len(pair.items) + pair.items[1]
    return total


drive(work)
