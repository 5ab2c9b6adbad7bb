"""textdistance: names compared by several measures in Python."""

import sys

import textdistance

BENCH = {"size": 16, "small": 3}

NAMES = ("martha", "marhta", "jonathan", "johnathon", "catherine", "katharina", "michael", "mikhail", "elizabeth",
         "elisabet", "stephen", "steven", "geoffrey", "jeffrey", "philip", "filippo")


def run(size):
    measures = [textdistance.Levenshtein(external=False), textdistance.DamerauLevenshtein(external=False),
                textdistance.JaroWinkler(external=False), textdistance.LCSSeq(external=False),
                textdistance.RatcliffObershelp(external=False), textdistance.Jaccard(qval=2, external=False)]
    names = [name + tail for tail in ("", "son", "berg", "ova") for name in NAMES[:size]]
    lines = []
    for measure in measures:
        best = sorted((round(measure.normalized_similarity(a, b), 9), a, b) for a in names for b in names if a < b)
        lines.append((type(measure).__name__, best[-1], best[0]))
    return lines


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
