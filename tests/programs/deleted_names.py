# del of locals, globals, items, slices and attributes inside hot loops, and reads of what is gone.


def locals_deleted(count):
    failures = 0
    for i in range(count):
        x = i
        if i % 3 == 0:
            del x
        try:
            failures += x * 0
        except UnboundLocalError as error:
            failures += 1
            text = str(error)
    return failures, text


def argument_deleted(value, count):
    for i in range(count):
        if i == count - 1:
            del value
        try:
            value
        except UnboundLocalError as error:
            return i, str(error)


def items_deleted(count):
    items = list(range(count))
    table = dict.fromkeys(range(count))
    total = 0
    while len(items) > 10:
        total += items[-1]
        del items[-1]
        if len(items) % 500 == 0:
            del items[2:4], items[::100]
        del table[len(table) - 1]
    return total, items, len(table)


class Box:
    pass


def attributes_deleted(count):
    box = Box()
    missing = 0
    for i in range(count):
        if i % 4 == 0:
            box.x = i
        elif i % 4 == 2:
            del box.x
        try:
            missing += box.x * 0
        except AttributeError:
            missing += 1
    return missing


def loop_variable_deleted(count):
    total = 0
    for i in range(count):
        total += i
        del i
    try:
        i
    except UnboundLocalError as error:
        return total, str(error)


def comprehension_leaves_names(count):
    i = -1
    for k in range(count):
        [i for i in (1, 2)]
        if k == 10:
            del i
            i = k
    return i


shared = 1


def global_deleted_and_restored(count):
    global shared
    failures = 0
    for i in range(count):
        if i % 2000 == 1000:
            del shared
        elif i % 2000 == 1500:
            shared = i
        try:
            shared
        except NameError:
            failures += 1
    return failures, shared


print(
    locals_deleted(9000),
    argument_deleted(1, 9000),
    items_deleted(9000),
    attributes_deleted(8000),
    loop_variable_deleted(9000),
)
print(comprehension_leaves_names(6000), global_deleted_and_restored(8000))
