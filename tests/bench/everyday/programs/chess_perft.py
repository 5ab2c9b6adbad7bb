"""A chess move generator (no castling, promotion to queen only) and perft."""

import sys

BENCH = {"size": 3, "small": 2}

START = "rnbqkbnr" "pppppppp" + "." * 32 + "PPPPPPPP" "RNBQKBNR"
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
KING = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
BISHOP = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ROOK = [(1, 0), (-1, 0), (0, 1), (0, -1)]


class Board:
    def __init__(self, squares=None, white=True):
        self.squares = squares or list(START)
        self.white = white

    def own(self, piece):
        return piece != "." and piece.isupper() == self.white

    def enemy(self, piece):
        return piece != "." and piece.isupper() != self.white

    def slides(self, x, y, directions, steps=8):
        for dx, dy in directions:
            nx, ny = x + dx, y + dy
            n = 0
            while 0 <= nx < 8 and 0 <= ny < 8 and n < steps:
                target = self.squares[ny * 8 + nx]
                if self.own(target):
                    break
                yield y * 8 + x, ny * 8 + nx
                if target != ".":
                    break
                nx, ny, n = nx + dx, ny + dy, n + 1

    def pawn(self, x, y):
        dy = -1 if self.white else 1
        ny = y + dy
        if not 0 <= ny < 8:
            return
        if self.squares[ny * 8 + x] == ".":
            yield y * 8 + x, ny * 8 + x
            if y == (6 if self.white else 1) and self.squares[(ny + dy) * 8 + x] == ".":
                yield y * 8 + x, (ny + dy) * 8 + x
        for nx in (x - 1, x + 1):
            if 0 <= nx < 8 and self.enemy(self.squares[ny * 8 + nx]):
                yield y * 8 + x, ny * 8 + nx

    def moves(self):
        for index, piece in enumerate(self.squares):
            if not self.own(piece):
                continue
            y, x = divmod(index, 8)
            kind = piece.lower()
            if kind == "p":
                yield from self.pawn(x, y)
            elif kind == "n":
                yield from self.slides(x, y, KNIGHT, 1)
            elif kind == "b":
                yield from self.slides(x, y, BISHOP)
            elif kind == "r":
                yield from self.slides(x, y, ROOK)
            elif kind == "q":
                yield from self.slides(x, y, BISHOP + ROOK)
            else:
                yield from self.slides(x, y, KING, 1)

    def play(self, move):
        src, dst = move
        squares = self.squares[:]
        piece = squares[src]
        if piece in "pP" and (dst < 8 or dst >= 56):
            piece = "Q" if self.white else "q"
        squares[dst] = piece
        squares[src] = "."
        return Board(squares, not self.white)

    def in_check(self):
        king = "k" if self.white else "K"
        target = self.squares.index(king) if king in self.squares else -1
        return any(dst == target for _, dst in self.moves())


def perft(board, depth):
    if depth == 0:
        return 1
    count = 0
    for move in board.moves():
        child = board.play(move)
        if not child.in_check():
            count += perft(child, depth - 1)
    return count


def run(size):
    return [perft(Board(white=white), size) for white in (True, False)], [perft(Board(), d) for d in range(1, size)]


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
