# == and != of texts: empty, of one character, of one length, with characters of each width, made in any way.
import sys


def made(text):
    """An equal text that is another object, where there is one."""
    return "".join(list(text)) if len(text) > 1 else (text + "xx")[: len(text)]


TEXTS = ["", "a", "b", "\0", "\x7f", "\x80", "\xe9", "\xff", "\u0100", "\u20ac", "\U0001f600", "ab", "ac", "bb", "a\0", "a\0b", "aé", "aÿ",
         "ab€", "ab😀", "LOAD_FAST", "LOAD_CONST", "LOAD_FASt", "long text of many characters " * 9, "long text of many characters " * 9 + "!",
         "\ud800", "\ud800\udc00", "é" * 20, "é" * 19 + "e"]


class Text(str):
    def __eq__(self, other):
        return "own"

    __hash__ = str.__hash__


def all_pairs(texts, others):
    counts = [0, 0]
    for a in texts:
        for b in others:
            if a == b:
                counts[0] += 1
            if a != b:
                counts[1] += 1
    return counts


def dispatch(words):
    seen = {}
    for word in words:
        if word == "a":
            key = 1
        elif word == "":
            key = 2
        elif word == "LOAD_FAST":
            key = 3
        elif word != "é":
            key = 4
        else:
            key = 5
        seen[key] = seen.get(key, 0) + 1
    return sorted(seen.items())


def grows(n):
    text = ""
    hits = 0
    for i in range(n):
        text += "ab"[i & 1]
        if text == "ababab":
            hits += 1
        if text != "a":
            hits += 10
    return hits, len(text)


def characters(text, wanted):
    return sum(1 for c in text if c == wanted), [c != wanted for c in text].count(False)


def mixed(values):
    results = []
    for value in values:
        results.append(value == "ab")
        results.append("ab" != value)
    return results


def run(n):
    others = [made(text) for text in TEXTS]
    for _ in range(n):
        results = all_pairs(TEXTS, others)
    print(results, all_pairs(TEXTS, [sys.intern(made(text)) for text in TEXTS]))
    print(dispatch(TEXTS * n), dispatch(others * n))
    print(grows(40 * n))
    print([characters("abcabcé€" * n, wanted) for wanted in ("a", "é", "€", "", "ab")])
    print(mixed(["ab", made("ab"), "a"] * n)[-6:])
    print(mixed(["ab", Text("ab"), 1, None, b"ab", ["ab"], Text("x")] * n)[-14:])


run(2)
run(60)
