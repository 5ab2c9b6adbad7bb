# following references from instance to instance until None
from _harness import drive


class Node:
    def __init__(self, value, next):
        self.value = value
        self.next = next


def work(n):
    head = None
    for i in range(n):
        head = Node(i & 15, head)
    total = 0
    node = head
    while node is not None:  # kiln-native
        total += node.value
        node = node.next
    while head is not None:
        head = head.next
    return total


drive(work)
