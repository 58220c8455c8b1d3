"""Blokus Duo: its shapes are all polyominoes of one to five squares, and plays go as in a second, plain program of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl import Game, Move, State
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end

Square = tuple[int, int]  # column and row, both from 0
Form = frozenset[Square]
FREE = [1, 1, 2, 5, 12]  # polyominoes of 1 to 5 squares, up to turns and reflections (OEIS A000105)
FIXED = [1, 2, 6, 19, 63]  # the same, each way of turning counted (OEIS A001168)
# five shapes on seven by seven squares, as somebody else's program counts them
SEQUENCES = [41, 1681, 38_297]
FIVE = """
game "Five"
players red, blue
board grid 7 by 7 from top
shape one = "X"
shape two = "XX"
shape three = "XXX"
shape corner_piece = "XX/X."
shape ell = "XXX/X.."
piece square of player
state
  left: player -> set of shape
define start(p: player) = {c in cell: row(c) = column(c) and row(c) = (if p = red then 2 else 6)}
move lay(s: shape, p in placings(s)) written "{s} {p}"
  when s in left[me]
  when p within empty
  when neighbors(p) disjoint square[me]
  when p meets start(me) or neighbors(p, corner) meets square[me]
  put square[me] on p
  take s from left[me]
play
  for p in players
    set left[p] to shape
  turns from red
    me plays lay
      stuck
        lose me
