"""The bars of the everyday suite."""

from suite.bars import NATIVE_CODE, NO_SLOWER, Bar

BARS = [
    Bar("mean", "steady", "python", 1.8),
    Bar("mean", "whole", "python", 1.1),
    *NO_SLOWER,
    NATIVE_CODE,
]
