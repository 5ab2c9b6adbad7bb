# Recursion through C functions (sorted, map, __getattr__, sum of generators, eval) mixed with hot Python frames.


def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[len(items) // 2]
    return (
        quicksort([x for x in items if x < pivot])
        + [x for x in items if x == pivot]
        + quicksort([x for x in items if x > pivot])
    )


def by_sum(n):
    return 1 if n < 2 else sum(by_sum(k) for k in (n - 1, n - 2))


def by_map(n):
    return 1 if n < 2 else sum(map(by_map, (n - 1, n - 2)))


def by_sort_key(n):
    return n if n <= 0 else sorted([n - 1, n - 2], key=by_sort_key)[0] + 1


class Lazy:
    def __init__(self, n):
        self.n = n

    def __getattr__(self, name):
        return self.n if self.n == 0 else getattr(Lazy(self.n - 1), name) + 1

    def __eq__(self, other):
        return self.n == other.n and (self.n == 0 or Lazy(self.n - 1) == Lazy(other.n - 1))

    def __len__(self):
        return 0 if self.n == 0 else len(Lazy(self.n - 1)) + 1


def by_eval(n):
    return 0 if n == 0 else eval("by_eval(n - 1) + 1")


def flatten(item):
    if isinstance(item, list):
        for x in item:
            yield from flatten(x)
    else:
        yield item


nested = 1
for i in range(60):
    nested = [nested, i]
total = 0
for i in range(300):
    total += by_sum(5) + by_map(5) + by_sort_key(4) + Lazy(8).x + len(Lazy(8)) + (Lazy(6) == Lazy(6)) + by_eval(3)
print(
    total, sum(flatten(nested)), by_sum(14), by_map(14), by_sort_key(12), Lazy(60).anything, len(Lazy(100)), by_eval(40)
)
print(quicksort([i * 7919 % 1009 for i in range(1500)])[::150])
try:
    len(Lazy(10**6))
except RecursionError as error:
    print("RecursionError", str(error)[:32])
try:
    Lazy(10**6).x
except RecursionError as error:
    print("RecursionError", str(error)[:32])
