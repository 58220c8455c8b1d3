"""The examples of the shipped rulesets, and the runner itself: what it finds wrong, and how it says so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from gamedsl.lab.examples.example_reader import SORTS, examples_in, examples_path
from gamedsl.lab.examples.runner import ExampleResult, both_files, report, run_examples
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source

RULESETS = sorted(shipped())

TOY = """\
game "Toy"
players A, B
option n: 2..4 = 3
type colour = {red, green}
board grid n by n
piece man of player, stacking
piece stone
piece pawn of player, 2 each
piece tower of player, 3 each, stacking
piece fence, hedge on edge
state
  seen: player -> set of cell
  points: player -> 0..9
  shade: colour
  last: cell?
move put_man(c: cell) written "{c}"
  when c not in stone "a stone stands there" @R1
  when c not in man[rival] "taken"
  put man[me] on c
  set last to c
  add 1 to points[me]
play
  turns from A
    me plays put_man
    if points[me] = 3
      rank by points
look
  show man[p] as "{p}" for p in players
  show stone as "#"
"""


def run_toy(tmp_path: Path, examples: str) -> list[ExampleResult]:
    (tmp_path / "toy.gdl").write_text(TOY, encoding="utf-8")
    (tmp_path / "toy.examples.yaml").write_text(examples, encoding="utf-8")
    return run_examples(tmp_path / "toy.gdl")


def problems(tmp_path: Path, body: str) -> list[str]:
    """What is wrong with one example, given by the lines that stand under its name."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    (result,) = run_toy(tmp_path, f"examples:\n  - name: it\n{lines}\n")
    return list(result.problems)


@pytest.mark.parametrize("name", RULESETS)
def test_shipped_examples(name: str) -> None:
    results = run_examples(name)
    assert results
    assert [f"{r.name}: {p}" for r in results for p in r.problems] == []


