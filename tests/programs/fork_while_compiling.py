# os.fork() and subprocesses while many regions are being compiled: both processes go on compiling, nobody is warned.
# kiln-test: timeout=120
import logging
import os
import subprocess
import sys
import warnings

warnings.simplefilter("error")

SOURCE = """
def work(n, scale):
    total = {number}
    for i in range(n):
        for j in range(3):
            if (i + j) % {modulus} == 0:
                total += i * scale - j
            elif total > 1000000:
                total -= i ^ j
            else:
                total += j * {number}
    return total
"""


def make(number):
    names = {}
    exec(SOURCE.format(number=number, modulus=2 + number % 5), names)
    return names["work"]


def answer(work):
    """Starts compiling the function, forks at once, and returns what both processes compute afterwards."""
    before = work(2000, 3)
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        fresh = make(97)
        os.write(write_end, f"{work(9000, 3)} {fresh(9000, 2)} {fresh(9000, 5)}".encode())
        os._exit(0)
    os.close(write_end)
    after = work(9000, 3)
    with os.fdopen(read_end) as pipe:
        text = pipe.read()
    status = os.waitpid(pid, 0)[1]
    return before, after, text, status


logging.getLogger().setLevel(logging.ERROR)  # logging registers Python code that runs around a fork
functions = [make(number) for number in range(10)]
for function in functions:
    print(answer(function))
for number in range(3):
    function = make(30 + number)
    total = function(3000, 2)
    child = subprocess.run([sys.executable, "-c", "print(sum(i * i for i in range(2000)))"], capture_output=True)
    print(total, function(3000, 2), child.stdout, child.returncode)
