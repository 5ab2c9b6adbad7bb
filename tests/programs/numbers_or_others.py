# Locals that are now a number, now None or something else: arithmetic and comparisons of what they are, loops that are entered with
# each of them, big ints, subclasses of numbers, errors, and which object a number is.
# kiln-test: modes=always,quick,default,deopt,gc
import gc

gc.freeze()  # what was there before is nothing for the collections of mode gc


class Seconds(float):
    def __add__(self, other):
        return Seconds(float(self) + float(other) + 0.5)


class Count(int):
    pass


def optional(a=None, b=None, c=None, d=None, e=None):
    total = 0
    if a is not None:
        total += a
    if b is not None:
        total += b
    if c is not None and c > 2:
        total -= c
    if d is not None:
        total = total * 2 if d < total else total - d
    if e is not None:
        total += -e
    return total


def arguments(n):
    total = 0
    for i in range(n):
        total += optional(i if i & 1 else None, i * 0.5 if i & 2 else None, i if i & 4 else None, i / 4 if i & 8 else None, i if i & 16 else None)
    return total


def best(n):
    found = last = None
    total = 0
    for i in range(n):
        value = i * 7 % 1013
        if value % 5 == 0:
            value = value / 2
        if found is None or value > found:
            found = value
        elif i % 100 == 0:
            found = None
        last = None if value < 100 else value
        if last is not None:
            total += last
    return found, last, total


def six(n):
    a = b = c = d = e = f = None
    total = 0.0
    for i in range(n):
        which = (i * 2654435761 >> 7) % 18
        if which == 0:
            a = i
        elif which == 1:
            a = i * 0.5
        elif which == 2:
            a = None
        elif which == 3:
            b = i
        elif which == 4:
            b = i * 0.5
        elif which == 5:
            b = None
        elif which == 6:
            c = i
        elif which == 7:
            c = i * 0.5
        elif which == 8:
            c = None
        elif which == 9:
            d = True
        elif which == 10:
            d = i * 0.5
        elif which == 11:
            d = None
        elif which == 12:
            e = i
        elif which == 13:
            e = "text"
        elif which == 14:
            e = None
        elif which == 15:
            f = 1 << 70
        elif which == 16:
            f = Seconds(i)
        else:
            f = Count(i)
        if a is not None:
            total += a
        if b is not None and b > 3:
            total -= b
        if c is not None:
            total = c + total
        if d is not None:
            total += d
        if e is not None:
            total += len(str(e))
        if f is not None:
            total = total + (f if f < 1e6 else 1)
    return repr(total), type(total).__name__


def operators(n):
    seen = []
    value = None
    for i in range(n):
        if i % 4 == 0:
            value = i
        elif i % 4 == 1:
            value = i + 0.25
        elif i % 4 == 2:
            value = -i
        else:
            value = None
            continue
        results = [value + 1, 2 - value, value * value, value / 3, value // 7, value % 7, value == i, value != i, value < 5, value >= 1.5, value**2]
        if i % 400 < 3:
            seen.append(results)
    return seen


def errors(n):
    texts = {}
    value = None
    for i in range(n):
        value = (None, i, i * 0.5, 0, 0.0, "x")[i % 6]
        try:
            value = 10 / value + value % 3
        except (TypeError, ZeroDivisionError) as error:
            texts[str(error)] = texts.get(str(error), 0) + 1
    return sorted(texts.items()), value


def growing(n):
    number = None
    steps = 0
    for i in range(n):
        if number is None or number > 1 << 90:
            number = 3 if i % 2 else 3.0
        else:
            number = number * number + i
            if number > 1e200:
                number = None
        steps += number is None
    return steps, number


def identities(n):
    kept = [1000, 2000.5, None, 3000]
    same = 0
    held = None
    for i in range(n):
        held = kept[i % 4]
        other = held
        if held is not None and held > 1500:
            same += other is kept[i % 4]
        if held is not None:
            held = held + 0
        same += held is None
    return same


def not_numbers(n):
    nan = float("nan")
    value = None
    count = 0
    for i in range(n):
        value = (nan, i, None, 0.5)[i % 4]
        if value is not None:
            count += (value < i) + (value != value) * 2 + (value >= 0) * 4
    return count


def entered(n):
    # The loop inside begins with other kinds each time.
    total = 0
    low = high = None
    for i in range(n):
        low, high = ((1, 2.5), (None, 3), (0.5, None), (None, None), (4, 5))[i % 5]
        for j in range(20):
            if low is None or j < low:
                low = j if i % 2 else j + 0.5
            if high is None or j > high:
                high = j
        total += low + high
    return total


print(arguments(3000), best(5000), six(9000))
print(operators(2000)[-4:])
print(errors(3000), growing(4000))
print(identities(4000), not_numbers(4000), entered(600))
