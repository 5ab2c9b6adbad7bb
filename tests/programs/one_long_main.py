# One long function with many loops and locals, each loop hot once, so that every entry is in mid-function.
import math


def main():
    n = 12000
    a = b = c = d = e = 0
    f = g = 1.0
    text, pair, flag, nothing = "t", (1, 2), True, None
    for i in range(n):
        a += i
    for i in range(n):
        b += a & i
        if flag:
            flag = False
    values = []
    for i in range(n):
        values.append(i * 3 % 101)
    for v in values:
        c += v
    while d < n:
        d += 1
        f = f * 1.0001 if d % 2 else f / 1.00005
    for i, v in enumerate(values):
        e ^= i * v
    squares = [v * v for v in values]
    for v, w in zip(values, squares):
        g += math.sqrt(w) - v + 0.125
    for i in range(n):
        pair = (pair[1], (pair[0] + pair[1]) % 9973)
    best = None
    for i in range(n):
        if best is None or values[i] > best:
            best = values[i]
    counts = [0] * 101
    for v in values:
        counts[v] += 1
    modes = 0
    for v in counts:
        modes = max(modes, v)
    for i in range(60):
        for j in range(60):
            if (i * j) % 7 == 3:
                continue
            nothing = (nothing or 0) + i - j
    table = {}
    for v in values:
        table[v] = table.get(v, 0) + 1
    for i in range(n):
        if i == 11000:
            text = text + str(i)
    done = 0
    while True:
        done += 1
        if done > n:
            break
    for i in range(n, 0, -1):
        a -= i
        try:
            values[i]
        except IndexError:
            b += 1
    print(a, b, c, d, e, f.hex(), g.hex(), text, pair, flag, nothing, best, modes, len(table), done, i, v, w, j)


main()
main()
