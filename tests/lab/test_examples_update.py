"""Tables of examples, and rewriting what examples expect: only that, so that all of them hold, and nothing else changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.lab.examples.example_reader import examples_in
from gamedsl.lab.examples.runner import run_examples
from gamedsl.lab.examples.update import edited, update_examples
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.data.flow_data import flow

TOY = """game "Toy"

players A, B

board grid 3 by 3 named by letters

piece man of player

state
  points: player -> 0..9
  last: cell?

move place(c: cell) written "{c}"
  when c in empty "taken"
  put man[me] on c
  add 1 to points[me]
  set last to c

play
  turns from A, 4 times
    me plays place
  rank by points

look
  show man[A] as "A" red
  show man[B] as "B" blue
"""

WRONG = """# kept
examples:
  - name: many things   # kept too
    moves: [a1, b2]
    legal_count: 9   # nine?
    to_move: B
    value: {'points[A]': 3, "last": null, 'A = B': true, 'man[B]': [a1]}
    board:
      - ". . ."
      - ". . ."
      # between
      - ". . ."
    perft: [1,
            2]

  - name: an end
    moves: [a1, b2, c3, a2]
    result:
      winners: [A]
      scores: { A: 1, B: 1 }

  - name: all moves
    moves: [a1, a2, a3]
    only:
      - b1
      - a1

  - name: right
    legal_count: 9
    legal: [a1]

tables:
  - name: by number of plies
    columns: [moves, legal_count, to_move, "points[A]", "count(empty)"]
    rows:
      - ["", 9, A, 0, 9]
      - [a1, 9, A, 0, 9]
      - [[a1, b2], 7, A, 1, 7]
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    (tmp_path / "toy.gdl").write_text(TOY, encoding="utf-8")
    (tmp_path / "toy.examples.yaml").write_text(WRONG, encoding="utf-8")
    return tmp_path / "toy.gdl"


def test_afterwards_all_hold(toy: Path) -> None:
    assert sum(not r.passed for r in run_examples(toy)) == 4
    changes = update_examples(toy)
    assert [r.problems for r in run_examples(toy) if not r.passed] == []
    assert len(changes) == 8 + 2 + 1 + 4
    assert update_examples(toy) == []


def test_nothing_else_changes(toy: Path) -> None:
    update_examples(toy)
    text = toy.with_name("toy.examples.yaml").read_text(encoding="utf-8")
    for kept in (
        "# kept\n",
        "# kept too",
        "legal_count: 7   # nine?",
        "  - name: right\n    legal_count: 9\n    legal: [a1]\n",
    ):
        assert kept in text
    assert "value: {'points[A]': 1, \"last\": b2, 'A = B': false, 'man[B]': [b2]}" in text
    assert '    board:\n      - ". . ."\n      - ". B ."\n      - "A . ."\n    perft: [7, 42]\n' in text
    assert "scores: { A: 2, B: 2 }" in text and "winners: []" in text
    assert "- [a1, 8, B, 1, 8]\n      - [[a1, b2], 7, A, 1, 7]" in text


@pytest.mark.parametrize("name", ["tic-tac-toe", "x-s-and-lines", "pig", "nine-mens-morris", "rock-paper-scissors"])
def test_what_holds_is_not_touched(tmp_path: Path, name: str) -> None:
    ruleset = shipped()[name]
    for path in (ruleset, ruleset.with_name(ruleset.stem + ".examples.yaml")):
        shutil.copy(path, tmp_path / path.name)
    if (ruleset.parent / "clauses").exists():
        shutil.copytree(ruleset.parent / "clauses", tmp_path / "clauses")
    copy = tmp_path / (ruleset.stem + ".examples.yaml")
    before = copy.read_bytes()
    assert update_examples(tmp_path / ruleset.name) == []
    assert copy.read_bytes() == before


def test_refusals_and_broken_positions_stay(toy: Path) -> None:
    text = "examples:\n  - name: x\n    illegal: [a1]\n  - name: y\n    moves: [a1, a1]\n    legal_count: 3\n"
    beside = toy.with_name("toy.examples.yaml")
    beside.write_text(text, encoding="utf-8")
    assert update_examples(toy) == []
    assert beside.read_text(encoding="utf-8") == text


def test_line_ends_stay(toy: Path) -> None:
    beside = toy.with_name("toy.examples.yaml")
    beside.write_bytes(b"examples:\r\n  - name: x\r\n    legal_count: 8\r\n")
    update_examples(toy)
    assert beside.read_bytes() == b"examples:\r\n  - name: x\r\n    legal_count: 9\r\n"


def test_at_the_prompt(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(toy)]) == 3
    assert main(["test", "--update", str(toy)]) == 0
    told = capsys.readouterr()
    assert "many things: legal_count 9 -> 7" in told.err and "passed" in told.out


def test_a_row_is_an_example_of_its_own(toy: Path) -> None:
    results = [r for r in run_examples(toy) if r.name.startswith("by number")]
    assert [r.name for r in results] == [f"by number of plies, row {n}" for n in (1, 2, 3)]
    assert [r.passed for r in results] == [True, False, True]
    first = WRONG[: WRONG.index('["", 9')].count("\n") + 1
    assert [r.span.line for r in results] == [first, first + 1, first + 2]
    assert "8 moves are legal, not 9" in results[1].problems


@pytest.mark.parametrize(
    ("row", "code"),
    [("[a1, 8]", "E0643"), ("[a1, 8, A, 1, 8, 9]", "E0643"), ("7", "E0643"), ("[a1, eight, A, 1, 8]", "E0642")],
)
def test_rows_that_do_not_fit(row: str, code: str) -> None:
    text = (
        WRONG.split("examples:")[0]
        + "tables:"
        + WRONG.split("tables:")[1].split('      - ["",')[0]
        + f"      - {row}\n"
    )
    with pytest.raises(GameDSLError) as caught:
        examples_in(Source("toy.examples.yaml", text))
    assert {d.code for d in caught.value.diagnostics} <= {code, "E0642"}


def test_a_file_needs_examples_or_tables() -> None:
    with pytest.raises(GameDSLError, match=r"E0641.*checks nothing"):
        examples_in(Source("toy.examples.yaml", "options: {n: 3}\n"))


def test_written_values_are_read_back() -> None:
    for value in (None, True, 3, -2, "a1", "no", "null", "a b", '"', "a: b", "[x]", [], ["yes", 1], {"A": 1}):
        text = f"examples:\n  - name: x\n    value: {{ e: {flow(value)} }}\n"
        if not isinstance(value, dict):
            assert examples_in(Source("x.examples.yaml", text))[0].value["e"] == value


def test_edits_do_not_disturb_each_other() -> None:
    assert edited("one two three", [(0, 3, "1"), (8, 13, "3!"), (4, 7, "")]) == "1  3!"


def test_what_another_program_writes_in_the_meantime_is_not_overwritten(
    toy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = toy.with_name("toy.examples.yaml")

    def write_elsewhere(text: str, edits: list[tuple[int, int, str]]) -> str:
        path.write_text("# theirs\n" + WRONG, encoding="utf-8")
        return edited(text, edits)

    monkeypatch.setattr("gamedsl.lab.examples.update.edited", write_elsewhere)
    assert main(["test", str(toy), "--update"]) == 5
    assert "cannot be written: another program has changed it in the meantime" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "# theirs\n" + WRONG
