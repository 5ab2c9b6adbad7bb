"""Code that is not compiled, by every reason that a program can bring about."""


def make_cold(k):
    names = {}
    exec(f"def other(n):\n    total = {k}\n    for i in range(n): total += i\n    return total\n", names)
    return names["other"]


def rarely(n):
    total = 0
    for i in range(n):
        total += i
    return total


def interrupted(k):
    list(map(rarely, [2] * 20))
    return make_cold(k)(90)


def small(a):
    return a


def fails_often(n):
    values = [1, 2, None]
    failures = 0
    for i in range(n):
        try:
            values[i % 3] + 1
        except TypeError:
            failures += 1
    return failures


def generate(n):
    for i in range(n):
        yield i * 2


def main():
    print(sum(generate(5000)))
    # A loop that is left as soon as it is recorded, while others get hot. From C: no loop around it is hot.
    list(map(interrupted, range(260)))
    body = compile("x = 1\ny = x + 1", "body", "exec")
    for k in range(3000):
        exec(body, {})
        small(k)
    print(rarely(3), fails_often(5000))


main()
