# Two functions that call each other
from _harness import drive


def is_even(n):  # kiln-native
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):  # kiln-native
    return False if n == 0 else is_even(n - 1)


def work(n):
    count = 0
    for i in range(n):  # kiln-native
        if is_even(i & 31):
            count += 1
    return count


drive(work, full=5000)
