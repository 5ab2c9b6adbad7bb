"""Words of messages that depend on a number."""


def counted(number: int, noun: str) -> str:
    """The number with its noun: "1 kernel", "2 kernels"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
