"""What a seat is told is exact: that in which all games agree that look the same to it. The oracle goes through whole game
trees, and shares no code with what is tested but the information states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import gamedsl
from gamedsl import Game, Move
from gamedsl.engine import announced_plies, announcements_at
from gamedsl.engine.information import lookalikes
from gamedsl.engine.information.information_state import information_state
from gamedsl.engine.information.lookalikes import exact_inferences

from . import Steps, random_play, told

Ply = tuple[object, ...]

SMALL: dict[str, dict[str, str]] = {
    "kuhn-poker": {},
    "liars-dice": {"dice": "1", "sides": "3"},
    "dark-hex": {"rows": "2", "columns": "2", "collision": "passes"},
    "oshi-zumo": {"coins": "3", "size": "1"},
    "goofspiel": {"cards": "3", "bids": "hidden"},
    "sealed-bid-auction": {"top": "3"},
    "battleship": {
        "rows": "2",
        "columns": "2",
        "ones": "1",
        "twos": "0",
        "threes": "0",
        "fours": "0",
        "fives": "0",
        "shots": "1",
    },
}


def lines(steps: Steps) -> Iterator[Steps]:
    """All beginnings of games."""
    yield steps
    state = steps[-1][0]
    moves = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    for move in moves:
        yield from lines([*steps, (state.apply(move), move)])


def made_with(steps: Steps) -> list[Move]:
    """The moves that are carried out with the last ply, in the order of the players; none if others still choose."""
    if steps[-1][0].pending:
        return []
    found = [steps[-1][1]]
    at = len(steps) - 2
    while steps[at][0].pending:
        found.append(steps[at][1])
        at -= 1
    return sorted((m for m in found if m is not None), key=lambda m: -1 if m.player is None else m.player)


def content(game: Game, move: Move) -> Ply:
    if move.schema is None:
        return (move.kind, move.name, move.text) if move.kind != "pass" else (move.kind, move.name)
    params = game.program.schemas[move.schema].params
    return (move.kind, move.schema, *(None if p.secret else a for p, a in zip(params, move.args, strict=True)))


def expected(game: Game, move: Move, alike: set[Ply]) -> str:
    one = content(game, move)
    if len(alike) == 1 and None not in one:
        return str(move)
    if len({x[:2] for x in alike}) > 1:
        return "(hidden)"
    args = tuple(
        column.pop() if len(column) == 1 else None for column in map(set, zip(*(x[2:] for x in alike), strict=True))
    )
    if move.schema is None or all(a is None for a in args):
        return f"{move.name} (hidden)"
    return game.notation.partial_text(move.schema, args)  # type: ignore[arg-type]


def check(game: Game, every: int = 1) -> dict[str, int]:
    """Compares all plies of the game's tree, for all seats; counts what is told in which way."""
    found = list(lines([(game.initial_state(), None)]))
    counts = dict.fromkeys(("whole", "hidden", "nothing"), 0)
    for seat in range(game.num_players):
        keys = {id(line): information_state(line[-1][0], seat).key for line in found}
        before = {id(line): information_state(line[-2][0], seat).key for line in found if len(line) > 1}
        groups: dict[str, list[set[Ply]]] = defaultdict(list)
        for line in found[1:]:
            moves = made_with(line)
            if moves and keys[id(line)] != before[id(line)]:
                group = groups[keys[id(line)]]
                group.extend(set() for _ in range(len(moves) - len(group)))
                for i, move in enumerate(moves):
                    group[i].add(content(game, move))
        for line in found[1::every]:
            moves = made_with(line)
            said = [a.text for a in announcements_at(line, len(line) - 1, seat)]
            if not moves or keys[id(line)] == before[id(line)]:
                assert said == [], (seat, plies(line))
                counts["nothing"] += 1
                continue
            group = groups[keys[id(line)]]
            wanted = [str(m) if m.player == seat else expected(game, m, group[i]) for i, m in enumerate(moves)]
            assert said == wanted, (seat, plies(line))
            counts["hidden" if any("hidden" in text or "?" in text for text in said) else "whole"] += 1
    return counts


def plies(line: Steps) -> list[str]:
    return [str(m) for _, m in line[1:]]


