# Writes of a module's global from a function
from _harness import drive

counter = 0


def work(n):
    global counter
    counter = 0
    for i in range(n):  # kiln-native
        counter += i & 3
    return counter


drive(work)
