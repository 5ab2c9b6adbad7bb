"""Plays Conway's Game of Life on a torus, from the R-pentomino, and prints the board at the end.

Usage: game_of_life.py [GENERATIONS [SIZE]]     (default 1200 generations on 64 x 64 cells)
"""

import sys

R_PENTOMINO = [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)]


def empty_board(size):
    """Returns a board of dead cells: a list of rows of 0."""
    return [[0] * size for _ in range(size)]


def next_generation(board):
    """Returns the board one step later; the edges wrap around."""
    size = len(board)
    after = empty_board(size)
    for y in range(size):
        above = board[y - 1]
        row = board[y]
        below = board[(y + 1) % size]
        new_row = after[y]
        for x in range(size):
            left = x - 1
            right = (x + 1) % size
            neighbours = (above[left] + above[x] + above[right] + row[left] + row[right]
                          + below[left] + below[x] + below[right])
            if neighbours == 3 or (neighbours == 2 and row[x]):
                new_row[x] = 1
    return after


def main():
    generations = int(sys.argv[1]) if len(sys.argv) > 1 else 1200
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    if generations < 0 or size < 5:
        sys.exit("game_of_life.py: GENERATIONS must not be negative and SIZE at least 5")
    board = empty_board(size)
    for y, x in R_PENTOMINO:
        board[size // 2 - 1 + y][size // 2 - 1 + x] = 1
    for _ in range(generations):
        board = next_generation(board)
    for row in board:
        print("".join("#" if cell else "." for cell in row))
    print(f"generation {generations}: {sum(map(sum, board))} cells alive")


if __name__ == "__main__":
    main()
