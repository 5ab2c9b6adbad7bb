# Index errors in hot loops: caught ones, escaping ones, huge indices, wrong index types; the list stays as it was.


def out_of_range(items, count):
    errors = 0
    total = 0
    for i in range(count):
        try:
            total += items[i % (len(items) + 2)]
        except IndexError as error:
            errors += 1
            text = str(error)
    return total, errors, text


def negative_out_of_range(items, count):
    errors = 0
    for i in range(count):
        try:
            items[-(i % (len(items) + 2)) - 1] = i
        except IndexError as error:
            errors += 1
            text = str(error)
    return errors, text


def read_past_end(items):
    total = 0
    i = 0
    while True:
        total += items[i]
        i += 1


def write_past_end(items, count):
    for i in range(count):
        items[i] = -i


def bad_types(count):
    items, pair = [1, 2, 3], (1, 2, 3)
    errors = {}
    for i in range(count):
        for index in (0, 1.0, "x", None, 2**63, -(2**63) - 1, 2**100, True, slice(0, 1), (0,)):
            for target in (items, pair):
                try:
                    target[index]
                except (TypeError, IndexError) as error:
                    errors[str(error)] = errors.get(str(error), 0) + 1
    return errors


def pop_until_empty(items):
    total = 0
    try:
        while 1:
            total += items.pop()
    except IndexError as error:
        return total, str(error)


def shrinking(items, count):
    total = 0
    for i in range(count):
        total += items[i]
        if i % 2:
            items.pop()
    return total


print(out_of_range([1, 2, 3], 6000), negative_out_of_range([1, 2, 3], 6000))
print(bad_types(600))
print(pop_until_empty(list(range(6000))))
for function, arguments in (
    (read_past_end, [list(range(7000))]),
    (read_past_end, [tuple(range(7000))]),
    (write_past_end, [[0] * 6500, 7000]),
    (shrinking, [[1] * 9000, 9000]),
    (read_past_end, [[0.5] * 6000]),
):
    try:
        function(*arguments)
    except IndexError as error:
        frame = error.__traceback__.tb_next
        print(error, frame.tb_lineno, sorted((k, v) for k, v in frame.tb_frame.f_locals.items() if k != "items"))
data = [0] * 6000
try:
    write_past_end(data, 6001)
except IndexError:
    print(data[:3], data[-3:])
