# Globals and builtins rebound, shadowed and deleted in the middle of hot loops.
import builtins

scale = 2


def helper(x):
    return x + 1


def uses_globals(count):
    global scale, helper
    total = 0
    for i in range(count):
        total += helper(i) * scale
        if i == count // 3:
            scale = 0.5
        elif i == count // 2:
            helper = lambda x: -x
        elif i == count * 3 // 4:
            scale = 2**70
    return total


def shadow_builtin(count):
    total = 0
    items = [1, 2, 3]
    for i in range(count):
        total += len(items) + abs(-i)
        if i == count // 3:
            globals()["len"] = lambda x: 100
        elif i == count // 2:
            del globals()["len"]
        elif i == count * 2 // 3:
            globals()["abs"] = str.__len__
            try:
                total += abs(-i)
            except TypeError as error:
                print(error)
            del globals()["abs"]
    return total


def rebind_builtin(count):
    total = 0
    original = builtins.len
    original_range = builtins.range
    try:
        for i in range(count):
            total += len("abc")
            if i == count // 2:
                builtins.len = lambda x: original(x) * 1000
            for j in range(2):
                total += j
            if i == count * 3 // 4:
                builtins.range = lambda n: original_range(n + 1)
    finally:
        builtins.len = original
        builtins.range = original_range
    return total


def deleted_name(count):
    global vanishing
    vanishing = 1
    total = 0
    for i in range(count):
        if i == count - 10:
            del vanishing
        total += vanishing
    return total


def new_name(count):
    seen = 0
    for i in range(count):
        if i == count // 2:
            globals()["fresh"] = 5
        try:
            seen += fresh
        except NameError:
            seen -= 1
    return seen


print(uses_globals(9000))
print(shadow_builtin(9000))
print(rebind_builtin(9000))
print(len("abc"), list(range(2)))
try:
    deleted_name(9000)
except NameError as error:
    print(error, error.name)
print(new_name(9000))

level = 0
for step in range(9000):
    level += scale if step < 10 else 1
    if step == 4500:
        scale = 1.5
        level = str(level)[:3]
        level = int(level)
    if step == 8000:
        step_back = globals()
        step_back["level"] = 0.25
print(level, step)


# By strings that are equal to the names, and not the same.
def read_scale(n):
    total = 0
    for i in range(n):
        total += scale
    return total


scale = 1
print(read_scale(4000))
globals()["".join(["sc", "ale"])] = 2.5
print(read_scale(4000))
globals().update({"".join(["sca", "le"]): 3})
print(read_scale(4000))
