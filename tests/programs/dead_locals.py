# Locals that nobody reads any more before they are overwritten: they have changing kinds where loops are entered and where paths
# meet, their values stay there for whoever looks at the frame, and their objects live until they are overwritten.
import sys
import weakref

MANY = [None, 1, 2.5, "text", [1], (2, 3), True, 1 << 90, {}, -0.0, range(3), 5j, b"x", float("nan"), False, 10**6]


class Tracked:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"<{self.name}>"

    def __del__(self):
        print("dies:", self.name)


def shown(frame, *names):
    return [(name, repr(frame.f_locals.get(name, "unbound"))) for name in names]


def entered(first, second, count, every):
    # `first` and `second` are overwritten before they are read, but not in each round
    total = 0
    i = 0
    while i < count:
        if i % every == every - 1:
            first = i * 2
            second = first + 0.5
            total += second
        i += 1
    return total, repr(first), repr(second)


def entered_with_everything():
    for first in MANY:
        for second in MANY:
            print(entered(first, second, 40, 50), entered(first, second, 40, 7)[0])


def unbound_or_not(count):
    shapes = []
    for i in range(count):
        if i % 4 == 0:
            x = i
        elif i % 4 == 1:
            del x
        elif i % 4 == 2:
            x = "s"
        else:
            x = 2.0
        j = 0
        while j < 30:
            if j == 29:
                x = j + i
                shapes.append(x)
            j += 1
        if i % 4 == 0:
            y = 1
        elif i % 4 == 2:
            y = None
        if i % 500 == 7:
            print(i, shown(sys._getframe(), "x", "y"))
        if i % 4 != 0:
            y = i
    return sum(shapes)


def still_unbound(count):
    for i in range(count):
        if i % 3 == 1:
            x = i
            del x
        elif i % 3 == 2:
            x = "bound"
        if i == count - 2:
            try:
                return x
            except UnboundLocalError as error:
                print(type(error).__name__, error)
        x = i
        del x


def look():
    return shown(sys._getframe(1), "a", "b", "c", "d")


def looked_at(count):
    # a callee reads dead locals of the frame that waits for it
    seen = []
    for i in range(count):
        if i % 3 == 0:
            a, b = i, None
        elif i % 3 == 1:
            a, b = i / 4, "t"
            c = [i]
        else:
            a, b = None, (i, i)
            d = i > 5
        if i % 401 == 3:
            seen.append((i, look(), sorted(locals())))
        a = b = i
        if i % 7 == 6:
            c = a + b
    return seen


def inner_frames(kind):
    if kind == 0:
        a = 1
    elif kind == 1:
        a = 2.0
    elif kind == 2:
        a = None
    b = kind
    if kind == 5:
        raise KeyError(kind)
    a = kind + b
    return a


def traced(count):
    total = 0
    left = "nothing"
    for i in range(count):
        left = i if i % 2 else None
        try:
            total += inner_frames(i % 6 if i % 601 == 5 else i % 4)
        except KeyError as error:
            traceback = error.__traceback__
            while traceback is not None:
                print(i, traceback.tb_frame.f_code.co_name, shown(traceback.tb_frame, "left", "a", "b", "kind"))
                traceback = traceback.tb_next
        finally:
            left = total
    return total


def raised_amid(items):
    value = None
    try:
        for number in items:
            value = 100 // number
            value = number
            rest = value if number % 2 else str(value)
            if number % 3:
                rest = None
    except (ZeroDivisionError, TypeError) as error:
        return type(error).__name__, value, number, error.__traceback__.tb_frame.f_locals.get("rest", "unbound")
    return value, rest


def dying(count):
    held = Tracked("at the start")
    for i in range(count):
        if i % 900 == 450:
            print("before", i)
            held = Tracked(f"of round {i}")
            print("behind", i)
        elif i % 900 == 451:
            print("number", i)
            held = i
        elif i % 900 == 452:
            held = None
        elif i % 900 == 453:
            held = Tracked(f"again {i}")
        elif i % 900 == 454:
            del held
            print("deleted", i)
        if i % 900 < 450:
            held = i * 0.5
    print("end")


def dying_in_loop(held, count):
    i = 0
    while i < count:
        if i == count - 5:
            print("store")
            held = i
            print("stored")
        i += 1
    return i


def dying_in_callee(which):
    leftover = Tracked(f"local {which}") if which % 300 == 2 else which
    if which % 2:
        leftover = which / 2
    for leftover in (1, 2):
        pass
    if which % 300 == 4:
        leftover = Tracked(f"returned {which}")
    return which


def callees_die(count):
    total = 0
    for i in range(count):
        total += dying_in_callee(i)
    print("total", total)


def dead_but_watched(count):
    # the last reference is a dead local's
    class Plain:
        pass

    alive = []
    target = None
    for i in range(count):
        if i % 250 == 3:
            target = Plain()
            reference = weakref.ref(target)
        elif i % 250 == 100:
            alive.append(reference() is not None)
            target = i
            alive.append(reference() is not None)
        elif i % 250 == 101:
            target = None
        if i % 250 > 200:
            target = "s"
    return alive


def generated(count):
    # a generator's leftovers: the frame outlives its loops
    last = None
    for i in range(count):
        if i % 2:
            last = i
        elif i % 3:
            last = "three"
        j = 0
        while j < 20:
            if j == 19:
                last = (last, j)
            j += 1
        if i % 200 == 0:
            yield i, last
            last = None


def with_cells(count):
    kept = []
    for i in range(count):
        cell = i if i % 2 else None
        plain = i if i % 3 else "p"
        j = 0
        while j < 10:
            plain = j
            j += 1
        if i % 300 == 1:
            def inner(extra=i):
                def deeper():
                    return cell, extra
                return deeper
            kept.append(inner())
        cell = str(i)
    return [function() for function in kept], plain


def comprehensions(count):
    x = "outer"
    total = 0
    for i in range(count):
        if i % 5 == 0:
            x = None
        elif i % 5 == 1:
            x = i
        total += sum([x for x in (i, 1, 2)])
        if i % 5 == 4:
            total += len(str(x))
        if i % 777 == 1:
            print(i, x, shown(sys._getframe(), "x"))
        x = 1.5
    return total


def same_object(count):
    # which object a number is may be asked behind the loop
    numbers = [1000 + k for k in range(count)]
    best = worst = None
    for index, number in enumerate(numbers):
        if index % 3 == 0:
            best = number
        elif index % 3 == 1:
            worst = number
        else:
            worst = number / 2
    return best is numbers[-1], best is numbers[-2], best is numbers[-3], worst


def nested(count):
    out = []
    for i in range(count):
        a = [None, i, i / 2, "s", (i,), Tracked][i % 6]
        for j in range(12):
            b = a if j % 2 else None
            for k in range(3):
                a = k
                b = k * 1.0
            if j == 11 and i % 100 == 3:
                out.append((a, b))
        a = b = None
    return out


entered_with_everything()
print(unbound_or_not(3000))
still_unbound(3000)
print(still_unbound(3000 + 1))
print(looked_at(3000))
print(traced(4000))
for items in ([5, 2, 1] * 400 + [0], [5, 2, 1] * 400, [1, 3] * 900 + ["a"], [6, 9] * 1000 + [0]):
    print(raised_amid(items))
dying(3000)
for turn in range(40):
    dying_in_loop(Tracked(f"argument {turn}") if turn % 3 else turn, 100)
callees_die(1500)
print(dead_but_watched(1500))
for yielded in generated(1500):
    print(yielded)
print(with_cells(1500))
print(comprehensions(3000))
print(same_object(3000), same_object(3001), same_object(2999))
print(nested(600))
