# Many optional arguments tested with `is None`: every branch gets hot at some time, in changing combinations.


def combine(a=None, b=None, c=None, d=None, e=None, f=None, g=None, h=None, i=None):
    total = 0
    if a is None:
        total += 1
    else:
        total += a
    if b is None:
        total += 2
    else:
        total -= b
    if c is None:
        total *= 3
    else:
        total += c * 2
    if d is not None:
        total ^= d
    if e is None:
        total += 5
    else:
        total += e / 2
    if f is not None and g is not None:
        total += f - g
    elif f is not None or g is not None:
        total += 7
    if h is None:
        return total
    if i is None:
        return total + h
    return total + h * i


def drive(count):
    total = 0.0
    for n in range(count):
        total += combine(
            n if n & 1 else None,
            n * 2 if n & 2 else None,
            n if n & 4 else None,
            None,
            n if n & 8 else None,
            n if n & 16 else None,
            n if n & 32 else None,
            n if n & 64 else None,
            0.5 if n & 128 else None,
        )
    return total


def late_branches(count):
    """Each branch is first taken long after the loop was hot."""
    counts = [0] * 12
    for n in range(count):
        if n < 3000:
            counts[0] += 1
        elif n < 4000:
            counts[1] += 2
        elif n < 5000:
            counts[2] += 0.5
        elif n % 7 == 0:
            counts[3] += n
        elif n % 11 == 0:
            counts[4] -= n
        elif n % 13 == 0 and n > 7000:
            counts[5] += n // 3
        elif n % 17 == 0 or n > 8900:
            counts[6] += 1 if n % 2 else -1
        elif not n % 19:
            counts[7] = counts[7] * 3 % 1000 + n
        elif n & 1:
            counts[8] += n & 7
        else:
            counts[9] += n >> 2
    return counts


def dispatch(op, a, b):
    if op == "add":
        return a + b
    elif op == "sub":
        return a - b
    elif op == "mul":
        return a * b % 10007
    elif op == "div":
        return a // b if b else 0
    elif op == "neg":
        return -a
    return None


def interpreter(count):
    program = ["add", "mul", "sub", "nop", "div", "neg", "add"]
    accumulator = 1
    for n in range(count):
        result = dispatch(program[n % len(program)], accumulator, n % 23)
        if result is not None:
            accumulator = result
    return accumulator


def tree_search(count):
    root = None
    size = 0
    for n in range(count):
        key = n * 7919 % 1021
        if root is None:
            root = [key, None, None]
            size += 1
            continue
        node = root
        while True:
            if key == node[0]:
                break
            side = 1 if key < node[0] else 2
            if node[side] is None:
                node[side] = [key, None, None]
                size += 1
                break
            node = node[side]
    return size, root[0]


print(drive(20000), late_branches(9000), interpreter(20000), tree_search(3000))
for bits in range(0, 512, 37):
    arguments = [n + 1 if bits >> n & 1 else None for n in range(9)]
    print(bits, combine(*arguments))
