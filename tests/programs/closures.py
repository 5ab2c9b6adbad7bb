# Closures, nonlocal, cells shared between loops and callees, late binding, unbound cells.
# kiln-test: modes=always,quick,default,deopt,gc timeout=240


def make_counter(start):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    def read():
        return count

    return step, read


def hot_nonlocal(rounds):
    step, read = make_counter(2**62 - 3000)
    for i in range(rounds):
        step()
        if i % 2:
            step(-3)
    return read()


def cell_in_loop(rounds):
    total = 0

    def add(x):
        nonlocal total
        total += x

    for i in range(rounds):
        add(i)
        total -= 1
    return total


def late_binding(rounds):
    functions = []
    for i in range(rounds):
        if i % 1500 == 0:
            functions.append(lambda: i)
            functions.append(lambda i=i: i)
    return [f() for f in functions]


def type_change_through_cell(rounds):
    value = 0

    def widen(i):
        nonlocal value
        if i == rounds // 2:
            value = value + 0.5
        elif i == rounds - 10:
            value = str(value)
        return value

    out = 0
    for i in range(rounds):
        if isinstance(widen(i), str):
            out += 1
        else:
            value += 1
    return value, out


def unbound(rounds):
    def peek():
        return late

    for i in range(rounds):
        if i == rounds - 5:
            try:
                peek()
            except NameError as error:
                print(type(error).__name__, error)
            late = 1
        elif i > rounds - 5:
            late += peek()
    del late
    try:
        peek()
    except NameError as error:
        print(type(error).__name__, error)


def nested_three_deep(rounds):
    a = 1

    def outer():
        b = 2

        def inner():
            nonlocal a, b
            a += b
            b = a % 17
            return a

        for _ in range(rounds):
            inner()
        return b

    return outer(), a


LEVEL = 7


def cell_beside_global(x):
    """Where the global's class is another one, the function goes on in the interpreter, with its cell."""
    global LEVEL
    y = x
    inner = lambda: y
    LEVEL = LEVEL + 1
    return inner() + x


def compose(n):
    f = lambda x: x
    for _ in range(n):
        f = (lambda g: lambda x: g(x) + 1)(f)
    return f


print(hot_nonlocal(6001), cell_in_loop(6000), late_binding(6000))
print(type_change_through_cell(6000))
unbound(6000)
print(nested_three_deep(6000))
add50 = compose(50)
print(sum(add50(i) for i in range(300)))
print(sum(cell_beside_global(i) for i in range(6000)))
LEVEL = 0.5
print(cell_beside_global(3), LEVEL)
LEVEL = 2
print(sum(cell_beside_global(i) for i in range(3000)), LEVEL)
