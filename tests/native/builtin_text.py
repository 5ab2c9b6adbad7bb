# characters, slices, concatenation and comparison of strings
from _harness import drive


def work(n):
    text = "hello world"
    total = 0
    for i in range(n):  # kiln-native
        character = text[i % 11]
        if character == "o" or character < "e":
            total += 1
        if "lo" in text:
            total += len(text[2:5] + character)
        if text[:4] != "help" and text:
            total += 1
    return total


drive(work)
