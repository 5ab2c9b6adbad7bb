# Functions that are thrown away as soon as they are hot: their code objects are gone while they are compiled.
SOURCE = """
def work(n):
    total = {number}
    for i in range(n):
{lines}
    return total
"""


def make(number):
    lines = "\n".join(f"        if (i + {k}) % 7 == {k % 7}: total += i * {number} % (i + {k} + 1)" for k in range(30))
    names = {}
    exec(SOURCE.format(number=number, lines=lines), names)
    return names.pop("work")


print([make(number)(1002) for number in range(60)])
