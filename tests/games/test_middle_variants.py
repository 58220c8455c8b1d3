"""A variant of each game with a document that changes one rule in the middle of the game, in at most ten lines: checked,
played, published as one file."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from random import Random

import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import changed_clauses, check_file, load_program

HERE = Path(__file__).parent / "variants"
# The clauses whose lines it changes, by hand from the texts.
VARIANTS = {
    "quick-scissors": ["4.04c", "4.05e", "TT-7"],
    "own-curtains": ["4.02", "4.04c", "4.04d", "4.04e", "TT-4", "TT-7"],
    "side-by-side": ["AT-4"],
    "any-start": ["XL-1", "XL-2", "XL-3", "XL-c"],  # five x's instead of eight, too
    "long-diagonals": ["FH-7", "FH-b", "FH-c"],
    "grey-beside": ["AR-5"],
}


@pytest.mark.parametrize("name", VARIANTS)
def test_it_is_short_and_fine(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file = HERE / f"{name}.gdl"
    assert len([x for x in file.read_text(encoding="utf-8").splitlines() if x.strip()]) <= 10
    assert check_file(file)[1] == []
    assert main(["clauses", str(file), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["variant"] == {"changed": VARIANTS[name], "dropped": []}


def test_another_value_of_an_option_changes_the_clauses_of_the_lines_that_read_it(tmp_path: Path) -> None:
    """By hand: the match gives the option to its big games, where one line reads it and cites six clauses."""
    file = tmp_path / "late.gdl"
    file.write_text('variant of "t-tic-t-tac-toe.gdl" with super_from_ply = 3\n\ngame "Late supers"\n')
    changed = {"3.1.03", "3.1.04", "3.2.02", "3.2.03", "5.1.01a", "5.2.01a"}
    assert changed_clauses(file) == (frozenset(changed), frozenset[str]())
    file.write_text('variant of "t-tic-t-tac-toe.gdl" with super_from_ply = 2\n\ngame "As it was"\n')
    assert changed_clauses(file) == (frozenset[str](), frozenset[str]())


@pytest.mark.parametrize("name", VARIANTS)
def test_it_is_played(name: str) -> None:
    state = InterpretedGame(load_program(HERE / f"{name}.gdl")).initial_state()
    rng = Random(1)
    for _ in range(120):
        if state.is_terminal:
            break
        state = state.apply(state.propose(rng))
    assert state.is_terminal or len(state.history) == 120


def test_the_changed_rule_holds_in_the_middle_of_the_game() -> None:
    """White's stone has just left c3 for b4; there are 40 empty squares. Counted by hand, 11 of them are beside a piece
    of white's: c3, b5, and all of row 4."""
    beside = {"grey c3", "grey b5", *(f"grey {x}4" for x in "acdefghij")}
    for name in ("atreso", HERE / "grey-beside.gdl"):
        game = InterpretedGame(load_program(name))
        state, rng = game.initial_state(), Random(3)
        while not any(str(game.action_text(a)).startswith("grey") for a in state.legal_actions()):
            state = state.apply(state.propose(rng))
        moves = {game.action_text(a) for a in state.legal_actions()}
        assert beside <= moves
        assert len(moves) == (40 if name == "atreso" else 11)


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_it_is_published_as_one_file(name: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["export", str(HERE / f"{name}.gdl"), "--to", "html", "-o", str(page)]) == 0
    assert escape(load_program(HERE / f"{name}.gdl").title) in page.read_text(encoding="utf-8")
