"""A line of moves under rules that change: what remains of it, where it parts, and an example of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.lab.examples import Bench, examples_in, run_example
from gamedsl.language.rules import parse_source
from gamedsl.language.source import GameDSLError, Source
from gamedsl.studio.board_line import Board, Ply
from gamedsl.studio.example_text import example_text, with_example

from .running import RULES

PATH = str(Path("/nowhere/row.gdl"))
PLIES: list[Ply] = [(0, "a1"), (1, "b2"), (0, "c3")]


def board(text: str = RULES, **options: str) -> Board:
    return Board.of(PATH, options, {PATH: parse_source(Source(PATH, text))})


def test_a_position_survives_an_edit_that_leaves_its_moves() -> None:
    line = board(RULES.replace("lines(3)", "lines(2)").replace('"X"\n', '"Y"\n')).line(PLIES[:2], 0)
    assert line.parted is None and line.plies == PLIES[:2]


def test_a_line_is_shown_up_to_the_ply_that_the_rules_refuse() -> None:
    corners = RULES.replace("  put mark", '  when c not in {b2} "the middle stays free"\n  put mark')
    shown = (found := board(corners)).shown(found.line(PLIES, 0), None, None)
    assert shown["plies"] == PLIES[:1] and shown["at"] == 1
    parted = shown["parted"]
    assert (parted["ply"], parted["text"]) == (1, "b2")
    assert [reason["message"] for reason in parted["reasons"]] == ["the middle stays free"]
    assert parted["reasons"][0]["rule"].startswith("row.gdl:13: ")


def test_a_move_that_is_none_any_more_parts_with_the_reason() -> None:
    found = board(n="3")
    parted = found.line([(0, "e5")], 0).parted
    assert parted is not None and "e5" in parted["reasons"][0]["message"]
    assert board(n="5").line([(0, "e5")], 0).parted is None


def test_a_text_with_mistakes_has_no_board() -> None:
    with pytest.raises(GameDSLError):
        board(RULES.replace("me plays place", "me plays nothing"))


def test_a_line_after_the_end_of_the_game_parts_there() -> None:
    row: list[Ply] = [(0, "a1"), (1, "a2"), (0, "b1"), (1, "b2"), (0, "c1"), (1, "c2")]
    found = board()
    line = found.line(row, 0)
    assert line.parted is not None and line.parted["ply"] == 5
    assert found.shown(line, None, None)["position"]["turn"]["outcome"]["winners"] == [0]


def test_chance_is_the_same_again_for_the_same_line() -> None:
    dice = RULES.replace("    me plays", "    roll d6 -> thrown\n    me plays")
    first, second = board(dice).line([], 7), board(dice).line([], 7)
    assert first.plies == second.plies and first.plies[0][0] is None
    longer = board(dice).line([*first.plies, (0, "a1")], 8)
    assert longer.parted is None and longer.plies[: len(first.plies)] == first.plies


def test_the_places_that_a_guard_refuses_are_those_that_are_taken() -> None:
    found = board()
    line = found.line(PLIES, 0)
    guard = RULES.split("\n").index('  when c in empty "that square is taken"') + 1
    assert [indices for *_, indices in found.refused_at(line, None, guard, PATH)] == [[0], [4], [8]]  # a1, b2, c3
    assert found.refused_at(line, 0, guard, PATH) == []
    assert found.refused_at(line, None, guard + 1, PATH) == []


def test_options_are_listed_with_their_values() -> None:
    assert board(n="4").facts()["options"] == [
        {"name": "n", "value": "4", "type": "3..5", "text": "squares on each side"}
    ]


BEFORE = (
    "",
    "examples:\n  - name: first\n    legal_count: 9\n",
    "# all\nexamples:\n- name: first\n  legal_count: 9\n\nopenings: {}\n",
)


@pytest.mark.parametrize("before", BEFORE)
def test_an_example_of_a_line_passes_and_fails_once_the_rules_change(before: str) -> None:
    found = board()
    text = with_example(before, example_text(found, found.line(PLIES, 0), []))
    *_, example = examples_in(Source("row.examples.yaml", text))
    assert (example.moves, example.legal_count, example.to_move) == (("a1", "b2", "c3"), 6, ("O",))
    right = Bench(Path(PATH), {PATH: parse_source(Source(PATH, RULES))})
    assert run_example(right, example, {}).passed
    wrong = Bench(
        Path(PATH), {PATH: parse_source(Source(PATH, RULES.replace("option n: 3..5 = 3", "option n: 3..5 = 4")))}
    )
    assert not run_example(wrong, example, {}).passed


def test_an_example_of_an_end_has_the_result_and_the_options_that_were_set() -> None:
    found = board(n="4")
    line = found.line([(0, "a1"), (1, "a2"), (0, "b1"), (1, "b2"), (0, "c1")], 0)
    (example,) = examples_in(Source("e", with_example("", example_text(found, line, [("n", "4")]))))
    assert example.winners == ("X",) and example.options == {"n": 4} and example.legal_count is None


def test_a_file_of_examples_with_mistakes_is_left_alone() -> None:
    with pytest.raises(GameDSLError):
        with_example("examples: 7\n", "  - name: x\n")
