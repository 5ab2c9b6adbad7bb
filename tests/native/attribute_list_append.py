# a list that is an attribute, filled and emptied by methods that are inlined
from _harness import drive


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()


def work(n):
    stack = Stack()
    total = 0
    for i in range(n):  # kiln-native
        stack.push(i)
        stack.push(i + 1)
        total += stack.pop()
        stack.items.append(i if i & 1 else -i)
    return total, len(stack.items)


drive(work)
