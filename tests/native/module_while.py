# A while loop at module level
from _harness import sizes

for n in sizes():
    total = i = 0
    x = 0.0
    while i < 6 * n:  # kiln-native: many passes, for one of them is interpreted while the worker compiles
        i += 1
        x += 0.5
        total ^= i
print(total, i, x)
