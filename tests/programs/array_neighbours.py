"""Loops over the neighbours of each element: a few rounds, known beforehand, in the midst of a loop over arrays. Borders, errors amid a
round, stores into what is read, what the locals are behind, and ways out."""
# kiln-test: needs=numpy modes=thorough,always,default,deopt timeout=240
import warnings

import numpy as np
from _arrays import digest, fresh, heard


def blur(a, out, height, width):
    for y in range(1, height):
        for x in range(1, width):
            s = 0.0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    s += a[y + dy, x + dx]
            out[y, x] = s / 9.0
    return y, x, dy, dx, s


def cross(a, out, height, width):
    for y in range(1, height):
        for x in range(1, width):
            best = a[y, x]
            for k in range(-1, 2, 2):
                best = max(best, a[y + k, x], a[y, x + k])
            out[y, x] = best
    return y, x, k, best


def weighted(a, kernel, out):
    for y in range(1, a.shape[0] - 1):
        for x in range(1, a.shape[1] - 1):
            s = 0
            for i in range(3):
                for j in range(3):
                    s += a[y + i - 1, x + j - 1] * kernel[i, j]
            out[y, x] = s


def living(cells, out):
    for y in range(1, cells.shape[0] - 1):
        for x in range(1, cells.shape[1] - 1):
            around = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    if dy != 0 or dx != 0:
                        around += cells[y + dy, x + dx]
            out[y, x] = 1 if around == 3 or (around == 2 and cells[y, x] == 1) else 0


def falling(a, out):
    for i in range(len(a)):
        s = 0.0
        for k in range(3, -1, -1):
            s = s * 0.5 + a[i - k]
        out[i] = s


def columns(points, out):
    for i in range(len(points)):
        for k in range(3):
            out[i, k] = points[i, k] - points[i, 2 - k]


def while_inside(a, out):
    for i in range(2, len(a)):
        k = 0
        s = 0.0
        while k < 3:
            s += a[i - k]
            k += 1
        out[i] = s


def never(a, out):
    for i in range(len(a)):
        s = a[i]
        for k in range(3, 1):
            s += a[k]
        for k in range(2):
            s += k
        out[i] = s


def first_large(a, out, limit):
    for i in range(3, len(a)):
        at = -1
        for k in range(4):
            if a[i - k] > limit:
                at = k
                break
        out[i] = at


def skipping(a, out):
    for i in range(1, len(a) - 1):
        s = 0.0
        for k in range(-1, 2):
            if a[i + k] < 0.3:
                continue
            s += a[i + k]
        out[i] = s


def running(a, out):
    total = 0.0
    for i in range(2, len(a)):
        for k in range(3):
            total += a[i - k]
        out[i] = total
    return total


def show(work, *arguments):
    """What a function of its own code gives for the arguments, called again and again."""
    work = fresh(work)
    seen = []
    for _ in range(6):
        copies = [a.copy() if isinstance(a, np.ndarray) and a.base is None else a for a in arguments]
        result, warned = heard(work, *copies)
        seen.append((repr(result), warned, [a.tobytes() for a in copies if isinstance(a, np.ndarray)]))
    assert all(one == seen[0] for one in seen), (work.__name__, [one[:2] for one in seen])
    print(work.__name__, *seen[0][:2], digest([a.tolist() for a in copies if isinstance(a, np.ndarray)])[2])


random = np.random.RandomState(3)
image = random.uniform(0.0, 1.0, (40, 90))
for dtype in ("float64", "float32", "int32", "int64", "uint8"):
    a = (image * 100).astype(dtype)
    out = np.zeros(image.shape, dtype)
    show(blur, a, out, 39, 89)
    show(blur, a, out, 40, 89)
    show(blur, a, out, 39, 90)
    show(blur, a.T.copy().T, out, 39, 89)
    show(blur, a[::-1, ::-1], out, 39, 89)
    show(blur, a, out[:, :60], 39, 89)
    show(blur, a, out, 1, 89)
    show(cross, a, out, 39, 89)
    show(cross, a, out, 40, 90)
    show(weighted, a, random.randint(0, 3, (3, 3)).astype(dtype), out)
    show(weighted, a, random.randint(0, 3, (3, 2)).astype(dtype), out)
show(living, (image > 0.6).astype(np.int8), np.zeros(image.shape, np.int8))
show(living, image > 0.6, np.zeros(image.shape, np.bool_))
line = random.uniform(0.0, 1.0, 3000)
for n in (3000, 40, 5, 2, 0):
    for work in (falling, while_inside, never, skipping, running):
        show(work, line[:n].copy(), np.zeros(n))
    show(first_large, line[:n].copy(), np.zeros(n, np.int64), 0.9)
show(falling, line, np.zeros(2999))
show(columns, random.uniform(0.0, 1.0, (700, 3)), np.zeros((700, 3)))
show(columns, random.uniform(0.0, 1.0, (700, 2)), np.zeros((700, 3)))


def in_place(work, a, *arguments):
    """The array that is read is the one that is stored to."""
    work = fresh(work)
    for _ in range(4):
        b = a.copy()
        result, warned = heard(work, b, b, *arguments)
    print("in place", work.__name__, result, warned, digest(b.ravel().tolist())[2])


in_place(blur, image, 39, 89)
in_place(falling, line)
in_place(running, line)
for value in (np.inf, np.nan, 1e308, -0.0):
    for at in (3, 700, 2500, 2999):
        spoilt = line.copy()
        spoilt[at] = value
        spoilt[at // 2] = -value
        show(falling, spoilt, np.zeros(3000))
        show(running, spoilt, np.zeros(3000))
spoilt = image.copy()
spoilt[20, 45] = 1.7e308
spoilt[21, 46] = 1.7e308
show(blur, spoilt, np.zeros(image.shape), 39, 89)
frozen = np.zeros(image.shape)
frozen.flags.writeable = False
show(blur, image, frozen.view(), 39, 89)
small = np.full((30, 80), 120, np.uint8)
show(weighted, small, np.ones((3, 3), np.uint8), np.zeros((30, 80), np.uint8))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    copy = fresh(blur)
    for _ in range(4):
        out = np.zeros(image.shape)
        try:
            copy(spoilt, out, 39, 89)
        except RuntimeWarning as error:
            names = error.__traceback__.tb_next.tb_frame.f_locals
            print(error, names["y"], names["x"], names["dy"], names["dx"], np.count_nonzero(out))