def test_the_schema_is_one() -> None:
    schema = json.loads(resource_path("grammar", "examples.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)


GOOD = [
    "legal_count: 9",
    "moves: [a1]\nto_move: B\nillegal: [a1, {move: a1, says: taken}]\nlegal: [b2]",
    "options: {n: 2}\nonly: [a1, a2, b1, b2]",
    "moves: [a1, b1, a2, b2, a3]\nresult: {winners: [A], scores: {A: 3, B: 2}}\nto_move: end",
    "moves: [a1]\nvalue: {'last': a1, 'points[A]': 1, 'man[A]': [a1], 'shade': red, 'A = B': false, 'height(a1)': 1}",
    "value: {'last': null, 'man[A]': []}",
    "set: {shade: green, last: b2, points: {B: 7}, stone: [a1, b1]}\nvalue: {'shade': green, 'last': b2, 'points[B]': 7}",
    "set: {stone: '= top_row'}\nillegal: [{move: a3, clause: R1, says: a stone}]\nlegal_count: 6",
    "set: {man: {A: [a1, a1, b2], B: []}}\nvalue: {'height(a1)': 2, 'height(b2)': 1, 'count(man[A])': 2}",
    "moves: [a1]\nset: {stone: [c1]}\nboard: ['. . .', '. . .', 'A . #']",
    "set: {stone: [a1]}\nthen: [b1]\nto_move: B",
    "random: {seed: 4, plies: 2}\nto_move: A",
    "random: {seed: 4}\nto_move: end",
    "perft: [9, 72]",
    "illegal: [{move: nonsense, says: not a move}]",
]


@pytest.mark.parametrize("body", GOOD)
def test_examples_that_hold(tmp_path: Path, body: str) -> None:
    assert problems(tmp_path, body) == []


BAD = [
    ("legal_count: 8", "9 moves are legal, not 8"),
    ("to_move: B", "to move: A, not B"),
    ("to_move: a", "a is none of A, B, chance, end; did you mean A?"),
    ("options: {n: 2}\nset: {stone: [a1, a2, b1]}\nlegal_count: 2", "1 move is legal, not 2"),
    ("moves: [a1]\nlegal: [a1]", "a1 should be legal, but: taken"),
    ("legal: [z9]", "z9 should be legal"),
    ("illegal: [a1]", "a1 should be refused, but is legal"),
    ("illegal: [a11]", "a11 is not a move of this game (near it: a1"),
    ("moves: [a1]\nillegal: [{move: a1, clause: R1}]", "a1 should be refused by R1, but the reason is: taken"),
    ("moves: [a1]\nillegal: [{move: a1, says: stone}]", "a1 should be refused with 'stone'"),
    ("only: [a1]", "legal beyond those listed: a2, a3, b1"),
    ("moves: [a1]\nonly: [a1, a2, a3, b1, b2, b3, c1, c2, c3]", "listed but not legal: a1"),
    ("result: {winners: [A]}", "the game is not over"),
    ("moves: [a1, b1, a2, b2, a3]\nresult: {winners: []}", "winners: A, not nobody"),
    ("moves: [a1, b1, a2, b2, a3]\nresult: {scores: {A: 2, B: 2}}", "scores: A 3, B 2, not A 2, B 2"),
    ("moves: [a1, b1, a2, b2, a3]\nresult: {winners: [Anne]}", "Anne is none of A, B"),
    ("value: {'points[A]': 4}", "points[A] is 0, not 4"),
    ("value: {'points[A]': '0'}", 'points[A] is 0, not the string "0"'),
    ("value: {'pionts[A]': 0}", "E0201"),
    ("value: {'(': 0}", "E01"),
    ("moves: [a1, a1]\nlegal_count: 1", "move 2, a1, is not legal: taken"),
    ("moves: [a1, b11]\nlegal_count: 1", "move 2: E0501 'b11' is not a move of this game (near it: b1"),
    ("moves: [a1, b1, a2, b2, a3, c1]\nlegal_count: 1", "move 6, c1: the game is over"),
    ("board: ['. . .']", "the board is"),
    ("perft: [9, 71]", "72 sequences of length 2, not 71"),
    ("options: {n: 9}\nlegal_count: 1", "E0006"),
]


@pytest.mark.parametrize(("body", "told"), BAD)
def test_examples_that_fail(tmp_path: Path, body: str, told: str) -> None:
    found = problems(tmp_path, body)
    assert any(told in p for p in found), found


POSITIONS = [
    ("set: {colour: red}", "there is no variable or piece called colour", "3:11", ""),
    ("set: {shaed: red}", "there is no variable or piece called shaed", "3:11", ""),
    ("set: {shade: blue}", "'blue' is not one of {red, green}", "3:18", ""),
    ("set: {last: d4}", "'d4' is not one of cell", "3:17", ""),
    ("set: {points: 4}", "it needs a value for each player", "3:19", ""),
    ("set: {points: {C: 4}}", "C is none of A, B", "3:20", ""),
    ("set: {points: {A: 10}}", "10 is outside 0 to 9", "3:23", ""),
    ("set: {points: {A: -1}}", "-1 is outside 0 to 9", "3:23", ""),
    ("set: {points: {A: true}}", "True is not", "3:23", ""),
    ("set: {stone: [a1, b9]}", "'b9' is not one of cell", "3:23", ""),
    ("set: {stone: a1}", "'a1' is not", "3:18", ""),
    # one piece a cell, unless it is one on top of its like
    (
        "set: {man: {A: [a1, b2], B: [c1, b2]}}",
        "man[A] and man[B] both have a piece on b2",
        "3:25",
        "omit b2 in one of them",
    ),
    (
        "set: {stone: [a1], man: {A: [a1]}}",
        "man[A] and stone both have a piece on a1",
        "3:34",
        "omit a1 in one of them",
    ),
    (
        "moves: [a1]\nset: {stone: [c3, a1]}",
        "stone and man[A] both have a piece on a1",
        "4:23",
        "omit a1 in one of them",
    ),
    ("moves: [a1]\nset: {stone: '= {a1, b1}'}", "stone and man[A] both have a piece on a1", "4:18", "omit a1"),
    ("set: {stone: [a1, b1, a1]}", "a1 is named twice", "3:27", "name it once"),
    # no more than there are
    ("set: {pawn: {A: [a1, b1, c1]}}", "3 pieces pawn[A] are set, but there are only 2", "3:21", "name at most 2"),
    (
        "set: {tower: {A: [a1, a1, b1, b1]}}",
        "4 pieces tower[A] are set, but there are only 3",
        "3:22",
        "name at most 3",
    ),
    ("set: {tower: {A: [a1, a1, a1, a1]}}", "4 pieces are on a1; at most 3 can be", "3:22", ""),
]


@pytest.mark.parametrize(("body", "told", "place", "cure"), POSITIONS)
def test_positions_that_cannot_be(tmp_path: Path, body: str, told: str, place: str, cure: str) -> None:
    """Refused at the line and column of the value, before anything is asked of the position."""
    rows = "\n".join(f"    {line}" for line in [*body.splitlines(), "legal_count: 1"])
    with pytest.raises(GameDSLError) as caught:
        run_toy(tmp_path, f"examples:\n  - name: it\n{rows}\n")
    (found,) = caught.value.diagnostics
    assert found.code == "E0644"
    assert told in found.message
    assert f"{found.span}".endswith(f"toy.examples.yaml:{place}")
    assert cure.lower() in found.help.lower()


POSSIBLE = [
    "set: {man: {A: [a1, a1, a1], B: [b1]}}\nvalue: {'height(a1)': 3}",
    "set: {pawn: {A: [a1, b1], B: [a2, b2]}}\nvalue: {'supply(pawn[A])': 0}",
    "set: {tower: {A: [a1, a1, a1]}}\nvalue: {'supply(tower[A])': 0}",
    "set: {fence: ['a1/b1'], man: {A: [a1]}}\nvalue: {'count(fence)': 1}",  # fences stand beside the cells
    "set: {hedge: ['a1/b1'], fence: ['a1/b1']}\nvalue: {'count(hedge & fence)': 1}",
    "set: {seen: {A: [a1], B: [a1]}}\nvalue: {'seen[A] = seen[B]': true}",  # sets of cells are no pieces
    "moves: [a1]\nset: {man: {A: []}, stone: [a1]}\nvalue: {'count(stone)': 1}",
]


@pytest.mark.parametrize("body", POSSIBLE)
def test_positions_that_can_be(tmp_path: Path, body: str) -> None:
    assert problems(tmp_path, body) == []


def test_every_position_that_cannot_be_is_told(tmp_path: Path) -> None:
    wrong = "  - {name: it, set: {points: {A: 10}}, legal_count: 1}\n"
    with pytest.raises(GameDSLError) as caught:
        run_toy(tmp_path, f"examples:\n{wrong}{wrong}")
    assert [d.span.line for d in caught.value.diagnostics] == [2, 3]


WRONG_FILES = [
    ("examples:\n  - name: a\n    leagl: [a1]\n    perft: [9]\n", "E0640", "/examples/0"),
    ("examples:\n  - name: a\n", "E0641", "/examples/0"),
    ("examples:\n  - perft: [9]\n", "E0641", "/examples/0"),
    ("examples: []\n", "E0643", "/examples"),
    ("exampels:\n  - name: a\n    perft: [9]\n", "E0640", ""),
    ("examples:\n  - name: a\n    perft: [nine]\n", "E0642", "/examples/0/perft/0"),
    ("examples:\n  - name: a\n    perft: [-1]\n", "E0643", "/examples/0/perft/0"),
    ("examples:\n  - name: a\n    illegal: [{mvoe: a1}]\n", "E0640", "/examples/0/illegal/0"),
    ("examples:\n  - name: a\n    opening: there\n    perft: [9]\n", "E0643", "/examples/0/opening"),
    ("examples:\n  - &x {name: a, perft: [9]}\n  - *x\n", "E0603", "/examples/0"),
    ("examples:\n  - name: yes\n    perft: [9]\n", "E0610", "/examples/0/name"),
    ("examples: [\n", "E0602", ""),
    ("[]\n", "E0642", ""),
]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("[]", "expected keys with values, not []"),
        ("examples: 7", "expected a list, not 7"),
        ("examples: [{name: 5, perft: [9]}]", "expected text, not 5"),
        ("examples: [{name: a, perft: [nine]}]", 'expected a whole number, not "nine"'),
    ],
)
def test_sorts_of_values_are_named_in_words(written: str, said: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        examples_in(Source("a.examples.yaml", written))
    assert said in [d.message for d in problem.value.diagnostics]


def test_every_sort_of_the_schema_has_a_word() -> None:
    schema = resource_path("grammar", "examples.schema.json").read_text(encoding="utf-8")
    sorts = re.findall(r'"type": "(\w+)"', schema) + re.findall(
        r'"(\w+)"', "".join(re.findall(r'"type": \[(.*?)\]', schema))
    )
    assert sorts and set(sorts) <= set(SORTS)


@pytest.mark.parametrize(("text", "code", "pointer"), WRONG_FILES)
def test_files_that_are_wrong(text: str, code: str, pointer: str) -> None:
    with pytest.raises(GameDSLError) as problem:
        examples_in(Source("x.examples.yaml", text))
    found = {(d.code, d.pointer) for d in problem.value.diagnostics}
    assert (code, pointer) in found


def test_a_misspelt_key_is_guessed() -> None:
    with pytest.raises(GameDSLError) as problem:
        examples_in(Source("x.examples.yaml", "examples:\n  - name: a\n    leagl: [a1]\n    perft: [9]\n"))
    (found,) = problem.value.diagnostics
    assert found.near[0] == "legal" and found.span.line == 3


def test_an_example_knows_its_place(tmp_path: Path) -> None:
    (result,) = run_toy(tmp_path, "# a comment\nexamples:\n  - name: it\n    legal_count: 1\n")
    assert result.span.line == 3 and not result.passed
    assert result.to_json()["passed"] is False


def test_the_report(tmp_path: Path) -> None:
    results = run_toy(tmp_path, "examples:\n  - {name: a, legal_count: 9}\n  - {name: b, legal_count: 8}\n")
    text = report("toy", results)
    assert "FAIL" in text and "b" in text and text.endswith("toy: 1 of 2 examples failed")
    assert "ok " in report("toy", results, verbose=True)
    assert report("toy", results[:1]) == "toy: 1 example passed"


def test_the_file_of_examples_may_be_named_itself(tmp_path: Path) -> None:
    run_toy(tmp_path, "examples:\n  - {name: a, legal_count: 9}\n")
    ruleset, examples = both_files(str(tmp_path / "toy.examples.yaml"))
    assert ruleset == tmp_path / "toy.gdl" and examples == examples_path(ruleset)


def test_no_examples(tmp_path: Path) -> None:
    (tmp_path / "toy.gdl").write_text(TOY, encoding="utf-8")
    with pytest.raises(UsageError):
        run_examples(tmp_path / "toy.gdl")


def test_an_example_may_begin_at_a_position(toy_position: Path) -> None:
    assert [r.problems for r in run_examples(toy_position)] == [(), ()]


def test_a_position_that_cannot_be_is_refused_at_its_place(toy_position: Path) -> None:
    examples = examples_path(toy_position)
    examples.write_text(examples.read_text(encoding="utf-8").replace("X X .", "X W ."), encoding="utf-8")
    with pytest.raises(GameDSLError) as problem:
        run_examples(toy_position)
    (found, *_) = problem.value.diagnostics
    assert (found.code, found.span.line, found.span.text) == ("E0651", 4, "W")


@pytest.fixture
def toy_position(tmp_path: Path) -> Path:
    ruleset = tmp_path / "tic-tac-toe.gdl"
    ruleset.write_text(shipped()["tic-tac-toe"].read_text(encoding="utf-8"), encoding="utf-8")
    examples_path(ruleset).write_text(
        """examples:
  - name: a row is closed
    position:
      board: ["X X .", ". O .", "O . ."]
    moves: [c3]
    result: { winners: [X] }
  - name: and stopped
    position: { to_move: O, board: ["X X .", ". . .", "O . ."] }
    moves: [c3]
    to_move: X
    legal_count: 5
""",
        encoding="utf-8",
    )
    return ruleset


def test_me_is_the_player_to_move_in_values(tmp_path: Path) -> None:
    assert problems(tmp_path, "moves: [a1]\nvalue: { me: B, 'man[rival]': [a1], 'man[me]': [] }\n") == []


def test_nobody_is_to_move_at_the_end(tmp_path: Path) -> None:
    (text,) = problems(tmp_path, "moves: [a1, b1, a2, b2, a3]\nvalue: { 'man[me]': [] }\n")
    assert "E0330" in text or "no player" in text


def test_how_a_set_is_written(tmp_path: Path) -> None:
    (text,) = problems(tmp_path, "value: { 'man[A]': '{}' }\n")
    assert text == 'man[A] is {}, not the string "{}" (a set is written as a list: [a1, b2], or [])'


def test_fields_of_pieces_are_set_by_either_name(tmp_path: Path) -> None:
    (tmp_path / "men.gdl").write_text(TOY.replace("piece fence", "piece guard of player\n  rank: 1..3\npiece fence"))
    for name in ("rank", "cell.rank"):
        (tmp_path / "men.examples.yaml").write_text(
            f"examples:\n  - name: it\n    set: {{ guard: {{ A: [a1] }}, {name}: {{ a1: 2 }} }}\n    value: {{ a1.rank: 2 }}\n"
        )
        assert [r.problems for r in run_examples(tmp_path / "men.gdl")] == [()]
