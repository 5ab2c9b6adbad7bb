# a[i][j] of a list of lists
from _harness import drive


def work(n):
    rows = [[1, 2], [3, 4], [5, 6], [7, 8]]
    total = 0
    for i in range(n):  # kiln-native
        total += rows[i & 3][i & 1]
    return total


drive(work)
