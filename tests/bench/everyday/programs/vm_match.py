"""A small expression language: AST of tuples evaluated by match."""

import sys

BENCH = {"size": 46_000, "small": 60, "python": "3.10"}


def evaluate(node, env):
    match node:
        case ("num", n):
            return n
        case ("var", name):
            return env[name]
        case ("add", left, right):
            return evaluate(left, env) + evaluate(right, env)
        case ("mul", left, right):
            return evaluate(left, env) * evaluate(right, env)
        case ("mod", left, right):
            return evaluate(left, env) % evaluate(right, env)
        case ("less", left, right):
            return evaluate(left, env) < evaluate(right, env)
        case ("set", name, value):
            env[name] = evaluate(value, env)
        case ("while", condition, [*body]):
            while evaluate(condition, env):
                for statement in body:
                    evaluate(statement, env)
        case ("if", condition, then, otherwise):
            if evaluate(condition, env):
                evaluate(then, env)
            else:
                evaluate(otherwise, env)
        case _:
            raise SyntaxError(node)


def step(state, command):
    x, y, heading = state
    match command:
        case {"turn": "left"}:
            return x, y, (heading + 1) % 4
        case {"turn": "right"}:
            return x, y, (heading - 1) % 4
        case {"go": int(n)} if n > 0:
            dx, dy = ((1, 0), (0, 1), (-1, 0), (0, -1))[heading]
            return x + dx * n, y + dy * n, heading
        case {"stop": True}:
            return state
    return state


COMMANDS = [{"go": 3}, {"turn": "left"}, {"go": 5}, {"turn": "right"}, {"stop": True}, {"go": 0}]
PROGRAM = [
    ("set", "i", ("num", 0)),
    ("set", "s", ("num", 1)),
    ("while", ("less", ("var", "i"), ("var", "n")), [
        ("set", "s", ("mod", ("add", ("mul", ("var", "s"), ("num", 31)), ("var", "i")), ("num", 10007))),
        ("if", ("less", ("mod", ("var", "i"), ("num", 3)), ("num", 1)),
         ("set", "s", ("add", ("var", "s"), ("num", 1))), ("set", "t", ("var", "s"))),
        ("set", "i", ("add", ("var", "i"), ("num", 1))),
    ]),
]


def run(size):
    env = {"n": size}
    for statement in PROGRAM:
        evaluate(statement, env)
    state = (0, 0, 0)
    for i in range(size * 6):
        state = step(state, COMMANDS[i * 7 % 6])
    return env["s"], env["t"], state


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
