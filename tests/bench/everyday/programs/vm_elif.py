"""A stack machine with an if/elif chain over opcode strings."""

import sys

BENCH = {"size": 170_000, "small": 100}


def assemble(text):
    code = []
    labels = {}
    for line in text.strip().splitlines():
        parts = line.split()
        if parts[0].endswith(":"):
            labels[parts[0][:-1]] = len(code)
            continue
        code.append((parts[0], parts[1] if len(parts) > 1 else None))
    result = []
    for name, arg in code:
        if arg is not None:
            arg = labels[arg] if arg in labels else (int(arg) if arg.lstrip("-").isdigit() else arg)
        result.append((name, arg))
    return result


class Machine:
    def __init__(self, code):
        self.code = code
        self.stack = []
        self.variables = {}
        self.pc = 0
        self.steps = 0

    def push(self, value):
        self.stack.append(value)

    def pop(self):
        return self.stack.pop()

    def run(self):
        while True:
            name, arg = self.code[self.pc]
            self.pc += 1
            self.steps += 1
            if name == "PUSH":
                self.push(arg)
            elif name == "LOAD":
                self.push(self.variables[arg])
            elif name == "STORE":
                self.variables[arg] = self.pop()
            elif name == "ADD":
                b = self.pop()
                a = self.pop()
                self.push(a + b)
            elif name == "SUB":
                b = self.pop()
                a = self.pop()
                self.push(a - b)
            elif name == "MUL":
                b = self.pop()
                a = self.pop()
                self.push(a * b)
            elif name == "MOD":
                b = self.pop()
                a = self.pop()
                self.push(a % b)
            elif name == "JUMP":
                self.pc = arg
            elif name == "JZ":
                if self.pop() == 0:
                    self.pc = arg
            elif name == "HALT":
                return self.variables
            else:
                raise ValueError(name)


PROGRAM = """
STORE n
PUSH 0
STORE s
loop:
LOAD n
JZ end
LOAD s
LOAD n
LOAD n
MUL
ADD
PUSH 1000003
MOD
STORE s
LOAD n
PUSH 1
SUB
STORE n
JUMP loop
end:
HALT
"""


def run(size):
    machine = Machine(assemble(f"PUSH {size}" + PROGRAM))
    return machine.run()["s"], machine.steps


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
