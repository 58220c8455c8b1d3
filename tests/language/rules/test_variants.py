"""Variants: what a declaration of a variant does to the original's, as laws over all shipped rulesets; messages; info."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.language.rules import check_file, load_program, shipped
from gamedsl.language.rules.error_report import Report
from gamedsl.language.rules.files import Files, find_ruleset
from gamedsl.language.rules.variants import apply_changes, key_of
from gamedsl.language.source import GameDSLError
from gamedsl.language.syntax import ast, format_ruleset, node_text
from gamedsl.language.syntax.parser import parse_text
from tests.shipped_sample import sampled

MOST_LINES = 4  # of a variant, besides the declaration itself


def tree_of(name: str) -> tuple[ast.Decl, ...]:
    report = Report()
    return Files(report).load_first(find_ruleset(name)).tree


def digest(name: str | Path) -> str:
    return InterpretedGame(load_program(name)).digest


Single = tuple[tuple[str, ...], ast.Decl, str]


def single_declarations(decls: tuple[ast.Decl, ...]) -> Iterator[Single]:
    """Every single declaration of a ruleset: the parts that it stands in, and the line that removes it."""
    for d in decls:
        if isinstance(d, ast.PartDecl):
            yield from (((d.name.id, *where), x, gone) for where, x, gone in single_declarations(d.decls))
        else:
            yield from (((), x, gone) for x, gone in lines_in(d))


@cache
def lines_in(d: ast.Decl) -> list[tuple[ast.Decl, str]]:
    """The declarations of a single name that one declaration consists of."""
    kind, name = key_of(d)
    match d:
        case ast.StateDecl(variables):
            return [
                (replace(d, variables=(replace(v, names=(n,)),)), f"remove state {n.id}")
                for v in variables
                for n in v.names
            ]
        case ast.PieceDecl(names):
            return [(replace(d, names=(n,)), f"remove piece {n.id}") for n in names]
        case ast.InfoDecl(items):
            named = [i for i in items if i.name or (i.key in ("about", "goal") and i.condition is None)]
            return [(replace(d, items=(i,)), f"remove {i.key} {i.name.id if i.name else ''}".rstrip()) for i in named]
        case ast.ClaimDecl() | ast.ForbidDecl():
            return [(d, node_text(ast.RemoveDecl(kind, ast.Name(name))) or "")]
        case _:
            return [(d, f"remove {kind} {name}".rstrip())]


def variant_text(where: tuple[str, ...], below: str) -> tuple[str, int]:
    """The declarations of a variant with something below `in part`, and how many lines are not its own."""
    head = ['variant of "x.gdl"']
    for depth, part in enumerate(where):
        head.append("  " * depth + f"in part {part}")
    inset = "  " * len(where)
    return "\n".join([*head, *(inset + line for line in below.rstrip("\n").split("\n"))]) + "\n", len(head)


def changed(base: tuple[ast.Decl, ...], where: tuple[str, ...], below: str) -> tuple[ast.Decl, ...]:
    text, more = variant_text(where, below)
    assert more <= MOST_LINES
    report = Report()
    result = apply_changes(base, parse_text(text).decls, report)
    assert not report.found, (text, list(report.found.values()))
    return result


@cache
def texts_of(d: ast.Decl) -> list[str]:
    if isinstance(d, ast.InfoDecl):
        return [node_text(item) or "" for item in d.items]
    return [text_of(x) for x, _ in lines_in(d)]


@cache
def text_of(d: ast.Decl) -> str:
    return format_ruleset(ast.Ruleset((replace(d, notes=ast.Notes()),)))


def ordered(decls: tuple[ast.Decl, ...]) -> list[str]:
    """The single declarations as text."""
    found: list[str] = []
    for d in decls:
        inner = ordered(d.decls) if isinstance(d, ast.PartDecl) else texts_of(d)
        found += [f"{d.name.id if isinstance(d, ast.PartDecl) else ''}: {x}" for x in inner]
    return found


def lines_of(decls: tuple[ast.Decl, ...]) -> Counter[str]:
    return Counter(ordered(decls))


@pytest.mark.parametrize("name", sampled(shipped(), "single declarations"))
def test_every_single_declaration_can_be_replaced_removed_and_added(name: str) -> None:
    """Of a part, too: replaced by itself nothing changes; removed, it alone is missing; added again, all is there."""
    base = tree_of(name)
    whole, order = lines_of(base), ordered(base)
    for where, d, removal in single_declarations(base):
        text = text_of(d)
        again = changed(base, where, text)
        assert lines_of(again) == whole, text
        assert ordered(again) == order or isinstance(d, ast.StateDecl | ast.PieceDecl), text
        without = lines_of(changed(base, where, removal))
        assert not without - whole
        assert sum((whole - without).values()) == 1, removal
        assert lines_of(changed(changed(base, where, removal), where, text)) == whole, removal


@pytest.mark.parametrize("name", sampled(shipped(), "says everything again"))
def test_a_variant_that_says_everything_again_is_the_same_ruleset(name: str, tmp_path: Path) -> None:
    tree = tree_of(name)
    own = format_ruleset(ast.Ruleset(tuple(d for d in tree if not isinstance(d, ast.InPartDecl))))
    file = tmp_path / f"{name}.variant.gdl"
    file.write_text(f'variant of "{name}.gdl"\n\n{own}', encoding="utf-8")
    assert digest(file) == digest(name)


# ------------------------------------------------------------------------------------------------- reaching inside


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.gdl"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_move_of_a_used_ruleset_is_changed(tmp_path: Path) -> None:
    """The match plays another file; its variant reaches into that one in four lines and the move."""
    file = write(
        tmp_path, "swift",
        'variant of "t-tic-t-tac-toe.gdl"\n\nin part small\n  remove info\n',
    )  # fmt: skip
    program = load_program(file)
    assert [bool(p.info) for p in program.parts if p.name == "small"] == [False]
    assert InterpretedGame(program).digest == digest("t-tic-t-tac-toe")


def test_a_variant_of_a_variant_reaches_into_the_same_part(tmp_path: Path) -> None:
    write(tmp_path, "one", 'variant of "atreso.gdl"\n\nin part battle\n  define extra = 1\n')
    two = write(tmp_path, "two", 'variant of "one.gdl"\n\nin part battle\n  remove define extra\n')
    assert digest(two) == digest("atreso")


def test_several_names_of_one_line_are_replaced_one_by_one(tmp_path: Path) -> None:
    base = "players X, O\nboard grid 3 by 3\npiece a, b, c of player\nstate\n  m, n: 0..3\n"
    changes = 'variant of "x.gdl"\npiece b of player, seen by owner\nstate\n  n: 0..9\n'
    report = Report()
    found = apply_changes(parse_text(base).decls, parse_text(changes).decls, report)
    assert format_ruleset(ast.Ruleset(found)) == format_ruleset(
        parse_text(
            "players X, O\nboard grid 3 by 3\npiece a, c of player\npiece b of player, seen by owner\n"
            "state\n  m: 0..3\n  n: 0..9\n"
        )
    )


def test_changes_outside_a_variant_are_refused_even_in_a_part(tmp_path: Path) -> None:
    file = write(tmp_path, "x", "players X, O\n\npart p\n  remove move go\n\n  in part q\n    remove look\n")
    _, found = check_file(file)
    assert [d.code for d in found if d.code == "E0438"] == ["E0438", "E0438"]


# -------------------------------------------------------------------------------------------------------- messages


def test_a_header_keeps_what_it_does_not_name(tmp_path: Path) -> None:
    """`clauses` was dropped, so that every citation of the original was unknown (E0443)."""
    file = write(tmp_path, "v", 'variant of "t-tic-t-tac-toe.gdl" with super_from_ply = 3\n\ngame "Mine"\n  by "Me"\n')
    program, found = check_file(file)
    assert found == []
    assert program is not None
    assert program.title == "Mine"
    assert program.clauses == load_program("t-tic-t-tac-toe").clauses
    assert program.parts[0].by == "Me"
    assert program.parts[0].source == load_program("t-tic-t-tac-toe").parts[0].source


def test_an_error_in_the_original_points_at_the_line_of_the_variant_that_causes_it(tmp_path: Path) -> None:
    file = write(tmp_path, "v", 'variant of "chess.gdl"\n\nremove define castling_way\n')
    _, found = check_file(file)
    assert found
    assert {Path(d.span.source.path).name for d in found} == {"v.gdl"}
    assert {d.span.line for d in found} == {3}
    assert all(any(Path(x.span.source.path).name == "chess.gdl" for x in d.labels) for d in found)


def test_warnings_about_the_original_are_not_the_variants(tmp_path: Path) -> None:
    """A variant that does not castle leaves five helpers of chess unused; its author cannot change them."""
    file = write(tmp_path, "v", 'variant of "chess.gdl"\n\nremove look\nremove notation san\nremove notation fen\n')
    assert check_file(file)[1] == []
    own = write(tmp_path, "w", 'variant of "nim.gdl"\n\ndefine unused = 1\n')
    assert [d.code for d in check_file(own)[1]] == ["W0901"]


# ------------------------------------------------------------------------------------------------------------ info


def texts(name: str | Path, **options: str | int | bool) -> list[tuple[str, str]]:
    return [(p.key, p.text) for p in load_program(name, options).parts[0].info]


BASE = """players X, O

