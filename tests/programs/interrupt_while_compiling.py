# Ctrl-C and timers while functions are being compiled: the main thread gets every signal, soon.
import os
import signal
import time

SOURCE = """
def work(n):
    total = 0
    for i in range(n):
{lines}
    return total
"""


def make(number):
    lines = "\n".join(f"        if (i + {k}) % 7 == {k % 7}: total += i * {number} % (i + {k} + 1)" for k in range(40))
    names = {}
    exec(SOURCE.format(lines=lines), names)
    return names["work"]


def interrupted(number):
    """Has a loop interrupted that started to be compiled just before; returns whether it came in time."""
    work = make(number)
    work(600)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001 + number % 5 / 200)
        work(10**9)
    except KeyboardInterrupt as error:
        waited = time.monotonic() - sent
        name = error.__traceback__.tb_next.tb_frame.f_code.co_name
        return interrupted(number) if name == "on_alarm" else (waited < 1.0, name)  # on a busy machine it came too early
    return "no interrupt"


def on_alarm(signum, frame):
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)


signal.signal(signal.SIGALRM, on_alarm)
for number in range(12):
    print(number, interrupted(number))

ticks = []
signal.signal(signal.SIGALRM, lambda signum, frame: ticks.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
results = []
number = 100
while len(ticks) < 40:
    results.append(make(number)(900))
    number += 1
signal.setitimer(signal.ITIMER_REAL, 0)
print(len(ticks) >= 40, all(isinstance(result, int) for result in results))
