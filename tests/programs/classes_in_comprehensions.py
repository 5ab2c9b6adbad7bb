"""Loops over attributes whose items are of many classes: more combinations than a place in compiled code has versions."""


class Row:
    def __init__(self, keys, items):
        self.keys = keys
        self.items = items


row = Row([1], [2])
ROWS = [
    Row([1, 2.0, None, "a", [1], True, row], [1, 2.0, None, row, "s", True, (1,)]),
    Row([row, 2.0, None], [1, 2.0, row, None]),
]


def name(value):
    return type(value).__name__


def nested(rows):
    return [[v for v in r.items] for r in rows for k in r.keys]


def nested_pairs(rows):
    return [[(k, v) for v in r.items] for r in rows for k in r.keys]


def filtered(rows):
    return [v for r in rows for k in r.keys for v in r.items if k]


def keyed(rows):
    return [{name(k): [v for v in r.items if v != k] for k in r.keys} for r in rows]


def chosen(rows):
    seen = []
    for r in rows:
        for k in r.keys:
            for v in r.items:
                w = v if k else k
                if w:
                    seen.append(w)
    return seen


def chosen_twice(rows):
    count = 0
    for r in rows:
        for k in r.keys:
            for v in r.items:
                w = v if k else k
                x = k if w else v
                y = w if x else k
                count += (w == x) + (x == y) * 2
    return count


def kept(rows):
    last = other = None
    count = 0
    for r in rows:
        for k in r.keys:
            other = k if other else last
            for v in r.items:
                last = v if v else other
                count += (last == k) + (other == v)
    return count


def shown(value):
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    return "row" if isinstance(value, Row) else value


for function in (nested, nested_pairs, filtered, keyed, chosen, chosen_twice, kept):
    for _ in range(30):
        result = function(ROWS)
    print(function.__name__, shown(result))
