# Subclasses of dict: items that are there and missing, methods of their own, and given to the class while a loop runs.
import collections
class Sub(dict):
    def __missing__(self, key): return ("missing", key)
class Own(dict):
    def __getitem__(self, key): return ("own", dict.get(self, key))
    def __setitem__(self, key, value): dict.__setitem__(self, key, value * 2)
    def __contains__(self, key): return key == 3
class Plain(dict): pass
def use(d, n):
    out = 0
    for i in range(n):
        k = i % 7
        try:
            v = d[k]
            out += 1 if isinstance(v, (int, float)) else 100
        except KeyError:
            out += 1000
        d[k] = i
        out += (k in d) + (k + 100 in d)
        if i % 50 == 0:
            d.pop(k, None) if type(d) is not Own else None
    for key in d: out += key
    return out
for cls in (dict, Plain, Sub, Own, collections.Counter, collections.OrderedDict, lambda: collections.defaultdict(int), lambda: collections.defaultdict(list)):
    d = cls(); print(use(d, 3000), sorted(d.items())[:4])
def swap(n):
    d = Plain(); out = []
    for i in range(n):
        d[i % 5] = i
        if i == n // 2:
            Plain.__getitem__ = lambda self, k: ("patched", k)
        if i == n * 3 // 4:
            del Plain.__getitem__
        x = d[i % 5]
        if i % 500 == 0: out.append(x)
    return out
print(swap(6000))
def swapset(n):
    d = Plain(); out = []
    for i in range(n):
        if i == n // 2:
            Plain.__setitem__ = lambda self, k, v: dict.__setitem__(self, k, -v)
        if i == n * 3 // 4:
            Plain.__contains__ = lambda self, k: k == 2
        d[i % 5] = i
        if i % 500 == 0: out.append((d[i % 5], 2 in d, 3 in d))
    return out
print(swapset(6000))
def grow(n):
    g = collections.defaultdict(lambda: collections.defaultdict(list)); c = collections.Counter()
    for i in range(n):
        g[i % 11]["ab"[i % 2]].append(i); c[i % 13] += 1; c["x%d" % (i % 3)] -= 1
    return {k: {q: len(w) for q, w in v.items()} for k, v in g.items()}, c.most_common(3), len(c)
print(grow(5000))
class Keys:
    def __init__(self, k): self.k = k
    def __hash__(self): return hash(self.k)
    def __eq__(self, o): return isinstance(o, Keys) and self.k == o.k
def keyed(n):
    d = collections.defaultdict(int)
    for i in range(n): d[Keys(i % 9)] += i
    return sorted(d.values())
print(keyed(3000))
def nan(n):
    d = collections.defaultdict(int); x = float("nan")
    for i in range(n): d[x] += 1; d[i % 3 == 0] += 1; d[1.0] += 1; d[(i % 2, "k")] += 2
    return sorted(map(str, d.items()))
print(nan(3000))
def unhashable(n):
    d = collections.defaultdict(int); bad = 0
    for i in range(n):
        try: d[[] if i % 100 == 99 else i % 5] += 1
        except TypeError as e: bad += len(str(e))
    return bad, dict(d)
print(unhashable(3000))
