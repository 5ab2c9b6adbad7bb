"""A `__getitem__` that calls itself, and one of many branches: arguments of every kind, failures, results of several classes."""


class Kept:
    """Keeps what it is given and fails at the bottom."""

    def __init__(self):
        self.seen = []

    def __getitem__(self, index):
        self.seen.append(index)
        total = 0
        for step in range(3):
            total += step
        if index == (1, 0):
            raise KeyError(index)
        try:
            return self[index[0] - 1, total - 3]
        finally:
            self.seen.append(-index[0])


for _ in range(6):
    kept = Kept()
    try:
        kept[40, 0]
    except KeyError as error:
        print(error, sum(kept.seen[0]) + sum(number for number in kept.seen if isinstance(number, int)), len(kept.seen))


class Vector:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        """Numbers as numbers, slices as vectors, names as themselves."""
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self.items))
            taken = []
            while start < stop:
                taken.append(self.items[start])
                start += step
            return Vector(taken)
        if isinstance(index, str):
            if index == "first":
                return self.items[0]
            if index == "last":
                return self.items[-1]
            return index + "?"
        if index < 0:
            index += len(self.items)
        if index >= len(self.items):
            raise IndexError(index)
        return self.items[index]


vector = Vector([n / 2 for n in range(50)])
total = 0.0
for n in range(4000):
    total += vector[n % 50]
    total -= vector[-1 - n % 7]
    total += vector[n % 40 : 49 : 2]["last"]
    total += len(vector["name"]) + vector["first"]
    try:
        total += vector[n % 60]
    except IndexError as error:
        total += error.args[0]
print(total)
