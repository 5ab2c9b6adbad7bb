# Products that leave 64 bits: squares, factorials, linear congruential generators with and without a mask.


def power_chain(base, count):
    seen = []
    value = 1
    for i in range(count):
        value = value * base
        if value > 2**70 or value < -(2**70):
            seen.append((i, value))
            value = 1
    return value, len(seen), seen[:3]


def masked_generator(seed, count):
    state = seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
    return state


def small_generator(seed, count):
    state = seed
    low = high = state
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2147483648
        low = min(low, state)
        high = max(high, state)
    return state, low, high


def edge_products(values, count):
    total = 0
    for i in range(count):
        a = values[i % len(values)]
        b = values[(i * 7 + 3) % len(values)]
        total += a * b
        total -= (a - 1) * (b + 1)
    return total


def factorial_rounds(count):
    product, digits = 1, 0
    for i in range(1, count):
        product *= i % 25 + 1
        if i % 25 == 24:
            digits += product % 1000003
            product = 1
    return digits, product


EDGES = [
    0,
    1,
    -1,
    2,
    2**15,
    2**30 - 1,
    2**30,
    -(2**30),
    2**31,
    -(2**31),
    2**32 - 1,
    2**62,
    -(2**62),
    2**63 - 1,
    -(2**63),
    3037000499,
    3037000500,
    -3037000500,
    2**63,
    2**64 + 1,
]
for base in (2, 3, -2, -7, 10, 2**31, -(2**31), 2**32):
    print(base, power_chain(base, 6000))
print(masked_generator(1, 20000), masked_generator(2**64 - 1, 20000))
print(small_generator(42, 20000))
print(edge_products(EDGES, 20000), edge_products(EDGES[:9], 20000))
print(factorial_rounds(10000))
print([x * y for x in EDGES for y in EDGES][::17])
