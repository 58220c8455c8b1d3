"""The generated pages of the reference are fresh and complete, and their examples are sound."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from griffe import Attribute, Class, Function

import gamedsl
from gamedsl.language.rules import check_file
from gamedsl.language.rules.board_words import usual_boards
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS
from gamedsl.language.source import codes
from gamedsl.language.syntax import WordEntry, word_entries
from scripts.reference.__main__ import main, pages, stale
from scripts.reference.builtin_pages import EXAMPLES, WORDS, builtin_pages, relations
from scripts.reference.form_examples import example_ruleset
from scripts.reference.form_facts import forms_of_codes, owners, users
from scripts.reference.grammar_lines import LEVELS, alternatives_of, lines_of
from scripts.reference.markdown import COMMAND, DOCS, ROOT
from scripts.reference.protocol_pages import handlers
from scripts.reference.python_pages import docstring, entries, find, members, signature
from tests.play.web.server.tables import Driven, loaded

MOST_PLIES = 150


def test_the_pages_are_fresh() -> None:
    assert [path.name for path in stale(pages())] == [], f"run `{COMMAND}`"


def test_a_page_that_is_changed_missing_or_left_over_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    all_pages = pages()
    path = "reference/language/put.md"
    assert [p.name for p in stale({**all_pages, path: "# put\n"})] == ["put.md"]
    assert [p.name for p in stale({**all_pages, "reference/language/new.md": "# new\n"})] == ["new.md"]
    assert [p.name for p in stale({p: text for p, text in all_pages.items() if p != path})] == ["put.md"]
    assert main(["--wrong"]) == 2
    assert COMMAND in capsys.readouterr().err


# -------------------------------------------------------------------------------------------------------- forms


def test_every_rule_of_the_grammar_belongs_to_a_form() -> None:
    """Declarations, statements, claims, types, expressions, and lines of a look and of a notation."""
    groups = "declaration _statement _claim _look_line _notation_line _notation_part _move_line _plays_line"
    rules = {rule for group in groups.split() for rule in alternatives_of(group)}
    for level in ("expression", "type"):
        rules |= {rule for name in LEVELS[level].split() for rule in alternatives_of(name)}
    assert rules - owners().keys() == {"paren"}
    assert len(rules) > 100


def test_every_operator_belongs_to_a_form() -> None:
    compares = "EQUAL UNEQUAL LESS LESS_EQUAL MORE MORE_EQUAL IN WITHIN DISJOINT MEETS"
    assert [
        word
        for word in f"{compares} OR AND BAR AMPERSAND PLUS MINUS TIMES DIV MOD".split()
        if f"binary {word}" not in owners()
    ] == []
    assert all(f"unary {word}" in owners() for word in ("NOT", "MINUS"))


def test_titles_differ_and_links_lead_to_forms() -> None:
    titles = [entry.title for entry in word_entries()]
    assert len(titles) == len(set(titles))
    assert [(e.title, s) for e in word_entries() for s in e.see if s not in titles] == []
    assert [(e.title, code) for e in word_entries() for code in e.errors if code not in codes()] == []


@pytest.mark.parametrize("entry", word_entries(), ids=lambda e: e.title)
def test_the_example_of_a_form_checks_and_plays(entry: WordEntry, tmp_path: Path) -> None:
    """No finding, not even a warning, and no rules error in a random game; the example stands in it, and has the form."""
    path = tmp_path / "example.gdl"
    path.write_text(example_ruleset(entry), encoding="utf-8")
    _, found = check_file(path)
    assert [d.message for d in found] == []
    text = path.read_text(encoding="utf-8")
    for line in entry.example.splitlines()[entry.title == "in part" :]:  # the name of its part is that of the original
        assert "".join(line.split()) in "".join(text.split()), line
    rng, state = random.Random(1), gamedsl.load(path).initial_state()
    for _ in range(MOST_PLIES):
        if state.is_terminal:
            break
        state = state.apply(state.propose(rng))


def test_lines_of_the_grammar() -> None:
    assert lines_of(["let"]) == ['let : "let" NAME "=" expression']
    assert lines_of(["verdict WIN"]) == ['verdict : "win" expression [STRING]']
    assert lines_of(["binary PLUS", "binary MINUS"]) == ['binary : expression ("+" | "-") expression']
    assert lines_of(["stuck"]) == ['stuck : "stuck" INDENT statement+ DEDENT']
    assert lines_of(["row_keys"]) == ['row_keys : "else"', '         | expression ("," expression)*']


def test_forms_of_codes() -> None:
    """By the codes' messages: those of a piece that is put, of an index, of dice; most codes of a ruleset have a form."""
    found = forms_of_codes()
    assert (found["E0326"], found["E0302"], found["E0418"]) == ("put", "index", "roll")
    assert len([code for code in found if code.startswith(("E02", "E03", "E04"))]) > 170


