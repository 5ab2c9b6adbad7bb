# displays and comprehensions of lists, dicts and sets, and strings that are made of values
from _harness import drive


def work(n):
    total = 0
    for i in range(n):  # kiln-native
        items = [1, 2, 3, 4]
        table = {i & 7: i, "b": 2}
        group = {1, 2, 3}
        text = f"{i}:{i / 4}:{items[0]}-{text_of(i & 1)}"
        total += len(items) + len(table) + len(group) + len(text) + len(f"{i / 3:.2f}{text!r}")
        total += len({k & 3 for k in items}) + len({k: i for k in items})
    return total


def text_of(flag):
    return "yes" if flag else "no"


drive(work)
