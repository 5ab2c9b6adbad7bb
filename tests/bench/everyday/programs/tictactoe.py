"""Tic-tac-toe by minimax, with a memo dict and with alpha-beta."""

import sys

BENCH = {"size": 12, "small": 1}

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    for a, b, c in LINES:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def moves(board):
    return [i for i, c in enumerate(board) if c == " "]


def other(player):
    return "O" if player == "X" else "X"


def minimax(board, player, memo):
    key = (board, player)
    if key in memo:
        return memo[key]
    w = winner(board)
    if w is not None:
        result = 1 if w == "X" else -1
    elif " " not in board:
        result = 0
    else:
        scores = []
        for m in moves(board):
            child = board[:m] + player + board[m + 1:]
            scores.append(minimax(child, other(player), memo))
        result = max(scores) if player == "X" else min(scores)
    memo[key] = result
    return result


class Game:
    def __init__(self):
        self.cells = [" "] * 9
        self.visited = 0

    def alphabeta(self, player, alpha, beta):
        self.visited += 1
        w = winner(self.cells)
        if w:
            return 10 if w == "X" else -10
        options = moves(self.cells)
        if not options:
            return 0
        for m in options:
            self.cells[m] = player
            score = self.alphabeta(other(player), alpha, beta)
            self.cells[m] = " "
            if player == "X":
                alpha = max(alpha, score)
            else:
                beta = min(beta, score)
            if alpha >= beta:
                break
        return alpha if player == "X" else beta


def run(size):
    total = 0
    for first in "XO":
        for _ in range(size):
            memo = {}
            total += minimax(" " * 9, first, memo) + len(memo)
    game = Game()
    for _ in range((size + 3) // 4):
        total += game.alphabeta("X", -100, 100)
    return total, game.visited


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
