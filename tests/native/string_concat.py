# a string that is made of others, and stored where something else was
from _harness import drive


def work(n):
    names = ["a", "b", "cd"]
    total = 0
    text = None
    for i in range(n):  # kiln-native allow-opaque=BINARY_OP
        text = names[i % 3] + names[i & 1]
        total += len(text)
        text = None if i & 1 else i
    return total, text


drive(work)
