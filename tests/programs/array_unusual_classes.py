# What is an array but not a plain one: structured, object, text, dates, subclasses, masked, record and mapped arrays.
# kiln-test: needs=numpy
import pathlib
import tempfile
import warnings

import numpy as np
from _arrays import digest, exact, fresh, outcome

warnings.simplefilter("ignore", PendingDeprecationWarning)
COUNT = 4000


def read(a):
    out = []
    for i in range(COUNT):
        out.append(a[i % len(a)])
    return out


def summed(a):
    t = a[0] - a[0]
    for i in range(COUNT):
        t = t + a[i % len(a)]
        a[-1 - i % len(a)] = a[(i * 7) % len(a)]
    return t


def fields(records):
    t = 0
    for i in range(COUNT):
        record = records[i % len(records)]
        record["x"] += i
        records["y"][i % len(records)] = record["x"] / 2
        t += record["y"] + record[0]
        records[i % 3] = (i, -i, "abc"[: i % 3])
    return t, records[:3].tolist()


def attributes_of_records(records):
    t = 0.0
    for i in range(COUNT):
        record = records[i % len(records)]
        t += record.x * 0.5
        record.y = t
        records.x[i % len(records)] = i
    return t


class Doubled(np.ndarray):
    """Reads twice what is stored."""

    def __getitem__(self, key):
        return super().__getitem__(key) * 2


class Noted(np.ndarray):
    """Carries a name into its views."""

    def __array_finalize__(self, origin):
        self.name = getattr(origin, "name", "none")


class Stubborn(np.ndarray):
    def __setitem__(self, key, value):
        super().__setitem__(key, 0 if value == 13 else value)

    def __len__(self):
        return 5

    def __iter__(self):
        return iter("not the elements")


def by_loops(a):
    t = 0
    for i in range(COUNT):
        a[i % 8] = i % 17
        t += a[i % len(a)]
    for x in a:
        t = t + len(x) if isinstance(x, str) else t + x
    return t


def views_of(a):
    names = set()
    for i in range(COUNT):
        view = a[i % 5 :]
        names.add((type(view).__name__, view.name, type(a[i % 5]).__name__))
    return sorted(names)


def matrix(m):
    t = 0
    for i in range(COUNT):
        t += m[i % 3, i % 4]
        t += m[i % 3].shape[0] + m[i % 3][0, i % 4]
        m[i % 3, 1] = i % 10
    return t


def masked(m):
    seen = {}
    t = 0
    for i in range(COUNT):
        x = m[i % len(m)]
        seen[exact(x)] = seen.get(exact(x), 0) + 1
        if x is not np.ma.masked:
            t += x
        if i == COUNT // 2:
            m[3] = np.ma.masked
    return seen, t


def mixed_objects(a):
    t = 0
    for i in range(COUNT):
        x = a[i % len(a)]
        t += x if isinstance(x, (int, float)) else len(x)
        a[i % 2] = i * 0.5 if i % 3 else 2**70
    return t


def dates(days):
    t = np.timedelta64(0, "D")
    latest = days[0]
    for i in range(COUNT):
        day = days[i % len(days)]
        t += day - days[0]
        if day > latest:
            latest = day
        days[i % 5] = day + np.timedelta64(1, "D")
    return t, latest


RECORD = [("x", "i4"), ("y", "f8"), ("name", "U5")]
print(*digest(read(np.zeros(5, RECORD))), fields(np.zeros(7, RECORD)), fresh(fields)(np.zeros(7, np.dtype(RECORD, align=True))))
print(attributes_of_records(np.zeros(7, RECORD).view(np.recarray)))
print(*digest(fresh(read)(np.array(["ab", "", "cde"]))), *digest(fresh(read)(np.array([b"ab", b"", b"c\0d"]))))
print(*digest(fresh(read)(np.array([[1, 2], [3, 4]]))), mixed_objects(np.array([1, 2.5, "text", 2**80], object)))
for dtype in (object, "float16", "longdouble", "clongdouble", ">i4", ">f8", "m8[s]", ">c16", ">u2", "m8"):
    print(dtype, outcome(fresh(summed), np.arange(12).astype(dtype)))
print(dates(np.array(["2026-01-01", "2026-02-28", "2025-12-31", "NaT", "2026-06-15"], "M8[D]")))
for cls in (Doubled, Noted, Stubborn, np.ndarray):
    a = np.zeros(8, np.int32).view(cls)
    print(cls.__name__, exact(outcome(fresh(by_loops), a)), exact(outcome(fresh(summed), np.arange(8.0).view(cls))))
noted = np.arange(9.0).view(Noted)
noted.name = "given"
print(views_of(noted), exact(matrix(np.matrix(np.arange(12).reshape(3, 4)))))
print(masked(np.ma.array(np.arange(6), mask=[0, 1, 0, 0, 1, 0])))
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "data"
    mapped = np.memmap(path, np.int16, "w+", shape=(100,))
    print(exact(by_loops(mapped)), exact(fresh(summed)(mapped)))
    mapped.flush()
    print(exact(np.fromfile(path, np.int16)[:12]))
    del mapped


def plain_then_subclass(arrays):
    """A loop that is hot with plain arrays meets a subclass, and plain ones again."""
    t = 0
    for a in arrays:
        for i in range(len(a)):
            t += a[i]
    return t


plain, doubled = np.arange(3500), np.arange(3500).view(Doubled)
print(exact(plain_then_subclass([plain, doubled, plain, np.arange(3500).view(Noted), plain.astype(object)])))
