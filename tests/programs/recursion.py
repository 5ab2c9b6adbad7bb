# Recursion in many shapes: fib, ackermann, mutual, with default arguments, closures and changing types.


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def lucas(n):
    if n == 0:
        return 2
    if n == 1:
        return 1
    return lucas(n - 1) + lucas(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def hanoi(n, a="a", b="b", c="c", moves=0):
    if n == 0:
        return moves
    moves = hanoi(n - 1, a, c, b, moves)
    return hanoi(n - 1, c, b, a, moves + 1)


def tak(x, y, z):
    if y >= x:
        return z
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))


def power(x, n):
    if n == 0:
        return 1
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1)


def queens(n, row=0, columns=0, left=0, right=0):
    if row == n:
        return 1
    count = 0
    free = ~(columns | left | right) & (1 << n) - 1
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return count


def permutations(items, k, out):
    if k == len(items):
        out[0] += items[0] * items[-1]
        return
    for i in range(k, len(items)):
        items[k], items[i] = items[i], items[k]
        permutations(items, k + 1, out)
        items[k], items[i] = items[i], items[k]


def polymorphic(n):
    if n <= 1:
        return n
    if n % 1000 == 0:
        return float(polymorphic(n - 1))
    if n % 777 == 0:
        return str(polymorphic(n - 1))[:1] and polymorphic(n - 2)
    return polymorphic(n - 1) + 1


def collatz(n, steps=0):
    return steps if n == 1 else collatz(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)


def memo_fib(n, memo={}):
    if n not in memo:
        memo[n] = n if n < 2 else memo_fib(n - 1) + memo_fib(n - 2)
    return memo[n]


def build(depth):
    return None if depth == 0 else (build(depth - 1), depth, build(depth - 1))


def check(tree):
    return 0 if tree is None else check(tree[0]) + tree[1] + check(tree[2])


print(fib(19), fib(19.0), fib(True), lucas(18), ackermann(2, 60), is_even(900), is_odd(901), hanoi(11), tak(10, 6, 3))
print(
    sum(is_even(i % 50) for i in range(600)),
    power(3, 200),
    power(1.0001, 5000).hex(),
    sum(power(2, i % 64) for i in range(900)),
)
counter = [0]
permutations(list(range(6)), 0, counter)
print(queens(6), counter, sum(polymorphic(i) for i in (500, 700)), sum(collatz(i) for i in range(1, 300)), memo_fib(90))
print(check(build(11)))
