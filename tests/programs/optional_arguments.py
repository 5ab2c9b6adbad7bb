# Arguments that are None, or numbers of several kinds, from call to call, in more combinations than there are versions of a function.
def blend(a=None, b=None, c=None, d=None, e=None, f=None):
    if a is None:
        a = 1
    if b is None:
        b = 2
    if c is None:
        c = 3
    if d is None:
        d = 4
    if e is None:
        e = 5
    if f is None:
        f = 6
    return a + b * 2 - c + d * 3 - e + f


def spread(*numbers, scale=None):
    total = 0
    for number in numbers:
        total += number if number is not None else 7
    return total if scale is None else total * scale


class Point:
    def __init__(self, x=None, y=None, name=None):
        self.x = 0 if x is None else x
        self.y = 0.5 if y is None else y
        self.name = name or "?"

    def moved(self, dx=None, dy=None):
        return Point(self.x + dx if dx is not None else self.x, self.y + dy if dy is not None else self.y, self.name)


def shown(value):
    return f"{value}|{type(value).__name__}"


def run(rounds, kinds):
    bits = 1
    total = 0
    out = []
    for turn in range(rounds):
        bits = (bits * 1103515245 + 12345) % 2147483648
        w = bits >> 12
        values = [None if w >> k & 1 else kinds[(w >> k + 7) % len(kinds)] for k in range(6)]
        total += blend(*values) + blend(values[0], values[1], values[2], values[3], values[4], values[5])
        total += blend(None if w & 1 else turn, None if w & 2 else turn, None if w & 4 else 2.5, None if w & 8 else turn,
                       None if w & 16 else 1.5, None if w & 32 else turn)
        total += spread(values[0], values[3], scale=values[5])
        point = Point(values[1], values[2], "p" if w & 64 else None).moved(values[3], values[4])
        if turn % 500 == 499:
            out.append((shown(total), shown(point.x), shown(point.y), point.name))
    return out


def late(rounds):
    """A caller that passes what it does not know to a function that has code for numbers."""
    def half(number):
        return number / 2
    table = {k: k if k % 3 else float(k) for k in range(20)}
    total = sum([half(k) for k in range(rounds)])
    for turn in range(rounds):
        total += half(table[turn % 20])
    for turn in range(rounds):
        total += half(table[turn % 20] if turn % 7 else True)
    return total


for kinds in ([10], [10, 20.5], [3, 2**65, 1.5, True], [1, 2 + 1j]):
    print(run(2500, kinds))
print(late(3000))
