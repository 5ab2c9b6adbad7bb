"""Containers that end with the iterator or view over them, or beside it: finalisers see the frames that CPython has."""
import sys

seen = []


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        frame = sys._getframe(1)
        seen.append((self.name, frame.f_code.co_name, frame.f_lineno))


def over_items(n):
    for key, value in {k: Ends(k) for k in range(n)}.items():
        if key == 2:
            return key


def over_values(n):
    table = {k: Ends(k) for k in range(n)}
    for value in table.values():
        if value.name == 1:
            return 1


def over_list(n):
    for value in [Ends(k) for k in range(n)]:
        if value.name == n - 1:
            return value.name


def over_tuple(n):
    items = tuple(Ends(k) for k in range(n))
    for value in items:
        items = None
        if value.name == 1:
            break
    return n


def over_set(n):
    for value in {Ends(k) for k in range(n)}:
        return n


def held(n):
    view = {1: Ends("held")}.items()
    other = iter([Ends("listed")])
    return len(view) + n


def shared(n, kept):
    pair = [kept, kept]
    walk = iter(pair)
    both = (pair, walk)
    return len(both) + n


def drive(rounds):
    total = 0
    kept = Ends("kept")
    before = sys.getrefcount(kept)
    for i in range(rounds):
        total += over_items(4) + over_values(3) + over_list(3) + over_tuple(3) + over_set(1) + held(i) + shared(i, kept)
    print(total, len(seen), sys.getrefcount(kept) == before)


for rounds in (3, 40, 600):
    drive(rounds)
    print(sorted(set(seen), key=str))
    seen.clear()
