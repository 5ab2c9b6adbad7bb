# break, continue, else, nested loops, loops without a body, early return, while True.


def first_divisor(n):
    for d in range(2, n):
        if d * d > n:
            break
        if n % d == 0:
            return d
    else:
        return "tiny"
    return n


def skip_and_stop(count):
    total = 0
    for i in range(count):
        if i % 3 == 0:
            continue
        if i > count - 100:
            break
        for j in range(5):
            if j == i % 5:
                break
            if j & 1:
                continue
            total += j
        else:
            total += 1000
        total += i
    else:
        total = -total
    return total


def while_else(count):
    i = found = 0
    while i < count:
        i += 1
        if i % 1000 == 999:
            found += 1
            continue
        if found > 20:
            break
    else:
        found = -found
    return i, found


def forever(limit):
    n = 0
    while True:
        n += 1
        while n % 7:
            n += 1
            if n > limit:
                return n
        if n > limit:
            break
    return -n


def empty_bodies(count):
    for i in range(count):
        pass
    while i > 0:
        i -= 1
    for _ in []:
        i = "never"
    for i in range(i, 3):
        ...
    return i


def triangle(count):
    total = 0
    for i in range(count):
        for j in range(i):
            for k in range(j % 3):
                total += i ^ j + k
    return total


def labelled(count):
    hits = 0
    for i in range(count):
        done = False
        for j in range(i):
            if i * j == 1200:
                done = True
                hits += 1
                break
        if done:
            break
    return hits, i, j


print(sum(d for n in range(3, 900) if isinstance(d := first_divisor(n), int)), first_divisor(2), first_divisor(999983))
print(skip_and_stop(8000), while_else(8000), while_else(50000), forever(9000), forever(9002))
print(empty_bodies(8000), triangle(120), labelled(200))
