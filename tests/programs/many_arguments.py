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


for count in range(12, 22):
    calls = made(count)
    print(count, calls(3000), calls(3000))
