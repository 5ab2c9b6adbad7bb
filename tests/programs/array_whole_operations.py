# Element loops with whole-array operations among them: sums of rows, masks, fancy indices, dot, sorting, ufuncs in place.
# kiln-test: needs=numpy
import numpy as np
from _arrays import digest, exact, fresh

COUNT = 3500


def normalised(a, rounds):
    t = 0
    for _ in range(rounds):
        for i in range(len(a)):
            s = a[i].sum()
            if s > 100:
                a[i] /= s
            a[i, i % a.shape[1]] += 1
            t += a[i].max() - a[i].min() + a[i].mean()
        a += a.T[: len(a), : len(a)].sum() * 1e-6
    return t


def by_masks(a):
    t = 0
    for i in range(COUNT):
        mask = a > i % 10
        t += a[mask].sum() + mask[i % len(mask)] + np.count_nonzero(mask)
        a[mask] -= 1
        a[i % len(a)] = i % 20
    return t


def by_fancy(a, order):
    t = 0
    for i in range(COUNT):
        picked = a[order]
        t += picked[i % len(picked)] * (i % 3)
        a[order[:2]] = picked[::-1][:2]
        order[i % len(order)] = i % len(a)
    return t


def dots(a, b):
    t = 0.0
    for i in range(COUNT):
        v = a[i % len(a)]
        t += v @ b + np.dot(v, v) - v.dot(b)
        b[i % len(b)] = t % 3
    return t


def in_place(a, b):
    for i in range(COUNT):
        a += b
        b *= 0.5
        b[i % len(b)] = a[(i * 3) % len(a)] - i
        np.subtract(a, 1, out=a)
        a %= 1000
    return a


def comparisons(a, b):
    n = 0
    for i in range(COUNT):
        a[i % len(a)] = i % 6
        if (a == b).all():
            n += 1
        elif (a < b).any() or a[0] == b[-1]:
            n += 3
        if np.array_equal(a, b) or np.allclose(a, b):
            n += 5
    return n


def searched(a):
    t = 0
    for i in range(COUNT):
        k = a.searchsorted(i % 50)
        t += k + a[k - 1] + a.argmax() + np.argmin(a)
        t += int(a[min(k, len(a) - 1)])
    return t


def k_means(points, centres, rounds):
    nearest = np.zeros(len(points), np.int64)
    for _ in range(rounds):
        for i in range(len(points)):
            best = np.inf
            for k in range(len(centres)):
                d = ((points[i] - centres[k]) ** 2).sum()
                if d < best:
                    best = d
                    nearest[i] = k
        for k in range(len(centres)):
            members = points[nearest == k]
            if len(members):
                centres[k] = members.mean(axis=0)
    return centres


print(exact(normalised(np.arange(120.0).reshape(10, 12), 60)), exact(by_masks(np.arange(30) % 25)))
print(exact(by_fancy(np.arange(12), np.array([3, 1, 7, 2]))), exact(dots(np.arange(24.0).reshape(8, 3) / 7, np.ones(3))))
print(*digest(in_place(np.zeros(9), np.arange(9.0))), comparisons(np.zeros(4, int), np.array([0, 1, 2, 3])))
print(exact(searched(np.arange(0, 60, 2))), *digest(k_means(np.sin(np.arange(300.0)).reshape(150, 2), np.eye(3, 2), 8).ravel()))
print(exact(fresh(by_masks)(np.arange(30, dtype="f4") % 25)), exact(fresh(searched)(np.arange(0, 60, 2.5))))
