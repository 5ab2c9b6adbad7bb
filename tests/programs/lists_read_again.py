"""Inner loops that count through lists of floats and lists of lists, in each round of a loop around: of any length, with other items and
shorter rows amid them, lists that grow meanwhile, and lists that handlers and threads change."""

import signal
import threading

NAN = float("nan")


def rows_of(n, m, seed):
    return [[((i * 37 + j * 17 + seed) % 101) / 101.0 - 0.5 for j in range(m)] for i in range(n)]


def multiply(a, b):
    n = len(a)
    inner = len(b)
    m = len(b[0]) if b else 0
    c = []
    for i in range(n):
        row = a[i]
        out = []
        for j in range(m):
            s = 0.0
            for k in range(inner):
                s += row[k] * b[k][j]
            out.append(s)
        c.append(out)
    return c


def told(function, *arguments):
    try:
        return function(*arguments)
    except (IndexError, TypeError, ValueError) as error:
        trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        frame = trace.tb_frame
        seen = {name: frame.f_locals[name] for name in ("i", "j", "k", "s") if name in frame.f_locals}
        return type(error).__name__, str(error), trace.tb_lineno - multiply.__code__.co_firstlineno, seen


def show(title, value):
    if isinstance(value, list):
        value = [[x.hex() if type(x) is float else x for x in row] if isinstance(row, list) else row for row in value]
        text = repr(value)
        value = text if len(text) < 400 else (len(text), hash(text.encode()) % 1 == 0, sum(map(ord, text)))
    print(title, value)


def matrices():
    for n, m in ((0, 0), (1, 1), (2, 3), (5, 7), (20, 20), (33, 5), (3, 40)):
        show(("product", n, m), multiply(rows_of(n, m, 1), rows_of(m, n, 2)))
    for _ in range(4):
        product = multiply(rows_of(24, 24, 3), rows_of(24, 24, 4))
    show("again", product)


def other_items():
    """Ints, bools, subclasses, strings and None among the floats: the exact loop goes on there, or raises."""

    class Odd(float):
        def __mul__(self, other):
            return 1000.0

        __rmul__ = __mul__

    for where in ("row", "column"):
        for what in (3, True, 10**30, NAN, -0.0, float("inf"), 5e-324, Odd(2.0), 2j, "text", None):
            for place in (0, 7, 19):
                a, b = rows_of(20, 20, 1), rows_of(20, 20, 2)
                (a if where == "row" else b)[place][19 - place] = what
                show((where, type(what).__name__, place), told(multiply, a, b))


def other_rows():
    for place in (0, 9, 19):
        for length in (0, 1, 10, 19, 21):
            b = rows_of(20, 20, 2)
            b[place] = b[place][:length] + [1.5] * max(0, length - 20)
            show(("length", place, length), told(multiply, rows_of(20, 20, 1), b))
            a = rows_of(20, 20, 1)
            a[place] = a[place][:length]
            show(("row of length", place, length), told(multiply, a, rows_of(20, 20, 2)))
        b = rows_of(20, 20, 2)
        b[place] = tuple(b[place])
        show(("tuple", place), told(multiply, rows_of(20, 20, 1), b))
        b[place] = None
        show(("None", place), told(multiply, rows_of(20, 20, 1), b))
    one = [0.25] * 20
    show("one row", multiply([one] * 20, [one] * 20))
    square = rows_of(20, 20, 5)
    show("itself", multiply(square, square))


def grow_while_read(rows, row, out, n):
    """`out` may be one of the lists that are read."""
    for j in range(n):
        s = 0.0
        for k in range(n):
            s += row[k] * rows[k][j]
        out.append(s)
    return s


def lists_that_grow():
    for _ in range(60):
        grow_while_read(rows_of(20, 20, 1), [1.0] * 20, [], 20)
    for _ in range(3):
        rows, row = rows_of(20, 20, 1), [1.0] * 20
        print(grow_while_read(rows, row, [], 20).hex(), len(row))
        print(grow_while_read(rows, row, row, 20).hex(), len(row))
        print(grow_while_read(rows, row, rows[7], 20).hex(), len(rows[7]))
        print(grow_while_read(rows, row, rows, 20).hex(), len(rows))
        short = [[0.5] for _ in range(20)]
        print(told(grow_while_read, short, row, short[19], 20)[:2], [len(r) for r in short])


def change_while_read(rows, row, n, changes):
    total = 0.0
    for j in range(n):
        for k in range(n):
            total += row[k] * rows[k][j]
        if j in changes:
            changes[j](rows, row)
    return total


def stores_between():
    def item(rows, row):
        row[3] = 7.5

    def inner(rows, row):
        rows[5][6] = -2.5

    def replaced(rows, row):
        rows[4] = [0.125] * 30

    def shrunk(rows, row):
        rows[9].append(9.0)
        rows[2].insert(0, 4.0)

    for _ in range(3):
        print(change_while_read(rows_of(20, 20, 1), [1.5] * 20, 20, {2: item, 4: inner, 6: replaced, 8: shrunk, 15: item}).hex())


def weighted(values, n):
    """Nothing but numbers are made in the loop around."""
    best = -1e300
    for j in range(n):
        s = 0.0
        for k in range(n):
            s += values[k] * j
        if s > best:
            best = s
    return best


def long_lists():
    for n in (1023, 1024, 1025, 1026, 2500):
        print(n, weighted([(i % 13) * 0.5 for i in range(n)], n).hex())
    values = [(i % 13) * 0.5 for i in range(2500)]
    values[1700] = 3
    values[900] = 2
    print(weighted(values, 2500).hex())


def starts(values, first, n):
    s = 0.0
    for j in range(n):
        for k in range(first, n):
            s = s * 0.5 + values[k]
    return s


def ranges():
    values = [i * 0.25 for i in range(30)]
    for first in (0, 1, 29, 30, 31, -1, -5, -30):
        print(first, told(starts, values, first, 30))
    print(told(starts, values, 0, 31)[:2], told(starts, values, -31, 30)[:2])


def asynchronous():
    """A signal's handler and another thread change what is read."""
    values = [1.0] * 300
    rows = [[1.0] * 300 for _ in range(300)]

    def spin(rows, row, out):
        for j in range(300):
            s = 0.0
            for k in range(300):
                s += row[k] * rows[k][j]
            out.append(s)

    def handler(number, frame):
        values[7] = rows[299][299] = 3.0

    previous = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.002)
    out = []
    while 3.0 not in values:
        out.clear()
        spin(rows, values, out)
    signal.signal(signal.SIGALRM, previous)
    out.clear()
    spin(rows, values, out)
    print(out[0], out[299])
    stop = []

    def change():
        rows[5] = [2.0] * 300
        values.append(1.0)
        stop.append(1)

    thread = threading.Thread(target=change)
    thread.start()
    while not stop:
        out.clear()
        spin(rows, values, out)
    thread.join()
    out.clear()
    spin(rows, values, out)
    print(out[0], out[299], len(values))


matrices()
other_items()
other_rows()
lists_that_grow()
stores_between()
long_lists()
ranges()
asynchronous()
