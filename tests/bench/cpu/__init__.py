"""The CPU suite: one set of plain Python programs, run by several Pythons."""
