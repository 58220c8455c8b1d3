"""Cards, dice and piles are found by the types of a ruleset; what a seat may not know of them is not shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine.picture import holdings, replaced_marks, shown_holdings, view
from gamedsl.language.rules import shipped

# By reading the rulesets: what their looks show of variables that hold things.
EXPECTED = {
    "whist": {"hand": "set", "turned_up": "one", "laid": "one"},
    "leduc-poker": {"hand": "one", "shared": "one"},
    "kuhn-poker": {"hand": "one"},
    "liars-dice": {"cup": "count", "face_bid": "one"},
    "goofspiel": {"prizes": "set", "prize": "one", "hand": "set", "shown": "one"},
    "onitama": {"hand": "set", "aside": "one"},
    "backgammon": {"dice": "count"},
    "einstein-wuerfelt-nicht": {"die": "one"},
    "blokus-duo": {"left": "set"},
    "rock-paper-scissors": {"shown": "one"},
    "t-tic-t-tac-toe": {"shown": "one"},
    "t-tic-t-tac-toe-version-2": {"shown": "one"},
    "tsuro": {"hand": "set"},
    "macmahon-dominoes": {"hand": "set"},
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_holdings_of_shipped_rulesets(name: str) -> None:
    game = gamedsl.load(name)
    shown = {i for part in shown_holdings(game) for i in part}
    assert {h.var.name: h.form for i, h in enumerate(holdings(game)) if i in shown} == EXPECTED[name]


@pytest.mark.slow
def test_other_rulesets_hold_nothing() -> None:
    """Pieces on a board, directions, ranks of pieces and sides of players are not things."""
    found = set()
    for name in shipped():
        game = gamedsl.load(name)
        if any(shown_holdings(game)):
            found.add(name)
    assert found == set(EXPECTED)


def test_a_seat_sees_its_own_hand_and_the_backs_of_others() -> None:
    game = gamedsl.load("kuhn-poker")
    state = game.initial_state()
    for text in ("deal 3", "deal 1"):
        state = state.apply(game.parse_move(text, state))
    cards = [[held.places for held in view(state, viewer=seat).held] for seat in (0, 1, None)]
    assert cards == [[((2,), None)], [(None, (0,))], [(None, None)]]


def test_a_line_says_nothing_new_of_a_tile_that_is_drawn(tmp_path: Path) -> None:
    """The paths of a tile, as numbers of ports: the felt shows the tile as it looks on the board. If the board did not show them,
    the line would be needed."""
    text, file = shipped()["tsuro"].read_text("utf-8"), tmp_path / "it.gdl"
    start, end = text.index("  line from spot right(k)"), text.index("  line from spot right(at[p]")
    file.write_text(text[:start] + text[end:], "utf-8")
    assert [len(replaced_marks(game, 0)) for game in (gamedsl.load("tsuro"), gamedsl.load(file))] == [1, 0]
