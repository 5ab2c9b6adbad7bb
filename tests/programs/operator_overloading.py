# User classes with every arithmetic, comparison and container operator, reflected and in-place forms, NotImplemented.


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __lt__(self, other):
        return self @ self < other @ other

    def __bool__(self):
        return bool(self.x or self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __setitem__(self, i, value):
        if i == 0:
            self.x = value
        else:
            self.y = value

    def __len__(self):
        return 2

    def __contains__(self, value):
        return value in (self.x, self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __call__(self, k):
        return self.x + k

    def __repr__(self):
        return f"<{self.x} {self.y}>"


class Traced:
    log = []

    def __init__(self, name, answers):
        self.name = name
        self.answers = answers

    def __getattr__(self, name):
        raise AttributeError(name)


def make_operator(name):
    def method(self, other=None):
        if len(Traced.log) < 60:
            Traced.log.append(self.name + name)
        return 1 if self.answers else NotImplemented

    return method


for operator in (
    "add",
    "radd",
    "iadd",
    "sub",
    "rsub",
    "lt",
    "gt",
    "le",
    "ge",
    "eq",
    "mod",
    "rmod",
    "lshift",
    "rlshift",
    "floordiv",
    "rfloordiv",
    "and",
    "rand",
    "or",
    "ror",
    "xor",
    "rxor",
    "pow",
    "rpow",
    "truediv",
    "rtruediv",
):
    setattr(Traced, f"__{operator}__", make_operator(f".{operator} "))


class Sub(Traced):
    __radd__ = make_operator(".sub_radd ")


def vectors(count):
    position, velocity = Vector(0, 0), Vector(1, 2)
    hits = 0
    for i in range(count):
        position = position + velocity
        if position @ position > 10000:
            velocity = -velocity
        position = 2 * position - position * 1
        hits += position == Vector(1, 2)
        hits += position < Vector(9, 9)
        hits += bool(position) + len(position) + (0 in position) + position(1) % 2 + position[0] - position[-1]
        position[1] = position[1]
        a, b = position
        hits += a + b
    return position, velocity, hits


def dispatch_order(count):
    yes, no, sub = Traced("yes", True), Traced("no", False), Sub("sub", True)
    total = 0
    for i in range(count):
        total += (no + sub) + (yes + sub) + (sub % no) + (1 + yes) + (yes - 1) + (no < sub) + (yes >= no) + (3 >> 1)
        total += (5 // yes) + (2**yes) + (1.5 / yes) + (True & yes) + (no == yes) + (no == no)
        x = yes
        x += 1
        total += x
    return total, Traced.log


def fails(count):
    errors = {}
    no = Traced("no", False)
    v = Vector(1, 2)
    attempts = [
        lambda: no + no,
        lambda: no < no,
        lambda: 1 + v,
        lambda: v + 1,
        lambda: v["x"],
        lambda: v > 3,
        lambda: -no,
        lambda: no @ no,
        lambda: no[0],
        lambda: no(),
        lambda: 1 << no,
        lambda: [] + no,
        lambda: "a" * no,
        lambda: v % 2,
        lambda: {} | [],
        lambda: 1 + "a",
    ]
    for i in range(count):
        try:
            attempts[i % len(attempts)]()
        except (TypeError, IndexError) as error:
            errors[str(error)] = errors.get(str(error), 0) + 1
    return errors


def int_meets_object(count):
    # The site sees ints for long, then an object that overloads the operator.
    class Late:
        def __radd__(self, other):
            return other + 1000

        def __lt__(self, other):
            return "truthy"

        def __index__(self):
            return 3

    total = 0
    items = [10, 20, 30, 40, 50]
    for i in range(count):
        x = Late() if i % 2000 == 1999 else i % 5
        total = total + x
        if x < 3:
            total += items[x]
    return total


print(vectors(9000))
print(dispatch_order(6000))
for message, n in fails(6400).items():
    print(n, message)
print(int_meets_object(9000))
