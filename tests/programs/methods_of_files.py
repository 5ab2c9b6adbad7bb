# Methods of C's classes whose instances may have attributes: files in memory, exceptions, partial objects.
import functools
import io


class Odd(io.StringIO):
    pass


def writes(file, n):
    total = 0
    for i in range(n):
        total += file.write("x")
    return total


def written(n):
    file = io.StringIO()
    total = 0
    for i in range(n):
        if i == n - 500:
            file.write = lambda text: 100
        if i == n - 100:
            del file.write
        total += file.write("ab")
    return total, len(file.getvalue())


def read(n):
    file = io.BytesIO(bytes(range(256)) * n)
    total = 0
    while chunk := file.read(7):
        total += len(chunk) + chunk[0]
    return total, file.tell()


def noted(n):
    count = 0
    for i in range(n):
        error = ValueError(i)
        error.add_note("a")
        count += len(error.with_traceback(None).__notes__)
    return count


def joined(parts, n):
    file = functools.partial(int, base=3)
    return sum(file(parts[i % 2]) for i in range(n))


plain, odd = io.StringIO(), Odd()
odd.write = lambda text: 7
for size in (3, 3000):
    print(writes(plain, size), writes(odd, size), writes(Odd(), size), writes(plain, size))
    print(written(3000), read(size), noted(size), joined(["12", "2"], size))
plain.late = 1
print(writes(plain, 2000), plain.late, len(plain.getvalue()))
