"""A Lisp interpreter after Norvig's lis.py."""

import math
import operator as op
import sys

BENCH = {"size": 22, "small": 8}


class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        self.update(zip(params, args))
        self.outer = outer

    def find(self, var):
        return self if var in self else self.outer.find(var)


class Procedure:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        return evaluate(self.body, Env(self.params, args, self.env))


def standard_env():
    env = Env()
    env.update({
        "+": op.add, "-": op.sub, "*": op.mul, "/": op.truediv, ">": op.gt, "<": op.lt, ">=": op.ge,
        "<=": op.le, "=": op.eq, "sqrt": math.sqrt, "car": lambda x: x[0], "cdr": lambda x: x[1:],
        "cons": lambda x, y: [x] + y, "list": lambda *x: list(x), "null?": lambda x: x == [],
        "append": op.add, "length": len, "not": op.not_, "mod": op.mod,
    })
    return env


def tokenize(text):
    return text.replace("(", " ( ").replace(")", " ) ").split()


def read(tokens):
    token = tokens.pop(0)
    if token == "(":
        items = []
        while tokens[0] != ")":
            items.append(read(tokens))
        tokens.pop(0)
        return items
    return atom(token)


def atom(token):
    try:
        return int(token)
    except ValueError:
        try:
            return float(token)
        except ValueError:
            return token


def evaluate(x, env):
    if isinstance(x, str):
        return env.find(x)[x]
    if not isinstance(x, list):
        return x
    if x[0] == "quote":
        return x[1]
    if x[0] == "if":
        _, test, conseq, alt = x
        return evaluate(conseq if evaluate(test, env) else alt, env)
    if x[0] == "define":
        _, var, exp = x
        env[var] = evaluate(exp, env)
        return None
    if x[0] == "lambda":
        _, params, body = x
        return Procedure(params, body, env)
    proc = evaluate(x[0], env)
    args = [evaluate(exp, env) for exp in x[1:]]
    return proc(*args)


PROGRAM = [
    "(define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))",
    "(define fact (lambda (n) (if (<= n 1) 1 (* n (fact (- n 1))))))",
    "(define range (lambda (a b) (if (= a b) (quote ()) (cons a (range (+ a 1) b)))))",
    "(define map1 (lambda (f l) (if (null? l) (quote ()) (cons (f (car l)) (map1 f (cdr l))))))",
    "(define sum (lambda (l) (if (null? l) 0 (+ (car l) (sum (cdr l))))))",
]


def run(size):
    env = standard_env()
    for line in PROGRAM:
        evaluate(read(tokenize(line)), env)
    results = [evaluate(read(tokenize(f"(fib {size})")), env), evaluate(read(tokenize("(fact 40)")), env) % 1000003]
    for n in range(size, size * 4):
        results.append(evaluate(read(tokenize(f"(sum (map1 (lambda (x) (* x x)) (range 0 {n})))")), env))
    return sum(results)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
