"""The bars of the everyday suite."""

from suite.bars import Bar

BARS = [
    Bar("mean", "steady", "python", 1.8),
    Bar("mean", "whole", "python", 1.1),
    Bar("every", "steady", "python", 0.97),
    Bar("every", "whole", "python", 0.97),
]
