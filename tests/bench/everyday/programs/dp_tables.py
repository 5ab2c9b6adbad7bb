"""Knapsack, longest common subsequence, edit distance."""

import sys

BENCH = {"size": 780, "small": 30}


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


def lcs(a, b):
    m, n = len(a), len(b)
    dp = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if a[i - 1] == b[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    result = []
    while m and n:
        if a[m - 1] == b[n - 1]:
            result.append(a[m - 1])
            m -= 1
            n -= 1
        elif dp[m - 1][n] >= dp[m][n - 1]:
            m -= 1
        else:
            n -= 1
    return "".join(reversed(result))


def edit_distance(s, t):
    previous = list(range(len(t) + 1))
    for i, cs in enumerate(s, 1):
        current = [i]
        for j, ct in enumerate(t, 1):
            cost = 0 if cs == ct else 1
            current.append(min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost))
        previous = current
    return previous[-1]


def text(length, seed):
    letters = []
    for _ in range(length):
        seed = (seed * 69069 + 1) & 0xFFFFFFFF
        letters.append("acgt"[seed >> 30])
    return "".join(letters)


def run(size):
    a, b = text(size, 1), text(size, 2)
    weights = [(i * 37) % 91 + 5 for i in range(120)]
    values = [(i * 53) % 97 + 1 for i in range(120)]
    middle = a[size // 9:size * 7 // 9]
    return (knapsack(weights, values, size * 7), len(lcs(a, b)), edit_distance(a, b), edit_distance(b[:size // 2], middle))


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
