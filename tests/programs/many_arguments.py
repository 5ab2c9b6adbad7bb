"""Calls with many arguments, between compiled functions that are not taken in."""


def made(count):
    names = [f"a{i}" for i in range(count)]
    body = "".join(f"    total = (total * 3 + {name}) % 1000003\n    if total % 2: total += {name}\n" for name in names)
    source = f"def called({', '.join(names)}):\n    total = 0\n{body}    return total\n"
    source += f"def named(*, {', '.join(names)}):\n    total = 0\n{body}    return total\n"
    arguments = ", ".join(f"{i} + k" for i in range(count))
    keywords = ", ".join(f"{name}={i} + k" for i, name in enumerate(names))
    source += f"def calls(n):\n    total = 0\n    for k in range(n):\n        total += called({arguments}) - named({keywords})\n        total += called({arguments})\n    return total\n"
    scope = {}
    exec(source, scope)
    return scope["calls"]


def keeping(count):
    """The list outlives each call, which is made before the called function has code of its own."""
    names = [f"a{i}" for i in range(1, count)]
    body = "".join(f"    if {name} is not None: total = total * 3 + {name}\n    if total > {i}: total -= {i}\n" for i, name in enumerate(names))
    source = f"def called(item, {', '.join(f'{name}=None' for name in names)}):\n    total = 1\n{body}{body}    return [item, total]\n"
    source += "def calls(kept, values):\n    for x in values:\n        kept.append(called(x))\n    return kept\n"
    scope = {}
    exec(source, scope)
    return scope["calls"]


for count in range(12, 22):
    calls = made(count)
    print(count, calls(3000), calls(3000))
    calls = keeping(count)
    for values in ([1, 2, 3], [0] * 1500, [None] * 1400, [5, None, 7.5] * 700, list(range(3000)), [0] * 100):
        print(count, len(calls([], values)), [line[0] for line in calls([], values)][-3:])
