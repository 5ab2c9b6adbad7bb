# exec, eval, compile, locals(), globals() and vars() used in and from hot loops.

total = 0
SOURCE = """
acc = 0
for k in range(n):
    acc += k * step
    if k == n // 2:
        step = 0.5
"""


def run_sources(count):
    namespace = {"n": count, "step": 2}
    exec(SOURCE, namespace)
    code = compile("x * 2 + len(items)", "<expression>", "eval")
    items = [1, 2]
    result = 0
    for x in range(count):
        result += eval(code)
    return namespace["acc"], namespace["k"], result


def exec_changes_globals(count):
    global total
    for i in range(count):
        total += 1
        if i == count // 2:
            exec("total = 1000.5", globals())
    return total


def exec_does_not_change_locals(count):
    x = 1
    seen = 0
    for i in range(count):
        if i % 1000 == 0:
            exec("x = 99")
            seen += locals()["x"]
        seen += x
    return seen


def defines_functions(count):
    out = 0
    for i in range(count):
        if i % 1000 == 0:
            namespace = {}
            exec(f"def f(a):\n    return a + {i}", namespace)
            f = namespace["f"]
        out += f(1)
    return out


def locals_snapshot(count):
    kept = []
    a = 0
    for i in range(count):
        a += i
        if i % 2000 == 1999:
            b = "late"
            kept.append(sorted(locals().items(), key=lambda item: item[0])[:3])
            del b
    return [[(k, v if k != "kept" else len(v)) for k, v in row] for row in kept]


class Namespace(dict):
    def __missing__(self, key):
        if key.startswith("v"):
            return len(key)
        raise KeyError(key)


def custom_namespace(count):
    namespace = Namespace()
    exec(f"s = 0\nfor i in range2({count}):\n    s += vvv + i", {"range2": range}, namespace)
    return namespace["s"], namespace["i"]


def name_error_from_exec(count):
    code = compile("\n\nfor q in range(n):\n    if q == n - 1:\n        missing_name\n", "<generated>", "exec")
    try:
        exec(code, {"n": count})
    except NameError as error:
        tb = error.__traceback__
        rows = []
        while tb:
            rows.append((tb.tb_frame.f_code.co_filename.rpartition("/")[2][-12:], tb.tb_lineno))
            tb = tb.tb_next
        return str(error), rows[1:]


def frozen_builtins(count):
    restricted = {"__builtins__": {"range": range, "len": lambda x: 42}, "n": count}
    exec("t = 0\nfor i in range(n):\n    t += len(())", restricted)
    return restricted["t"]


print(run_sources(6000), exec_changes_globals(9000), exec_does_not_change_locals(9000), defines_functions(6000))
print(locals_snapshot(6000), custom_namespace(6000), name_error_from_exec(6000), frozen_builtins(6000))
exec("for z in range(9000):\n    total += z")
print(total, z, eval("sum(i for i in range(9000))"))
