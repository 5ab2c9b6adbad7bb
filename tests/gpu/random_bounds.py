"""Kernels of random conditions, loops and remainders by what values are compared with: the text of one for each seed."""

import random


class Writer:
    """Writes `kernel(a, out, i, p, q)`, which stores one number: `out[i]`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def kernel(a, out, i, p, q):", "    n = a.shape[0]", "    m, j, total = p, i, 0"]

    def text(self) -> str:
        """The kernel."""
        guard = self.random.choice(["", "i >= n", "i < 0 or i >= a.shape[0]", "i >= m"])
        if guard:
            self.add(1, f"if {guard}:")
            self.add(2, "return")
        self.block(1, ["i", "n", "m", "j", "p", "q"])
        self.add(1, "out[i] = total")
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, line: str) -> None:
        """A line, so far inwards."""
        self.lines.append("    " * depth + line)

    def value(self, names: list[str], depth: int = 0) -> str:
        """An integer."""
        kind = self.random.random()
        if depth > 2 or kind < 0.45:
            return self.random.choice(names)
        if kind < 0.6:
            return str(self.random.randint(-3, 3))
        return f"({self.value(names, depth + 1)} {self.random.choice('++--*')} {self.value(names, depth + 1)})"

    def condition(self, names: list[str]) -> str:
        """A comparison of two names."""
        compared = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.random.choice(names)} {compared} {self.random.choice([*names, '0', '1', '2'])}"

    def block(self, depth: int, names: list[str]) -> None:
        """Some statements."""
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            if kind < 0.35 or (depth > 2 and kind < 0.75):
                divisor = self.random.choice(["n", "n", "m", "a.shape[0]", "p"])
                self.add(depth, f"if {divisor} > 0:")
                self.add(depth + 1, f"total = (total * 31 + {self.value(names)} % {divisor}) & 1048575")
            elif kind < 0.5:
                joined = self.random.choice(["", f" and {self.condition(names)}", f" or {self.condition(names)}"])
                self.add(depth, f"if {self.condition(names)}{joined}:")
                self.block(depth + 1, names)
            elif kind < 0.65:
                start = self.random.choice(["0", "-2", "q", "n - 3", "i - 2", "i"])
                self.add(depth, f"for k{depth} in range({start}, {self.random.choice(['n', 'm', 'i + 2', '3', 'p'])}):")
                self.block(depth + 1, [*names, f"k{depth}"])
                self.add(depth + 1, f"if total % 7 == 3: {self.random.choice(['break', 'continue', 'pass'])}")
            elif kind < 0.75:
                self.add(depth, f"w{depth} = {self.random.choice(['0', 'i', 'q'])}")
                self.add(depth, f"while w{depth} < {self.random.choice(['n', 'm', 'p'])} and w{depth} < 40:")
                self.block(depth + 1, [*names, f"w{depth}"])
                self.add(depth + 1, f"w{depth} += 1")
            elif kind < 0.85:
                changed = self.random.choice(["n", "n - 1", "m", "p", "min(n, 4)", "min(m + 1, 9)", "a.shape[0]"])
                self.add(depth, f"{self.random.choice('mj')} = {changed}")
            else:
                self.add(depth, f"j = ({self.value(names)} & 31) - 12")
