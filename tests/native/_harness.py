"""Drives the programs beside it: many calls of one hot loop, after a warm-up that lets compilation finish."""

import os
import sys
import threading
import time

WARM_ROUNDS = 12
PAUSE_SECONDS = 0.04
IDLE_SECONDS = 0.002
MOST_PAUSES = 100
FEW_ROUNDS = 3


def another_thread_runs():
    """Says whether a thread besides this one has work: a thread that waits for a processor counts, however long."""
    own = str(threading.get_native_id())
    for thread in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{thread}/stat") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended meanwhile
        if thread != own and state in "RD":
            return True
    return False


def pause():
    """Sleeps until no other thread has work: compilation has caught up, however busy the machine is."""
    for _ in range(MOST_PAUSES):
        before = time.process_time()
        time.sleep(PAUSE_SECONDS)
        if time.process_time() - before < IDLE_SECONDS and not another_thread_runs():
            break


def sizes(warm=2000, full=20000):
    """Yields the loop length of each round: short ones with pauses, in which compilation catches up, then full ones, with one
    pause behind the first of them.

    The program's first argument is the number of full rounds; runs of a few rounds only count iterations: no pauses.
    """
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for number in range(WARM_ROUNDS + rounds):
        yield warm if number < WARM_ROUNDS else full
        if number <= WARM_ROUNDS and rounds > FEW_ROUNDS:
            pause()  # the first full one: code that took the length for a constant is compiled again


def drive(work, **options):
    """Calls `work(n)` for each n of sizes(**options), and prints the distinct results: one for each n."""
    results = {}
    for n in sizes(**options):
        results.setdefault(n, set()).add(repr(work(n)))
    for n, found in results.items():
        print(n, *sorted(found))