# A result that reads hands says nothing of the deal before it. A move that pushes on a hidden stack does not hide a call.
HANDS = """
game "Four Cards"
players one, two
type card = 1..4
state
  deck: set of card = card, seen by nobody
  hand: player -> set of card, seen by owner
  discards: set of card
define total(p: player) = sum of k for k in hand[p]
move throw(k: card) written "{k}"
  when k in hand[me] "you do not have that card"
  discard k from hand[me] to discards
play
  for p in players
    deal 2 from deck to hand[p]
  turns from one, 2 times
    me plays throw
  rank by total
"""
CALLS = """
game "Calls"
players one, two
state
  pile: player -> stack of bool up to 3, seen by owner
  down: player -> 0..3
  called: 0..3
move lay(d: bool seen by owner) written "lay {d}"
  push d on pile[me]
  add 1 to down[me]
move call(n: 1..3) written "call {n}"
  when n > called
  set called to n
play
  turns from one, 4 times
    me plays lay | call
  draw
"""
# Three cards of two suits for each of two: one follows suit, and what has been played is seen.
TRICKS = """
game "Small Whist"
players one, two
type suit = {clubs, hearts}
type rank = {jack, queen}
type card = (suit, rank)
state
  pack: set of card = card, seen by nobody
  hand: player -> set of card, seen by owner
  led: suit
  laid: player -> card?
  tricks: player -> 0..2
define force(p: player) = sum of (if k.suit = led then 1 + number(k.rank) else 0) for k in {laid[p]}
move lay(r: rank, s: suit) written "{r} of {s}"
  when (s, r) in hand[me] "you do not have that card"
  when turn = 1 or s = led or no k in hand[me]: k.suit = led "follow suit"
  take (s, r) from hand[me]
  set laid[me] to (s, r)
  if turn = 1
    set led to s
play
  for p in players
    deal 2 from pack to hand[p]
  repeat 2 times
    for p in players
      set laid[p] to none
    turns from one, 2 times
      me plays lay
    if force(one) > force(two)
      add 1 to tricks[one]
    else
      add 1 to tricks[two]
  rank by tricks
"""
# Two moves that look the same, of which one is possible only after a draw that nobody else sees.
DRAWS = """
game "Draws"
players one, two
state
  coin: player -> 0..2, seen by owner
  steps: 0..4
move wait written "wait"
  add 1 to steps
move boast(n: 1..2) written "boast {n}"
  when n = coin[me] "that is not your coin"
  add 1 to steps
play
  for p in players
    pick at random from 1..2 -> n
    set coin[p] to n
  turns from one, 2 times
    me plays wait | boast
  draw
"""
# A stack that all see, on which an unknown number of items may come.
HEAP = """
game "Heap"
players one, two
state
  luck: player -> 0..9, seen by owner
  heap: stack of 1..3 up to 6
move lay(d: 1..3) written "lay {d}"
  when d + luck[me] > 2 "too low"
  push d on heap
  if luck[me] > 3
    push 1 on heap
move wait written "wait"
  set luck[me] to 2
play
  for p in players
    pick at random from 1..5 -> n
    set luck[p] to n
  turns from one, 2 times
    me plays lay | wait
  draw
"""


@pytest.mark.parametrize("text", [HANDS, CALLS, TRICKS, DRAWS, HEAP])
def test_small(text: str, tmp_path: Path) -> None:
    path = tmp_path / "small.gdl"
    path.write_text(text, encoding="utf-8")
    found = check(gamedsl.load(path), every=1 if text is DRAWS else 7)
    assert found["whole"] > 1


def test_ones_own_cards_are_told(tmp_path: Path) -> None:
    path = tmp_path / "hands.gdl"
    path.write_text(HANDS, encoding="utf-8")
    steps = random_play(gamedsl.load(path), 1)
    dealt = [str(m) for _, m in steps[1:5]]
    assert told(steps, 0)[:2] == [f"None: {text}" for text in dealt[:2]]
    assert told(steps, 1)[:2] == [f"None: {text}" for text in dealt[2:]]


@pytest.mark.parametrize("name", ["kuhn-poker", "whist"])
def test_ones_own_cards_are_told_in_shipped_rulesets(name: str) -> None:
    game = gamedsl.load(name)
    steps = random_play(game, 1, 52)
    dealt = [(at, str(m)) for at, (_, m) in enumerate(steps) if m is not None and m.player is None]
    for seat in range(game.num_players):
        mine = {at: a.text for at, a in announced_plies(steps, seat)}
        size = len(dealt) // game.num_players
        assert [mine[at] for at, _ in dealt[seat * size : (seat + 1) * size]] == [
            text for _, text in dealt[seat * size : (seat + 1) * size]
        ]


@pytest.mark.parametrize("name", SMALL)
def test_shipped(name: str) -> None:
    found = check(gamedsl.load(name, **SMALL[name]), every=1 if name in ("kuhn-poker", "sealed-bid-auction") else 11)
    assert found["whole"] > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("leduc-poker", {}),
        ("liars-dice", {"dice": "1", "sides": "3"}),
        ("kuhn-poker", {"players": "3"}),
        ("dark-hex", {"rows": "2", "columns": "2", "collision": "again"}),
    ],
)
def test_larger(name: str, options: dict[str, str]) -> None:
    check(gamedsl.load(name, **options))


def test_what_is_told_does_not_depend_on_how_often_it_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "draws.gdl"
    path.write_text(DRAWS, encoding="utf-8")
    game = gamedsl.load(path)
    begun = game.initial_state()
    while begun.kind == "chance":
        begun = begun.apply(begun.chance_outcomes()[0][0])
    monkeypatch.setattr(lookalikes, "MOST_WORK", 20 * lookalikes.work_of_a_move(game))
    wait = next(m for m in begun.legal_moves() if str(m) == "wait")
    found = [exact_inferences([(begun, None), (begun.apply(wait), wait)], 1, 1) for _ in range(20)]
    assert found[0] is not None
    assert found == found[:1] * 20
