"""Draws the Mandelbrot set in characters.

Usage: mandelbrot.py [WIDTH [DEPTH]]     WIDTH in characters (default 100), DEPTH in iterations (default 8000)
"""

import sys

SHADES = " .,:;=+*%#"


def escape_time(cr, ci, depth):
    """Returns after how many steps z = z*z + c leaves the circle of radius 2, or `depth` if it stays inside."""
    zr = zi = 0.0
    for step in range(depth):
        rr = zr * zr
        ii = zi * zi
        if rr + ii > 4.0:
            return step
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
    return depth


def picture(width, depth):
    """Returns the lines of a picture of the whole set; characters are taken to be twice as high as wide."""
    height = width * 9 // 25
    lines = []
    for row in range(height):
        ci = 1.2 - 2.4 * row / (height - 1)
        line = []
        for column in range(width):
            cr = -2.2 + 3.0 * column / (width - 1)
            steps = escape_time(cr, ci, depth)
            line.append("@" if steps == depth else SHADES[steps % len(SHADES)])
        lines.append("".join(line).rstrip())
    return lines


def main():
    width = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    depth = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    if width < 8 or depth < 1:
        sys.exit("mandelbrot.py: WIDTH must be at least 8 and DEPTH at least 1")
    print("\n".join(picture(width, depth)))


if __name__ == "__main__":
    main()
