# Functions that handle exceptions hold frames in tracebacks for as long as these last: what is kept of them shows how the function ended
import sys
import weakref

table = {number: number * 2 for number in range(45)}
kept = []


def find(key):
    try:
        value = table[key]
    except KeyError:
        value = -key
    after = value + 1
    return after


def keep_some(key):
    state = "begun"
    try:
        value = table[key]
    except KeyError as error:
        value = -1
        if key == 47:
            kept.append(error)
    state = "ended"
    return value


def keep_frame(key):
    state = "begun"
    try:
        value = table[key]
    except KeyError:
        value = -1
        if key == 48:
            kept.append(sys.exc_info()[2].tb_frame)
    for step in range(key % 5):
        state = step
    return value


def look():
    return sys.exc_info()[2].tb_frame.f_locals["before"]


def look_while_handling(key):
    before = key
    try:
        value = table[key]
    except KeyError:
        before += 1
        value = look()
        before += 1
    return value + before


def nested(key):
    total = 0
    try:
        total += table[key]
    except KeyError:
        try:
            total += table[key - 100]
        except KeyError:
            total += 1
        total += 2
        if key == 49:
            kept.append(sys.exc_info()[1])
    total += 3
    return total


def again(key, depth):
    try:
        return table[key]
    except KeyError:
        return again(key - 20, depth + 1) if depth < 3 else depth


def passes_on(key):
    try:
        return table[key]
    except TypeError:
        return 0


def catches(key):
    try:
        found = passes_on(key)
    except KeyError as error:
        found = error.__traceback__.tb_next.tb_frame.f_locals["key"]
    return found


class Thing:
    pass


def ends_in_time(key):
    thing = Thing()
    watch = weakref.ref(thing)
    try:
        value = table[key]
    except KeyError:
        value = 0
    alive = watch() is not None
    thing = None
    return value, alive, watch() is None


def work(rounds):
    total = 0
    ends = set()
    for number in range(rounds):
        key = number % 50
        total += find(key) + keep_some(key) + keep_frame(key) + look_while_handling(key) + nested(key) + again(key, 0) + catches(key)
        ends.add(ends_in_time(key)[1:])
        if number % 500 == 0:
            del kept[:-6]
    return total, ends


def frame_of(item):
    return item.__traceback__.tb_frame if isinstance(item, BaseException) else item


for rounds in (300, 1000, 3000):
    print(work(rounds))
    for item in kept[-6:]:
        frame = frame_of(item)
        print(frame.f_code.co_name, frame.f_lineno, sorted(frame.f_locals.items(), key=lambda entry: entry[0])[:3], frame.f_back.f_code.co_name)
