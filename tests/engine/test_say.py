"""Sentences that a ruleset says after plies, and who may read them."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import Game, Sheet, State, announcements_at
from gamedsl.engine.picture import scars_of, view

OPEN = """
players X, O
board grid 3 by 3
piece mark of player
define full_row = some r in rows: r within occupied
move place(c: cell)
  when c in empty "taken"
  put mark[me] on c
move lift(c: cell)
  when c in mark[rival] "not there"
  remove mark[rival] from c
play
  turns from X, 9 times
    me plays place | lift
  draw
look
  show mark[X] as "X"
  show mark[O] as "O"
  say "Ouch, {c}! says {me}'s rival" after lift when c = center
  say "A row is full." when full_row
  say "{p} has two." for p in players when count(mark[p]) = 2
  say "That was no move." after refusal
"""

HIDDEN = """
players X, O
type side = {left, right}
state
  held: player -> side?, seen by owner
  calls: 0..9
move hide(s: side seen by owner)
  when held[me] is none "hidden already"
  set held[me] to s
move call
  add 1 to calls
play
  turns from X, 4 times
    me plays hide | call
  draw
look
  say "{p} holds right." for p in players when held[p] = right
  say "Hidden on the {s}." after hide
  say "Called." after call
"""


def load(folder: Path, rules: str) -> Game:
    (folder / "said.gdl").write_text(rules)
    return gamedsl.load(folder / "said.gdl")


def said(game: Game, *texts: str) -> list[tuple[str, ...]]:
    """What is said after each of these moves."""
    found, sheet, state = [], Sheet(), game.initial_state()
    for text in texts:
        move = game.parse_move(text, state)
        before, state = state, state.apply(move)
        sheet = sheet.after(before, move, state)
        found.append(sheet.said)
    return found


def test_sentences_follow_the_ply_that_they_are_about(tmp_path: Path) -> None:
    game = load(tmp_path, OPEN)
    assert said(game, "place b2", "lift b2", "place a1", "place b1", "place c1", "place c3") == [
        (),
        ("Ouch, b2! says O's rival",),
        (),
        (),
        ("A row is full.", "X has two."),  # both became true
        ("O has two.",),  # the row is still full, which is not said again
    ]


def test_a_refused_attempt_is_answered_until_the_next_ply(tmp_path: Path) -> None:
    game = load(tmp_path, OPEN)
    state = game.initial_state()
    refused = Sheet().refused(state)
    assert refused.said == ("That was no move.",) and not refused.may_redraw
    assert view(state, scars=scars_of(refused, state)).bubbles == ("That was no move.",)
    assert refused.after(state, state.legal_moves()[0], state.apply(state.legal_moves()[0])).said == ()


@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        (0, [("X holds right.", "Hidden on the right."), (), ("Called.",)]),  # of O's choice it knows nothing
        (1, [(), ("Hidden on the left.",), ("Called.",)]),
        (None, [(), (), ("Called.",)]),
    ],
)
def test_nobody_reads_what_the_seat_may_not_know(
    seat: int | None, expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    game = load(tmp_path, HIDDEN)
    steps: list[tuple[State, gamedsl.Move | None]] = [(game.initial_state(), None)]
    found = []
    for text in ("hide right", "hide left", "call"):
        state = steps[-1][0]
        move = game.parse_move(text, state)
        steps.append((state.apply(move), move))
        announced = announcements_at(steps, len(steps) - 1, seat)
        found.append(Sheet().after_announced(state.seen_by(seat), announced, steps[-1][0].seen_by(seat)).said)
    assert found == expected


MATCH = """
players one, two
state
  wins: player -> 0..9
play
  repeat 3 times
    play row with X = one, O = two -> result
    if result.winner is some
      add 1 to wins[result.winner]
  rank by wins
look
  say "{p} leads." for p in players when every q in players: q = p or wins[p] > wins[q]
part row
  players X, O
  board grid 1 by 3
  piece mark of player
  move place(c: cell)
    when c in empty "taken"
    put mark[me] on c
  play
    turns from X
      me plays place
      if count(mark[me]) = 2
        win me
  look
    show mark[X] as "X"
    show mark[O] as "O"
    say "{p} has two." for p in players when count(mark[p]) = 2
    say "{p} has one." for p in players when count(mark[p]) = 1
"""


def test_a_condition_is_looked_at_where_a_part_ends(tmp_path: Path) -> None:
    """The ply that ends a part is followed by a new board: what it made true is true of the last position of the old one, and of
    the numbers around it."""
    assert said(load(tmp_path, MATCH), "place a1", "place b1", "place c1", "place a1") == [
        ("X has one.",),
        ("O has one.",),
        ("X has two.", "one leads."),
        ("X has one.",),
    ]
