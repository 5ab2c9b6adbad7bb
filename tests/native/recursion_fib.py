# Recursion with two calls
from _harness import drive


def fib(n):  # kiln-native
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


drive(fib, warm=12, full=20)
