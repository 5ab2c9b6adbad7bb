# bools made, stored and added
from _harness import drive


def work(n):
    total = 0
    flag = False
    for i in range(n):  # kiln-native
        odd = i & 1 == 1
        flag = flag ^ odd
        total += odd + flag
    return total, flag


drive(work)
