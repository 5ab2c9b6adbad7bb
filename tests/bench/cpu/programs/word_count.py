"""Counting words of a text: strings, dicts, sorting and formatting."""

import sys

BENCH = {"group": "other", "size": 900, "small": 3, "numba": "strings and dicts of strings"}

PARTS = "the quick brown fox jumps over a lazy dog while seven wise owls watch from their old oak tree".split()


def make_text(lines):
    state = 12345
    text = []
    for _ in range(lines):
        words = []
        for _ in range(12):
            state = (state * 1103515245 + 12345) % 2147483648
            word = PARTS[state % len(PARTS)]
            words.append(word.capitalize() if state % 7 == 0 else word)
        text.append(" ".join(words) + ".")
    return "\n".join(text)


def normalise(word):
    return word.strip(".,;!?").lower()


def count(text):
    counts = {}
    lengths = {}
    for line in text.splitlines():
        for word in line.split():
            word = normalise(word)
            counts[word] = counts.get(word, 0) + 1
            lengths.setdefault(len(word), set()).add(word)
    return counts, lengths


def table(counts):
    rows = []
    for word, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        rows.append(f"{word:>10}|{number:6d}|{'*' * (number % 20)}")
    return "\n".join(rows)


def run(n):
    text = make_text(100)
    total = 0
    for k in range(n):
        counts, lengths = count(text)
        total += len(table(counts)) + len(lengths) + counts["fox"]
        if k % 10 == 0:
            total += text.replace("fox", "cat").count("cat")
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
