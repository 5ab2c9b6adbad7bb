# A while loop at module level
from _harness import sizes

for n in sizes():
    total = i = 0
    x = 0.0
    while i < n:  # kiln-native
        i += 1
        x += 0.5
        total ^= i
print(total, i, x)
