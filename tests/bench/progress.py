"""Tells on stderr how far a long run is: on a terminal in one line that is written over, elsewhere a line for each step."""

import sys
import time


class Progress:
    """Counts steps of a known number; `skip` takes those off that will not come."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.begun = 0
        self.start = time.monotonic()

    def step(self, text: str) -> None:
        """A step begins: which of how many, what it is, and the seconds gone by."""
        self.begun += 1
        line = f"[{self.begun}/{self.steps}] {text} ({time.monotonic() - self.start:.0f} s)"
        if sys.stderr.isatty():
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        else:
            print(f"bench: {line}", file=sys.stderr, flush=True)

    def skip(self) -> None:
        """One step less is to come."""
        self.steps -= 1

    def finish(self) -> None:
        """Clears the line on a terminal."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
