# Chained comparisons, and/or/not, `is`, ternaries: short circuit, evaluation order and the values they yield.


def chains(count):
    hits = [0] * 6
    for i in range(count):
        hits[0] += 100 < i < 5000
        hits[1] += 100 <= i <= 5000 != 3000
        hits[2] += 0 < i % 7 > 2 < 9 == 9
        hits[3] += not 1 < i % 10 < 8
        hits[4] += 1.5 < i / 3 < 1000 <= i
        hits[5] += i < 10 > i == i
    return hits


def order_of_evaluation(count):
    calls = []

    def value(x):
        if len(calls) < 40:
            calls.append(x)
        return x

    hits = 0
    for i in range(count):
        if value(i % 3) < value(1) < value(2):
            hits += 1
        if value(0) or value(i % 2) and value(5):
            hits += 1
    return hits, calls


def values_of_logic(count):
    kinds = {}
    for i in range(count):
        a = i % 4
        for value in (
            a and "x",
            a or "y",
            not a,
            a and 0.0 or None,
            (a or []) and (),
            a if a > 1 else -a,
            None or a,
            a is None,
        ):
            key = repr(value)
            kinds[key] = kinds.get(key, 0) + 1
    return sorted(kinds.items())


def identity(count):
    none = same = other = 0
    marker = object()
    current = None
    for i in range(count):
        if current is None:
            none += 1
            current = marker
        elif current is marker:
            same += 1
            current = i
        elif current is not marker:
            other += 1
            current = None
    return none, same, other


def nested_ternary(count):
    text = ""
    total = 0
    for i in range(count):
        total += 1 if i % 15 == 0 else 2 if i % 5 == 0 else 3 if i % 3 == 0 else 4.5
        text = "a" if total > 100 else text
    return total, text


def walrus(count):
    total = 0
    i = 0
    while (square := i * i) < count * count and (half := i // 2) >= 0:
        total += square - half
        i += 1
    return total, square, half


print(chains(9000))
print(order_of_evaluation(6000))
print(values_of_logic(6000))
print(identity(6001), nested_ternary(6000), walrus(6000))
