"""Drives the programs beside it: many calls of one hot loop, after a warm-up that lets compilation finish."""

import sys
import time

WARM_ROUNDS = 12
PAUSE_SECONDS = 0.04
IDLE_SECONDS = 0.002
MOST_PAUSES = 100
FEW_ROUNDS = 3


def pause():
    """Sleeps until the process uses no processor time any more: compilation has caught up, however busy the machine is."""
    for _ in range(MOST_PAUSES):
        before = time.process_time()
        time.sleep(PAUSE_SECONDS)
        if time.process_time() - before < IDLE_SECONDS:
            break


def sizes(warm=2000, full=20000):
    """Yields the loop length of each round: short ones with pauses, in which compilation catches up, then full ones.

    The program's first argument is the number of full rounds; runs of a few rounds only count iterations: no pauses.
    """
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for _ in range(WARM_ROUNDS):
        yield warm
        if rounds > FEW_ROUNDS:
            pause()
    for _ in range(rounds):
        yield full


def drive(work, **options):
    """Calls `work(n)` for each n of sizes(**options), and prints the distinct results: one for each n."""
    results = {}
    for n in sizes(**options):
        results.setdefault(n, set()).add(repr(work(n)))
    for n, found in results.items():
        print(n, *sorted(found))
