# __context__, __cause__ and __suppress_context__ of exceptions raised and caught inside hot loops.
# kiln-test: modes=always,quick,default,deopt,gc timeout=240
import gc

gc.freeze()  # what was there before is nothing for the collections of mode gc


def chain(error):
    parts = []
    while error is not None and len(parts) < 12:
        cause = type(error.__cause__).__name__
        parts.append(f"{type(error).__name__}({error}) cause={cause} suppress={error.__suppress_context__}")
        error = error.__context__
    return parts


def implicit(count):
    kept = None
    for i in range(count):
        try:
            try:
                1 // (i % 1000 - 999)
            except ZeroDivisionError:
                [][i]
        except IndexError as error:
            kept = error
    return kept


def explicit(count):
    kept = None
    for i in range(count):
        try:
            try:
                [1, 2][i % 3]
            except IndexError as error:
                raise ValueError(i) from error
        except ValueError as error:
            kept = error
    return kept


def suppressed(count):
    for i in range(count):
        try:
            {}[i]
        except KeyError:
            if i == count - 1:
                raise LookupError(i) from None


def in_finally(count):
    for i in range(count):
        try:
            if i == count - 1:
                raise ValueError(i)
        finally:
            if i == count - 1:
                raise TypeError("from finally")


def handled_state(count):
    import sys

    seen = {}
    for i in range(count):
        before = sys.exc_info()[0]
        try:
            int("x" if i % 3 == 0 else "1")
        except ValueError:
            during = sys.exc_info()[0]
            helper_saw = current()
        else:
            during = helper_saw = None
        after = sys.exc_info()[0]
        key = (before, during, helper_saw, after)
        seen[str(key)] = seen.get(str(key), 0) + 1
    return seen


def current():
    import sys

    return sys.exception().__class__


def raise_bare(count):
    for i in range(count):
        try:
            if i % 7 == 0:
                raise KeyError(i)
        except KeyError:
            try:
                raise
            except KeyError as error:
                last = error
    try:
        raise
    except RuntimeError as error:
        print(error)
    return last


def groups(count):
    caught = [0, 0]
    for i in range(count):
        try:
            if i % 10 == 0:
                raise ExceptionGroup("g", [ValueError(i), TypeError(i)])
        except* ValueError as group:
            caught[0] += len(group.exceptions)
        except* TypeError as group:
            caught[1] += len(group.exceptions)
    return caught


def notes(count):
    for i in range(count):
        try:
            1 / (i % 2)
        except ZeroDivisionError as error:
            error.add_note(f"round {i}")
            last = error
    return last.__notes__


print(chain(implicit(6000)))
print(chain(explicit(6000)))
for function in (suppressed, in_finally):
    try:
        function(6000)
    except Exception as error:
        print(chain(error))
print(handled_state(6000))
print(chain(raise_bare(6000)), groups(6000), notes(6001))
