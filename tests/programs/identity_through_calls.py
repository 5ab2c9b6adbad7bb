# Numbers that compiled functions give back: they are the caller's own objects still.


def clipped(x):
    if isinstance(x, complex):
        return None
    if isinstance(x, (int, float)) and not -1e290 < x < 1e290:
        return 3
    return x


different = [0]


def note(same):
    different[0] += not same


def work(n, a, b, d=None):
    for i in range(n):
        c = -i
        for j in range(i % 23):
            if (i + j) % 3 == 0:
                b = -i
            if b is not None:
                a = clipped(c)
            note(a is c)
        a = clipped(a)
        b = clipped(b)
        c = clipped(c)
        d = clipped(d)


def floats(n, function):
    same = 0
    for i in range(n):
        x = i * 1.5
        y = function(x)
        note(y is x)
        same += y is x
    return same


for first, second in (None, 1), (0, None), (True, 2), (1 << 62, 1.5), (None, None), (2, 2.0):
    different[0] = 0
    work(900, first, second)
    print(different[0])
for function in clipped, clipped, lambda x: x, clipped:
    print(floats(3000, function))