board grid 3 by 3

piece mark of player

option misere: bool = no

move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c

play
  turns from X
    me plays place
    if empty = {}
      draw

info
  about "a"
  goal "win" if not misere
  goal "lose" if misere
  rule "one"
  rule two "two"
  note "n"
"""


def test_info_is_replaced_by_key_and_by_name(tmp_path: Path) -> None:
    write(tmp_path, "base", BASE)
    by_key = write(tmp_path, "k", 'variant of "base.gdl"\ninfo\n  goal "G"\n  rule "R"\n')
    assert texts(by_key) == [("about", "a"), ("goal", "G"), ("rule", "R"), ("note", "n")]
    by_name = write(tmp_path, "n", 'variant of "base.gdl"\ninfo\n  rule two "2"\n  rule three "3"\n')
    assert texts(by_name) == [
        ("about", "a"), ("goal", "win"), ("rule", "one"), ("rule", "2"), ("rule", "3"), ("note", "n")
    ]  # fmt: skip
    removed = write(tmp_path, "r", 'variant of "base.gdl"\nremove rule two\nremove note\nremove about\n')
    assert texts(removed) == [("goal", "win"), ("rule", "one")]


def test_info_follows_the_options(tmp_path: Path) -> None:
    base = write(tmp_path, "base", BASE)
    assert ("goal", "win") in texts(base)
    assert ("goal", "lose") in texts(base, misere=True)
    assert ("goal", "win") not in texts(base, misere=True)
    assert texts("nim", misere=True)[1:] != texts("nim")[1:]
    assert texts("misere-nim")[1:] == texts("nim", misere=True)[1:]


def test_a_ruleset_has_one_goal(tmp_path: Path) -> None:
    file = write(tmp_path, "two", BASE.replace('goal "lose" if misere', 'goal "lose"'))
    _, found = check_file(file)
    assert [(d.code, d.span.line) for d in found] == [("E0211", 22)]
    with pytest.raises(GameDSLError):
        load_program(file)


@pytest.mark.parametrize("name", sampled(shipped(), "one goal"))
def test_shipped_rulebooks_have_one_goal_with_every_choice_of_an_option(name: str) -> None:
    for d in tree_of(name):
        match d:
            case ast.OptionDecl(option, ast.NamedType("bool")):
                for value in (True, False):
                    keys = Counter(key for key, _ in texts(name, **{option.id: value}))
                    assert keys["goal"] == keys["about"] == 1
            case _:
                pass
    keys = Counter(key for key, _ in texts(name))
    assert keys["goal"] == keys["about"] == 1


def test_the_rulebook_of_a_variant_does_not_say_what_only_the_original_does() -> None:
    """Read by hand: the sentences that contradicted the game."""
    assert not any("check" in text and "no check" not in text for _, text in texts("dark-chess"))
    assert not any("may not pass through an earlier" in text for _, text in texts("x-s-and-lines-crossing"))
    assert not any("wins" in text for key, text in texts("misere-tic-tac-toe") + texts("misere-nim") if key != "about")
    assert not any("chooses version" in text for _, text in texts("t-tic-t-tac-toe-version-2"))
    assert not any("two squares toward a rook" in text for _, text in texts("chess960"))
