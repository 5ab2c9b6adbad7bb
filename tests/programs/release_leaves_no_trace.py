"""What ends with a list is asked about without leaving a trace: no class is made for it."""


class Plain:
    pass


def refill(count):
    held = None
    for i in range(count):
        held = [Plain(), i]
    return len(held)


def take(items):
    items[0] = None
    return 1


def replace(count):
    total = 0
    boxes = [None]
    for i in range(count):
        boxes[0] = [Plain()]
        total += take(boxes)
    return total


before = {cls.__name__ for cls in object.__subclasses__()}
print(refill(3000), replace(3000))
print(sorted({cls.__name__ for cls in object.__subclasses__()} - before))
