"""N queens by backtracking with sets of used columns and diagonals."""

import sys

BENCH = {"size": 11, "small": 6}


def queens(n):
    cols = set()
    diag1 = set()
    diag2 = set()
    placed = []
    solutions = []

    def place(row):
        if row == n:
            solutions.append(tuple(placed))
            return
        for col in range(n):
            if col in cols or (row + col) in diag1 or (row - col) in diag2:
                continue
            cols.add(col)
            diag1.add(row + col)
            diag2.add(row - col)
            placed.append(col)
            place(row + 1)
            placed.pop()
            cols.remove(col)
            diag1.remove(row + col)
            diag2.remove(row - col)

    place(0)
    return solutions


def run(size):
    total = 0
    for n in [*range(4, size + 1), size, size]:
        solutions = queens(n)
        total += len(solutions)
        for s in solutions:
            total = (total * 31 + sum(c * (i + 1) for i, c in enumerate(s))) % 1000003
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
