"""A register machine whose handlers are methods in a dict."""

import sys

BENCH = {"size": 310, "small": 1}


class CPU:
    def __init__(self, program):
        self.program = program
        self.regs = {"a": 0, "b": 0, "c": 0, "d": 0}
        self.pc = 0
        self.count = 0
        self.handlers = {
            "mov": self.mov, "add": self.add, "sub": self.sub, "mul": self.mul, "mod": self.mod,
            "jnz": self.jnz, "jlt": self.jlt, "nop": self.nop,
        }

    def value(self, x):
        if isinstance(x, int):
            return x
        return self.regs[x]

    def mov(self, dst, src):
        self.regs[dst] = self.value(src)

    def add(self, dst, src):
        self.regs[dst] += self.value(src)

    def sub(self, dst, src):
        self.regs[dst] -= self.value(src)

    def mul(self, dst, src):
        self.regs[dst] *= self.value(src)

    def mod(self, dst, src):
        self.regs[dst] %= self.value(src)

    def jnz(self, reg, offset):
        if self.regs[reg] != 0:
            self.pc += offset - 1

    def jlt(self, reg, offset):
        if self.regs[reg] < 0:
            self.pc += offset - 1

    def nop(self):
        pass

    def run(self):
        program = self.program
        while self.pc < len(program):
            op, *args = program[self.pc]
            self.handlers[op](*args)
            self.pc += 1
            self.count += 1
        return self.regs


PROGRAM = [
    ("mov", "c", 600), ("mul", "a", 7), ("add", "a", "c"), ("mod", "a", 65521), ("nop",), ("sub", "c", 1),
    ("jnz", "c", -5), ("sub", "b", 1), ("jnz", "b", -8),
]


def run(size):
    cpu = CPU([("mov", "a", 1), ("mov", "b", size), *PROGRAM])
    regs = cpu.run()
    return regs["a"], cpu.count


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
