# Variables whose type changes in mid-loop: int to float to str to None to list, in locals, globals, cells, arguments.


def through_all_types(count):
    sequence = [1, 2.5, "s", None, [1], (1, 2), True, 2**70, {1: 2}, 1 + 2j, b"x"]
    x = 0
    log = []
    for i in range(count):
        if i % 900 == 899:
            x = sequence[i // 900 % len(sequence)]
        try:
            x = x + 1
        except TypeError as error:
            if i % 900 == 899:
                log.append(str(error))
    return x, log


def int_becomes_float(count):
    total = 0
    step = 1
    for i in range(count):
        total += step
        if i == count // 2:
            step = 0.5
    return total


def float_becomes_int(count):
    total = 0.5
    for i in range(count):
        if i == count // 2:
            total = int(total)
        total = total + 1 if isinstance(total, int) else total * 1.0001
    return total


def alternating(count):
    total = 0
    x = 0
    for i in range(count):
        x = i if i % 2 else float(i)
        total += x
        if x == 7:
            x = None
        if x is None:
            total += 1000
    return total, type(total).__name__


def five_ways(values, count):
    counts = {}
    for i in range(count):
        v = values[i * 31 % len(values)]
        w = v * 2
        name = type(w).__name__
        counts[name] = counts.get(name, 0) + 1
    return counts


def polymorphic_add(a, b):
    return a + b


def call_with_types(count):
    out = []
    pairs = [(1, 2), (1.5, 2), ("a", "b"), ([1], [2]), ((1,), (2,)), (2**62, 2**62), (True, True), (1, 2.5), (1j, 1)]
    for n, (a, b) in enumerate(pairs):
        for _ in range(count // (n + 1)):
            r = polymorphic_add(a, b)
        out.append(r)
    for i in range(count):
        a, b = pairs[i % len(pairs)]
        r = polymorphic_add(a, b)
    out.append(r)
    return out


def conditionally_bound(count):
    failures = 0
    for i in range(count):
        if i % 1000 == 500:
            del_me = i
        try:
            del_me = del_me + 1
        except UnboundLocalError:
            failures += 1
        if i % 1000 == 900:
            del del_me
    return failures


def iterates_over_changing_types(count):
    total = 0
    for kind in (
        range(count),
        list(range(count)),
        tuple(range(count)),
        {i: 0 for i in range(count)},
        iter(range(count)),
        (i for i in range(count)),
        "abc",
        b"abc",
        range(3),
    ):
        for x in kind:
            total += ord(x) if isinstance(x, str) else x
    return total


def narrow_to_wide(count):
    x = 1
    kinds = []
    for i in range(count):
        x = x * 3 if x < 2**200 else 1.5 if x != 1.5 else 1
        if i % 1501 == 0:
            kinds.append(type(x).__name__)
    return x, kinds


print(
    through_all_types(9900),
    int_becomes_float(9000),
    float_becomes_int(9000).hex() if isinstance(float_becomes_int(9000), float) else float_becomes_int(9000),
)
print(alternating(9000), five_ways([1, 2.5, "a", [0], True, (1,)], 9000), call_with_types(6000))
print(conditionally_bound(9000), iterates_over_changing_types(6000), narrow_to_wide(9000))
value = 0
for step in range(9000):
    if step == 3000:
        value = value + 0.25
    elif step == 5000:
        value = str(value)
    elif step == 7000:
        value = None
    if value is None:
        continue
    value = value + (1 if not isinstance(value, str) else "")
print(value, step)
