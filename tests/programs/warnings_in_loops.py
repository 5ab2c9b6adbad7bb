# Warnings raised in hot loops and their callees carry the right line, honour stacklevel and turn into errors.
import warnings


def direct(count):
    for i in range(count):
        if i % 3000 == 2999:
            warnings.warn(f"direct {i}")


def helper(i):
    if i % 3000 == 2999:
        warnings.warn(f"helper {i}", DeprecationWarning, stacklevel=2)
    return i


def calls_helper(count):
    total = 0
    for i in range(count):
        total += helper(i)
        total -= helper(i + 1)
    return total


def two_up(count):
    for i in range(count):
        inner(i)


def inner(i):
    warn_from_far(i)


def warn_from_far(i):
    if i == 5000:
        warnings.warn("far", UserWarning, stacklevel=3)


def as_error(count):
    n = 0
    for i in range(count):
        with_error(i)
        n += 1
    return n


def with_error(i):
    if i == 5500:
        warnings.simplefilter("error")
    if i >= 5500:
        warnings.warn("now an error")


def invert_bool(count):
    total = 0
    for i in range(count):
        flag = i % 2 == 0
        total += not flag
    return total


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    direct(9000)
    calls_helper(9000)
    two_up(6000)
for w in caught:
    print(w.category.__name__, w.message, w.lineno)
print(invert_bool(6000))
try:
    as_error(6000)
except UserWarning as error:
    tb = error.__traceback__
    while tb:
        print(tb.tb_frame.f_code.co_name, tb.tb_lineno)
        tb = tb.tb_next
warnings.resetwarnings()
warnings.simplefilter("default")
direct(6000)
direct(6000)
