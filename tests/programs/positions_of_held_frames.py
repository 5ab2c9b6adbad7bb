# Line, last instruction and locals of a frame that is held, read without any Python code while a function it calls is at work
import operator
import sys

table = {number: number for number in range(40)}
line_of = operator.attrgetter("f_lineno")
last_of = operator.attrgetter("f_lasti")


def line(frame):
    return frame.f_lineno


def places(frame):
    return line_of(frame) - frame.f_code.co_firstlineno, last_of(frame) > 0, line(frame) == line_of(frame)


def traced(error):
    traceback = error.__traceback__
    return traceback.tb_lineno - traceback.tb_frame.f_lineno, last_of(traceback.tb_frame) - traceback.tb_lasti > 0


def handles(key):
    seen = []
    try:
        seen.append(table[key])
    except KeyError as error:
        seen.append(traced(error))
        seen.append(
            traced(error)
        )
    return seen


def holds_itself(key):
    frame = sys._getframe() if key % 7 == 0 else None
    first = places(frame) if frame else 0

    second = places(frame) if frame else 1
    found = frame.f_locals["second"] if frame else 2
    return first, second, found


def in_a_loop(rounds):
    frame = sys._getframe()
    seen = set()
    for number in range(rounds):
        seen.add(line(frame) - frame.f_code.co_firstlineno)
        value = number % 3
        seen.add(places(frame)
                 + (operator.attrgetter("f_locals")(frame)["value"],))
    return seen


def keeps(key, kept):
    try:
        return table[key]
    except KeyError as error:
        if key == 41:
            kept[:] = [error.__traceback__.tb_frame]
        state = key
    state = -state
    return state


def work(rounds):
    results = set()
    kept = []
    for number in range(rounds):
        key = number % 45
        results.add((tuple(handles(key)), holds_itself(key), keeps(key, kept)))
    return len(results), kept[0].f_lineno - kept[0].f_code.co_firstlineno, kept[0].f_locals["state"]


for rounds in (200, 1000, 3000):
    print(work(rounds))
    print(sorted(in_a_loop(rounds), key=str))
print([handles(key) for key in (1, 50)], holds_itself(7))
