"""Random kernels: compiled, and as plain Python with a generator for each CUDA thread, must give equal results.

Usage: kiln random_kernels.py [--seeds A-B]. A kernel that differs is printed with its seed.
"""

import argparse
import linecache
import random
import sys

import support  # before NumPy: skips where there is none

import numpy as np
from numba import cuda, float64, int64

THREADS = 24
COLUMNS = 3
INTS = ["a", "b", "c", "tid"]
FLOATS = ["x", "y", "z"]

HELPER = f"""def helper(shared, tid, value, limit):
    for k in range(limit):
        shared[tid] = value
        cuda.syncthreads()
        other = shared[(tid + k + 1) % {THREADS}]
        cuda.syncthreads()
        if k == 1 and limit % 2 == 0:
            return other - value
        value = (value * 3 + other) % 99991
    if limit == 1:
        return value
    cuda.syncthreads()
    return value + 1
"""


class Generator:
    """The source of one kernel. Ints stay below 10**6, so that 64 bits hold every product."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0
        self.read_only: set[str] = {"tid"}

    def integer(self, depth: int = 2, names: list[str] | None = None) -> str:
        """An int expression; `names` restricts its variables."""
        pick = self.random
        if depth == 0 or pick.random() < 0.25:
            return pick.choice((names if names is not None else INTS) + [str(pick.randint(-9, 20))])
        a, b = self.integer(depth - 1, names), self.integer(depth - 1, names)
        kind = pick.randrange(9)
        if kind < 5:
            form = ["({a} + {b})", "({a} - {b})", "({a} * {b}) % 9973", "({a} & {b})", "({a} ^ {b})"][kind]
        else:
            divisor = pick.choice(["-7", "-3", "2", "5", "16"])
            form = ["({a} // " + divisor + ")", "({a} % " + divisor + ")", "min({a}, {b})", "abs({a})"][kind - 5]
        return form.format(a=a, b=b)

    def number(self, depth: int = 2) -> str:
        """A float expression."""
        pick = self.random
        if depth == 0 or pick.random() < 0.25:
            return pick.choice(FLOATS + [repr(pick.randint(-40, 40) / 8)])
        a, b = self.number(depth - 1), self.number(depth - 1)
        form = pick.choice(["({a} + {b})", "({a} - {b})", "{a} * 0.5", "max({a}, {b})", "({a} if {c} else {b})", "(0.25 * {i})", "{a} / 8.0"])
        return form.format(a=a, b=b, c=self.condition(depth - 1), i=self.integer(depth - 1))

    def condition(self, depth: int = 1, names: list[str] | None = None) -> str:
        """A bool expression."""
        pick = self.random
        a, b = self.integer(max(depth, 0), names), self.integer(0, names)
        text = f"{a} {pick.choice(['<', '<=', '==', '!=', '>', '>='])} {b}"
        if depth > 0 and pick.random() < 0.3:
            return f"({text} {pick.choice(['and', 'or'])} {self.condition(0, names)})"
        return text

    def emit(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def assignment(self, indent: int) -> None:
        if self.random.random() < 0.6:
            name = self.random.choice([name for name in INTS if name not in self.read_only])
            self.emit(indent, f"{name} = {self.integer()} % 99991")
        else:
            self.emit(indent, f"{self.random.choice(FLOATS)} = {self.number()}")

    def exchange(self, indent: int) -> None:
        """Every thread writes its place and reads another's."""
        name, value = self.random.choice([("si", self.integer()), ("sf", self.number())])
        target = self.random.choice(["b", "c"]) if name == "si" else self.random.choice(FLOATS)
        self.emit(indent, f"{name}[tid] = {value}")
        self.emit(indent, "cuda.syncthreads()")
        self.emit(indent, f"{target} = {name}[(tid + {self.random.randint(0, 40)}) % {THREADS}]")
        self.emit(indent, "cuda.syncthreads()")

    def call(self, indent: int) -> None:
        """A device function that waits, and may return before it does: all threads do, or none."""
        target = self.random.choice(["b", "c"])
        self.emit(indent, f"{target} = helper(si, tid, {self.integer()} % 99991, {self.random.choice(['n', 'm', '1', 'm + 1'])})")

    def body(self, indent: int, depth: int, uniform: bool, in_loop: bool) -> None:
        """Some statements. `uniform`: all threads come here together, so that barriers may be here. `in_loop`: a break here
        leaves a loop whose barriers, if it has any, need no thread that breaks."""
        for _ in range(self.random.randint(1, 4)):
            self.statement(indent, depth, uniform, in_loop)
        if in_loop and self.random.random() < 0.2:
            self.emit(indent, f"if {self.condition(1, ['n', 'm'] if uniform else None)}:")
            self.emit(indent + 1, self.random.choice(["break", "continue"]))

    def statement(self, indent: int, depth: int, uniform: bool, in_loop: bool) -> None:
        kind = self.random.random()
        if kind < 0.35 or depth == 0:
            self.assignment(indent)
        elif kind < 0.46 and uniform:
            self.exchange(indent)
        elif kind < 0.52 and uniform:
            self.call(indent)
        elif kind < 0.6:
            self.emit(indent, f"cuda.atomic.add(total, {self.integer(1)} % 4, {self.integer(1)} % 50)")
        elif kind < 0.8:
            self.branch(indent, depth, uniform, in_loop)
        else:
            self.loop(indent, depth, uniform)

    def branch(self, indent: int, depth: int, uniform: bool, in_loop: bool) -> None:
        same = uniform and self.random.random() < 0.5
        self.emit(indent, f"if {self.condition(1, ['n', 'm'] if same else None)}:")
        in_loop = in_loop and same == uniform
        self.body(indent + 1, depth - 1, same, in_loop)
        if self.random.random() < 0.6:
            self.emit(indent, "else:")
            self.body(indent + 1, depth - 1, same, in_loop)

    def loop(self, indent: int, depth: int, uniform: bool) -> None:
        same = uniform and self.random.random() < 0.6
        self.loops += 1
        counter = f"k{self.loops}"
        INTS.append(counter)
        self.read_only.add(counter)
        bound = self.random.choice(["n", "m", "3"]) if same else self.random.choice(["tid % 5", "abs(a) % 4", "n"])
        if self.random.random() < 0.6:
            self.emit(indent, f"for {counter} in range({self.random.choice(['', '1, '])}{bound}):")
            self.body(indent + 1, depth - 1, same, True)
        else:
            self.emit(indent, f"{counter} = 0")
            self.emit(indent, f"while {counter} < {bound}:")
            self.emit(indent + 1, f"{counter} += 1")
            self.body(indent + 1, depth - 1, same, True)
        INTS.remove(counter)

    def source(self) -> str:
        """The whole function."""
        self.lines += HELPER.splitlines()
        self.emit(0, "def kernel(out, total, n, m):")
        for text in ("tid = cuda.threadIdx.x", f"si = cuda.shared.array({THREADS}, int64)", f"sf = cuda.shared.array({THREADS}, float64)",
                     "a = tid * 3 - 7", "b = cuda.blockIdx.x + 2", "c = n", "x = tid * 0.5", "y = 1.25", "z = -3.0"):
            self.emit(1, text)
        for _ in range(3):
            self.body(1, 3, True, False)
        for column, text in enumerate(["a + 3 * b + 7 * c", "x + y", "z"]):
            self.emit(1, f"out[cuda.blockIdx.x, tid, {column}] = {text}")
        return "\n".join(self.lines) + "\n"


