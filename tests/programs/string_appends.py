# Strings that grow piece by piece: in place where nobody else has them, however they came to be, and a copy where somebody does.
# Copied each time, the long ones would take minutes.
import sys


def grow(count):
    text = ""
    for i in range(count):
        text += "xyz"
    return len(text)


def grow_by_plus(count):
    text = "a"
    for i in range(count):
        text = text + "bc"
    return len(text)


def grow_parameter(text, count):
    while len(text) < count:
        text += "0123456789"
    return len(text)


def grow_wide(count):
    text = ""
    for i in range(count):
        text += chr(48 + i % 10) if i % 5000 else "\u20ac\U0001f600"
    return len(text), hash(text) == hash(text[:]), text[:3], text[4998:5003]


def keep_others(count):
    kept = []
    text = ""
    for i in range(count):
        other = text
        text += str(i % 10)
        if i % 100 == 0:
            kept.append(other)
            kept.append(text)
        if len(text) > 300:
            text = ""
    return [len(k) for k in kept[:12]], kept[3][:20], other, text


def double(count):
    text = "ab"
    for i in range(count):
        text += text
        if len(text) > 1000:
            text = text[:2] + "c"
    return text


def grow_two(count):
    first = second = ""
    for i in range(count):
        if i % 3:
            first += "f"
            second += first[-1:]
        else:
            first = first + "-"
        if i % 50 == 0:
            second = first
    return len(first), len(second), first[-7:], second[-7:]


class Text(str):
    def __add__(self, other):
        return Text("<" + str(self) + other + ">")


def meets_others(values):
    results = []
    for value in values:
        total = value
        for i in range(6):
            try:
                total += value
            except TypeError as error:
                results.append(str(error))
        results.append(total)
    return results


def fails_in_between(count):
    text = ""
    failed = 0
    for i in range(count):
        try:
            text += "a" if i % 100 else None
        except TypeError:
            failed += 1
    return len(text), failed


def seen_by_locals(count):
    text = ""
    for i in range(count):
        text += "s"
        if i % 400 == 399:
            frame = sys._getframe()
            assert frame.f_locals["text"] == text, i
    return len(text)


def inner(text, piece):
    text += piece
    text += piece
    return text


def grow_in_callee(count):
    text = ""
    for i in range(count):
        text = inner(text, "cd")
        if len(text) > 2000:
            text = ""
    return text


def generate(count):
    text = ""
    for i in range(count):
        text += "g"
        if i % 1000 == 0:
            yield len(text)


for _ in range(3):
    print(grow(1_000_000), grow_by_plus(500_000), grow_parameter("", 3_000_000), grow_parameter("abc", 1000))
    print(grow_wide(200_000))
    print(keep_others(2000))
    print(double(3000))
    print(grow_two(3000))
    print(meets_others(["a", Text("b"), 3, (2,), None, b"c"] * 40)[:30])
    print(fails_in_between(3000), seen_by_locals(3000), len(grow_in_callee(5000)), list(generate(3000)))
