"""The bars of the CPU suite."""

from suite.bars import Bar

BARS = [
    Bar("nested_float", "steady", "python", 60.0),
    Bar("nested_float", "steady", "numba", 0.95),
    Bar("lucas", "steady", "python", 10.0),
    Bar("lucas", "first", "numba", 5.0),
    Bar("mean", "steady", "python", 15.0, "numeric"),
    Bar("mean", "steady", "pypy", 0.9, "numeric"),
    Bar("every", "steady", "python", 0.95),
    Bar("every", "whole", "python", 0.95),
    Bar("every", "peak_kb", "python", 80.0),
]
