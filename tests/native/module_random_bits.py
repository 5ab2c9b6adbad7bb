# ints of the module random: getrandbits() as a method, as a bound function, and what is made of it
import random

from _harness import drive


def work(n):
    random.seed(11)
    own = random.Random(n)
    draw = own.getrandbits
    total = 0
    for i in range(n):  # kiln-native
        total += draw(i % 62 + 1) & 255
        total += own.getrandbits(33) >> 20
        total += random.randrange(10) + random.randint(1, 6)
    return total


drive(work)
