# A for loop at module level: all of its variables are globals
from _harness import sizes

for n in sizes():
    total = 0
    for i in range(n):  # kiln-native
        total += i & 7
print(total, i)
