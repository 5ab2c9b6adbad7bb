"""The tables, and the bars that kiln is to reach."""

import statistics

from text_table import text_table

# What a launch may cost beside what the driver takes.
OWN = ("driver", 0.5)
# Figure -> (unit, bar: a number that kiln is not to exceed, the peer that it is not to be slower than, or a peer and how much slower at most).
ROWS = {
    "launch()": ("us", OWN),
    "launch(array, array, array)": ("us", OWN),
    "launch(array, int, float)": ("us", OWN),
    "launch(16 arrays)": ("us", 5.0),
    "kernel[grid, block] itself": ("us", 0.5),
    "first kernel": ("ms", 60.0),
    "second kernel": ("ms", 30.0),
    "first kernel, cached": ("ms", 3.0),
    "second kernel, cached": ("ms", 3.0),
    "import": ("ms", 20.0),
    "vector add": ("ms", "numba-cuda"),
    "matmul": ("ms", "numba-cuda"),
    "mandelbrot": ("ms", "numba-cuda"),
}
# Times as slow as another, for each kernel.
VARIED_BARS = {"numba-cuda": 1.03, "cupy": 1.02}
# Times as slow as C++.
CPU_ROWS = {name: ("ms", 1.5) for name in ("vector add", "reduction", "matmul", "plain matmul", "stencil", "mandelbrot", "n-body")}


def number_text(value: float | None) -> str:
    """A figure with three digits that matter."""
    if value is None:
        return "-"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def medians(runs: list[dict[str, float]]) -> dict[str, float]:
    """The median of each figure over the runs that have it."""
    names = {name for run in runs for name in run}
    return {name: statistics.median(run[name] for run in runs if name in run) for name in names}


def verdict(value: float | None, limit: float | None, text: str) -> str:
    """What the bar says."""
    if value is None or limit is None:
        return ""
    return f"{text} {'reached' if value <= limit else 'MISSED'}"


def gpu_table(figures: dict[str, dict[str, float]], peers: list[str]) -> str:
    """One line a figure, one column a peer, and kiln's bar."""
    rows = [["", "", *peers, "bar"]]
    for name, (unit, bar) in ROWS.items():
        mine = figures["kiln"].get(name)
        if isinstance(bar, str):
            limit, text = figures.get(bar, {}).get(name), f"<= {bar}"
        elif isinstance(bar, tuple):
            peer, extra = bar
            base = figures.get(peer, {}).get(name)
            limit, text = None if base is None else base + extra, f"<= {peer} + {extra:g}"
        else:
            limit, text = bar, "" if bar is None else f"<= {bar:g}"
        # A hundredth is what two runs of the same machine code differ by.
        rows.append([name, unit, *(number_text(figures[peer].get(name)) for peer in peers),
                     verdict(mine, limit * 1.01 if isinstance(bar, str) and limit else limit, text)])
    return text_table(rows)


def varied_table(figures: dict[str, dict[str, float]]) -> str:
    """One line a kernel: milliseconds of each peer, kiln's time by those of the others, and the bars; the geometric means last."""
    names = {"numba-cuda": "numba-cuda", "cupy": "C++"}
    others = [peer for peer in names if figures.get(peer)]
    rows = [["kernel, ms", "kiln", *(names[peer] for peer in others), *(f"by {names[peer]}" for peer in others), "bar"]]
    ratios = {peer: [] for peer in others}
    for kernel, mine in figures["kiln"].items():
        texts, missed = [], []
        for peer in others:
            other = figures[peer].get(kernel)
            texts.append(f"{mine / other:.2f}x" if other else "-")
            ratios[peer] += [mine / other] if other else []
            missed += [names[peer]] if other and mine / other > VARIED_BARS[peer] else []
        rows.append([kernel, number_text(mine), *(number_text(figures[peer].get(kernel)) for peer in others), *texts,
                     f"MISSED: {', '.join(missed)}" if missed else ""])
    means = [f"{statistics.geometric_mean(ratios[peer]):.2f}x" for peer in others]
    rows.append(["geometric mean", "", *("" for _ in others), *means, ""])
    return text_table(rows)


def cpu_table(kiln: dict[str, float], native: dict[str, float]) -> str:
    """kiln's CPU backend beside C++."""
    rows = [["", "", "kiln", "C++", "ratio", "bar"]]
    for name, (unit, bar) in CPU_ROWS.items():
        mine, other = kiln.get(name), native.get(name)
        ratio = mine / other if mine and other else None
        rows.append([name, unit, number_text(mine), number_text(other), f"{ratio:.2f}x" if ratio else "-", verdict(ratio, bar, f"<= {bar:g}x")])
    return text_table(rows)
