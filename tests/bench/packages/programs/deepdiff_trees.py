"""DeepDiff: nested structures compared, with order and without."""

import hashlib
import sys

from deepdiff import DeepDiff

BENCH = {"size": 700, "small": 3}


def make_tree(size, change):
    return {f"key{k}": {"id": k, "tags": [f"t{k % 5}", "x", k * change % 7],
                        "deep": {"a": [1, 2, {"b": k % (3 + change)}]},
                        **({"extra": k} if k % 4 < change else {})} for k in range(size)}


def run(size):
    old, new = make_tree(size, 1), make_tree(size, 2)
    ordered = DeepDiff(old, new)
    loose = DeepDiff(list(old.values())[: size // 6], list(new.values())[: size // 6], ignore_order=True)
    text = "\n".join(f"{kind} {sorted(map(str, found))}" for kind, found in sorted(ordered.items()))
    text += "\n".join(f"{kind} {sorted(map(str, found))}" for kind, found in sorted(loose.items()))
    return sorted(ordered), hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
