# &, |, ^ and ~ on negative ints, bools and ints past 64 bits.


def combine(values, count):
    a = b = c = d = 0
    for i in range(count):
        x = values[i % len(values)]
        y = values[(i * 3 + 1) % len(values)]
        a += x & y
        b += x | y
        c += x ^ y
        d += ~x
    return a, b, c, d


def booleans(count):
    flags = [0, 0, 0]
    toggle = False
    for i in range(count):
        odd = i & 1 == 1
        third = i % 3 == 0
        toggle ^= odd
        flags[0] += odd & third
        flags[1] += odd | third
        flags[2] += odd ^ toggle
    return flags, type(toggle), toggle


def mixed(count):
    kinds = set()
    total = 0
    for i in range(count):
        flag = i % 5 == 0
        r = flag & i if i % 2 else flag & True
        kinds.add(type(r).__name__)
        total += r + (~i & 0xFF) + (flag | 8)
    return total, sorted(kinds)


def sieve_bits(limit):
    bits = (1 << limit) - 1
    bits &= ~3
    i = 2
    while i * i < limit:
        if bits >> i & 1:
            for j in range(i * i, limit, i):
                bits &= ~(1 << j)
        i += 1
    return bits.bit_count(), hex(bits)[-12:]


EDGES = [
    0,
    1,
    -1,
    255,
    -256,
    2**30,
    -(2**30) - 1,
    2**62,
    2**63 - 1,
    -(2**63),
    2**63,
    -(2**63) - 1,
    2**100 + 7,
    -(2**100),
]
print(combine(EDGES, 20000))
print(combine(EDGES[:10], 20000))
print(booleans(9001), mixed(9000))
print(sieve_bits(2000))
for x in EDGES:
    print(~x, [x & y for y in EDGES[::3]], [x | y for y in EDGES[::3]], [x ^ y for y in EDGES[::3]])
