"""N queens by backtracking with lists."""

import sys

BENCH = {"size": 10, "small": 6}


def is_safe(board, row, col):
    for r in range(row):
        c = board[r]
        if c == col or abs(c - col) == row - r:
            return False
    return True


def solve(board, row, n, solutions):
    if row == n:
        solutions.append(board[:])
        return
    for col in range(n):
        if is_safe(board, row, col):
            board[row] = col
            solve(board, row + 1, n, solutions)
            board[row] = -1


def run(size):
    total = 0
    for n in [*range(4, size), *[size] * 4]:
        solutions = []
        solve([-1] * n, 0, n, solutions)
        total += len(solutions) * n
        for s in solutions:
            total += sum(i * c for i, c in enumerate(s))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
