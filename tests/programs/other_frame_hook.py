"""Another frame-evaluation hook comes and goes (perf's stack trampoline): it is neither hindered nor replaced."""

import os
import sys


def weigh(x, n=6, *, scale=3):
    total = 0
    for i in range(n):
        total += x * i % 7 * scale
    return total


def feed(rounds):
    for i in range(rounds):
        yield weigh(i, scale=i & 3)
        yield weigh(n=i % 5, x=i)


def main():
    print(sum(feed(600)))
    for _ in range(3):
        sys.activate_stack_trampoline("perf")
        print(sys.is_stack_trampoline_active(), sum(feed(600)), sys.is_stack_trampoline_active())
        sys.deactivate_stack_trampoline()
        print(sys.is_stack_trampoline_active(), sum(feed(600)))
    try:
        os.remove(f"/tmp/perf-{os.getpid()}.map")
    except FileNotFoundError:
        pass


main()
