"""Blurs a picture and finds its edges, pixel by pixel over NumPy arrays, and prints the edges in characters.

Usage: image_edges.py [WIDTH [THRESHOLD]]     (default 240 pixels, threshold 90 of 255)
"""
# kiln-test: needs=numpy

import math
import sys

import numpy as np

SHADES = " .:-=+*#%@"
CELL = 4  # pixels to a character across, twice as many down


def picture(width):
    """Returns an image of bytes, height by width by three colours: a sky, a sun, hills and some noise."""
    height = width * 2 // 3
    image = np.empty((height, width, 3), np.uint8)
    noise = 1
    for y in range(height):
        for x in range(width):
            noise = noise * 48271 % 2147483647
            sun = (x - 0.7 * width) ** 2 + (y - 0.3 * height) ** 2 < (0.12 * width) ** 2
            hill = y > height * (0.7 + 0.1 * math.sin(9.0 * x / width))
            red, green, blue = (240, 200, 60) if sun else (40, 110, 50) if hill else (90, 150, 220)
            image[y, x, 0] = red + noise % 15
            image[y, x, 1] = green + noise % 13
            image[y, x, 2] = blue + noise % 11
    return image


def to_grey(image):
    """Returns the brightness of each pixel."""
    height, width, _ = image.shape
    grey = np.empty((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            grey[y, x] = 0.299 * image[y, x, 0] + 0.587 * image[y, x, 1] + 0.114 * image[y, x, 2]
    return grey


def blur(grey, weights):
    """Returns the image with each pixel the weighted mean of those around it; its border stays black."""
    height, width = grey.shape
    reach = len(weights) // 2
    out = np.zeros((height, width))
    for y in range(reach, height - reach):
        for x in range(reach, width - reach):
            total = 0.0
            for v in range(len(weights)):
                for u in range(len(weights)):
                    total += weights[v, u] * grey[y + v - reach, x + u - reach]
            out[y, x] = total
    return out


def edges(smooth):
    """Returns how steep the brightness is at each pixel, by Sobel's operator, as bytes."""
    height, width = smooth.shape
    out = np.zeros((height, width), np.uint8)
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            dx = (smooth[y - 1, x + 1] + 2.0 * smooth[y, x + 1] + smooth[y + 1, x + 1]
                  - smooth[y - 1, x - 1] - 2.0 * smooth[y, x - 1] - smooth[y + 1, x - 1])
            dy = (smooth[y + 1, x - 1] + 2.0 * smooth[y + 1, x] + smooth[y + 1, x + 1]
                  - smooth[y - 1, x - 1] - 2.0 * smooth[y - 1, x] - smooth[y - 1, x + 1])
            out[y, x] = min(255, int(math.sqrt(dx * dx + dy * dy)))
    return out


def main():
    width = int(sys.argv[1]) if len(sys.argv) > 1 else 240
    threshold = int(sys.argv[2]) if len(sys.argv) > 2 else 90
    if width < 24 or not 0 < threshold < 256:
        sys.exit("image_edges.py: WIDTH must be at least 24 and THRESHOLD from 1 to 255")
    weights = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256.0
    found = edges(blur(to_grey(picture(width)), weights))
    found[:4], found[-4:], found[:, :4], found[:, -4:] = 0, 0, 0, 0  # the border of the blurred image is no edge
    for y in range(0, found.shape[0] - 2 * CELL + 1, 2 * CELL):
        means = (found[y : y + 2 * CELL, x : x + CELL].mean() for x in range(0, width - CELL + 1, CELL))
        print("".join(SHADES[min(int(mean / 12.0), 9)] for mean in means).rstrip())
    print(f"{np.count_nonzero(found >= threshold)} of {found.size} pixels lie on edges")


if __name__ == "__main__":
    main()
