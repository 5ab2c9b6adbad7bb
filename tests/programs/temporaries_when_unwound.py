# An exception in the middle of an expression: what the expression has on the stack ends from the top, then the locals in their order.
log = []


class Ends:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        log.append(self.name)


def fails(n):
    if n % 101 == 6:
        raise ValueError
    return n


class Refuses:
    def __new__(cls, n):
        if n % 101 == 6:
            raise ValueError
        return object.__new__(cls)


def handled_here(n):
    for i in range(n):
        try:
            made = Ends("one"), Ends("two"), fails(i)
        except ValueError:
            log.append("e")
        made = None


def nested(n):
    for i in range(n):
        try:
            made = [((1, 2), Ends("one")), (Ends("two"), Refuses(i))]
        except ValueError:
            log.append("e")
        made = None


def many(n):
    for i in range(n):
        try:
            made = Ends("one"), fails(i // 2), Ends("two"), fails(i), 3
        except ValueError:
            log.append("e")
        made = None


def expression(i):
    local = Ends("local")
    other = Ends("other")
    return Ends("one"), Ends("two"), [Ends("three"), fails(i)]


def handled_by_caller(n):
    for i in range(n):
        try:
            expression(i)
        except ValueError:
            log.append("e")


def deep(i):
    held = Ends("held")
    return Ends("outer"), expression(i)


def handled_further_out(n):
    for i in range(n):
        try:
            deep(i)
        except ValueError:
            log.append("e")


for work in (handled_here, nested, many, handled_by_caller, handled_further_out):
    log.clear()
    work(3000)
    before = {}
    start = 0
    for index, name in enumerate(log):
        if name == "e":
            key = tuple(log[max(start, index - 8):index])
            before[key] = before.get(key, 0) + 1
            start = index + 1
    print(work.__name__, sorted(before.items()))
