# Two equal strings of which both are interned: a letter beyond ASCII that was interned before code had CPython's own. As a keyword, as the name
# of a variable that changes, and as an attribute that a pattern asks for.
import sys

letter = sys.intern("\u00de".lower())
names = {}
exec("""
def more(\u00fe=0, **others):
    return \u00fe, len(others)

def other(z=0, \u00fe=0):
    return \u00fe

def rebound(n, name, space):
    total = 0
    for i in range(n):
        total += \u00fe
        if i == n // 2:
            space[name] = 2
    return total

\u00fe = 1
""", names)
more, other, rebound = names["more"], names["other"], names["rebound"]
print(letter is more.__code__.co_varnames[0])


def called(n, keywords):
    seen = {}
    for i in range(n):
        try:
            result = str((more(**keywords), other(**keywords)))
            result += str(more(3, **keywords))
        except TypeError as error:
            result = str(error)
        seen[result] = seen.get(result, 0) + 1
    return seen


class Point:
    __match_args__ = (letter,)

    def __init__(self, value):
        setattr(self, letter, value)


def matched(n):
    total = 0
    for i in range(n):
        match Point(i):
            case Point(value) if value % 2:
                total += value
            case Point():
                total += 1
    return total


print(called(4000, {letter: 1}), called(30, {"z": 1}))
print(rebound(4000, letter, names), rebound(30, letter, names))
print(matched(4000))
