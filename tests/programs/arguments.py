# Calls with defaults, keywords, *args and **kwargs in every mix, mutable defaults, and their TypeErrors.


def plain(a, b, c):
    return a * 100 + b * 10 + c


def defaulted(a, b=2, c=3):
    return a * 100 + b * 10 + c


def keyword_only(a, *, b=5, c):
    return a * 100 + b * 10 + c


def positional_only(a, b=1, /, c=2):
    return a * 100 + b * 10 + c


def gather(*args, **kwargs):
    return len(args) * 10 + sum(kwargs.values())


def everything(a, b=1, /, c=2, *args, d=3, e, **rest):
    return a + b + c + sum(args) + d * e + len(rest)


def remember(x, seen=[]):
    seen.append(x)
    if len(seen) > 10:
        seen.clear()
    return len(seen)


pair_of_numbers = (1, 2)


def all_forms(count):
    total = 0
    pair = (1, 2)
    options = {"c": 7}
    for i in range(count):
        total += plain(i, 1, 2) + plain(c=i, a=1, b=2) + plain(1, *pair) + plain(*pair, **options)
        total += defaulted(i) + defaulted(i, 1) + defaulted(i, c=1) + defaulted(c=i, a=2) + defaulted(i, **options)
        total += keyword_only(i, c=1) + keyword_only(a=i, c=2, b=3)
        total += positional_only(i) + positional_only(i, 2) + positional_only(i, c=9)
        total += gather() + gather(1, 2, x=i) + gather(*range(i % 5), **{"k": 1})
        total += everything(i, e=2) + everything(1, 2, 3, 4, 5, d=i, e=1, f=0, g=0)
        total += remember(i)
    return total


def scaled(x, *, factor=2.5, offset=1):
    return x * factor - offset


def keyword_defaults(count):
    total = missing = 0
    for i in range(count):
        total += scaled(i) + scaled(i, factor=2) + scaled(x=i, offset=i & 3, factor=0.5) + scaled(offset=1, x=2)
        total += sum([i, 2], start=3) + round(i * 0.37, ndigits=1)
        for k, x in enumerate((1, 2), start=i):
            total += k * x
        if i == count // 2:
            scaled.__kwdefaults__["offset"] = 100
        elif i == count // 2 + 500:
            scaled.__kwdefaults__ = {"factor": 1}
        try:
            scaled(i)
        except TypeError:
            missing += 1
            scaled.__kwdefaults__ = {"factor": 3, "offset": 4}
    return total, missing


def kwargs_order(count):
    seen = {}

    def names(**kwargs):
        return ",".join(kwargs)

    for i in range(count):
        key = names(b=1, a=2, **{"d": 1, "c": 2}) if i % 2 else names(a=i, b=i)
        seen[key] = seen.get(key, 0) + 1
    return seen


def default_evaluated_once(count):
    log = []

    def default():
        log.append(1)
        return 5

    total = 0
    for i in range(count):
        if i % 1000 == 0:

            def f(x, y=default()):
                return x + y

        total += f(i)
    return total, len(log)


def errors(count):
    seen = {}
    attempts = [
        lambda: plain(1, 2),
        lambda: plain(1, 2, 3, 4),
        lambda: plain(1, 2, 3, c=4),
        lambda: plain(1, 2, d=4),
        lambda: defaulted(),
        lambda: keyword_only(1),
        lambda: keyword_only(1, 2, c=3),
        lambda: positional_only(a=1),
        lambda: everything(1),
        lambda: everything(e=1),
        lambda: gather(**{1: 2}),
        lambda: plain(*5),
        lambda: plain(**5),
        lambda: plain(1, **{"a": 1}, b=1),
        lambda: plain(**{"a": 1}, **{"a": 2}),
        lambda: (lambda: 0)(1),
        lambda: pair_of_numbers(),
        lambda: len(x=1),
        lambda: abs(1, 2),
    ]
    for i in range(count):
        try:
            attempts[i % len(attempts)]()
        except TypeError as error:
            seen[str(error)] = seen.get(str(error), 0) + 1
    return seen


print(all_forms(7000), kwargs_order(6000), default_evaluated_once(9000))
print(keyword_defaults(4000))
for message, n in errors(5700).items():
    print(n, message)
