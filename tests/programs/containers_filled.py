"""Slices stored, sets and dicts filled by comprehensions and displays, super(), nested unpacking: in hot loops, with failures."""


class Key:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return self.n % 5

    def __eq__(self, other):
        if self.n + other.n == 84 and self.n != other.n:
            raise ValueError("77 and 7")
        return self.n == other.n


def flips(n):
    total = 0
    items = list(range(n))
    for k in range(400):
        perm = items[:]
        perm[: k % n + 1] = perm[k % n :: -1]
        perm[n - 2 :] = [k, k + 1, k + 2]
        total += perm[0] * 3 + perm[-1] + len(perm)
    return total


def sliced_wrongly(n):
    target = [0] * 10
    failures = []
    for k in range(n):
        try:
            target[k % 5 : 7] = 5 if k == n - 3 else (k, k)
        except TypeError as error:
            failures.append((k, str(error)))
    return target[:4], len(target), failures


def comprehended(n):
    total = 0
    for k in range(n):
        squares = {j * j % 11 for j in range(k % 9)}
        table = {j: j + k for j in range(k % 7)}
        record = {"k": k, "squares": len(squares), "sum": sum(table.values())}
        total += record["sum"] + record["squares"] - record["k"] % 3
    return total, sorted(squares), table, record


def raising(n):
    caught = 0
    for k in range(n):
        try:
            caught += len({Key(j) for j in (7, k, 2)})
        except ValueError as error:
            caught += 1000
            message = str(error)
    return caught, message


class Base:
    def __init__(self, n):
        self.n = n

    def value(self, k):
        return self.n + k

    @property
    def size(self):
        return self.n


class Middle(Base):
    def __init__(self, n, more):
        super().__init__(n)
        self.more = more

    def value(self, k):
        return super().value(k) * 2 + self.more


class Last(Middle):
    def value(self, k):
        if k == 900:
            return super().missing
        return super(Last, self).value(k) + super().size


def supers(n):
    total = 0
    for k in range(n):
        try:
            total += Last(k % 5, 1).value(k)
        except AttributeError as error:
            print(error)
    return total


def unpacked(n):
    pairs = [(([1.0, 2.0], k), {"a": k}) for k in range(9)]
    pairs[4] = ((["x", "y"], 4), {"a": 4})
    total = 0.0
    failures = 0
    for k in range(n):
        if k == n - 5:
            pairs[3] = (([1.0], 3), {"a": 3})
        if k == n - 4:
            pairs[2] = ("ab", {"a": 3})
        try:
            (([x, y], m), d) = pairs[k % 9]
            total += m + d["a"] + (x * y if k % 9 != 4 else len(x + y))
        except (ValueError, TypeError) as error:
            failures += 1
            print(k, error)
    return total, failures


print(flips(9), sliced_wrongly(2000))
print(comprehended(600))
print(raising(200))
print(supers(1500))
print(unpacked(900))
