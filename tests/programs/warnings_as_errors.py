# -W error: a warning inside a hot callee becomes an exception with the right traceback.
# kiln-test: flags="-W error" exit=1
import warnings


def noisy(i):
    if i == 7000:
        warnings.warn("seven thousand", stacklevel=2)
    return i


total = 0
for i in range(9000):
    total += noisy(i)
