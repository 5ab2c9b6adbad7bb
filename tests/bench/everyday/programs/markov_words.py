"""Word counting and Markov text with Counter and defaultdict."""

import random
import string
import sys
from collections import Counter, defaultdict

BENCH = {"size": 38_000, "small": 50}

SUBJECTS = ["the cat", "a dog", "my friend", "the old man", "nobody", "every child", "the king"]
VERBS = ["saw", "liked", "chased", "painted", "forgot", "found", "sold"]
OBJECTS = ["a house", "the river", "some bread", "the mountain", "an idea", "the garden", "a letter"]
ENDS = [".", "!", ",", ";", " again.", " yesterday,"]


def corpus(n, rng):
    parts = []
    for _ in range(n):
        parts.append(f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}{rng.choice(ENDS)}".capitalize())
    return " ".join(parts)


def words_of(text):
    table = str.maketrans("", "", string.punctuation)
    return [w.translate(table) for w in text.lower().split()]


def build_chain(words, order=2):
    chain = defaultdict(list)
    for i in range(len(words) - order):
        chain[tuple(words[i:i + order])].append(words[i + order])
    return chain


def generate(chain, start, n, rng):
    state = start
    out = list(state)
    for _ in range(n):
        options = chain.get(state)
        if not options:
            state = start
            continue
        word = rng.choice(options)
        out.append(word)
        state = state[1:] + (word,)
    return out


def run(size):
    rng = random.Random(5)
    text = corpus(size, rng)
    words = words_of(text)
    counts = Counter(words)
    by_letter = defaultdict(set)
    lengths = defaultdict(int)
    for word in words:
        by_letter[word[0]].add(word)
        lengths[len(word)] += 1
    pairs = Counter(zip(words, words[1:]))
    letters = {}
    for word in words:
        for c in word:
            letters[c] = letters.get(c, 0) + 1
    chain = build_chain(words)
    out = generate(chain, (words[0], words[1]), size * 4, rng)
    top = counts.most_common(5)
    return (top[0], len(pairs), sum(k * v for k, v in lengths.items()), len(by_letter), max(letters.values()),
            sum(map(len, out)))


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
