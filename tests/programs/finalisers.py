# When objects die: __del__ order of values held by locals, list cells and stack temporaries in hot loops.
import weakref


class Tracked:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        events.append(self.name)

    def __add__(self, other):
        return Tracked(self.name + "+")


events = []


def drain():
    out, events[:] = [e for e in events if e != "quiet"], []
    return out


def rebinding(count):
    x = Tracked("first")
    for i in range(count):
        if i % 2000 == 1000:
            x = Tracked(f"x{i}")
            events.append(f"after {i}")
        y = i
    events.append("end")
    return y


def temporaries(count):
    total = 0
    for i in range(count):
        if i % 2000 == 1000:
            total += len((Tracked(f"t{i}") + 1).name)
            events.append(f"after {i}")
    return total


def overwritten_by_int(count):
    x = None
    for i in range(count):
        if i % 3000 == 2000:
            x = Tracked(f"o{i}")
        elif i % 3000 == 2500:
            x = i
            events.append(f"gone {i}")
    return x


def loop_variable(count):
    items = [0] * count
    items[1500] = Tracked("item")
    for item in items:
        if item:
            items[1500] = 0
            events.append("cleared")
    events.append("left")


def list_cells(count):
    cells = [None] * 4
    for i in range(count):
        cells[i % 4] = Tracked(f"c{i}") if i % 2500 == 2499 else i
        if i % 2500 == 2504:
            events.append("later")
    return cells


def returned_early(count):
    def inner(i):
        guard = Tracked(f"guard {i}")
        for j in range(3):
            if i % 2500 == 2400 and j == 1:
                return j
        guard.name = "quiet"
        return 0

    total = 0
    for i in range(count):
        total += inner(i)
    return total


def raising(count):
    def inner(i):
        guard = Tracked(f"raise {i}" if i % 2500 == 2400 else "normal")
        return 1 // (i % 2500 - 2400)

    failures = 0
    for i in range(count):
        try:
            inner(i)
        except ZeroDivisionError:
            failures += 1
            events.append("handled")
    return failures


def weak(count):
    strong = Tracked("weak")
    reference = weakref.ref(strong, lambda _: events.append("callback"))
    alive = 0
    for i in range(count):
        alive += reference() is not None
        if i == count // 2:
            del strong
    return alive


def deleted_in_finaliser(count):
    class Evil:
        def __del__(self):
            shared.clear()
            events.append("evil")

    shared = list(range(10))
    holder = Evil()
    total = 0
    for i in range(count):
        if i == count // 2:
            holder = None
        try:
            total += shared[3]
        except IndexError:
            total -= 1
    return total


for function in (rebinding, temporaries, overwritten_by_int, loop_variable, returned_early, weak, deleted_in_finaliser):
    result = function(9000)
    print(function.__name__, result, drain())
print(raising(9000), [e for e in drain() if e != "normal"])
print([type(c).__name__ for c in list_cells(9000)], drain())

keep = Tracked("module")
for k in range(9000):
    if k == 6000:
        keep = k
        events.append("after module")
print(keep, drain())
last = Tracked("at exit")
events = type("Printer", (), {"append": staticmethod(print)})()
