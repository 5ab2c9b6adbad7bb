# C functions and methods of every calling convention, str() and tuple() among them, called where they always are the same object: what
# they give, what they raise and where, what Python code that they run sees, and how deep they nest.
import sys
import traceback
from array import array
from collections import OrderedDict, deque

try:
    import _testcapi
except ImportError:
    _testcapi = None


class Name(str):
    pass


class Shown:
    def __init__(self, value):
        self.value = value

    def __str__(self):
        caller = sys._getframe(1)
        return f"{self.value} {caller.f_lineno - caller.f_code.co_firstlineno} {sorted(caller.f_locals)}"

    def __eq__(self, other):
        return sys._getframe(1).f_code.co_name == "search"

    def __hash__(self):
        return hash((self.value, sys._getframe(1).f_code.co_name))


class Wrong:
    def __str__(self):
        return 3


class Fails:
    def __str__(self):
        raise LookupError("no text")

    def __iter__(self):
        yield 1
        raise LookupError("no item")


class Deep:
    def __init__(self, inner):
        self.inner = inner

    def __str__(self):
        return str(self.inner) + "."

    def __hash__(self):
        return hash(self.inner)


def rotate(queue, rounds):
    total = 0
    for index in range(rounds):
        queue.append(index)
        queue.rotate(1)
        queue.appendleft(queue.pop())
        total += queue.popleft()
    return total


def order(items, rounds):
    for index in range(rounds):
        items.move_to_end("a", index % 2 == 0)
        items.setdefault("b", index)
    return list(items.items())


def fill(numbers, rounds):
    for index in range(rounds):
        numbers.append(index)
        numbers.insert(0, index)
        numbers.pop()
        numbers.reverse()
    return numbers.tolist()


def texts(values, rounds):
    length = 0
    for _ in range(rounds):
        for value in values:
            length += len(str(value))
    return length


def tuples(values, rounds):
    total = 0
    for _ in range(rounds):
        for value in values:
            total += len(tuple(value))
    return total


def shown(value, rounds):
    text = ""
    for _ in range(rounds):
        text = str(value)
    return text


def search(queue, value, rounds):
    found = 0
    for _ in range(rounds):
        found += queue.count(value) + queue.index(value)
    return found


def hashes(value, rounds):
    return len({hash(value) for _ in range(rounds)})


def calls(function, argument, rounds):
    result = None
    for _ in range(rounds):
        result = function(argument)
    return result


def append_to(target, rounds):
    for index in range(rounds):
        deque.append(target, index)


def told(function, *arguments):
    try:
        print(function.__name__, function(*arguments))
    except Exception as error:
        print(function.__name__, type(error).__name__, error)
        for entry in traceback.extract_tb(error.__traceback__):
            print("   ", entry.name, entry.lineno, entry.line)


def depth_of(function):
    low, high = 1, 3000
    while low < high:
        depth = (low + high + 1) // 2
        value = Deep("")
        for _ in range(depth):
            value = Deep(value)
        try:
            function(value)
            low = depth
        except RecursionError:
            high = depth - 1
    return low


def broken(function, rounds):
    """C functions that tell of an error without one, or of none with one."""
    errors = set()
    for _ in range(rounds):
        try:
            function()
        except SystemError as error:
            errors.add((str(error), type(error.__cause__).__name__))
    return errors


def main():
    told(rotate, deque([1, 2, 3]), 300)
    told(order, OrderedDict(a=1, c=2), 300)
    told(fill, array("q", [1, 2]), 60)
    told(texts, [1, 2.5, "a", Name("b"), None, (1,), b"c", ValueError("d")], 100)
    told(tuples, [[1, 2], (3,), "abc", {4: 5}, {6}, range(7)], 100)
    told(shown, Shown(1), 300)
    told(shown, Name("abc"), 300)
    told(shown, Wrong(), 300)
    told(shown, Fails(), 300)
    told(tuples, [[1], Fails()], 100)
    told(tuples, [[1], 2], 100)
    told(search, deque([1, Shown(2)]), 5, 200)
    told(hashes, Shown(3), 200)
    told(hashes, [], 200)
    told(append_to, deque(), 200)
    told(append_to, [], 200)
    told(calls, len, [1, 2], 200)
    told(calls, "a,b".split, ",", 200)
    told(calls, {"a": 1}.get, "a", 200)
    told(calls, {"a": 1}.pop, "b", 200)
    told(calls, str.upper, "abc", 200)
    told(calls, str.upper, 3, 200)
    if _testcapi is not None:
        told(broken, _testcapi.return_null_without_error, 300)
        told(broken, _testcapi.return_result_with_error, 300)
    for _ in range(30):
        str(Deep(Deep("x")))
        hash(Deep(Deep("x")))
    print(depth_of(str), depth_of(hash))


main()
