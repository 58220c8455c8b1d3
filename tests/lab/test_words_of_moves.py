"""Readers see kinds of moves in the rules' words, as the page does; authors find the name in the rules beside them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import gamedsl
from gamedsl.cli.simulate_tables import tables
from gamedsl.lab.coverage import InstrumentedGame, as_text, gathered, run_plays
from gamedsl.lab.report import report_page
from gamedsl.lab.simulate import Plan, simulate
from gamedsl.language.core import words_of_move
from gamedsl.language.rules import load_program
from gamedsl.play.guidance import words_of_kinds

# from the notations in the rulesets: what players type and what the page shows
ATRESO = {
    "battle: set_stone": "set stone",
    "battle: step": "chip",
    "battle: slide": "stone",
    "battle: place_grey": "grey",
}


SEVERAL = ("t-tic-t-tac-toe-game", "atreso", "horn-tiles", "chess", "hive", "quoridor", "backgammon", "whist")


def test_words_are_never_identifiers_and_those_of_the_page() -> None:
    for name in SEVERAL:
        game = gamedsl.load(name)
        for kind, words in zip(game.action_kinds, words_of_kinds(game), strict=True):
            assert "_" not in words.name, name
            if kind.schema is not None:
                assert words.name == f"“{words_of_move(game.program.schemas[kind.schema])}”"


def test_a_simulation_has_both() -> None:
    done = simulate(Plan.of(gamedsl.load("atreso"), seed=1), 2)
    assert {k.identifier: k.words for k in done.summary.kinds} == ATRESO
    assert {k["words"] for k in done.summary.to_json()["kinds"]} == set(ATRESO.values())
    lines = list(tables(done, ("random", "random")))
    for identifier, words in ATRESO.items():
        assert any(line.startswith(words + " ") and f" {identifier} " in line for line in lines)


def test_a_chosen_value_is_named_without_brackets() -> None:
    kinds = simulate(Plan.of(gamedsl.load("horn-tiles")), 1).summary.kinds
    assert {k.name: k.words for k in kinds}["choose symbol[b]"] == "choose symbol of b"


def test_a_simulation_says_it_once_where_it_is_the_same() -> None:
    done = simulate(Plan.of(gamedsl.load("tic-tac-toe")), 2)
    assert not any("in the rules" in line for line in tables(done, ("random", "random")))


def test_a_report_has_both() -> None:
    done = simulate(Plan.of(gamedsl.load("atreso"), seed=1), 2)
    shown = report_page._kinds(done.summary, load_program("atreso"))
    assert [row[:2] for row in shown["rows"]] == [
        (f"battle: {words}", f"<code>{identifier}</code>") for identifier, words in ATRESO.items()
    ]
    assert shown["heads"][:2] == ("move", "in the rules")


def points(name: str) -> Iterator[str]:
    probed = InstrumentedGame(load_program(name))
    run_plays(probed, 1, 0, 10)
    return iter(as_text(gathered([probed], "random", "", False)).splitlines())


def test_coverage_has_both_and_lists_lines_by_file() -> None:
    (moves,) = (line for line in points("t-tic-t-tac-toe") if "moves played" in line)
    assert "super (rescue)" in moves and "bwah (wrong_symbol)" in moves
    (lines,) = (line for line in points("t-tic-t-tac-toe") if "lines used" in line)
    assert lines.count("of t-tic-t-tac-toe-game.gdl") == 1


def test_a_refused_kind_of_move_is_answered_in_words() -> None:
    state, rng = gamedsl.load("atreso").initial_state(), Random(0)
    while state.kind == "chance":  # the dice that decide who begins
        state = state.apply(state.propose(rng))
    (refusal,) = state.why_not(state.game.parse_move("chip a4-a5", state))
    assert refusal.message == "this kind of move cannot be made now; possible: set stone"
