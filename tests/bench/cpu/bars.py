"""The bars of the CPU suite."""

from suite.bars import NATIVE_CODE, NO_SLOWER, Bar

BARS = [
    Bar("nested_float", "steady", "python", 60.0),
    Bar("nested_float", "steady", "numba", 0.95),
    Bar("lucas", "steady", "python", 10.0),
    Bar("lucas", "first", "numba", 5.0),
    Bar("mean", "steady", "python", 20.0, "numeric"),
    Bar("mean", "steady", "pypy", 1.1, "numeric"),
    Bar("mean", "steady", "python", 2.0, "objects"),
    Bar("mean", "first", "python", 1.15, "objects"),
    Bar("mean", "short", "python", 2.2, "numeric"),
    Bar("mean", "short", "python", 1.15, "objects"),
    Bar("mean", "steady", "python", 250.0, "array"),
    Bar("mean", "steady", "numba", 0.5, "array"),
    Bar("every", "steady", "numba", 0.2, "array"),
    Bar("mean", "steady", "numba", 0.6),
    Bar("mean", "first", "numba", 4.0),
    Bar("grey", "steady", "numba", 0.67),
    *NO_SLOWER,
    NATIVE_CODE,
    Bar("mean", "whole_kb", "python", 1.5),
    Bar("mean", "short_kb", "python", 1.5),
    Bar("every", "peak_kb", "python", 80.0),
]
