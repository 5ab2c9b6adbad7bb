"""Records through a pipeline of generators, comprehensions and itertools, as in a log analysis."""

import collections
import itertools
import sys

BENCH = {"group": "other", "size": 26_000, "small": 50, "numba": "generators"}


def lines(n):
    state = 99
    for number in range(n):
        state = (state * 69069 + 1) % 4294967296
        level = ("INFO", "INFO", "INFO", "WARN", "ERROR")[state >> 8 & 3]
        yield f"{number:08d} {level} module{state >> 16 & 15}: took {state >> 20} us"


def parse(source):
    for line in source:
        number, level, module, _, time, _ = line.split(" ")
        yield {"number": int(number), "level": level, "module": module[:-1], "time": int(time)}


def slow(records, limit):
    for record in records:
        if record["time"] > limit:
            record["slow"] = True
        yield record


def windows(records, size):
    window = collections.deque(maxlen=size)
    for record in records:
        window.append(record["time"])
        if len(window) == size:
            yield record, sum(window) / size


def pairs(iterable):
    first, second = itertools.tee(iterable)
    next(second, None)
    return zip(first, second)


def run(n):
    by_module = collections.defaultdict(list)
    rising = 0
    for (record, mean), (_, following) in pairs(windows(slow(parse(lines(n)), 3000), 8)):
        if record.get("slow") and record["level"] != "INFO":
            by_module[record["module"]].append(mean)
        rising += following > mean
    summary = {module: (len(means), max(means)) for module, means in by_module.items()}
    ordered = [name for name, _ in sorted(summary.items(), key=lambda item: item[1], reverse=True)]
    flat = list(itertools.chain.from_iterable((name, str(count)) for name, (count, _) in summary.items()))
    return f"{rising} {len(flat)} {','.join(ordered)}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
