# loops over bytes, bytearrays, arrays of the module `array` and memoryviews, enumerate and zip of them, what they contain
import array

from _harness import drive

TEXT = bytes(range(256)) * 80
MARKS = bytearray(TEXT)
FLOATS = array.array("d", [k * 0.5 for k in range(20480)])
VIEW = memoryview(array.array("i", range(20480)))


def work(n):
    text, marks, floats, view = TEXT[:n], MARKS[:n], FLOATS[:n], VIEW[:n]
    total = 0
    for byte in text:  # kiln-native
        total += byte ^ 3
    for byte in marks:  # kiln-native
        total += byte & 7
    real = 0.0
    for x in floats:  # kiln-native
        real += x * 0.25
    for number in view:  # kiln-native
        total += number % 5
    for i, byte in enumerate(marks):  # kiln-native
        total += i * byte
    for i, number in enumerate(view, 3):  # kiln-native
        total -= i ^ number
    for byte, x, k in zip(text, floats, range(n)):  # kiln-native
        real += byte * x - k
    for i in range(n):  # kiln-native
        total += i & 255 in marks
    return total, real


drive(work, warm=2000, full=4000)
