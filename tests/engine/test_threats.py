"""A guard that no move may leave a condition defines a threat; what it protects and what attacks it is marked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Game, State
from gamedsl.engine.picture import threats_at, view
from gamedsl.language.rules import shipped

WITH_THREATS = {"chess", "chess960"}  # the rulesets in which no move may leave something of its player attacked

TOUCHING = """
game "Keep Away"
players a, b
board grid 3 by 3
piece king of player
define touched(p: player) = neighbors(king[p]) meets king[rival(p)]
move go(c: cell, d: cell) written "{c}-{d}"
  when c in king[me]
  when d in neighbors(c)
  when d not in king[rival] "taken"
  move king[me] from c to d
forbid touched(me) "kings keep apart"
play
  put king[a] on a1
  put king[b] on {b1, c3}
  turns from a
    me plays go
      stuck
        lose me
"""


def marked(state: State) -> dict[str, str]:
    picture = view(state, viewer=0)
    assert picture.place is not None
    return {picture.place.names[index]: spot.threat for (_, index), spot in picture.spots.items() if spot.threat}


def after(game: Game, *moves: str) -> State:
    state = game.initial_state()
    for text in moves:
        state = state.apply(game.parse_move(text, state))
    return state


def test_a_check_is_marked_with_the_pieces_that_give_it() -> None:
    game = gamedsl.load("chess")
    assert marked(after(game, "e4")) == {}
    assert marked(after(game, "e4", "d6", "Bb5+")) == {"e8": "at", "b5": "from"}
    double = after(game, "e4", "e5", "Nf3", "d6", "Nxe5", "Qe7", "d4", "dxe5", "dxe5", "Qxe5", "Qd5", "Qxe4+")
    assert marked(double) == {"e1": "at", "e4": "from"}


def test_a_rule_for_all_moves_defines_a_threat_too(tmp_path: Path) -> None:
    path = tmp_path / "apart.gdl"
    path.write_text(TOUCHING, encoding="utf-8")
    assert marked(gamedsl.load(path).initial_state()) == {"a1": "at", "b1": "from"}


@pytest.mark.slow
def test_the_rulesets_with_such_a_guard() -> None:
    """Not: a position that must not repeat, a way that must stay open. The guards of two other rulesets are about dice still to
    be used and a stone that leaves the board: they never hold when a player is to move."""
    games = {name: gamedsl.load(name) for name in shipped()}
    found = {name: g for name, g in games.items() if any(threats_at(g, b.index) for b in g.program.blocks)}
    assert found.keys() == {*WITH_THREATS, "backgammon", "tsuro"}
    for name, game in found.items():
        rng, state, seen = Random(1), game.initial_state(), False
        while not state.is_terminal and len(state.history) < 120:
            seen = seen or bool(marked(state))
            state = state.apply(state.propose(rng))
        assert seen == (name in WITH_THREATS)
