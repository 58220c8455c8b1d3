"""Coverage: the counts are those that one can count oneself, and the rules are not changed by counting."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.engine.stop import codes_of
from gamedsl.lab.coverage.counts import Coverage, Line
from gamedsl.lab.coverage.coverage_page import as_html, as_text
from gamedsl.lab.coverage.instrument import InstrumentedGame
from gamedsl.lab.coverage.runs import coverage, of_examples
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import sampled

UNUSED = """game "Countdown"

players a, b

state
  left: 0..5 = 5

define spare = left > 9

define shown_only = left = 3

move take_one written "one"
  when left > 0 "nothing is left"
  take 1 from left

move take_two written "two"
  when left > 1 "too few are left"
  when left < 6 "never said"
  take 2 from left

move never_made written "zero"
  when left > 7 "never possible"
  set left to 0

play
  turns from a
    if left = 0
      lose me
    me plays take_one | take_two | never_made

look
  beside "three" 1 for x in {p in players: shown_only}
"""


def at(found: Coverage, text: str) -> Line:
    """The first line that holds a text."""
    return next(x for _, lines in found.files for x in lines if text in x.text)


def countdown(tmp_path: Path, how: str = "explore", **more: int) -> Coverage:
    path = tmp_path / "countdown.gdl"
    path.write_text(UNUSED, encoding="utf-8")
    return coverage(str(path), how, **more)  # type: ignore[arg-type]


def test_every_way_of_a_small_game_is_counted(tmp_path: Path) -> None:
    """Against a walk over the engine's own states."""
    found = countdown(tmp_path)
    start = gamedsl.load(tmp_path / "countdown.gdl").initial_state()
    seen, todo, made = {start}, [start], Counter[str]()
    while todo:
        state = todo.pop()
        for move in state.legal_moves():
            made[move.name] += 1
            after = state.apply(move)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    assert found.whole and found.extent.startswith(f"{len(seen)} positions")
    assert dict(found.moves) == {"take_one": made["take_one"], "take_two": made["take_two"], "never_made": 0}
    assert at(found, "take 1 from left").times == made["take_one"]
    assert at(found, "take 2 from left").times == made["take_two"]


def test_what_is_never_used_is_told(tmp_path: Path) -> None:
    found = countdown(tmp_path)
    never = {x.text.strip() for x in found.never}
    assert never == {'move never_made written "zero"', "set left to 0"}
    assert at(found, "never said").mark == "partly" and at(found, "never said").other == 0
    assert at(found, "never possible").times == 0 and at(found, "never possible").mark == "partly"
    assert at(found, "too few").mark == "used"


def test_the_look_is_not_counted(tmp_path: Path) -> None:
    assert at(countdown(tmp_path), "define shown_only").mark == "none"


def test_first_hits_are_plies(tmp_path: Path) -> None:
    found = countdown(tmp_path, "random", plays=50)
    assert at(found, "take 1 from left").first == 1
    assert at(found, "lose me").first == 3  # two and two and one


def test_a_cut_search_calls_nothing_dead(tmp_path: Path) -> None:
    assert not countdown(tmp_path, "explore", limit=3).whole
    assert "can never be" in as_text(countdown(tmp_path))
    for found in (countdown(tmp_path, "explore", limit=3), countdown(tmp_path, "random")):
        assert "may well be used" in as_text(found) and "can never be" not in as_text(found)


def test_tic_tac_toe_explored_by_its_known_numbers() -> None:
    """5,478 positions, 958 of them final: 626 won by X, 316 by O, 16 drawn; the others have 16,167 moves."""
    found = coverage("tic-tac-toe", "explore")
    assert found.whole and found.extent.startswith("5,478 positions")
    assert dict(found.moves) == {"place": 16167}
    three, full = at(found, "if three(me)"), at(found, "if empty = {}")
    assert three.times is not None and three.other is not None
    assert three.times + three.other == 16167
    assert full.times is not None and full.other is not None and full.times + full.other == three.other
    assert all(n != 0 for _, n in found.clauses)
    assert found.never == [] == found.partly


@pytest.mark.parametrize("name", sampled(shipped(), "test_counting_changes_nothing"))
def test_counting_changes_nothing(name: str) -> None:
    program = load_program(name)
    probed, plain = InstrumentedGame(program).game, InterpretedGame(program)
    a, b = probed.initial_state(), plain.initial_state()
    rng = (Random(7), Random(7))
    for _ in range(8):
        assert (a.block, a.slots, a.kind, a.returns) == (b.block, b.slots, b.kind, b.returns)
        if a.is_terminal:
            break
        assert [str(m) for m in a.legal_moves()] == [str(m) for m in b.legal_moves()]
        a, b = a.apply(a.propose(rng[0])), b.apply(b.propose(rng[1]))


@pytest.mark.parametrize("name", ["y", "phantom-tic-tac-toe"])
def test_moves_that_are_only_tried_do_not_count_as_made(name: str) -> None:
    """A rule that looks ahead tries moves; only those of the play are counted. So it is where something is hidden."""
    found = coverage(name, plays=2)
    plies = int(found.extent.split(", ")[1].split()[0].replace(",", ""))
    assert sum(n for _, n in found.moves) == plies


def test_the_examples_of_a_shipped_game_reach_every_line_and_clause() -> None:
    found = of_examples("t-tic-t-tac-toe-game", {})
    assert found.never == [] and all(n != 0 for _, n in found.clauses)
    assert "fail" not in found.extent


def test_text_and_page_hold_the_same_lines(tmp_path: Path) -> None:
    found = countdown(tmp_path)
    text, page = as_text(found), as_html(found)
    assert as_text(found, colour=True) != text
    assert page.startswith("<!doctype html>") and "http" not in page and "<script" not in page
    for x in found.files[0][1]:
        assert x.text.rstrip() in text
    assert page.count("<tr class=") == len(found.files[0][1])
    assert '<tr class="never">' in page and "&#34;" in page


def test_at_the_prompt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["coverage", "nim", "-s", "a=1", "-s", "b=0", "-o", str(page), "--method", "explore"]) == 0
    assert "written" in capsys.readouterr().out and "All positions" in page.read_text(encoding="utf-8")
    assert main(["coverage", "tic-tac-toe", "--games", "3", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["from"] == "random" and not data["whole"] and data["moves"]["place"] >= 15
    assert main(["coverage", "tic-tac-toe", "-o", "page.txt"]) == 2


def test_same_seed_same_counts() -> None:
    assert coverage("pig", plays=3, seed=5) == coverage("pig", plays=3, seed=5) != coverage("pig", plays=3, seed=6)


def test_first_uses_are_the_positions_before_the_ply() -> None:
    """Tic-tac-toe: the line that ends a full board without a row is first used in a position with one empty square."""
    found = coverage("tic-tac-toe", plays=30, seed=2)
    uses = found.first_uses
    assert [ply for ply, _, _ in uses] == sorted(ply for ply, _, _ in uses)
    for ply, state, lines in uses:
        marks = next(v for v in state.game.program.variables if v.name == "mark")
        assert sum(cells.bit_count() for cells in codes_of(state, marks)) == ply - 1
        assert lines == [x.number for x in found.files[0][1] if (x.first, x.where) == (ply, state)]
    full = next(x for x in found.files[0][1] if x.text.strip().startswith("draw"))
    assert full.first == 9 and any(full.number in lines for _, _, lines in uses)


def test_the_page_shows_where_lines_were_first_used(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["coverage", "tic-tac-toe", "--games", "5", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Where lines were first used" in text and text.count("data-figure=") >= 2
    assert "<figcaption>ply 1: lines " in text
