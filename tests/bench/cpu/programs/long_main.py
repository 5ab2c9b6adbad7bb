"""One long main(): loops of different kinds one after the other, each of which must be entered while it runs."""

import sys

BENCH = {"group": "numeric", "size": 700_000, "short_size": 49_000, "small": 200, "numba": "a dict of mixed values and text formatting"}


def run(n):
    samples = []
    state = 42
    for i in range(n):
        state = (state * 1103515245 + 12345) % 2147483648
        samples.append(state / 2147483648.0)

    mean = 0.0
    for value in samples:
        mean += value
    mean /= n
    spread = 0.0
    for value in samples:
        d = value - mean
        spread += d * d
    spread /= n

    smooth = []
    window = 5
    for i in range(n - window):
        s = 0.0
        for k in range(window):
            s += samples[i + k]
        smooth.append(s / window)

    bins = [0] * 16
    for value in smooth:
        k = int(value * 16)
        if k > 15:
            k = 15
        bins[k] += 1

    rising = longest = current = 0
    for i in range(1, len(smooth)):
        if smooth[i] > smooth[i - 1]:
            rising += 1
            current += 1
            if current > longest:
                longest = current
        else:
            current = 0

    best = None
    for i, value in enumerate(smooth):
        if best is None or value > smooth[best]:
            best = i

    x = 1.0
    step = 0
    while step < n:
        x = 3.7 * x * (1.0 - x) if 0.0 < x < 1.0 else 0.3
        step += 1

    summary = {"mean": mean, "spread": spread, "bins": bins, "rising": rising, "longest": longest, "best": best}
    lines = []
    for key in summary:
        lines.append(f"{key}={summary[key]}")
    return " ".join(lines) + f" x={x!r}"


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
