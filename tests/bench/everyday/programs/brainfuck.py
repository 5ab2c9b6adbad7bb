"""A brainfuck interpreter."""

import sys

BENCH = {"size": 3, "small": 1}

SQUARES = """
++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<[[<++++++++<++>>-]+<.<[>----<-]<]
<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+[<<<]]<[>+<-]>]<<-]<<-]
"""


def compile_jumps(program):
    jumps = {}
    stack = []
    for i, c in enumerate(program):
        if c == "[":
            stack.append(i)
        elif c == "]":
            j = stack.pop()
            jumps[i] = j
            jumps[j] = i
    return jumps


def interpret(program):
    program = [c for c in program if c in "+-<>[].,"]
    jumps = compile_jumps(program)
    tape = [0] * 300
    pointer = 0
    pc = 0
    out = []
    steps = 0
    while pc < len(program):
        c = program[pc]
        if c == ">":
            pointer += 1
        elif c == "<":
            pointer -= 1
        elif c == "+":
            tape[pointer] = (tape[pointer] + 1) % 256
        elif c == "-":
            tape[pointer] = (tape[pointer] - 1) % 256
        elif c == ".":
            out.append(chr(tape[pointer]))
        elif c == "[":
            if tape[pointer] == 0:
                pc = jumps[pc]
        elif c == "]":
            if tape[pointer] != 0:
                pc = jumps[pc]
        pc += 1
        steps += 1
    return "".join(out), steps


def run(size):
    total = 0
    for _ in range(size):
        text, steps = interpret(SQUARES)
        total += sum(int(x) for x in text.split()) + steps
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
