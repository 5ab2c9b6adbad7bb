"""Memory runs out before or while there is compiled code: each child has a little more of it, and gets a MemoryError all the same."""
# kiln-test: asan="AddressSanitizer ends a process that runs out of memory"

import gc
import os
import resource


class Node:
    def __init__(self, next):
        self.next = next


def make_node(head):
    return Node(head)


def chain(count):
    head = None
    for _ in range(count):
        head = make_node(head)
    return head


def pairs(count):
    total = 0.0
    items = []
    for i in range(count):
        total = total + i * 0.5
        items.append((total, [i]))
    return items


def address_space():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def fill(make):
    """Makes more than there is room for."""
    try:
        make(20_000_000)
    except MemoryError:
        return True
    return False


def child(make, room):
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + room, resource.RLIM_INFINITY))
    os._exit(0 if fill(make) else 1)


gc.disable()
for make in chain, pairs:
    for megabytes in 1, 8, 24, 40, 52, 60, 68, 76, 96:
        pid = os.fork()
        if pid == 0:
            child(make, megabytes << 20)
        status = os.waitpid(pid, 0)[1]
        print(make.__name__, megabytes, status)