def test_users_of_forms() -> None:
    """Counted by hand: `grep -l 'roll' rulesets` and the like."""
    assert "pig" in users()["roll"] and "backgammon" in users()["roll"] and "hex" not in users()["roll"]
    assert "discard" not in users()
    assert "tsuro" in users()["tuple type"]


# -------------------------------------------------------------------------------------------------------- Python


def test_every_name_of_the_face_and_every_member_has_a_docstring() -> None:
    missing = [
        f"{package}.{name}"
        for _, package, name, thing in entries()
        if not isinstance(thing, Attribute) and not docstring(thing)
    ]
    for _, _, name, thing in entries():
        for member in members(thing).values() if isinstance(thing, Class) else ():
            if (isinstance(member, Function) or "property" in member.labels) and not docstring(member, thing):
                missing.append(f"{name}.{member.name}")
    assert missing == []


def test_every_name_that_the_docs_import_has_an_entry() -> None:
    """What pages of users import; the pages for contributors may take anything."""
    known = {(package, name) for _, package, name, _ in entries()}
    texts = [p.read_text(encoding="utf-8") for p in [ROOT / "README.md", *(DOCS / "guide").glob("*.md")]]
    imports = [m for text in texts for m in re.finditer(r"^from (gamedsl[\w.]*) import ([\w, ]+)$", text, re.M)]
    asked = {(m[1], name.strip()) for m in imports for name in m[2].split(",")}
    assert len(asked) > 20
    assert asked - known == set()


def test_a_signature_is_that_of_the_code() -> None:
    """Copied from the sources: positional-only, keyword-only, defaults, inherited members."""
    assert "name: str | Path,\n    /,\n" in signature(_function("gamedsl", "load"))
    assert signature(_function("gamedsl.engine", "perft")) == (
        "perft(state: State, depth: int, divide: bool = False) -> int | dict[str, int]"
    )
    game = find("gamedsl", "Game")
    assert isinstance(game, Class)
    assert {"digest", "num_actions", "parse_move"} <= members(game).keys()  # of three classes


def _function(package: str, name: str) -> Function:
    found = find(package, name)
    assert isinstance(found, Function)
    return found


# ---------------------------------------------------------------------------------------- builtins, formats, protocol


def test_every_builtin_word_and_relation_of_a_grid_has_an_example_with_its_value() -> None:
    assert EXAMPLES.keys() == BUILTINS.keys()
    assert WORDS.keys() == LANGUAGE_WORDS.keys()
    asked = {re.findall(r"\w+", expression)[0] for expression in relations()}
    assert {r.name for r in usual_boards()[0][1].relations.values()} - asked - EXAMPLES.keys() == set()


def test_values_of_the_examples() -> None:
    """Read off the diagram of the page by a person."""
    [(_, text)] = builtin_pages()
    assert "- `count(mark[X])` is `3`" in text
    assert "- `neighbors(c3)` is `{b3, c2, c4, d3}`" in text
    assert "- `supply(grey)` is `9`" in text
    assert "| `distance(a1, c4)` | `5` |" in text
    assert "| `step(c5, north)` | `none` |" in text


def _rows(section: str) -> list[list[str]]:
    """The cells of all tables of a section of the protocol, without their heads."""
    text = (DOCS / "reference" / "protocol.md").read_text(encoding="utf-8")
    lines = text.partition(f"## {section}\n")[2].partition("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    heads = {at - 1 for at, row in enumerate(cells) if row[0] == "---"}
    return [row for at, row in enumerate(cells) if at not in heads and row[0] != "---"]


def test_the_protocol_explains_every_address_and_request() -> None:
    assert len(_rows("Addresses")) == 12 and all(all(row) for row in _rows("Addresses"))
    requests = {row[0].strip("`"): row[3] for row in _rows("Messages of a page to the server")}
    assert requests.keys() == {"hello", *handlers()} and all(requests.values())


def test_the_protocol_has_every_field_that_a_table_sends() -> None:
    driven = Driven(loaded("tic-tac-toe"))
    driven.make(driven.play.state.legal_moves(0)[0])
    sent = {(data["kind"], field) for frame in driven.frames[0] for data in [json.loads(frame)] for field in data}
    rows = [row for row in _rows("Messages of the server to a page") if len(row) == 3]
    listed = {(kind.strip("`"), field.strip("`")) for kind, field, _ in rows}
    assert {(kind, field) for kind, field in sent if field != "kind"} == {
        pair for pair in listed if pair[0] in ("welcome", "update")
    }
    assert all(meaning for _, _, meaning in rows)
    assert {kind for kind, _ in listed} == {"welcome", "update", "messages", "answer", "error"}
