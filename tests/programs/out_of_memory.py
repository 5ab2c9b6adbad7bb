"""Where memory runs out at an object that compiled code makes, the program gets a MemoryError and goes on."""
# kiln-test: asan="AddressSanitizer ends a process that runs out of memory"

import gc
import resource


class Node:
    pass


def chain(count):
    head = None
    for _ in range(count):
        node = Node()
        node.next = head
        head = node
    return head


def pairs(count):
    head = None
    for i in range(count):
        head = (head, i)
    return head


def floats(count):
    head = [0.0]
    for i in range(count):
        head = [head, i * 0.5]
    return head


def unlink(head):
    """Ends a long chain without recursion."""
    while head:
        if type(head) is Node:
            head = head.__dict__.pop("next")
        else:
            head = head[0]


def address_space():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def fill(make):
    """Makes more than there is room for."""
    try:
        make(20_000_000)
    except MemoryError:
        return "MemoryError"
    return "no error"


for make in chain, pairs, floats:
    for _ in range(30):
        unlink(make(100))
gc.disable()
resource.setrlimit(resource.RLIMIT_AS, (address_space() + (60 << 20), resource.RLIM_INFINITY))
print([(make.__name__, fill(make)) for make in (chain, pairs, floats)])
