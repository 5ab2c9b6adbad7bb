# Functions with cells, defaults, keyword-only parameters, *args and **kwargs: called every way, made again and again.
import gc
import weakref


def make_adder(step):
    def add(x, y=2, *, k=3, **named):
        return x * y + step + k + len(named)

    return add


def make_counter(start):
    count = start

    def bump(by=1):
        nonlocal count
        count += by * by
        return count

    def read():
        return count

    return bump, read


def keeps_arguments(a, b):
    def later():
        return a * 10 + b

    b += 1
    return later


def total_of(*values, scale=1):
    total = 0
    for value in values:
        total += value * scale
    return total


def mixed(a, /, b, *rest, c=5, **named):
    return a + b * 2 + len(rest) * c + sum(named.values()) + (a in rest)


def recursive_closure(limit):
    def descend(n):
        return 0 if n >= limit else 1 + descend(n + 1)

    return descend(0)


def unset(which):
    if which:
        value = 1

    def read():
        return value

    return read()


def drive(n):
    add, other = make_adder(10), make_adder(0.5)
    bump, read = make_counter(0)
    total = 0
    for i in range(n):
        total += add(i) + other(i, 3) + add(i, k=i) + add(y=i, x=2) + add(1, z=i)
        total += bump() + bump(by=2) - read()
        total += total_of(i, 1, 2) + total_of() + total_of(i, scale=2)
        total += mixed(i, 1) + mixed(i, b=2, c=i) + mixed(1, 2, 3, 1, z=i, a=3)
        made = lambda x, i=i: x * i + total % 7
        total += made(3) + made(i, 2) + keeps_arguments(i, 2)()
        total %= 1000003
    return total, read()


def call_wrongly(n):
    add = make_adder(1)
    messages = []
    for i in range(n):
        add(i)
        if i % 700 == 699:
            for wrong in (lambda: add(), lambda: add(1, 2, 3), lambda: add(1, x=2), lambda: mixed(b=2),
                          lambda: total_of(1, rate=2), lambda: unset(False)):
                try:
                    wrong()
                except (TypeError, NameError) as error:
                    messages.append(f"{type(error).__name__}: {error}")
    return messages


def change_defaults(n):
    def f(x, y=1, *, z=2):
        return x + y * 10 + z * 100

    total = 0
    for i in range(n):
        total += f(i) + f(i, z=3)
        if i == n // 2:
            f.__defaults__ = (5,)
        elif i == 2 * n // 3:
            f.__kwdefaults__ = {"z": 0.5}
        elif i == 3 * n // 4:
            f.__kwdefaults__["z"] = 7
    return total


def forget_functions(n):
    alive = 0
    for i in range(n):
        f = lambda x: x + i
        reference = weakref.ref(f)
        assert f(1) == i + 1
        del f
        alive += reference() is not None
    return alive


def closures_die(n):
    class Held:
        pass

    def make(held):
        def work(x):
            return x + held.value

        return work

    references = []
    total = 0
    for i in range(n):
        held = Held()
        held.value = i
        work = make(held)
        total += work(i) + work(x=1)
        if i % 500 == 0:
            references.append(weakref.ref(held))
    del held, work
    gc.collect()
    return total, [reference() is None for reference in references]


def map_and_sort(n):
    rows = [(i * 7919 % 101, i) for i in range(n)]
    for round_ in range(20):
        rows.sort(key=lambda row, sign=(-1) ** round_: sign * row[0] * 1000 + row[1])
    return rows[:3], sum(map(lambda row: row[0] * row[1] % 17, rows)), max(rows, key=lambda row: (row[1] * 31) % 97)


def spread(n):
    arguments, named = (1, 2, 3), {"scale": 2}
    total = 0
    for i in range(n):
        total += total_of(*arguments) + total_of(i, *arguments, **named)
    return total


for n in (50, 3000):
    print(drive(n), change_defaults(n), forget_functions(n), closures_die(n), map_and_sort(n), spread(n))
print(call_wrongly(3000))
print(recursive_closure(600), [recursive_closure(i) for i in range(50)])
