"""Methods of built-in classes in hot loops: the receivers' classes change, methods raise, subclasses override."""

import array
import collections


class Quiet(list):
    def pop(self, *where):
        return 0


def drain(stack):
    total = 0
    while stack:
        total = total * 3 % 1000003 + stack.pop()
    return total


def count(words):
    seen = {}
    for word in words:
        seen[word] = seen.get(word, 0) + 1
        seen.setdefault(word.upper(), 0)
    return sorted(seen.items())


def texts(n):
    parts = []
    for k in range(n):
        text = "item %d" % k
        parts.append(text.replace("i", "j").title())
        if text.endswith("7") or text.startswith("item 1"):
            parts.append("-".join([text, "x"]))
    return len(parts), hash("".join(parts)) == hash("".join(parts)), parts[-3:]


def numbers(n):
    total = 0
    for k in range(n):
        total += k.bit_length() + (k * 0.5).is_integer() + (k % 2 == 0).__int__()
    return total


def mixed(receivers, n):
    total = 0
    for k in range(n):
        total += receivers[k % len(receivers)].count(k % 3)
    return total


def failing(n):
    stack = list(range(n // 2))
    failures = 0
    for _ in range(n):
        try:
            stack.pop()
        except IndexError as error:
            failures += 1
            text = str(error)
    return failures, text


def sets(n):
    seen = set()
    for k in range(n):
        seen.add(k * k % 97)
        seen.discard(k % 50)
    queue = collections.deque(range(10))
    for k in range(n):
        queue.append(queue.popleft() + k)
    return sorted(seen)[:7], list(queue)


print(drain(list(range(3000))), drain([k * 0.5 for k in range(2000)]))
print(count("the quick brown fox jumps over the lazy dog and the cat".split() * 100))
print(texts(2000), numbers(3000))
print(mixed([[0, 1, 2, 0], (1, 1), array.array("i", [2, 2, 0])], 3000), mixed([[0, 1], Quiet([1, 1])], 2000))
print(failing(3000), sets(3000))
quiet = Quiet([1, 2, 3])
print(sum(quiet.pop() for _ in range(2000)), len(quiet))
