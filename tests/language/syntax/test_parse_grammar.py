"""The grammar file: every terminal has a name, every rule an example, and the words are where the code says they are."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.parse.language import HARD_WORDS, language
from gamedsl.language.syntax.parse.push_parser import Token
from gamedsl.language.syntax.parser import declaration_words, parse_expression, parse_ruleset
from gamedsl.language.syntax.print.print_statements import STATEMENT_WORDS

GRAMMAR = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")
RULE = re.compile(r"^[?!]?(_?[a-z][a-z_]*)(?:\{.*?\})?:")


def sections() -> dict[str, list[str]]:
    """The lines of the grammar by the headings between them."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in GRAMMAR.splitlines():
        heading = re.match(r"// =+ ([a-z]+)$", line)
        if heading:
            name = heading.group(1)
        found.setdefault(name, []).append(line)
    return found


def examples(section: str) -> list[tuple[str, str]]:
    """Rule and example, for every example that stands above a rule (several are set off by many spaces)."""
    found: list[tuple[str, str]] = []
    above = ""
    for line in sections()[section]:
        rule = RULE.match(line)
        if rule and above:
            found += [(rule.group(1), text) for text in re.split(r" {4,}", above)]
        above = line.removeprefix("// ") if line.startswith("// ") else ""
    return found


def test_every_terminal_has_a_name() -> None:
    assert [t for t in language().texts if t.startswith("__")] == []


def test_every_rule_that_reads_a_line_has_an_example() -> None:
    missing = []
    for section in ("declarations", "statements"):
        lines = sections()[section]
        for above, line in pairwise(lines):
            rule = RULE.match(line)
            if rule and not rule.group(1).startswith("_") and not above.startswith("//"):
                missing.append(rule.group(1))
    # Parts of lines whose example stands above the rule that holds them.
    assert set(missing) <= {"binding", "names"}


@pytest.mark.parametrize(("rule", "text"), examples("statements"))
def test_the_examples_of_statements_are_read(rule: str, text: str) -> None:
    if "..." in text or rule in ("else_if", "else_branch", "until", "may_pass", "stuck") or rule.startswith("_"):
        return
    bare, block = (parse_ruleset(Source("x", f"action a\n  {text}\n{body}"))[1] for body in ("", "    stop\n"))
    assert not bare or not block, bare


@pytest.mark.parametrize(("rule", "text"), examples("declarations"))
def test_the_examples_of_declarations_are_read(rule: str, text: str) -> None:
    holders = {
        "header": 'game "x"\n  {}\n',
        "graph_nodes": "board graph\n  {}\n",
        "graph_links": "board graph\n  {}\n",
        "graph_place": "board graph\n  {}\n",
        "graph_ring": "board graph\n  {}\n",
        "around": "board graph\n  ring a, b {}\n",
        "graph_path": "board graph\n  {}\n",
        "stroke": "board drawing up to 4 spaces\n  {}\n",
        "variable": "state\n  {}\n",
        "table_row": "table t: cell -> 0..3\n  {}\n",
        "guard": "move m\n  {}\n",
        "info_line": "info\n  {}\n",
        "show": "look\n  {}\n",
        "stroke_look": "look\n  {}\n",
        "tint": "look\n  {}\n",
        "beside": "look\n  {}\n",
        "leave": "look\n  {}\n",
        "notation": '{}\n  board "/"\n',
        "notation_board": "notation n\n  {}\n",
        "notation_text": "notation n\n  {}\n",
        "notation_item": "notation n\n  text {}\n",
        "notation_any": "notation n\n  {}\n",
        "notation_count": "notation n\n  {}\n",
        "notation_moves": 'notation n\n  {}\n    text "x"\n',
        "notation_apart": "notation n\n  move m\n    {}\n",
        "notation_after": "notation n\n  {}\n",
    }
    conditions = ("simple", "slope", "apart", "crosses_once", "crosses", "avoids_crossings", "new_ends")
    holders |= dict.fromkeys(conditions, "board drawing up to 4 spaces\n  a: open curve\n    {}\n")
    whole = rule != "in_phase" and text.split(" ", 1)[0] in declaration_words(language())
    if rule in holders or whole:
        assert parse_ruleset(Source("x", holders.get(rule, "{}\n").format(text)))[1] == ()


@pytest.mark.parametrize(("rule", "text"), examples("expressions"))
def test_the_examples_of_expressions_are_read(rule: str, text: str) -> None:
    if rule in ("if_expr", "quantified", "fold", "fold_or", "after", "ref", "call"):
        parse_expression(text)


def test_the_examples_behind_alternatives_are_read() -> None:
    found = [m.group(1) for line in sections()["expressions"] if (m := re.search(r"-> [a-z_]+ +// (.+)$", line))]
    assert len(found) > 25
    for text in found:
        parse_expression(text)


def test_words_that_are_never_names_are_keywords() -> None:
    assert set(language().keywords) >= HARD_WORDS


def test_the_words_of_statements() -> None:
    parser = language().push("declaration")
    for kind in ("MOVE", "NAME", "_NL", "_INDENT"):
        parser.feed(Token(kind, ""))
    texts = language().texts
    words = {texts[t] for t in parser.accepts() if t in texts and texts[t].isalpha()}
    assert words | {"until", "else"} == STATEMENT_WORDS


def test_the_words_of_declarations() -> None:
    assert declaration_words(language()) == {
        "game", "use", "in", "variant", "remove", "players", "option", "type", "board", "shape", "piece", "token", "state", "table",
        "define", "action", "move", "forbid", "play", "claim", "look", "notation", "info", "part",
    }  # fmt: skip


def test_shipped_files_are_found_in_the_source_tree() -> None:
    assert resource_path("grammar", "gamedsl.lark").is_file()
    assert resource_path("rulesets", "tic-tac-toe.gdl").is_file()
    assert not resource_path("rulesets", "no such game").exists()
