# try/except/else/finally on the hot path of loops: order of the blocks, returns and breaks through finally.


def order(count):
    log = []
    for i in range(count):
        keep = i % 1999 == 0
        try:
            if keep:
                log.append(("try", i))
            if i % 3 == 0:
                raise ValueError(i)
            if i % 5 == 0:
                continue
        except ValueError as error:
            if keep:
                log.append(("except", error.args))
        else:
            if keep:
                log.append(("else", i))
        finally:
            if keep:
                log.append(("finally", i))
    return log


def return_through_finally(count):
    hits = 0

    def one(i):
        nonlocal hits
        try:
            if i % 4 == 0:
                return "try"
            if i % 4 == 1:
                raise KeyError
            return "late"
        except KeyError:
            return "except"
        finally:
            hits += 1
            if i % 4 == 3:
                return "finally"

    seen = {}
    for i in range(count):
        r = one(i)
        seen[r] = seen.get(r, 0) + 1
    return seen, hits


def break_through_finally(count):
    n = 0
    for i in range(count):
        for j in range(5):
            try:
                if j == i % 5:
                    break
                n += 1
            finally:
                n += 100
    return n


def nested(count):
    codes = 0
    for i in range(count):
        try:
            try:
                if i % 2:
                    raise IndexError
                elif i % 3 == 0:
                    raise TypeError
                codes += 1
            except IndexError:
                codes += 10
                if i % 7 == 0:
                    raise OSError
            finally:
                codes += 100
        except (TypeError, OSError) as error:
            codes += 1000 if isinstance(error, TypeError) else 5000
    return codes


def name_is_deleted(count):
    for i in range(count):
        error = i
        try:
            raise ValueError
        except ValueError as error:
            pass
        try:
            error
        except UnboundLocalError as problem:
            text = str(problem)
    return text


def lookup_or_default(count):
    table = {i: i * i for i in range(0, 100, 2)}
    total = 0
    for i in range(count):
        try:
            total += table[i % 100]
        except KeyError:
            total -= 1
    return total


class Quiet(Exception):
    def __init__(self, code):
        self.code = code


def control_flow(count):
    def search(i):
        for j in range(10):
            if j * j == i % 50:
                raise Quiet(j)

    found = 0
    for i in range(count):
        try:
            search(i)
        except Quiet as quiet:
            found += quiet.code
    return found


def value_after_exception(count):
    # The assignment must not have happened when its right side raises.
    x = -1
    stayed = 0
    for i in range(count):
        before = x
        try:
            x = 100 // (i % 11)
        except ZeroDivisionError:
            stayed += x == before
    return x, stayed


print(order(6000))
print(return_through_finally(6000), break_through_finally(2000), nested(6000))
print(name_is_deleted(6000), lookup_or_default(6000), control_flow(3000), value_after_exception(6000))
