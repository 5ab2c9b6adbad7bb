"""The table of features that generated programs may have beyond arithmetic, and the text that sets them up."""

from __future__ import annotations

import random
import textwrap

import calls
import complexes
import frames
import identity
import lookups
import operators
import release
import suspended
from feature import Feature

# A feature whose `off` says why is in no program, unless run.py is asked for it by name.
FEATURES: dict[str, Feature] = {
    **release.FEATURES,
    **lookups.FEATURES,
    **frames.FEATURES,
    **operators.FEATURES,
    **identity.FEATURES,
    **suspended.FEATURES,
    **complexes.FEATURES,
    **calls.FEATURES,
}
PRELUDE = """
import gc

gc.disable()  # when it runs by itself depends on what is allocated
STATE, TRACE = [0, 0], []  # a hash of all notes, how often act() ran; the first notes
SEEN, TOLD, LIST, DICT = 1, 2, [3, 1, 4, 1, 5], {"k": 9}
CHOSEN = [0]  # how often several() chose


def note(tag, n=0):
    STATE[0] = hash((STATE[0], tag, repr(n)))
    if len(TRACE) < 25:
        TRACE.append((tag, n))


def several(values, n):  # one of them, of which there are more from time to time
    CHOSEN[0] += 1
    return values[n % (1 + CHOSEN[0] // 120 % len(values))]


sys.unraisablehook = lambda u: note("unraisable", type(u.exc_value).__name__)
"""
END = """
d1 = d2 = d3 = None
gc.collect()
print(STATE, TRACE)
gc.enable()
sys.unraisablehook = sys.__unraisablehook__
"""


def choose(rng: random.Random, names: list[str] | None) -> list[Feature]:
    """The features of a program: those named, or none, or some of the table. `data` gives the others what they change."""
    if names is None:
        # Chosen from all: switching one on leaves the programs that do not have it as they are.
        names = [] if rng.random() < 0.4 else rng.sample(list(FEATURES), rng.randint(1, 4))
        names = [name for name in names if not FEATURES[name].off]
    return [FEATURES[name] for name in dict.fromkeys([*names, "data"])] if names else []


def definitions(rng: random.Random, features: list[Feature]) -> str:
    """Module-level code: what the features define, and act()."""
    effects = [effect for feature in features for effect in feature.effects]
    lines = ["STATE[1] += 1"]
    for effect in rng.sample(effects, min(len(effects), rng.randint(1, 4))):
        period = rng.choice([1, 1, 2, 5])
        if period > 1:
            effect = f"if n % {period} == {rng.randrange(period)}:\n" + textwrap.indent(effect, "    ")
        lines.append(effect)
    body = textwrap.indent("\n".join(lines), "    ")
    act = f"\n\ndef act(n):\n    global SEEN, TOLD\n{body}\n"
    return PRELUDE + act + "".join(feature.definitions for feature in features)


def end(features: list[Feature]) -> str:
    """Module-level code that releases what the features hold, and prints what was noted."""
    return "\n".join(feature.end for feature in features if feature.end) + END
