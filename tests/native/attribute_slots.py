# attributes in __slots__
from _harness import drive


class Cell:
    __slots__ = ("value", "step")

    def __init__(self):
        self.value = 1
        self.step = 3


def work(n):
    cell = Cell()
    for i in range(n):  # kiln-native
        cell.value = (cell.value + cell.step) & 0xFFFF
    return cell.value


drive(work)
