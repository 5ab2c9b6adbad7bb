"""Sudoku by backtracking on the cell with the fewest candidates."""

import sys

BENCH = {"size": 24, "small": 1}

PUZZLES = [
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
    "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
    "100920000524010000000000070050008102000000000402700090060000000000030945000071006",
    "043080250600000000000001094900004070000608000010200003820500000000000005034090710",
    "480006902002008001900370060840010200003704100001060049020085007700900600609200018",
]

DIGITS = set("123456789")


class Sudoku:
    def __init__(self, text):
        self.cells = list(text)
        self.tries = 0

    def row(self, r):
        return self.cells[r * 9:r * 9 + 9]

    def col(self, c):
        return self.cells[c::9]

    def box(self, r, c):
        br, bc = r // 3 * 3, c // 3 * 3
        return [self.cells[(br + i) * 9 + bc + j] for i in range(3) for j in range(3)]

    def candidates(self, index):
        r, c = divmod(index, 9)
        used = set(self.row(r)) | set(self.col(c)) | set(self.box(r, c))
        return DIGITS - used

    def best_cell(self):
        best = None
        best_options = None
        for index, value in enumerate(self.cells):
            if value != "0":
                continue
            options = self.candidates(index)
            if best is None or len(options) < len(best_options):
                best, best_options = index, options
                if len(options) <= 1:
                    break
        return best, best_options

    def solve(self):
        index, options = self.best_cell()
        if index is None:
            return True
        for digit in sorted(options):
            self.tries += 1
            self.cells[index] = digit
            if self.solve():
                return True
        self.cells[index] = "0"
        return False


def run(size):
    total = 0
    for _ in range(size):
        for text in PUZZLES:
            s = Sudoku(text)
            assert s.solve()
            total += s.tries + sum((i + 1) * int(d) for i, d in enumerate(s.cells))
    return total


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
