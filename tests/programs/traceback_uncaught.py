# An exception leaves a hot loop three calls deep and ends the program: the whole traceback must match.
# kiln-test: exit=1


def divide(a, b):
    return a // b


def inner(i, limit):
    x = i * 2
    y = divide(x, limit - i)
    return y


def middle(count, limit):
    total = 0
    for i in range(count):
        total += inner(i, limit)
    return total


print(middle(7000, 10000))
for attempt in range(3):
    print(attempt, middle(7000, 7000 + attempt))
print(middle(7000, 6500))
