# Code that has been hot looks as it did: dis, co_code, attributes of code and functions, pickles, copies, inspect.
# kiln-test: libraries=compiled
import copy
import dis
import hashlib
import inspect
import io
import pickle
import sys
import types


def hot(count):
    total = 0
    for i in range(count):
        total += i % 7
        if total > 10**9:
            total = 0
    return total


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def show(function):
    out = io.StringIO()
    dis.dis(function, file=out)
    return hashlib.sha1(out.getvalue().encode()).hexdigest()[:12]


def fingerprint(code):
    return (
        hashlib.sha1(code.co_code).hexdigest()[:12],
        hash(code.co_consts),
        code.co_stacksize,
        code.co_nlocals,
        code.co_flags,
        len(code.co_linetable),
        hash(tuple(code.co_positions())),
        hash(code.co_names),
        list(code.co_lines())[-1],
        code == copy.copy(code),
        hash(code) == hash(code.replace()),
    )


before = [(show(f), fingerprint(f.__code__)) for f in (hot, fib)]
hot(30000)
fib(16)
after = [(show(f), fingerprint(f.__code__)) for f in (hot, fib)]
print(before == after, after)
print([i.opname for i in dis.get_instructions(hot)])
print(inspect.signature(hot), inspect.getsource(fib), inspect.getclosurevars(fib).globals["fib"] is fib)
print(
    hot.__code__.co_varnames,
    hot.__name__,
    hot.__qualname__,
    hot.__module__,
    hot.__dict__,
    hot.__annotations__,
    hot.__closure__,
    hot.__kwdefaults__,
)
print(pickle.loads(pickle.dumps(fib)) is fib, copy.deepcopy(fib) is fib, type(fib), fib.__call__(10), fib.__get__(3)())
clone = types.FunctionType(hot.__code__, globals(), "clone")
rebuilt = types.FunctionType(hot.__code__.replace(co_name="renamed"), globals())
print(clone(30000), rebuilt(30000), clone == hot, clone.__code__ is hot.__code__, rebuilt.__code__.co_name)
print(
    [sys.monitoring.get_tool(i) for i in range(6)],
    sys.gettrace(),
    sys.getprofile(),
    sys.getrecursionlimit(),
    sys.getswitchinterval(),
)
print([sys.monitoring.get_local_events(i, hot.__code__) if sys.monitoring.get_tool(i) else None for i in range(6)])
print(
    sorted(vars(sys).keys() & {"kiln", "pypy_version_info"}),
    sys.implementation.name,
    sys.version_info[:3],
    sys.flags,
    sys.warnoptions,
    sys._xoptions,
)
print(
    sorted(name for name in sys.modules if "kiln" in name or "numba" in name),
    sys.meta_path,
    len(sys.path_hooks),
    [type(h).__name__ for h in sys.path_hooks],
)
print(
    len(sys.path),
    sys.path[0] == __file__.rpartition("/")[0],
    sys.prefix == sys.base_prefix,
    sys.stdin.mode,
    sys.stdout.encoding,
    __name__,
    __spec__,
    __doc__,
)
module = types.ModuleType("fresh")
exec("def f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n", module.__dict__)
print(module.f(30000), show(module.f) == show(module.f))
