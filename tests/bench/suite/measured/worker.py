"""Runs one program again and again inside the Python that is measured, and prints a JSON object of its times.

worker.py PROGRAM SIZE KERNELS calls COUNT SECONDS    COUNT calls, and more until SECONDS have passed
worker.py PROGRAM SIZE KERNELS whole                  one call, whose result is printed as the program itself does

KERNELS, names with commas between them, are compiled with Numba first; "-" stands for none. A program without a
function run() is executed from its beginning for each call. One with a function summary() says by it what run() returned,
which is not timed. Everything here must run under Python 3.9 too.
"""

import sys
import types

import bench_calls


def prepare(path, size, kernels):
    """Returns a function without arguments that runs the program once and returns its result, and what spells that."""
    with open(path) as file:
        code = compile(file.read(), path, "exec")
    sys.argv = [path, str(size)]
    if "run" not in code.co_names:
        def execute():
            names = types.ModuleType("bench_program").__dict__
            exec(code, names)
            return names["result"]
        return execute, str
    module = sys.modules["bench_program"] = types.ModuleType("bench_program")
    exec(code, module.__dict__)
    if kernels:
        import numba
        for name in kernels:
            setattr(module, name, numba.njit(getattr(module, name)))
    return lambda: module.run(size), getattr(module, "summary", str)


def main():
    path, size, kernels, mode = sys.argv[1:5]
    limits = sys.argv[5:]
    call, spell = prepare(path, int(size), [] if kernels == "-" else kernels.split(","))
    if mode == "whole":
        print(spell(call()))
        return
    times, result = bench_calls.repeat(bench_calls.timed(call, spell), int(limits[0]), float(limits[1]))
    import json
    print(json.dumps({"times": times, "result": result}))


if __name__ == "__main__":
    main()
