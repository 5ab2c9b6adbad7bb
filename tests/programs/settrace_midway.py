# sys.settrace switched on, off and changed in the middle of hot loops: the events seen are exactly python's.
import sys
import threading

events = []


def tracer(frame, event, argument):
    if frame.f_code.co_filename != __file__:
        return None
    events.append(
        (
            event,
            frame.f_code.co_name,
            frame.f_lineno - frame.f_code.co_firstlineno,
            argument if event == "return" else None,
        )
    )
    return tracer


def helper(x):
    y = x * 2
    return y - x


def switched_by_global_hook(count):
    total = 0
    for i in range(count):
        if i == 6000:
            sys.settrace(tracer)
        if i == 6005:
            sys.settrace(None)
        total += helper(i)
    return total


def traced_in_this_frame(count):
    total = 0
    for i in range(count):
        total += helper(i)
        if i == 6000:
            frame = sys._getframe()
            frame.f_trace = tracer
            sys.settrace(tracer)
        elif i == 6003:
            frame.f_trace = None
            sys.settrace(None)
    return total


def with_exception(count):
    caught = 0
    for i in range(count):
        if i == 6000:
            sys.settrace(tracer)
            sys._getframe().f_trace = tracer
        try:
            1 // (i % 6003)
        except ZeroDivisionError:
            caught += 1
        if i == 6004:
            sys.settrace(None)
    return caught


def opcode_events(count):
    seen = []

    def each(frame, event, argument):
        frame.f_trace_opcodes = True
        if event == "opcode":
            seen.append(frame.f_lasti)
        return each

    for i in range(count):
        if i == 6000:
            sys.settrace(each)
        helper(i)
        if i == 6001:
            sys.settrace(None)
    return seen


def jumping(count):
    """A tracer moves the running frame of a hot loop to another line."""
    log = []

    def jump(frame, event, argument):
        if event == "line" and frame.f_lineno == frame.f_code.co_firstlineno + 4:
            frame.f_lineno += 2
            sys.settrace(None)
            frame.f_trace = None
        return jump

    def target(start):
        for i in range(count):
            if i == 6000 and start:
                sys.settrace(jump)
                sys._getframe().f_trace = jump
            start += 0
            log.append(i)
            start = start
            if len(log) > 3:
                log.clear()
        return i

    result = target(1)
    sys.settrace(None)
    return result, len(log)


def changes_locals(count):
    def setter(frame, event, argument):
        if frame.f_code.co_name == "victim" and frame.f_locals.get("i") == 6000:
            frame.f_locals["total"] = -1
            sys.settrace(None)
            frame.f_trace = None
        return setter

    def victim():
        total = 0
        for i in range(count):
            total += 1
            if i == 5999:
                sys.settrace(setter)
                sys._getframe().f_trace = setter
        return total

    return victim()


def other_thread(count):
    threading.settrace(tracer)

    def work():
        n = 0
        for i in range(3):
            n += i
        return n

    total = 0
    for i in range(count):
        total += helper(i)
        if i == 6000:
            t = threading.Thread(target=work)
            t.start()
            t.join()
    threading.settrace(None)
    return total


def drain():
    out, events[:] = list(events), []
    return out


for function in (
    switched_by_global_hook,
    traced_in_this_frame,
    with_exception,
    opcode_events,
    jumping,
    changes_locals,
    other_thread,
):
    print(function.__name__, function(9000))
    for event in drain():
        print("   ", *event)
print(sys.gettrace())
for k in range(9000):
    if k == 8000:
        sys._getframe().f_trace = tracer
        sys.settrace(tracer)
    helper(k)
    if k == 8002:
        sys.settrace(None)
for event in drain():
    print("   ", *event)
