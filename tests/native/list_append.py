# append
from _harness import drive


def work(n):
    items = []
    for i in range(n):  # kiln-native
        items.append(i)
    return len(items), items[-1]


drive(work)
