# loops of generators and coroutines that neither yield nor await
from _harness import drive


def sums(rows, columns):
    for row in range(rows):
        total = 0.0
        for column in range(columns):  # kiln-native
            total += row * column % 7 * 0.5
        yield total


async def squares(n):
    total = 0
    for i in range(n):  # kiln-native
        total += i * i % 7
    return total


def work(n):
    coroutine = squares(n)
    try:
        coroutine.send(None)
    except StopIteration as end:
        return sum(sums(3, n)) + end.value


drive(work)
