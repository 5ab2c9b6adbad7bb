"""Instances of several classes are called with keywords at one place, from loops and from functions, whatever becomes of the classes."""


class View:
    def __init__(self, number):
        self.number = number

    def __call__(self, bunch=None, data=False, *, default=None):
        if bunch is None and data is False:
            return self
        return self.number, bunch, data, default


class Directed(View):
    def __call__(self, bunch=None, data=False, *, default=None):
        return ("directed", self.number, bunch, data, default)


class Counting:
    """Takes more of everything, and counts its calls."""

    def __init__(self, number):
        self.number = number
        self.calls = 0

    def __call__(self, bunch=None, data=0, *others, default=None, **more):
        total = 0
        for step in range(3):
            total += step * self.number
        self.calls += 1
        if bunch is not None:
            total += bunch
        if data:
            total -= len(str(data))
        for name, value in sorted(more.items()):
            total += len(name) * value
        return total, data, others, default, self.calls % 3


def keyword(view):
    return view(data="w")


def keywords(view, index):
    return view(data="w", default=index)


def mixed(view, index):
    return view(index, default="d", data=index + 1)


def attempt(view, index):
    try:
        return view(data=index, missing=1) if isinstance(view, Counting) else view(unknown=index)
    except TypeError as error:
        return str(error)


def run(views, rounds):
    results = []
    for index in range(rounds):
        view = views[index % len(views)]
        found = view(data=True)
        if found is view:
            results.append(("wrong", index))
        third = view(default=index, data=False)
        results.append((found, keyword(view), keywords(view, index), mixed(view, index), type(third).__name__))
        if index % 50 == 0:
            results.append(attempt(view, index))
    return results


for views in (
    [View(1), Directed(2)],
    [View(1), Directed(2), Counting(3)],
    [Counting(4), Counting(5)],
    [Directed(6), lambda bunch=None, data=0, default=9: (bunch, data, default), View(7)],
):
    results = run(views, 900)
    kept = [result for result in results if result[0] == "wrong"]
    print(len(results), kept[:3], results[:-6] == run(views, 900)[:-6], results[-3:])

views = [View(1), Directed(2)]
total = 0
for index in range(4000):
    view = views[index % 2]
    found = view(data=True)
    total += found[-2] is True
    found = view(default=3, data=False)
    total += found is view
    if index == 3000:
        View.__call__ = lambda self, bunch=None, data=1, *, default=None: ("late", data, default)
print(total)
