# `raise` alone and `raise ... from ...` in hot code: exceptions, causes, contexts and the lines of their tracebacks
import traceback


class Refused(Exception):
    pass


class Late(Refused):
    def __init__(self, place=0):
        super().__init__(place)
        self.place = place


class NoException:
    def __new__(cls):
        return 5


def first_line(error):
    return error.__traceback__.tb_frame.f_code.co_firstlineno


def story(error):
    lines = [(entry.name, entry.lineno - base) for entry in traceback.extract_tb(error.__traceback__)]
    return type(error).__name__, str(error), lines, type(error.__cause__).__name__, type(error.__context__).__name__, error.__suppress_context__


base = first_line.__code__.co_firstlineno


def refuse(number):
    if number % 3 == 0:
        raise Late(number)
    if number % 3 == 1:
        raise Refused(number)
    return number


def passes(number):
    try:
        return refuse(number)
    except Late:
        raise
    except Refused as error:
        error.args = (*error.args, "seen")
        raise


def passes_twice(number):
    try:
        try:
            return refuse(number)
        except Late:
            if number % 2:
                raise
            return -number
        except Refused:
            raise Late(number) from None
    except Refused:
        raise


def explains(number):
    try:
        return refuse(number)
    except Late as error:
        raise ValueError(number) from error
    except Refused as error:
        raise KeyError from ValueError if number % 2 else Refused
    finally:
        seen.append(number)


def wrong_causes(number):
    cause = (5, "text", NoException, None)[number % 4]
    raise Refused(number) from cause


def wrong_raise(number):
    raise (5, NoException, Refused, None)[number % 4] from None


def alone():
    raise


def handled_by_another(number):
    try:
        refuse(number)
    except Refused:
        if number % 2:
            alone()
        number += 1
    return number


def in_a_loop(rounds):
    total = 0
    for number in range(rounds):
        try:
            try:
                total += refuse(number)
            except Late:
                raise
            except Refused as error:
                raise KeyError(number) from error
        except Late:
            total += 1
        except KeyError as error:
            total += len(story(error)[2])
    return total


def nested_after(number):
    try:
        refuse(number)
    except Refused:
        try:
            {}[number]
        except KeyError:
            pass
        raise


class Suppresses:
    def __init__(self, kind=None):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is self.kind


def alone_in_with(number):
    with Suppresses(RuntimeError):
        raise
    return number


def cause_in_loop(number):
    done = 0
    for step in range(5):
        try:
            if number % 3:
                raise ValueError from (None, KeyError(step))[number % 2]
            done += 1
        except ValueError as error:
            done += 10 + (error.__cause__ is not None)
    return done


def boom(number):
    raise Refused(number)


def leaves_bare(number):
    try:
        boom(number)
    except Refused:
        raise


def leaves_unmatched(number):
    try:
        boom(number)
        boom(number)
    except KeyError:
        pass


def leaves_finally(number):
    try:
        boom(number)
    finally:
        number += 1


def leaves_with(number):
    with Suppresses():
        number += 1
        boom(number)


def leaves_twice(number):
    try:
        with Suppresses():
            boom(number)
    finally:
        number += 1


def last_lines(rounds):
    lines = set()
    for function in (leaves_bare, leaves_unmatched, leaves_finally, leaves_with, leaves_twice):
        for number in range(rounds):
            try:
                function(number)
            except Refused as error:
                frame = error.__traceback__.tb_next.tb_frame
                lines.add((function.__name__, frame.f_lineno - frame.f_code.co_firstlineno, repr(frame).split("line ")[1].split(",")[0] == str(frame.f_lineno)))
    return sorted(lines)


class Turns(Exception):
    def __new__(cls, *arguments):
        return ValueError("turned")


def turned(number):
    try:
        raise Turns from KeyError("c")
    except ValueError as error:
        return repr(error.__cause__)


seen = []


def work(rounds):
    results = []
    for function in (passes, passes_twice, explains, wrong_causes, wrong_raise, handled_by_another, nested_after, alone_in_with, cause_in_loop, turned):
        for number in range(rounds):
            try:
                result = function(number)
            except Exception as error:
                result = story(error)
                if isinstance(error.__cause__, Exception):
                    result += story(error.__cause__)
            if number >= rounds - 12:
                results.append((function.__name__, result))
    return results


for rounds in (12, 300, 2000):
    for line in work(rounds):
        print(line)
    print(in_a_loop(rounds), len(seen), last_lines(rounds))
try:
    alone()
except RuntimeError as error:
    print(story(error))
