"""Kernels of random loops and conditions, most of whose bounds are the same for all threads: the text of one for each seed."""

import random

COUNTERS = "kjl"
BOUNDS = ["n", "n", "n", "5", "n - 1", "a.shape[0]", "1, n", "n - 1, -1, -1", "0, n, 2", "i % 3", "min(20, n + 3)"]


class Writer:
    """Writes `kernel(a, b, n, out)`, whose arrays have 24 rows, and a column for each thread."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def kernel(a, b, n, out):", "    i = cuda.grid(1)"]

    def text(self) -> str:
        """The kernel."""
        guard = self.random.choice(["", f"if i < {self.limit()}:", f"if i >= {self.limit()}:\n        return"])
        depth = 2 if guard.endswith(":") else 1
        if guard:
            self.lines.append("    " + guard)
        known = self.random.random() < 0.5
        for line in ["x, y, w, m = 1.0, 0.5, 0.0, i % 7"] + ["k, j, l = 0, 0, 0"] * known:
            self.add(depth, line)
        self.statements(depth, [], self.random.randint(3, 6))
        self.add(depth, "out[0, i] += x + y * 0.5 + w")
        self.add(depth, "out[1, i] += m" + (" + k" if known else ""))
        return "\n".join(self.lines) + "\n"

    def add(self, depth: int, line: str) -> None:
        """A line, so far inwards."""
        self.lines.append("    " * depth + line)

    def limit(self) -> str:
        """Of the threads that take part."""
        return self.random.choice(["out.shape[1]", "n * 9"])

    def value(self, counters: list[str]) -> str:
        """A float."""
        terms = ["x", "y", "float(m)", "b[0]", "1.5", "float(i)"]
        for counter in counters:
            terms += [f"a[{counter}, i]", f"b[{counter}]", f"float({counter})"]
        first, second = self.random.choice(terms), self.random.choice(terms)
        return f"({first} {self.random.choice('+-*')} {second})" if self.random.random() < 0.5 else first

    def condition(self, counters: list[str]) -> str:
        """One that threads agree about, or not."""
        conditions = ["m % 3 == 0", "i % 4 == 1", "x > 2.0", "n > 2", "i < n"]
        for counter in counters:
            conditions += [f"a[{counter}, i] > 3.0", f"{counter} < 2", f"b[{counter}] > 4.0"]
        return self.random.choice(conditions)

    def statements(self, depth: int, counters: list[str], count: int) -> None:
        """So many, at this depth, in loops with these counters."""
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.3:
                self.add(depth, f"{self.random.choice('xyw')} {self.random.choice(['=', '+=', '-='])} {self.value(counters)}")
            elif kind < 0.4:
                self.add(depth, f"m = (m * 3 + {self.random.choice(['1', 'i', 'n', *counters])}) % 101")
            elif kind < 0.55 and depth < 5:
                self.choice(depth, counters)
            elif kind < 0.8 and depth < 5 and len(counters) < 3:
                self.loop(depth, counters)
            else:
                self.add(depth, f"out[{self.random.choice(['0', '1', '2', *counters])}, i] {self.random.choice(['=', '+='])} {self.value(counters)}")

    def choice(self, depth: int, counters: list[str]) -> None:
        """An if, perhaps with an else."""
        self.add(depth, f"if {self.condition(counters)}:")
        self.statements(depth + 1, counters, self.random.randint(1, 2))
        if self.random.random() < 0.4:
            self.add(depth, "else:")
            self.statements(depth + 1, counters, 1)

    def loop(self, depth: int, counters: list[str]) -> None:
        """A for, which some threads may leave early."""
        counter = self.random.choice(COUNTERS)
        self.add(depth, f"for {counter} in range({self.random.choice(BOUNDS)}):")
        inner = [*counters, counter]
        self.statements(depth + 1, inner, self.random.randint(1, 3))
        if self.random.random() < 0.15:
            self.add(depth + 1, f"if {self.condition(inner)}:")
            self.add(depth + 2, self.random.choice(["break", "continue"]))
