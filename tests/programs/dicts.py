# Dicts in hot loops: get, set, delete, order, iteration, key types that compare equal, missing keys, custom hashes.
import collections


def word_count(words, rounds):
    counts = {}
    for _ in range(rounds):
        for w in words:
            if w in counts:
                counts[w] += 1
            else:
                counts[w] = 1
    return counts


def insertion_order(count):
    d = {}
    for i in range(count):
        d[i * 7919 % 1009] = i
        if i % 5 == 0:
            d.pop(i % 1009, None)
        if i % 7 == 0:
            d[i % 1009] = d.pop(i % 1009, -1)
    return list(d.items())[:4], list(d)[-4:], len(d), sum(d.values())


def equal_keys(count):
    d = {}
    for i in range(count):
        key = (i % 3, float(i % 3), bool(i % 2), i % 3 + 0j)[i % 4]
        d[key] = d.get(key, 0) + 1
    return d


def memo(count):
    cache = {}

    def steps(n):
        if n == 1:
            return 0
        if n not in cache:
            cache[n] = 1 + steps(n // 2 if n % 2 == 0 else 3 * n + 1)
        return cache[n]

    return max((steps(i), i) for i in range(1, count)), len(cache)


def tuple_keys(n):
    grid = {}
    for x in range(n):
        for y in range(n):
            grid[x, y] = x * y % 7
    total = 0
    for (x, y), v in grid.items():
        total += v * (grid.get((x + 1, y), 0) - 2 * grid.get((x, y - 1), 1))
    return total


class Key:
    compared = 0

    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return self.n % 3

    def __eq__(self, other):
        Key.compared += 1
        return self.n == other.n


def colliding(count):
    d = {}
    for i in range(count):
        k = Key(i % 12)
        d[k] = d.get(k, 0) + i
    return sorted((k.n, v) for k, v in d.items()), Key.compared


def missing(count):
    errors = {}
    table = {"a": 1}
    for i in range(count):
        try:
            table[i % 2 or "b"]
            table[[]]
        except (KeyError, TypeError) as error:
            errors[repr(error)] = errors.get(repr(error), 0) + 1
    try:
        table[[]]
    except TypeError as error:
        return errors, str(error)


def specialised(count):
    default = collections.defaultdict(list)
    counter = collections.Counter()
    ordered = collections.OrderedDict()
    chain = collections.ChainMap({}, {"base": 1})
    for i in range(count):
        default[i % 5].append(i)
        counter[i % 7] += 1
        ordered[i % 4] = i
        ordered.move_to_end(0)
        total = chain["base"]
        chain["top"] = i
    return len(default[3]), counter.most_common(2), list(ordered), total, chain["top"]


def merges(count):
    total = 0
    for i in range(count):
        d = {"a": i} | {"b": 2}
        d |= {"c": 3}
        d.update(d=4)
        e = {**d, "a": 0}
        total += len(d) + sum(e.values()) + d.setdefault("z", 5)
        del d["a"]
        total += len(d) - ("a" in d)
    return total


def views(count):
    d = {i: -i for i in range(100)}
    total = 0
    for i in range(count):
        for k in list(d.keys())[:3]:
            total += k
        total += len(d.items()) + (i in d.keys()) + (-5 in d.values())
    return total


print(word_count("the cat and the dog and the bird".split(), 1500), insertion_order(9000), equal_keys(8000))
print(memo(3000), tuple_keys(80), colliding(5000), missing(6000), specialised(9000), merges(6000), views(3000))
