"""Loops that must become vector code, and some that cannot: a function each, marked at its loop."""

import math

import numpy as np

N = 3000


def grey(rgb, out):
    red, green, blue = rgb
    for i in range(len(out)):  # kiln-vector
        out[i] = 0.299 * red[i] + 0.587 * green[i] + 0.114 * blue[i]


def pixels(rgb, out, y):
    for x in range(out.shape[1]):  # kiln-vector
        out[y, x] = 0.299 * rgb[y, x, 0] + 0.587 * rgb[y, x, 1] + 0.114 * rgb[y, x, 2]


def stencil(u, v):
    for i in range(1, len(u) - 1):  # kiln-vector
        v[i] = u[i] + 0.2 * (u[i - 1] - 2.0 * u[i] + u[i + 1])


def five_points(u, v, y):
    for x in range(1, u.shape[1] - 1):  # kiln-vector
        v[y, x] = 0.25 * (u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1])


def saxpy(a, x, y):
    for i in range(len(x)):  # kiln-vector
        y[i] = a * x[i] + y[i]


def total(a):
    s = 0
    for i in range(len(a)):  # kiln-vector
        s += int(a[i])
    return s


def sobel(image, edges, y):
    for x in range(1, image.shape[1] - 1):  # kiln-vector
        gx = image[y - 1, x + 1] + 2 * image[y, x + 1] + image[y + 1, x + 1]
        gx -= image[y - 1, x - 1] + 2 * image[y, x - 1] + image[y + 1, x - 1]
        gy = image[y + 1, x - 1] + 2 * image[y + 1, x] + image[y + 1, x + 1]
        gy -= image[y - 1, x - 1] + 2 * image[y - 1, x] + image[y - 1, x + 1]
        edges[y, x] = min(255, int(math.sqrt(gx * gx + gy * gy)))


def filtered(image, weights, out, y):
    rows, columns = weights.shape
    for x in range(out.shape[1]):  # kiln-vector unreported
        total = 0.0
        for v in range(rows):
            for u in range(columns):
                total += weights[v, u] * image[y + v, x + u]
        out[y, x] = total


def lengths(points, out):
    for i in range(len(points)):  # kiln-vector unreported
        total = 0.0
        for k in range(points.shape[1]):
            total += points[i, k] * points[i, k]
        out[i] = total


def threshold(a, out):
    for i in range(len(a)):  # kiln-vector
        if a[i] > 100:
            out[i] = 255
        else:
            out[i] = a[i]


def mixed(x, w, y):
    for i in range(len(x)):  # kiln-vector
        y[i] = x[i] * w[i] - 0.5j


def change(u, v):
    most = 0.0
    for i in range(1, len(u) - 1):  # kiln-vector
        v[i] = 0.5 * (u[i - 1] + u[i + 1])
        most = max(most, abs(v[i] - u[i]))
    return most


def live(cells, out):
    for x in range(1, len(cells) - 1):  # kiln-vector needs=avx512bw
        around = cells[x - 1] + cells[x + 1]
        if around == 3 or (around == 2 and cells[x]):
            out[x] = 1
        else:
            out[x] = 0


def blur(a, out, y):
    for x in range(1, a.shape[1] - 1):  # kiln-vector unreported
        s = 0.0
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                s += a[y + dy, x + dx]
        out[y, x] = s / 9.0


def backwards(a, out):
    for i in range(len(a) - 1, -1, -1):
        out[i] = a[i] ^ 3


def packed(red, green, out):
    for i in range(len(out)):  # kiln-vector
        out[i] = (red[i] << 11) | (green[i] >> 3)


def mixed_bits(words, out):
    for i in range(len(out)):  # kiln-vector
        out[i] = (words[i] ^ (words[i] >> np.uint64(30))) << np.uint64(7)


def angles(a, out):
    for i in range(len(a)):  # kiln-vector
        out[i] = np.radians(np.round(a[i], 1)) + np.trunc(a[i])


FACTORS, TERMS, SUMS = np.arange(N) * 0.5, np.ones(N), np.zeros(N)


def of_globals():
    for i in range(N):  # kiln-vector
        SUMS[i] = FACTORS[i] * 2.0 + TERMS[i]


def histogram(a, counts):
    for i in range(len(a)):  # kiln-scalar
        counts[a[i]] += 1


def running(a, out):
    s = 0.0
    for i in range(len(a)):  # kiln-scalar
        s += a[i]
        out[i] = s


def iterated(a):
    s = 0
    for x in a:  # kiln-vector
        s += int(x)
    return s


def mixture(a, b, out):
    for i, (x, y) in enumerate(zip(a, b)):  # kiln-vector
        out[i] = 0.25 * x + 0.75 * y


def counted(a, out):
    i = 0
    while i < len(a):  # kiln-vector
        out[i] = a[i] + 1
        i += 1


def distances(x, y, out):
    for i in range(len(x)):  # kiln-vector
        out[i] = (x[i] * x[i] + y[i] * y[i]) ** 0.5


def weights(x, out):
    for i in range(len(x)):  # kiln-vector
        out[i] = x[i] ** -1.5


numbers = np.arange(N) % 200
table = (np.arange(3 * N) % 256).reshape(3, N)
for _ in range(300):
    grey(tuple(table.astype(np.uint8)), np.zeros(N, np.uint8))
    pixels(table.astype(np.uint8).reshape(1, N, 3), np.zeros((1, N), np.uint8), 0)
    stencil(numbers * 0.5, np.zeros(N))
    five_points(table * 0.5, np.zeros((3, N)), 1)
    saxpy(np.float32(1.5), numbers.astype(np.float32), np.ones(N, np.float32))
    total(numbers.astype(np.int32))
    sobel(table.astype(np.int32), np.zeros((3, N), np.uint8), 1)
    filtered(table * 0.5, np.ones((3, 3)), np.zeros((1, N - 2)), 0)
    lengths(table.reshape(N, 3) * 0.5, np.zeros(N))
    threshold(numbers.astype(np.uint8), np.zeros(N, np.uint8))
    mixed(numbers * 0.5j, numbers + 1j, np.zeros(N, complex))
    change(numbers * 0.5, np.zeros(N))
    live((numbers % 3).astype(np.int8), np.zeros(N, np.int8))
    blur(table * 0.5, np.zeros((3, N)), 1)
    backwards(numbers.astype(np.int64), np.zeros(N, np.int64))
    packed(numbers.astype(np.uint32), numbers.astype(np.uint32), np.zeros(N, np.uint32))
    mixed_bits(~numbers.astype(np.uint64), np.zeros(N, np.uint64))
    angles(numbers * 0.37, np.zeros(N))
    of_globals()
    iterated(numbers.astype(np.int32))
    mixture(numbers * 0.5, numbers * 0.25, np.zeros(N))
    counted(numbers * 0.5, np.zeros(N))
    distances(numbers * 0.5 + 1.0, numbers * 0.5, np.zeros(N))
    weights(numbers * 0.5 + 1.0, np.zeros(N))
    histogram(numbers.astype(np.uint8), np.zeros(256, np.int32))
    running(numbers * 0.5, np.zeros(N))
