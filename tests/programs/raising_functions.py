# Exceptions that leave compiled functions, and handlers of every shape around what raises.
import sys
import traceback


class Custom(Exception):
    pass


class Fussy(Exception):
    def __init__(self, code, text="none"):
        super().__init__(text)
        self.code = code


class Broken(Exception):
    def __init__(self):
        raise LookupError("not made")


class Impostor(Exception):
    def __new__(cls):
        return 5


def deep(level, value):
    note = (level, value)
    if level == 0:
        return convert(value, note)
    return deep(level - 1, value) + 1


def convert(value, note):
    return int(value) + len(note)


def frames_of(error):
    found = []
    link = error.__traceback__
    while link is not None:
        local = link.tb_frame.f_locals
        found.append((link.tb_frame.f_code.co_name, link.tb_lineno, link.tb_lasti > 0, local.get("note"), local.get("level")))
        link = link.tb_next
    return found


def through_levels(values):
    total, log = 0, []
    for value in values:
        try:
            total += deep(3, value)
        except ValueError as error:
            log.append(frames_of(error))
    return total, log[-1], all(entry == log[-1] for entry in log)


def raise_kinds(count):
    seen = {}
    for number in range(count):
        try:
            raise_kind(number % 7)
        except TypeError as error:
            key = "type", str(error)
        except Fussy as error:
            key = "fussy", error.code, str(error), error.__context__ is None
        except LookupError as error:
            key = "lookup", str(error)
        except Custom as error:
            key = "custom", str(error), repr(error.__cause__)
        else:
            key = "none"
        seen[key] = seen.get(key, 0) + 1
    return sorted(seen.items(), key=str)


def raise_kind(kind):
    if kind == 0:
        raise Custom
    if kind == 1:
        raise Fussy(kind, text="late")
    if kind == 2:
        raise Broken
    if kind == 3:
        raise Impostor
    if kind == 4:
        raise kind
    if kind == 5:
        raise Custom("with") from KeyError("cause")
    return kind


def in_handler(values):
    chains = set()
    for value in values:
        try:
            try:
                int(value)
            except ValueError:
                raise Custom("second")
        except Custom as error:
            inner = error.__context__
            chains.add((type(inner).__name__, inner.__traceback__.tb_lineno, error.__traceback__.tb_lineno, inner.__context__))
    return sorted(chains)


def what_is_handled():
    kind, error, link = sys.exc_info()
    return None if kind is None else (kind.__name__, str(error), link.tb_lineno)


def asked_in_handler(values):
    answers = []
    for value in values:
        before = what_is_handled()
        try:
            int(value)
        except ValueError:
            answers.append(what_is_handled())
        answers.append((before, what_is_handled()))
    return answers[-4:]


def shapes(items):
    log = []
    for index, item in enumerate(items):
        try:
            if item == "stop":
                break
            number = int(item)
        except ValueError:
            if item == "skip":
                continue
            for letter in item:
                log.append(letter)
            number = -1
        else:
            number += 1
        finally:
            log.append(index)
        log.append(number)
    else:
        log.append("end")
    return log


def retry(value):
    attempts = 0
    while True:
        try:
            attempts += 1
            return int(value), attempts
        except ValueError:
            value = value[1:]
            if not value:
                return None, attempts


def kept_errors(values):
    errors = []
    for value in values:
        try:
            int(value)
        except ValueError as error:
            errors.append(error)
    try:
        error
    except NameError as missing:
        errors.append(missing)
    return len(errors), type(errors[-1]).__name__, len({id(one) for one in errors})


class Resource:
    def __init__(self, swallow):
        self.swallow = swallow
        self.log = []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, link):
        self.log.append(kind and kind.__name__)
        return self.swallow


def managed(values, resource):
    for value in values:
        with resource:
            int(value)
    return resource.log[-4:], len(resource.log)


class Guarded:
    __slots__ = ("name", "ends")

    def __init__(self, name, ends):
        self.name = name
        self.ends = ends

    def __del__(self):
        try:
            int(self.name)
        except ValueError:
            self.ends.append(what_is_handled() is not None)


def ends_while_handling(count):
    ends = []
    for number in range(count):
        held = [Guarded("x", ends)]
        try:
            held[number]
        except IndexError:
            held = None
        try:
            int("y" if number % 2 else "1")
        except ValueError:
            pass
    return len(ends), set(ends)


def endless(depth):
    return endless(depth + 1) + 1


def recursion(count):
    reached = 0
    for _ in range(count):
        try:
            endless(0)
        except RecursionError as error:
            reached += str(error).startswith("maximum recursion")
    return reached


def changing(values):
    out = []
    for index, value in enumerate(values):
        try:
            out.append(picky(value))
        except (Custom, OverflowError) as error:
            out.append(type(error).__name__[0])
        if index == 150:
            globals()["picky"] = pickier
    globals()["picky"] = original
    return "".join(map(str, out[-60:]))


def original(value):
    if value % 5 == 0:
        raise Custom(value)
    return value % 10


def pickier(value):
    if value % 2 == 0:
        raise OverflowError(value)
    return value % 10


picky = original


def parse(text, position):
    if position >= len(text):
        raise Custom("end")
    if text[position] == "(":
        inner, position = parse(text, position + 1)
        if position >= len(text) or text[position] != ")":
            raise Custom("open")
        return [inner], position + 1
    if text[position].isdigit():
        return int(text[position]), position + 1
    raise Custom(f"letter {text[position]}")


def alternatives(texts):
    results = []
    for text in texts:
        for start in range(len(text)):
            try:
                results.append(parse(text, start))
                break
            except Custom as error:
                results.append(str(error))
    return results[-8:]


words = ["1", "x", "22", "y"] * 40
for turn in range(8):
    print(through_levels(words))
    print(raise_kinds(140))
    print(in_handler(words))
    print(asked_in_handler(words))
    print(shapes(["1", "skip", "ab", "2"] * 30 + ["stop", "3"])[-12:], shapes(words)[-5:])
    print([retry(value) for value in ["12", "a1", "bcd", "ef7"] * 20][-4:])
    print(kept_errors(words))
    print(managed(words, Resource(True)))
    try:
        managed(words, Resource(False))
    except ValueError as error:
        print(error, [entry.name for entry in traceback.extract_tb(error.__traceback__)])
    print(ends_while_handling(60))
    print(changing(list(range(300))))
    print(alternatives(["(1)", "((2", "a3", "(b", ")))4"] * 20))
    print(recursion(2), sys.exc_info())