class PlainCuda:
    """cuda for the threads of one block, which run by turns: from one barrier to the next."""

    def __init__(self, block: int) -> None:
        self.arrays: dict[int, list] = {}
        self.calls = 0
        self.blockIdx = type("", (), {"x": block})
        self.threadIdx = type("", (), {"x": 0})
        self.shared = self
        self.atomic = self

    def begin(self, number: int) -> None:
        """What is called now is this thread, at its beginning."""
        self.threadIdx.x = number
        self.calls = 0

    def array(self, size: int, dtype) -> list:
        """The block's array at this place in the order of the thread's calls."""
        self.calls += 1
        return self.arrays.setdefault(self.calls, [0] * size)

    def add(self, array, index: int, value: int) -> None:
        """An atomic addition."""
        array[index] += value


def as_generators(source: str) -> str:
    """The source with a yield for each barrier."""
    return source.replace("cuda.syncthreads()", "yield").replace("= helper(", "= yield from helper(") + "    yield\n"


def run_plain(source: str, blocks: int, arguments: tuple) -> None:
    """Runs the kernel as Python."""
    code = compile(as_generators(source), "<plain kernel>", "exec")
    for block in range(blocks):
        plain = PlainCuda(block)
        scope = {"cuda": plain, "int64": int, "float64": float}
        exec(code, scope)
        threads = [scope["kernel"](*arguments) for _ in range(THREADS)]
        for number, thread in enumerate(threads):
            plain.begin(number)
            next(thread)
        while threads:
            running = [thread for thread in threads if next(thread, True) is None]
            assert len(running) in (0, len(threads)), "some threads wait at a barrier, others have ended"
            threads = running


def check(seed: int) -> bool:
    """Whether both runs of the kernel of this seed agree; prints it when they do not."""
    source = Generator(seed).source()
    name = f"<random kernel {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    scope = {"cuda": cuda, "int64": int64, "float64": float64}
    exec(compile(source, name, "exec"), scope)
    results = []
    for run in ("plain", "compiled"):
        out, total = np.zeros((2, THREADS, COLUMNS)), np.zeros(4, np.int64)
        if run == "plain":
            run_plain(source, 2, (out, total, 3, seed % 5))
        else:
            scope["helper"] = cuda.jit(device=True)(scope["helper"])
            cuda.jit(scope["kernel"])[2, THREADS](out, total, 3, seed % 5)
        results.append((out, total))
    same = all(np.array_equal(first, second, equal_nan=True) for first, second in zip(*results))
    if not same:
        print(f"seed {seed} differs:\n{source}{results[0]}\n{results[1]}")
    return same


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="1-40")
    first, _, last = parser.parse_args().seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    bad = [seed for seed in seeds if not check(seed)]
    print(f"{len(seeds) - len(bad)} kernels agree, {len(bad)} differ: {bad}")
    print(f"cubins: {support.check_images()}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
