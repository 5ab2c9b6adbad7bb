"""toolz and more-itertools: records through pipelines of small functions."""

import sys

import more_itertools
import toolz
from toolz import curried

BENCH = {"size": 200_000, "small": 50}


@toolz.curry
def scale(factor, record):
    return toolz.assoc(record, "value", record["value"] * factor)


def run(size):
    records = ({"id": k, "kind": "abc"[k % 3], "value": k * 7 % 101} for k in range(size))
    kept = toolz.pipe(records, curried.filter(lambda record: record["value"] % 5), curried.map(scale(3)), list)
    groups = toolz.groupby("kind", kept)
    sums = toolz.valmap(lambda group: toolz.reduce(lambda a, b: (a * 3 + b["value"]) % 9973, group, 0), groups)
    folded = toolz.reduceby("kind", lambda total, record: total + record["value"], kept, 0)
    windows = sum(max(window) - min(window) for window in more_itertools.windowed((r["value"] for r in kept), 5))
    runs = [len(list(run)) for run in more_itertools.split_when(kept, lambda a, b: b["value"] < a["value"])]
    chunks = more_itertools.ilen(more_itertools.chunked(kept, 7))
    first = toolz.compose(dict, curried.take(2), sorted, dict.items)(toolz.frequencies(r["value"] for r in kept))
    return sums, folded, windows, max(runs), chunks, first


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
