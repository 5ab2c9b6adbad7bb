# math.fabs, fmod, copysign, isnan, isinf
import math

from _harness import drive


def work(n):
    total = 0.0
    x = -50.0
    for i in range(n):  # kiln-native
        x += 0.3
        total += math.fabs(x) - math.fmod(x, 1.7) + math.copysign(1.0, x)
        if math.isnan(x) or math.isinf(total):
            total = 0.0
    return total


drive(work)
