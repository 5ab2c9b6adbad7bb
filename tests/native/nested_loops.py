# Three nested loops: the iterations of each count
from _harness import drive


def work(n):
    total = 0
    for i in range(n // 200):  # kiln-native
        for j in range(20):  # kiln-native
            for k in range(10):  # kiln-native
                total += i * j ^ k
    return total


drive(work, warm=4000, full=40000)
