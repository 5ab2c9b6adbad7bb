# -OO: asserts and docstrings are gone from hot code as well.
# kiln-test: flags="-OO"


def checked(count):
    """A docstring."""
    total = 0
    for i in range(count):
        assert i < 100, "never checked"
        if __debug__:
            total -= 1000
        total += i
    return total


print(checked(9000), checked.__doc__, __debug__)
