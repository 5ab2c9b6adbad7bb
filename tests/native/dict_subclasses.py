# Items of defaultdicts, Counters and other subclasses of dict that leave them to dict; missing ones are CPython's
import collections

from _harness import drive


class Table(dict):
    def __missing__(self, key):
        return 0


def work(n):
    counts = collections.defaultdict(int)
    groups = collections.defaultdict(list)
    counter = collections.Counter()
    table = Table()
    total = 0
    for i in range(n):  # kiln-native allow-opaque=BINARY_SUBSCR
        key = i % 50
        counts[key] += 1
        groups[key].append(i & 3)
        counter[key] += 2
        table[key] += 3
        total += counts[i % 7] + (key + 40 in counter)
    return total, sum(map(sum, groups.values())), counter.most_common(2), len(table)


drive(work)
