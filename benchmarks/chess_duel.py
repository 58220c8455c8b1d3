"""Our alpha-beta at chess against one that counts material, in pure Python: ``python benchmarks/chess_duel.py [--net FILE]``.

The other program is what a person writes in an evening: python-chess for the moves, the usual values of the pieces, captures
first, four plies (``--plies``). Ours judges by the leaf value of ``ab``, or by one that ``gamedsl train`` learned (``--net``).
Both games of a pair begin with the same four random plies. On each move, ours may spend the CPU time that the other has spent so
far above ours, so both totals are about equal; they are printed. Games longer than 200 plies are draws. Our rules say when a game
is over.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

import chess

import gamedsl
from gamedsl.agents import read_learned
from gamedsl.agents.deepening import Budget, search
from gamedsl.agents.leaf_choice import leaf_choice
from gamedsl.agents.position import Position, compiled
from gamedsl.engine import Game, Move, State

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
LONGEST, OPENING = 200, 4
MATE = 1_000


def material(board: chess.Board) -> int:
    """The material of the player to move, less that of the opponent."""
    total = 0
    for piece, worth in VALUES.items():
        total += worth * (len(board.pieces(piece, board.turn)) - len(board.pieces(piece, not board.turn)))
    return total


def best(board: chess.Board, plies: int, low: int, high: int, rng: random.Random | None = None) -> tuple[int, str]:
    """The value for the player to move, and the move; ``rng`` shuffles the moves, so that equal ones are chosen at random."""
    if plies == 0:
        return material(board), ""
    moves = list(board.legal_moves)
    if not moves:
        return (-MATE - plies if board.is_check() else 0), ""
    if rng is not None:
        rng.shuffle(moves)
    moves.sort(key=board.is_capture, reverse=True)
    found = ""
    for move in moves:
        board.push(move)
        value = -best(board, plies - 1, -high, -low)[0]
        board.pop()
        if value > low or not found:
            low, found = max(low, value), move.uci()
        if low >= high:
            break
    return low, found


class Ours:
    """Our alpha-beta, which keeps to the CPU time it is given by counting effort."""

    def __init__(self, game: Game, net: str | None) -> None:
        native = compiled(game)
        self.value = leaf_choice(native).value if net is None else read_learned(net).learner(native).value
        self.rate, self.spent = 5e5, 0.0  # effort a CPU second, measured anew at every move
        self.choose(game.initial_state(), 0.1)
        self.spent = 0.0

    def choose(self, state: State, seconds: float) -> Move:
        began = time.process_time()
        budget = Budget(effort=max(1_000, int(self.rate * seconds)))
        found = search(Position.of(state), 1, budget, False, self.value)
        spent = time.process_time() - began
        self.rate = budget.effort / max(spent, 0.01) if found.nodes * 8 > self.rate * seconds / 2 else self.rate  # type: ignore[operator]
        self.spent += spent
        return state.legal_moves()[found.best().action]


def uci(move: Move) -> str:
    """The name of a move of ours in python-chess."""
    return str(move).split()[0].replace("=", "").lower()  # without "e.p."


def board_of(state: State) -> chess.Board:
    """The board of python-chess after the moves of a state."""
    board = chess.Board()
    for move in state.history:
        text = uci(move)
        if text in ("o-o", "o-o-o"):
            text = ("e1" if board.turn else "e8") + ("g" if text == "o-o" else "c") + ("1" if board.turn else "8")
        board.push_uci(text)
    return board


def play(game: Game, ours: Ours, seat: int, seed: int, plies: int) -> tuple[float, int, float]:
    """Our points, the plies, and the CPU seconds of the other program."""
    rng, state, spent = random.Random(seed), game.initial_state(), 0.0
    for _ in range(OPENING):
        state = state.apply(state.propose(rng))
    began_with = ours.spent
    for ply in range(LONGEST):
        if state.is_terminal:
            return (0.5 + 0.5 * float(state.returns[seat])), ply, spent
        if state.current_player == seat:
            state = state.apply(ours.choose(state, max(0.05, spent - (ours.spent - began_with))))
            continue
        board, began = board_of(state), time.process_time()
        text = best(board, plies, -MATE * 2, MATE * 2, rng)[1]
        spent += time.process_time() - began
        wanted = "O-O-O" if text in ("e1c1", "e8c8") else "O-O" if text in ("e1g1", "e8g8") else text
        moves = {uci(m): m for m in state.legal_moves()}
        state = state.apply(moves[text] if text in moves else moves[wanted.lower()])
    return 0.5, LONGEST, spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5, help="mirrored pairs of games (5)")
    parser.add_argument("--plies", type=int, default=4, help="of the other program (4)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first pair (1)")
    parser.add_argument("--net", metavar="FILE", help="a learned value (that of random games)")
    arguments = parser.parse_args()
    game = gamedsl.load("chess")
    ours = Ours(game, arguments.net)
    points, theirs, games = 0.0, 0.0, 0
    for pair in range(arguments.first, arguments.first + arguments.pairs):
        for seat in (0, 1):
            got, plies, spent = play(game, ours, seat, pair, arguments.plies)
            points, theirs, games = points + got, theirs + spent, games + 1
            print(f"pair {pair}, as {game.players[seat]}: {got:g} ({plies} plies)", flush=True)
    print(f"{points:g} of {games} points; CPU seconds: ours {ours.spent:.0f}, the other {theirs:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
