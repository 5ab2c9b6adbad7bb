"""The work of these examples: how long points near a Julia set take to escape, row by row."""


def row(y: int, width: int, height: int, depth: int) -> int:
    """The sum over one row of a picture."""
    total = 0
    for x in range(width):
        zr = 3.0 * x / width - 1.5
        zi = 2.0 * y / height - 1.0
        for step in range(depth):
            if zr * zr + zi * zi > 4.0:
                break
            zr, zi = zr * zr - zi * zi - 0.8, 2.0 * zr * zi + 0.156
        total += step
    return total


def rows(first: int, last: int, width: int, height: int, depth: int) -> int:
    """The sum over some rows."""
    return sum(row(y, width, height, depth) for y in range(first, last))


def parts(height: int, count: int) -> list[tuple[int, int]]:
    """The rows in so many parts."""
    edges = [height * i // count for i in range(count + 1)]
    return list(zip(edges, edges[1:]))
