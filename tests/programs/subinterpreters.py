# Other interpreters of the same process run hot code too, before and after the main one, and leave it alone.
import _xxsubinterpreters as interpreters
import os

SOURCE = """
import os
def hot(n):
    total = 0
    for i in range(n):
        total += i % 7
        if i == n // 2:
            total += 0.5
    return total
for k in range(9000):
    k += hot(3) * 0
os.write(fd, f"{hot(20000)} {k} {__name__}\\n".encode())
"""


def hot(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total


read_end, write_end = os.pipe()
print(hot(20000))
ids = [interpreters.create() for _ in range(2)]
for identity in ids:
    interpreters.run_string(identity, SOURCE, shared={"fd": write_end})
    print(hot(20000))
try:
    interpreters.run_string(ids[0], "for i in range(9000):\n    1 // (8000 - i)")
except interpreters.RunFailedError as error:
    print("failed", str(error).partition(":")[2])
for identity in ids:
    interpreters.destroy(identity)
print(os.read(read_end, 1000).decode(), hot(20001))
