"""Two parameters that lie at few distances from each other are drawn from sets of the first one, moved as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler.analysis.shifted_pairs import ShiftedPair, find_shifted_pair
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.transform.lift_plans import lift_plan
from gamedsl.compiler.transform.prepare_generic import prepare_generic
from gamedsl.engine import InterpretedGame
from gamedsl.language.core import make_plan

from . import small_rulesets as small
from .test_native_counts import exact

TRACK = """players X, O
board track 6
piece man of player
state
  dice: 1..3 -> 0..2
  left: 0..4
define ahead(p: player, a: cell, b: cell) = if p = X then number(b) - number(a) else number(a) - number(b)
define thrown = {n in 1..3: dice[n] > 0}
move step(from: cell, to: cell)
  when from in man[me]
  when CONDITION
  when to not in man[me]
  remove man[me] from from
  if to in man[rival]
    remove man[rival] from to
  put man[me] on to
play
  put man[X] on {t1, t2}
  put man[O] on {t5, t6}
  set left to 1
  turns from X
    for n in 1..3
      set dice[n] to 0
    roll d3 -> a
    roll d3 -> b
    add 1 to dice[a]
    add 1 to dice[b]
    me plays step
      stuck
        win rival
    if count(man[rival]) = 0
      win me
    if left = 0
      draw
    take 1 from left
"""
CONDITIONS = {
    "by values thrown": "ahead(me, from, to) in thrown",
    "by constants": "ahead(me, from, to) in {1, 3}",
    "both ways": "to in neighbors(from)",
}
OVERLAPPING = "(some n in thrown: ahead(me, from, to) >= n)"
FAR = "ahead(me, from, to) != 0"


def pair_of(condition: str, folder: Path, board: str = "track 6") -> ShiftedPair | None:
    text = TRACK.replace("CONDITION", condition).replace("track 6", board)
    program = prepare_generic(small.program_of(text, folder))
    (schema,) = program.schemas
    steps = lift_plan(schema, schema.plan or make_plan(schema.params, schema.guards))
    return find_shifted_pair(schema, steps, program.functions)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_moves_are_drawn_with_equal_chances(condition: str, tmp_path: Path) -> None:
    assert pair_of(CONDITIONS[condition], tmp_path) is not None
    game = InterpretedGame(small.program_of(TRACK.replace("CONDITION", CONDITIONS[condition]), tmp_path))
    (utility, _), length = exact(game)
    n = 20_000
    tally = Native(game.program, game, keep=False, baseline=True).playouts(n, seed=3)
    assert (tally.plays, tally.unfinished) == (n, 0)
    spread = sum(k * k * c for k, c in enumerate(tally.lengths)) / n - float(length) ** 2
    assert abs(tally.plies / n - float(length)) <= 4.5 * (spread / n) ** 0.5 + 1e-9
    assert abs((tally.wins[0] - tally.losses[0]) / n - float(utility)) <= 4.5 * n**-0.5


@pytest.mark.parametrize("condition", [OVERLAPPING, FAR], ids=["overlapping", "many distances"])
def test_other_moves_are_listed_by_their_first_parameter(condition: str, tmp_path: Path) -> None:
    """A move that two values of a union allow would be drawn twice as often."""
    assert pair_of(condition, tmp_path) is None


def test_large_boards_are_left_out(tmp_path: Path) -> None:
    assert pair_of(CONDITIONS["by constants"], tmp_path, "track 60") is not None
    assert pair_of(CONDITIONS["by constants"], tmp_path, "track 70") is None
