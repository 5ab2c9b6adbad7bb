# The cyclic collector runs during hot loops: cycles are found, callbacks fire, live locals are never collected.
import gc
import weakref


class Node:
    def __init__(self, value):
        self.value = value
        self.other = self


def make_cycles(count):
    survivors = []
    for i in range(count):
        node = Node(i)
        pair = [node]
        pair.append(pair)
        if i % 1000 == 0:
            survivors.append(weakref.ref(node))
    return survivors


def explicit_collections(count):
    total = 0
    keep = [Node(-1)]
    x, y = Node(5), (Node(6), [Node(7)])
    for i in range(count):
        total += x.value + y[0].value + y[1][0].value + keep[0].value
        Node(i)
        if i % 1000 == 0:
            gc.collect()
    return total


def callbacks(count):
    phases = {"start": 0, "stop": 0}

    def note(phase, info):
        phases[phase] += 1

    gc.callbacks.append(note)
    try:
        for i in range(count):
            Node(i)
            if i % 2000 == 0:
                gc.collect()
    finally:
        gc.callbacks.remove(note)
    return phases["start"] == phases["stop"], phases["stop"] >= count // 2000


def finaliser_changes_global(count):
    global level
    level = 1

    class Changer:
        def __init__(self):
            self.me = self

        def __del__(self):
            global level
            level = 0.5

    total = 0
    Changer()
    for i in range(count):
        total += level
        if i == count // 2:
            gc.collect()
    return total


def frozen_and_disabled(count):
    gc.disable()
    refs = []
    for i in range(count):
        node = Node(i)
        if i % 3000 == 0:
            refs.append(weakref.ref(node))
    del node
    alive = sum(r() is not None for r in refs)
    gc.enable()
    gc.collect()
    return alive, sum(r() is not None for r in refs)


gc.collect()
survivors = make_cycles(9000)
gc.collect()
print([s() is None for s in survivors])
print(explicit_collections(6000), callbacks(9000), finaliser_changes_global(9000), frozen_and_disabled(9000))
print(gc.isenabled(), gc.get_threshold(), gc.garbage)
for k in range(6000):
    n = Node(k)
    if k % 2000 == 0:
        gc.collect()
print(n.value, n.other is n)
