"""python-chess: positions counted to a depth, and games played by a greedy rule and written as SAN."""

import sys

import chess

BENCH = {"size": 25, "small": 1}

POSITION = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def count(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def material(board):
    worth = (0, 1, 3, 3, 5, 9, 0)
    return sum(worth[piece.piece_type] * (1 if piece.color else -1) for piece in board.piece_map().values())


def play(number, plies):
    board = chess.Board()
    first = sorted(move.uci() for move in board.legal_moves)[number % 20]
    moves = [board.san(chess.Move.from_uci(first))]
    board.push_uci(first)
    for _ in range(plies):
        best = None
        for move in board.legal_moves:
            board.push(move)
            score = material(board) * (-1 if board.turn else 1) + 10 * board.is_checkmate()
            board.pop()
            if best is None or (score, move.uci()) > best[:2]:
                best = (score, move.uci(), move)
        if best is None:
            break
        moves.append(board.san(best[2]))
        board.push(best[2])
    return moves, board.fen()


def run(size):
    counts = [count(chess.Board(POSITION), depth) for depth in (1, 2)]
    games = [play(number, 16) for number in range(size)]
    return counts, games[-1], sum(len(moves) for moves, _ in games)


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
