# stores into containers that only an attribute or an item holds
from _harness import drive


class Node:
    def __init__(self):
        self.next = None
        self.count = 0


class Owner:
    def __init__(self):
        self.items = [0] * 8
        self.table = {}
        self.log = []
        self.weights = [0.0] * 8
        self.node = Node()


def work(n):
    owner = Owner()
    node = owner.node
    for i in range(n):  # kiln-native
        owner.items[i & 7] = i
        owner.items[3] += 1000
        owner.weights[i & 7] += 0.5
        owner.table[i & 31] = i
        owner.log.append(i)
        owner.node.count = i
        owner.node.next = node
        owner.node.count += 1
    node.next = None
    return owner.items, owner.weights, len(owner.table), len(owner.log), node.count


drive(work)
