"""What pieces carry: it comes with ``put``, moves along, is cleared when they leave, and can be shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl import Game, State
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.stop import codes_of
from gamedsl.language.source.diagnostic import GameDSLError

from .play import after, game, texts

HEAD = """
game "T"
players A, B
board grid 2 by 3
piece man of player
  rank: 1..3, seen by owner
  moved: bool
  rest: countdown up to 3
piece dog of player
  moved: bool = yes
"""
MOVES = """
move lay(c: cell, k: 1..3 seen by owner) written "{k} {c}"
  when c in empty
  put man[me] on c with rank = k
move hound(c: cell) written "d {c}"
  when c in empty
  put dog[me] on c
move go(a: cell, b: cell) written "{a}-{b}"
  when a in man[me] and b in neighbors(a) & empty and a.rest = 0
  set a.moved to yes
  if a.rank < 3
    add 1 to a.rank
  set a.rest to 2
  move man[me] from a to b
move bite(a: cell, b: cell) written "{a}x{b}"
  when a in dog[me] and b in neighbors(a) & man[rival]
  remove man[rival] from b
move tell(c: cell) written "tell {c}"
  when c in man[me]
  reveal c.rank to rival
move wave(c: cell) written "wave {c}"
  when c in man[me]
  reveal c.rank
move ask(c: cell) written "ask {c}"
  when count(occupied) < 6
  if c.rank = 2
    win_it
action win_it
  set won to yes
state
  won: bool
play
  turns from A, 12 times
    me plays lay | hound | go | bite | tell | wave | ask
    if won
      win me
  draw
"""


@pytest.fixture(scope="module")
def carried(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return game(tmp_path_factory.mktemp("carried"), HEAD + MOVES)


def values(state: State, name: str) -> list[object]:
    var = next(v for v in state.game.program.variables if v.name == name)
    return list(codes_of(state, var))


def ranks(state: State, seat: int | None = None) -> list[object]:
    """The ranks by cell, 0 for none; for a seat, None where it does not know."""
    var = next(v for v in state.game.program.variables if v.name == "cell.rank")
    found = [v if v else 0 for v in codes_of(state, var)]
    if seat is None:
        return found
    return [v if known else None for v, known in zip(found, known_slots(state, var, seat), strict=True)]


def test_it_moves_along(carried: Game) -> None:
    state = after(carried, "1 a1", "3 c1", "a1-a2")
    assert ranks(state) == [0, 0, 3, 2, 0, 0]
    assert values(state, "cell.moved") == [0, 0, 1, 2, 0, 0]  # none, then no and yes
    assert values(state, "cell.rest") == [0, 0, 0, 2, 0, 0]


def test_a_countdown_goes_on_counting(carried: Game) -> None:
    state = after(carried, "1 a1", "3 c1", "a1-a2", "d c2")
    assert values(state, "cell.rest") == [0, 0, 0, 1, 0, 0]
    assert not [m for m in texts(state) if m.startswith("a2-")]
    state = after(carried, "1 a1", "3 c1", "a1-a2", "d c2", "wave a2", "tell c1")
    assert [m for m in texts(state) if m.startswith("a2-")] == ["a2-a1", "a2-b2"]


def test_it_is_cleared_when_the_piece_is_taken(carried: Game) -> None:
    state = after(carried, "1 a1", "d b1", "wave a1", "b1xa1")
    assert ranks(state) == [0] * 6
    assert values(state, "cell.moved") == [0, 2, 0, 0, 0, 0]  # the dog's, which it is given when it is put
    assert values(state, "cell.rank revealed") == [0] * 6


def test_what_another_piece_carries_is_not_cleared(tmp_path: Path) -> None:
    text = HEAD + MOVES.replace("  remove man[rival] from b\n", "  remove man[rival] from cell\n")
    state = after(game(tmp_path, text), "1 a1", "d b1", "wave a1", "b1xa1")
    assert values(state, "cell.moved") == [0, 2, 0, 0, 0, 0]


def test_nothing_stands_there(carried: Game) -> None:
    state = after(carried, "1 a1", "d b1")
    for place in ("b2", "b1"):  # an empty cell, and one with a piece that carries no rank
        with pytest.raises(GameDSLError):
            state.apply(carried.parse_move(f"ask {place}", state))


def test_who_sees_it(carried: Game) -> None:
    state = after(carried, "1 a1", "3 c1")
    assert ranks(state, 0) == [1, None, None, None, None, None]
    assert ranks(state, 1) == [None, None, 3, None, None, None]
    assert ranks(after(carried, "1 a1", "3 c1", "tell a1"), 1) == [1, None, 3, None, None, None]
    moved = after(carried, "1 a1", "3 c1", "wave a1", "wave c1", "a1-a2")  # those who see it go on seeing it
    assert ranks(moved, 0)[2:4] == ranks(moved, 1)[2:4] == [3, 2]
    var = next(v for v in moved.game.program.variables if v.name == "cell.rank")
    assert known_slots(moved, var, None) == [False, False, True, True, False, False]  # a spectator: what all see
    told = after(carried, "1 a1", "3 c1", "tell a1")
    assert known_slots(told, var, None) == [True, False, False, False, False, False]


def test_positions_are_told_apart_by_it(tmp_path: Path) -> None:
    """What a piece carries belongs to the position that ``note position`` notes."""
    text = """
        game "T"
        players A, B
        board grid 1 by 2
        piece man
          age: 0..3
        move turn_it written "t"
          add 1 to a1.age
        move wait written "w"
          skip_it
        action skip_it
          set last to me
        state
          last: player
        play
          put man on a1
          turns from A
            note position
            if repetition(2)
              win last
            me plays turn_it | wait
        """
    g = game(tmp_path, text)
    assert not after(g, "t", "t").is_terminal  # the board of the start, but the man is older
    assert after(g, "w", "w").is_terminal


def test_native_play_is_the_same(carried: Game) -> None:
    from tests.compiler.agree import agree, compiled

    native = compiled(carried)
    for seed in range(10):
        agree(carried, seed, 40, native)
