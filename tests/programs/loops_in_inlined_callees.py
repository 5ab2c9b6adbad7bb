# A loop of a small callee is left in mid-run, goes on in the interpreter and misses its own entry there: the caller's
# statements after the call run all the same, once each.


def steps(cr, ci, limit):
    zr = zi = cr * 0
    for k in range(limit):
        a = zr * zr
        b = zi * zi
        if a + b > 4:
            return k
        zi = 2 * zr * zi + ci
        zr = a - b + cr
    return limit


i = wrong = total = 0
for row in range(12):
    for column in range(12):
        r = steps(3.0 * column / 12 - 2.0, 2.5 * row / 12 - 1.25, 400 if row % 3 else 30)
        total += r
        i += 1
        if i != row * 12 + column + 1:
            wrong += 1
print(i, total, wrong)


def count(first, kinds):
    seen = []
    for kind in kinds:
        value = first
        for _ in range(50):
            value = value + kind
        seen.append(value)
    return seen


calls = 0
for turn in range(60):
    kinds = [1, 2, 3] if turn < 40 else [1, 0.5, True, 2**70]
    result = count(turn, kinds)
    calls += 1
    if calls != turn + 1:
        print("lost at", turn)
print(calls, result)
