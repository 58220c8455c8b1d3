"""Lines: where they go on, which comments and citations belong to them, where empty lines stand."""

from __future__ import annotations

import pytest

from gamedsl.language.source.text import Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.parser import parse_expression, parse_ruleset, parse_text
from gamedsl.language.syntax.print.printer import format_ruleset


def decl(text: str, number: int = 0) -> ast.Decl:
    return parse_text(text).decls[number]


def clauses(line: ast.Line) -> list[str]:
    return [cite.clause for cite in line.notes.cites]


ONE_LINE = "define x = a or b and f(c, d) | {e, g}"


@pytest.mark.parametrize(
    "text",
    [
        "define x =\n  a or b and f(c, d) | {e, g}",
        "define x = a or\n    b and\n  f(c, d) | {e, g}",
        "define x = a\n  or b\n  and f(c, d) | {e, g}",
        "define x = a\nor b and f(c, d) | {e, g}",
        "define x = a or b and f(\nc,\nd\n) | {e,\n g}",
        "define x = a or b and f(c,\n\n\n  d) |\n\n  {e, g}",
        "define x = a or b and f(c, # one\n  # two\n d) |\n  {e, g}",
        "define x = a or b and f(c, d) | {e, g}\r\n",
        "\ufeffdefine x = a or b and f(c, d) | {e, g}",
    ],
)
def test_a_line_goes_on(text: str) -> None:
    one, other = decl(ONE_LINE), decl(text)
    assert isinstance(one, ast.DefineDecl) and isinstance(other, ast.DefineDecl)
    assert other.value == one.value


def test_if_expressions_go_on_at_their_else() -> None:
    long = decl("define x = if a then\n  b\n  else c\n")
    assert isinstance(long, ast.DefineDecl)
    assert long.value == parse_expression("if a then b else c")


@pytest.mark.parametrize(
    "text",
    [
        "state\n  x: bool = no\n  b, c: 0..3\n",
        "state\n  x: 0..3 = count\n  b, c: 0..3\n",
        "play\n  set x to no\n  everyone in {A} plays show\n",
        "play\n  set x to max\n  of(c)\n",
        "play\n  set x to (no\n    c in empty: F)\n",
    ],
)
def test_what_a_word_is_does_not_hang_on_the_line_below(text: str) -> None:
    """`no c in S`, `count c in S` and `max of E` are read as such only where they stand in one line."""
    _, problems = parse_ruleset(Source("x", text))
    assert problems == ()


def test_an_else_of_its_own_does_not_go_on() -> None:
    tree = decl("play\n  if a\n    stop\n  else\n    skip\n")
    assert isinstance(tree, ast.PlayDecl)
    [branching] = tree.body
    assert isinstance(branching, ast.If) and branching.otherwise is not None
    assert branching.otherwise.body == (ast.Skip(),)


def test_a_text_is_not_cut_by_what_it_holds() -> None:
    tree = decl('forbid a "not a # comment, no @4.05, \\" and \\\\ ("  @1  # one')
    assert isinstance(tree, ast.ForbidDecl)
    assert tree.message == 'not a # comment, no @4.05, " and \\ ('
    assert tree.notes == ast.Notes((ast.Cite("1"),), (), "one")


def test_citations_of_all_lines_of_a_statement_are_its_own() -> None:
    line = decl("define x = a  @1 @2.03b\n  or b  @TT-4\n")
    assert isinstance(line, ast.Line)
    assert clauses(line) == ["1", "2.03b", "TT-4"]
    assert [c.span.text for c in line.notes.cites] == ["@1", "@2.03b", "@TT-4"]


def test_comments_inside_a_statement_stand_before_it_the_last_behind() -> None:
    line = decl("# zero\ndefine x = a or  # one\n  # two\n  b or  # three\n  c  # four\n")
    assert isinstance(line, ast.Line)
    assert line.notes.before == ("zero", "one", "two", "three")
    assert line.notes.behind == "four"


def test_comments_at_the_end_of_a_block_go_to_the_next_line() -> None:
    tree = parse_text("play\n  stop\n  # end of play\n\n# about the look\nlook\n  # nothing\n# last\n")
    play, look = tree.decls
    assert isinstance(play, ast.PlayDecl) and isinstance(look, ast.LookDecl)
    assert play.body[0].notes == ast.Notes()
    assert look.notes.before == ("end of play", "about the look")
    assert tree.after == ("nothing", "last")


def test_comments_between_branches_stay_there() -> None:
    tree = decl("play\n  # 1\n  if a\n    # 2\n    stop\n    # 3\n  # 4\n  else  # 5\n    # 6\n    skip\n")
    assert isinstance(tree, ast.PlayDecl)
    [branching] = tree.body
    assert isinstance(branching, ast.If) and branching.otherwise is not None
    assert branching.notes.before == ("1",)
    assert branching.branches[0].notes == ast.Notes()
    assert branching.branches[0].body[0].notes.before == ("2",)
    assert branching.otherwise.notes == ast.Notes((), ("3", "4"), "5")
    assert branching.otherwise.body[0].notes.before == ("6",)


@pytest.mark.parametrize(
    ("raw", "text"),
    [("#", ""), ("# a", "a"), ("#a", "a"), ("#  a ", " a"), ("## a", "# a"), ("# # a", "# a"), ("#\ta", "a")],
)
def test_the_text_of_a_comment(raw: str, text: str) -> None:
    assert parse_text(raw + "\n").after == (text,)


def test_empty_lines_count_where_the_formatter_has_a_choice() -> None:
    text = "\n\nplayers a\n\n\nplayers b\nplayers c\n\nlook\n\n  tint a as b\n\n  tint a as b\n# d\n\nplayers d\n"
    gaps = []
    for d in parse_text(text).decls:
        gaps.append(d.notes.gap)
        gaps += [item.notes.gap for item in d.items] if isinstance(d, ast.LookDecl) else []
    assert gaps == [False, True, False, False, False, True, False]


def test_indentation_may_have_any_width() -> None:
    narrow = parse_text("play\n if a\n  stop\n skip\n")
    wide = parse_text("play\n      if a\n         stop\n      skip\n")
    assert narrow == wide


def test_how_deep_a_definition_calls_itself() -> None:
    """``most`` and ``deep`` are words only there."""
    one = decl("define deep(most: 0..9): 0..9 at most most + deep deep = deep(most)\n")
    assert isinstance(one, ast.DefineDecl)
    assert one.depth == parse_expression("most + deep") and one.value == parse_expression("deep(most)")
    assert (
        format_ruleset(ast.Ruleset((one,))) == "define deep(most: 0..9): 0..9 at most most + deep deep = deep(most)\n"
    )


@pytest.mark.parametrize("op", ["|", "&", "-", "within", "in", "=", "disjoint"])
def test_what_is_reached_stands_last_without_brackets(op: str) -> None:
    last = "reach of f(x) for x from {a}: x in b"
    assert parse_expression(f"s {op} {last}") == parse_expression(f"s {op} ({last})")
