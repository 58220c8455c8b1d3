"""Every clause of the documents is cited by a rule, every citation is a clause, and every clause has an example."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamedsl.lab.examples.example_reader import examples_path, read_examples
from gamedsl.language.rules import check_file
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.resources import resource_path

PARTS = {"t-tic-t-tac-toe": ["rock-paper-scissors", "tic-tac-toe", "t-tic-t-tac-toe-game"]}
NUMBER_OF_CLAUSES = {
    "rock-paper-scissors": 3,
    "tic-tac-toe": 4,
    "t-tic-t-tac-toe-game": 74,
    "t-tic-t-tac-toe": 95,
    "x-s-and-lines": 12,
    "horn-tiles": 15,
    "atreso": 21,
    "abs-trac-toe": 12,
}
RULESETS = sorted(NUMBER_OF_CLAUSES)


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_is_wrong_or_doubtful(name: str) -> None:
    program, found = check_file(name)
    assert program is not None
    assert [f"{d.span}: {d.code} {d.message}" for d in found] == []


@pytest.mark.parametrize("name", RULESETS)
def test_every_clause_is_cited(name: str) -> None:
    program, _ = check_file(name)
    assert program is not None
    cited = {c.clause for c in program.citations}
    assert {number for number, _ in program.clauses} == cited
    assert len(program.clauses) == NUMBER_OF_CLAUSES[name]


@pytest.mark.parametrize("name", RULESETS)
def test_every_clause_has_an_example(name: str) -> None:
    program, _ = check_file(name)
    assert program is not None
    shown: set[str] = set()
    for ruleset in (name, *PARTS.get(name, ())):
        for example in read_examples(examples_path(shipped()[ruleset])):
            shown |= set(example.clauses)
    by_paper = {c.clause for c in program.citations if c.presentation or _is_look(c.span.source.line(c.span.line))}
    by_rule = {
        c.clause for c in program.citations if not c.presentation and not _is_look(c.span.source.line(c.span.line))
    }
    assert {n for n, _ in program.clauses} - shown - (by_paper - by_rule) == set()


def _is_look(line: str) -> bool:
    return line.strip().startswith(("leave ", "say "))


@pytest.mark.parametrize("name", RULESETS)
def test_examples_name_known_clauses(name: str) -> None:
    program, _ = check_file(name)
    assert program is not None
    known = {number for number, _ in program.clauses}
    for example in read_examples(examples_path(shipped()[name])):
        assert set(example.clauses) <= known, example.name


def test_an_unknown_citation_is_an_error(tmp_path: Path) -> None:
    folder = resource_path("rulesets")
    (tmp_path / "clauses").mkdir()
    for file in ("tic-tac-toe.gdl", "clauses/tic-tac-toe.yaml"):
        (tmp_path / file).write_text((folder / file).read_text(encoding="utf-8"), encoding="utf-8")
    ruleset = tmp_path / "tic-tac-toe.gdl"
    text = ruleset.read_text(encoding="utf-8")
    ruleset.write_text(re.sub("@2.03c", "@2.03x", text), encoding="utf-8")
    program, found = check_file(ruleset)
    assert program is None
    assert {d.code for d in found if d.is_error} == {"E0443"}


def test_a_clause_that_nothing_cites_is_reported(tmp_path: Path) -> None:
    folder = resource_path("rulesets")
    (tmp_path / "clauses").mkdir()
    for file in ("tic-tac-toe.gdl", "clauses/tic-tac-toe.yaml"):
        (tmp_path / file).write_text((folder / file).read_text(encoding="utf-8"), encoding="utf-8")
    index = tmp_path / "clauses" / "tic-tac-toe.yaml"
    index.write_text(index.read_text(encoding="utf-8") + '- number: "9.99"\n  text: Nothing.\n', encoding="utf-8")
    program, found = check_file(tmp_path / "tic-tac-toe.gdl")
    assert program is not None
    assert any("9.99" in d.message for d in found if not d.is_error)


def test_paraphrases_are_short() -> None:
    for file in resource_path("rulesets", "clauses").glob("*.yaml"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert len(line) <= 150, f"{file.name}: {line}"
