"""The Mandelbrot set: a thread for each point, which calls a device function."""

import numpy as np
from numba import cuda


@cuda.jit(device=True)
def escape_time(cr, ci, depth):
    zr = zi = 0.0
    for i in range(depth):
        if zr * zr + zi * zi > 4.0:
            return i
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return depth


@cuda.jit
def mandelbrot(image, left, top, size, depth):
    x, y = cuda.grid(2)
    height, width = image.shape
    if x < width and y < height:
        image[y, x] = escape_time(left + x * size / width, top + y * size / height, depth)


def main(width: int = 640, height: int = 320, depth: int = 200) -> None:
    image = np.zeros((height, width), dtype=np.uint16)
    threads = (16, 16)
    blocks = ((width + 15) // 16, (height + 15) // 16)
    mandelbrot[blocks, threads](image, -2.0, -1.25, 2.5, depth)
    shades = " .:-=+*#%@"
    for row in image[:: height // 20, :: width // 64]:
        print("".join(shades[min(value * len(shades) // (depth // 8 + 1), len(shades) - 1)] for value in row.tolist()))
    print("sum:", int(image.sum()))


main()
