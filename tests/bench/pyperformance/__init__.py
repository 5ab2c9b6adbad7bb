"""The pyperformance suite: the benchmarks of PyPI's pyperformance, unmodified."""
