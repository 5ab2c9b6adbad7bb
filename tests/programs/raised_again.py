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


seen = []


def work(rounds):
    results = []
    for function in (passes, passes_twice, explains, wrong_causes, wrong_raise, handled_by_another, nested_after):
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
    print(in_a_loop(rounds), len(seen))
try:
    alone()
except RuntimeError as error:
    print(story(error))
