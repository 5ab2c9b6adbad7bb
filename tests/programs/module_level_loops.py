# Hot loops at module level: every variable is a global, seen and changed by functions the loops call.
import sys

total = 0
for i in range(20000):
    total += i * i % 7
print(total, i)

x, y, inside = 0.0, 0.0, 0
for row in range(80):
    for column in range(80):
        c = complex(column / 40 - 1.5, row / 40 - 1)
        z = 0j
        for step in range(20):
            z = z * z + c
            if abs(z) > 2:
                break
        else:
            inside += 1
print(inside, row, column, step)


def change():
    global total
    total = -1
    return len(globals()) > 5


n = 0
while n < 20000:
    n += 1
    if n == 15000:
        print(change(), total)
    total += 1
print(n, total)

items = [0] * 100
for i in range(20000):
    items[i % 100] += i
    if i == 12345:
        globals()["items"] = [0.5] * 100
print(sum(items), items[0])

for i in range(9000):
    if i == 8000:
        fresh = i
    try:
        fresh += 1
    except NameError as error:
        message = str(error)
print(fresh, message)

for i in range(9000):
    if i % 3000 == 2999:
        del items
        items = i
    items_copy = items
print(items, items_copy)

i = 0
while True:
    i += 1
    if i % 2:
        continue
    if i > 9000:
        break
print(i)

sys.modules[__name__].hook = 5
for i in range(9000):
    hook += i % 2
    if i == 5000:
        setattr(sys.modules["__main__"], "hook", 1.5)
print(hook)

fibonacci = [1, 1]
for k in range(6000):
    fibonacci.append((fibonacci[-1] + fibonacci[-2]) % 1000003)
a = b = 1
for k in range(6000):
    a, b = b, (a + b) % 1000003
print(fibonacci[-1], a, b)


class Counter:
    value = 0
    for j in range(9000):
        value += j
    doubled = value * 2


print(Counter.value, Counter.doubled, Counter.j)
__builtins__.extra = 7
for k in range(9000):
    total += extra
    if k == 4500:
        extra = 0.25
print(total)
del extra
print(extra)
print([name for name in dir() if not name.startswith("_")])