"""


def shifted(squares: Form) -> Form:
    left, top = min(x for x, _ in squares), min(y for _, y in squares)
    return frozenset((x - left, y - top) for x, y in squares)


def forms(squares: Form) -> set[Form]:
    """All turns and reflections."""
    found = set()
    for _ in range(4):
        squares = frozenset((-y, x) for x, y in squares)
        found |= {shifted(squares), shifted(frozenset((-x, y) for x, y in squares))}
    return found


def around(x: int, y: int) -> Form:
    return frozenset({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)})


def polyominoes(size: int) -> set[frozenset[Form]]:
    """All of so many squares, grown square by square, each as the set of its forms."""
    if size == 1:
        return {frozenset({frozenset({(0, 0)})})}
    smaller = {min(p, key=sorted) for p in polyominoes(size - 1)}
    grown = {one | {new} for one in smaller for x, y in one for new in around(x, y) - one}
    return {frozenset(forms(frozenset(g))) for g in grown}


def test_all_polyominoes_are_there() -> None:
    """Every shape of the ruleset by the cells of one of its placings."""
    game = load("blokus-duo")
    laid = dict(placing(m) for m in game.initial_state().legal_moves())
    declared = {name: frozenset(forms(squares(cells))) for name, cells in laid.items()}
    assert len(set(declared.values())) == len(declared) == 21
    assert set(declared.values()) == {p for size in range(1, 6) for p in polyominoes(size)}
    assert [len(polyominoes(size)) for size in range(1, 6)] == FREE


def placing(move: Move) -> tuple[str, str]:
    """The name of the shape in the rules, and its squares."""
    name, _, cells = str(move).rpartition(" ")
    return name.replace(" ", "_"), cells


def squares(text: str) -> Form:
    return frozenset((ord(cell[0]) - ord("a"), int(cell[1:]) - 1) for cell in text.split("+"))


def test_the_first_ply() -> None:
    """A starting square far from the rim can be any square of any fixed polyomino."""
    assert numbers("blokus-duo", 1) == [2 * sum(size * count for size, count in enumerate(FIXED, 1))]


@dataclass(frozen=True)
class Position:
    """What lies where, what is left, and who is to move; ``starts``: for each seat what its first shape may cover."""

    n: int
    starts: tuple[Form, Form]
    left: tuple[frozenset[str], frozenset[str]]
    laid: tuple[Form, Form] = (frozenset(), frozenset())
    seat: int = 0

    def moves(self, shapes: dict[str, set[Form]]) -> Iterator[tuple[str, Form]]:
        own, taken = self.laid[self.seat], self.laid[0] | self.laid[1]
        sides = frozenset(s for x, y in own for s in around(x, y))
        corners = frozenset((x + i, y + j) for x, y in own for i in (-1, 1) for j in (-1, 1))
        wanted = corners if own else self.starts[self.seat]
        for name in self.left[self.seat]:
            for form in shapes[name]:
                for x in range(self.n):
                    for y in range(self.n):
                        here = frozenset((x + i, y + j) for i, j in form)
                        inside = all(i < self.n and j < self.n for i, j in here)
                        if inside and not here & (taken | sides) and here & wanted:
                            yield name, here

    def after(self, name: str, here: Form) -> Position:
        laid = tuple(s | here if i == self.seat else s for i, s in enumerate(self.laid))
        left = tuple(s - {name} if i == self.seat else s for i, s in enumerate(self.left))
        return replace(self, laid=laid, left=left, seat=1 - self.seat)


def sequences(position: Position, shapes: dict[str, set[Form]], depth: int) -> int:
    moves = position.moves(shapes)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(sequences(position.after(*move), shapes, depth - 1) for move in moves)


def shapes_of(game: Game) -> dict[str, set[Form]]:
    board = game.program.parts[0].board
    assert board is not None
    shape = board.domains["shape"]
    width = max(int(name.rpartition("c")[2]) for name in shape.base.names)  # type: ignore[attr-defined]
    drawn = {
        name: frozenset(divmod(i, width)[::-1] for i in range(bits.bit_length()) if bits >> i & 1)
        for name, bits in zip(shape.names, shape.members, strict=True)  # type: ignore[attr-defined]
    }
    return {name: forms(form) for name, form in drawn.items()}


@pytest.mark.parametrize("depth", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_five_shapes_on_a_small_board(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "five.gdl"
    path.write_text(FIVE, encoding="utf-8")
    game = gamedsl.load(path)
    start = game.initial_state()
    assert [native_perft(start, d) for d in (1, 2, 3)] == SEQUENCES
    shapes = shapes_of(game)
    left = frozenset(shapes)
    position = Position(7, (frozenset({(1, 1)}), frozenset({(5, 5)})), (left, left))
    assert sequences(position, shapes, depth) == SEQUENCES[depth - 1]


def compared(n: int, seed: int, every: int) -> int:
    """A random play both ways: the same moves at every ``every``-th ply; tells how many plies it took."""
    game, rng = load("blokus-duo", n=n), Random(seed)
    state, shapes = game.initial_state(), shapes_of(game)
    starts = frozenset({(4, 4), (n - 5, n - 5)})
    position = Position(n, (starts, starts), (frozenset(shapes), frozenset(shapes)))
    plies = 0
    while not state.is_terminal:
        legal = state.legal_moves()
        assert state.current_player == position.seat
        move = rng.choice(legal)
        if plies % every == 0:
            here = {(name, squares(cells)) for name, cells in (placing(m) for m in legal if str(m) != "pass")}
            assert here == set(position.moves(shapes))
        state, plies = state.apply(move), plies + 1
        if move.kind == "pass":
            position = replace(position, seat=1 - position.seat)
        else:
            name, cells = placing(move)
            position = position.after(name, squares(cells))
    assert winners(position) == state_winners(state)
    return plies


def winners(position: Position) -> set[int]:
    waiting = [sum({"one": 1, "two": 2}.get(s, {"3": 3, "4": 4}.get(s[-1], 5)) for s in left) for left in position.left]
    best = min(waiting)
    return {seat for seat in (0, 1) if waiting[seat] == best} if waiting[0] != waiting[1] else set()


def state_winners(state: State) -> set[int]:
    return set(state.winners)


def test_plays_go_alike() -> None:
    assert compared(9, 1, 4) > 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_large_plays_go_alike(seed: int) -> None:
    assert compared(14, seed, 3) > 20


@pytest.mark.slow
def test_plays_end() -> None:
    plays_end("blokus-duo", 10, 46)
