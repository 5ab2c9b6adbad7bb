# Entered with locals of many classes that nobody reads before they are overwritten
from _harness import drive


class Thing:
    pass


KINDS = [None, 1, 2.5, "text", [], Thing(), (1,), True, 1 << 80, {}]
turns = 0


def work(n):
    global turns
    turns += 1
    first = KINDS[turns % 10]
    second = KINDS[turns // 3 % 10]
    third = KINDS[turns // 7 % 10]
    if turns % 3 == 0:
        del third
    total = 0.0
    for i in range(n):  # kiln-native
        if i % 100 == 99:
            first = i * 2
            second = first + 0.5
            third = second
            total += third
        elif i % 100 == 50:
            second = None
    return total


drive(work)
