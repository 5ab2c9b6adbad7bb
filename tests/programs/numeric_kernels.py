# The usual numeric kernels: Mandelbrot, spectral norm, fannkuch, n-body, collatz, life, digits of pi, edit distance.


def mandelbrot(size):
    total = 0
    for row in range(size):
        for column in range(size):
            cr, ci = 2.0 * column / size - 1.5, 2.0 * row / size - 1.0
            zr = zi = 0.0
            n = 0
            while n < 30 and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                n += 1
            total += n
    return total


def spectral_norm(n):
    def a(i, j):
        return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)

    def times(v, transposed):
        return [sum((a(j, i) if transposed else a(i, j)) * v[j] for j in range(n)) for i in range(n)]

    u = [1.0] * n
    for _ in range(2):
        v = times(times(u, False), True)
        u = times(times(v, False), True)
    vbv = vv = 0.0
    for x, y in zip(u, v):
        vbv += x * y
        vv += y * y
    return ((vbv / vv) ** 0.5).hex()


def fannkuch(n):
    p, q, s = list(range(n)), list(range(n)), list(range(n))
    sign, longest, total = 1, 0, 0
    while True:
        first = p[0]
        if first != 0:
            q[:] = p[:]
            flips = 1
            while True:
                top = q[first]
                if top == 0:
                    total += sign * flips
                    longest = max(longest, flips)
                    break
                q[first] = first
                if first >= 3:
                    i, j = 1, first - 1
                    while i < j:
                        q[i], q[j] = q[j], q[i]
                        i += 1
                        j -= 1
                first = top
                flips += 1
        if sign == 1:
            p[0], p[1] = p[1], p[0]
            sign = -1
        else:
            p[1], p[2] = p[2], p[1]
            sign = 1
            for i in range(2, n):
                if s[i] != 0:
                    s[i] -= 1
                    break
                s[i] = i
                if i == n - 1:
                    return total, longest
                p[: i + 1], p[i + 1] = p[1 : i + 2], p[0]


def n_body(steps):
    bodies = [
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47],
        [4.84, -1.16, -0.10, 0.60, 2.81, -0.02, 0.037],
        [8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011],
    ]
    pairs = [(bodies[i], bodies[j]) for i in range(3) for j in range(i + 1, 3)]
    for _ in range(steps):
        for b1, b2 in pairs:
            dx, dy, dz = b1[0] - b2[0], b1[1] - b2[1], b1[2] - b2[2]
            mag = 0.01 / ((dx * dx + dy * dy + dz * dz) ** 1.5 + 1e-9)
            m1, m2 = b1[6] * mag, b2[6] * mag
            b1[3] -= dx * m2
            b1[4] -= dy * m2
            b1[5] -= dz * m2
            b2[3] += dx * m1
            b2[4] += dy * m1
            b2[5] += dz * m1
        for b in bodies:
            b[0] += 0.01 * b[3]
            b[1] += 0.01 * b[4]
            b[2] += 0.01 * b[5]
    return [x.hex() for x in bodies[1][:3]]


def collatz(limit):
    best = longest = 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        if steps > longest:
            best, longest = start, steps
    return best, longest


def life(size, rounds):
    grid = [[(x * 7 + y * 13) % 5 == 0 for x in range(size)] for y in range(size)]
    for _ in range(rounds):
        new = [[False] * size for _ in range(size)]
        for y in range(size):
            for x in range(size):
                n = 0
                for dy in (-1, 0, 1):
                    for dx in (-1, 0, 1):
                        if (dy or dx) and grid[(y + dy) % size][(x + dx) % size]:
                            n += 1
                new[y][x] = n == 3 or n == 2 and grid[y][x]
        grid = new
    return sum(map(sum, grid))


def pi_digits(count):
    digits = []
    q, r, t, k, n, l = 1, 0, 1, 1, 3, 3
    while len(digits) < count:
        if 4 * q + r - t < n * t:
            digits.append(n)
            q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) // t - 10 * n
        else:
            q, r, t, k, n, l = q * k, (2 * q + r) * l, t * l, k + 1, (q * (7 * k + 2) + r * l) // (t * l), l + 2
    return "".join(map(str, digits))


def newton(count):
    total = 0.0
    for i in range(1, count):
        x = float(i)
        for _ in range(8):
            x = 0.5 * (x + i / x)
        total += x
    return total.hex()


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


print(mandelbrot(80), spectral_norm(40), fannkuch(7), n_body(2000), collatz(3000))
print(life(24, 12), pi_digits(150), newton(4000), edit_distance("kitten sitting" * 9, "sitting kitten" * 9))
