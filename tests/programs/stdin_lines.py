# Input is read in a hot loop: input(), iteration over sys.stdin, EOFError at the end.
# kiln-test: stdin="3 4\n10 -2\n7 0\nbad line\n99 1\nrest 1\nrest 2\nlast without newline"
import sys

results = []
for line in range(5):
    text = input("? " if line % 2 else "")
    try:
        a, b = map(int, text.split())
        total = 0
        for i in range(6000):
            total += a * i - b
        results.append(total // b)
    except (ValueError, ZeroDivisionError) as error:
        results.append(str(error))
print(results)
for line in sys.stdin:
    print(repr(line))
for i in range(6000):
    try:
        input()
    except EOFError as error:
        text = str(error)
print(text, i)
