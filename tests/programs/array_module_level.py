# Loops over arrays at module level, in closures, methods, generators and comprehensions, over globals and attributes.
# kiln-test: needs=numpy
import numpy as np

size = 3600
data = np.arange(size) % 37 / 8
out = np.zeros(size, np.float32)
total = np.float64(0)
for i in range(size):
    total += data[i]
    out[i] = total * 0.5
    if data[i] > 4:
        data[i] -= 4
print(repr(total), repr(out[-1]), repr(data.sum()))

grid = np.zeros((60, 60), np.int32)
for y in range(grid.shape[0]):
    for x in range(grid.shape[1]):
        grid[y, x] = x * y - grid[y - 1, x - 1]
print(grid.sum(), grid[7].tolist()[:9])

k = 0
while k < size:
    out[k] = out[k - 1] + k
    k += 1
    if k == 2000:
        out = out[::-1]
    if k == 3000:
        out = out.astype(np.float64)
print(repr(out[5]), out.dtype, out.strides)

seen = set()
for value in np.arange(size, dtype=np.uint8):
    seen.add(value)
    if value == 200:
        value = 7
print(len(seen), repr(value), type(value).__name__)


class Grid:
    scale = np.float32(0.5)

    def __init__(self, n):
        self.cells = np.zeros((n, n))
        self.n = n

    def __getitem__(self, key):
        return self.cells[key]

    def __setitem__(self, key, value):
        self.cells[key] = value * self.scale

    def fill(self):
        for i in range(self.n):
            for j in range(self.n):
                self.cells[i, j] = i - j
                self[j, i] = self[i, j] + self.n
        return self.cells.sum()

    def swap(self):
        for i in range(self.n):
            for j in range(i):
                self.cells[i, j], self.cells[j, i] = self.cells[j, i], self.cells[i, j]
            if i == self.n // 2:
                self.cells = self.cells.astype(np.float32)
        return self.cells.dtype, self.cells[3].tolist()[:6]


box = Grid(64)
print(repr(box.fill()), box.swap(), repr(box.fill()))


def make_counter(a):
    position = 0

    def step(amount):
        nonlocal position, a
        a[position % len(a)] += amount
        position += 1
        if position == 3000:
            a = a.astype(np.int16)
        return a[position % len(a)]

    return step, lambda: (a.dtype.name, a.tolist(), position)


step, told = make_counter(np.zeros(6))
last = [step(i % 5) for i in range(size)][-1]
print(repr(last), told())


def pairs(a):
    for i in range(len(a)):
        yield a[i], a[-1 - i]
        a[i] += 1


print(repr(sum(x - 2 * y for x, y in pairs(np.arange(size)))), repr(max(x * y for x, y in pairs(np.arange(size) % 50 / 4))))
rows = np.arange(3600).reshape(60, 60)
print([int(row[i]) for i, row in enumerate(rows)][:8], {int(x) % 10 for row in rows for x in row}, sum(row @ row for row in rows))


def inner(a, i):
    return a[i] * 2 if i % 3 else a[i - 1] - a[i]


def outer(a):
    t = a.dtype.type(0)
    for i in range(len(a)):
        t = t + inner(a, i)
        put(a, i, t)
    return t


def put(a, i, value, limit=1000):
    if value > limit:
        a[i] = limit
    elif -limit < value:
        a[i] = value


for dtype in ("float64", "int64", "float32", "int32"):
    print(dtype, repr(outer((np.arange(size) % 11).astype(dtype))))
