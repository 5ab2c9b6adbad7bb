# C functions and classes that say who called them, called by functions that are inlined.
import collections
import faulthandler
import tempfile
from typing import ParamSpec, TypeVar

log = tempfile.TemporaryFile()
namespace = {"__name__": "elsewhere", "TypeVar": TypeVar, "ParamSpec": ParamSpec}
exec("def variable(i): return TypeVar('T').__module__\ndef bound(i): return TypeVar('T', bound=int).__module__\n"
     "def specification(i): return ParamSpec('P').__module__\ndef spread(i): return TypeVar(*('T', int, str)[:1 + i % 2 * 2]).__module__", namespace)


def dump(**options):
    log.seek(0)
    log.truncate()
    faulthandler.dump_traceback(log, **options)
    log.seek(0)
    return log.read().count(b"line")


def by_position(i):
    return dump(all_threads=False)


def by_keyword(i):
    log.seek(0)
    log.truncate()
    faulthandler.dump_traceback(file=log, all_threads=False)
    log.seek(0)
    return log.read().count(b"line")


def count(function, n):
    seen = collections.Counter()
    for i in range(n):
        seen[function(i)] += 1
    return sorted(seen.items())


for name in ("variable", "bound", "specification", "spread"):
    print(name, count(namespace[name], 3000))
for function in (by_position, by_keyword):
    print(function.__name__, count(function, 2000))
