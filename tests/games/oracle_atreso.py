"""Atreso once more, written from the rulings in plain Python. It shares nothing with the package.

A position is a dict from squares to (colour, kind, height); kinds are chip, stone and grey. Row 1 is white's side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

Square = tuple[int, int]
Piece = tuple[str, str, int]
Board = dict[Square, Piece]
SQUARES = [(r, c) for r in range(1, 11) for c in range(1, 11)]
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
GREY: Piece = ("grey", "grey", 1)


def name(s: Square) -> str:
    return f"{'abcdefghij'[s[1] - 1]}{s[0]}"


def other(colour: str) -> str:
    return "black" if colour == "white" else "white"


@dataclass
class Fight:
    """The fight after the set-up; ``play`` changes it. ``stage``: move, die, grey or over."""

    board: Board
    corners: bool = False
    mover: str = "white"
    stage: str = "move"
    winner: str | None = None
    seen: Counter[object] = field(default_factory=Counter)
    rolled: tuple[Square, Square] | None = None

    def __post_init__(self) -> None:
        self.begin_turn()

    # ------------------------------------------------------------------------------------------------ what is legal

    def around(self, s: Square) -> list[Square]:
        steps = STRAIGHT + SLANTED if self.corners else STRAIGHT
        return [(s[0] + r, s[1] + c) for r, c in steps if (s[0] + r, s[1] + c) in SQUARES]

    def shut_in(self, s: Square) -> bool:
        return all(x in self.board for x in self.around(s))

    def grey_squares(self) -> list[Square]:
        return [s for s in SQUARES if s not in self.board and not self.shut_in(s)]

    def moves(self) -> dict[str, tuple[Square, Square]]:
        found = {}
        for s, (colour, kind, _) in self.board.items():
            if colour == self.mover:
                for goal in self.goals(s, kind):
                    found[f"{kind} {name(s)}-{name(goal)}"] = (s, goal)
        return found

    def goals(self, s: Square, kind: str) -> list[Square]:
        ahead = 1 if self.mover == "white" else -1
        steps = [(ahead, 0), (0, 1), (0, -1)] if kind == "chip" else STRAIGHT + SLANTED
        goals = [(s[0] + r, s[1] + c) for r, c in steps]
        if kind == "stone":
            goals += [(s[0] + 2 * r, s[1] + 2 * c) for r, c in STRAIGHT if (s[0] + r, s[1] + c) not in self.board]
        return [g for g in goals if g in SQUARES and self.may_land(kind, self.board.get(g))]

    def may_land(self, kind: str, there: Piece | None) -> bool:
        if there is None or there[0] == other(self.mover):
            return True
        return there[0] == self.mover and kind == "chip" and there[1] == "chip"

    def options(self) -> set[str]:
        match self.stage:
            case "move":
                return set(self.moves())
            case "grey":
                return {f"grey {name(s)}" for s in self.grey_squares()}
            case "die":
                return {f"roll {n}" for n in range(1, 7)}
            case _:
                return set()

    # --------------------------------------------------------------------------------------------------- what it does

    def play(self, text: str) -> None:
        match self.stage:
            case "move":
                self.land(*self.moves()[text])
            case "die":
                self.decide(int(text[-1]))
            case _:
                square = next(s for s in SQUARES if f"grey {name(s)}" == text)
                self.board[square] = GREY
                self.release()
                self.end_turn()

    def take(self, s: Square) -> Piece:
        """One piece leaves a square."""
        colour, kind, height = self.board.pop(s)
        if height > 1:
            self.board[s] = (colour, kind, height - 1)
        return (colour, kind, 1)

    def land(self, start: Square, goal: Square) -> None:
        kind, there = self.board[start][1], self.board.get(goal)
        rival = there is not None and there[0] != self.mover
        if there is not None and rival and (kind, there[1]) == ("stone", "stone"):
            self.take(start)
            self.take(goal)
        elif there is not None and rival and (there[2] > 1 or there[1] == "stone"):
            self.stage, self.rolled = "die", (start, goal)
            return
        else:
            self.arrive(start, goal)
        self.after_move()

    def arrive(self, start: Square, goal: Square) -> None:
        colour, kind, _ = self.take(start)
        there = self.board.get(goal)
        height = there[2] + 1 if there is not None and there[0] == colour else 1
        self.board[goal] = (colour, kind, height)

    def decide(self, die: int) -> None:
        assert self.rolled is not None
        start, goal = self.rolled
        chip = self.board[start][1] == "chip"
        mover_lost = die <= 4 if chip else die >= 5
        if mover_lost:
            self.take(start)
        else:
            self.arrive(start, goal)
        self.after_move()

    def after_move(self) -> None:
        last = 10 if self.mover == "white" else 1
        if any(s[0] == last and p[:2] == (self.mover, "chip") for s, p in self.board.items()):
            self.stage, self.winner = "over", self.mover
            return
        self.release()
        greys = sum(p == GREY for p in self.board.values())
        if greys < 10 and self.grey_squares():
            self.stage = "grey"
        else:
            self.end_turn()

    def release(self) -> None:
        for s in [s for s, p in self.board.items() if p == GREY and self.shut_in(s)]:
            del self.board[s]

    def end_turn(self) -> None:
        self.mover = other(self.mover)
        self.begin_turn()

    def begin_turn(self) -> None:
        position = (self.mover, frozenset(self.board.items()))
        self.seen[position] += 1
        if self.seen[position] == 3:
            self.stage, self.winner = "over", None
            return
        self.stage = "move"
        if not self.moves():
            self.stage, self.winner = "over", other(self.mover)


def full_board(white: list[Square], black: list[Square]) -> Board:
    """The board after the set-up, with these squares for stones."""
    board: Board = {}
    for r, c in SQUARES:
        if r <= 3:
            board[r, c] = ("white", "stone" if (r, c) in white else "chip", 1)
        elif r >= 8:
            board[r, c] = ("black", "stone" if (r, c) in black else "chip", 1)
    return board
