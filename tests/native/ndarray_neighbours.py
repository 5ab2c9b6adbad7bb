# loops of a few rounds, known beforehand, in the midst of loops over arrays: an image blurred, life, a polynomial
# kiln-test: needs=numpy
import numpy as np
from _harness import drive

RANDOM = np.random.RandomState(1)
IMAGE = RANDOM.uniform(0.0, 1.0, (3, 20000))
BLURRED = np.zeros(IMAGE.shape)
CELLS = (IMAGE > 0.6).astype(np.int8)
NEXT = np.zeros(CELLS.shape, np.int8)


def blur(image, out, y, n):
    columns = image.shape[1]
    for i in range(n):  # kiln-native
        x = 1 + i % (columns - 2)
        s = 0.0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                s += image[y + dy, x + dx]
        out[y, x] = s / 9.0


def live(cells, out, y, n):
    for x in range(1, n - 1):  # kiln-native
        around = 0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if dy != 0 or dx != 0:
                    around += cells[y + dy, x + dx]
        out[y, x] = 1 if around == 3 or (around == 2 and cells[y, x] == 1) else 0


def work(n):
    blur(IMAGE, BLURRED, 1, n)
    live(CELLS, NEXT, 1, n)
    return float(BLURRED.sum()), int(NEXT.sum())


drive(work)
