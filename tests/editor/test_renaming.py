"""Names of every kind, renamed wherever they occur, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.editor.completions import completions
from gamedsl.editor.desk import Desk
from gamedsl.editor.meanings import hover
from gamedsl.editor.name_occurrences import local_names
from gamedsl.editor.navigation import Place, find_here, find_references, find_rename

# Every name that is marked by a number is one name in all its places; the same word without the number is another.
GAME = """\
game "Marks"
  clauses "marks.yaml"

use "toss.gdl" as coin

players red1, blue
option start: {early2 "at once", late} = early2 "when red may move"
option rows: 2..3 = 3
type suit3 = {clubs, hearts}
type card = (suit3, 1..4)

board grid 3 by 3

piece stone of player, 9 each
  age4: 0..9
  kind5: {left, right}
token gate: wide6 of player "{player}'s gate", narrow
  age4: 0..9

state
  age: 0..9
  last: cell? = none
  hand: player -> set of card
  made: {early2, late}

table worth: suit3 -> 0..9
  clubs: 1
  else: count p in players: p = red1

define old(c: cell, k9: 1..3) = c.age4 > k9 and age > k9
define both = some distinct x7, y in cell, z in cell: x7 != z and y in empty
define suits(c: card) = c.suit3 = clubs

move drop8(c3: cell) written "drop {c3}" or "put on {c3}"
  when start = early2 or me != red1 "it is early for red1"
  when not kept(wide6[me], c3) "no"
  put stone[me] on c3 with age4 = age, kind5 = left

action settle
  play coin with left = red1, right = blue -> ended
  if ended.winner = red1
    add 1 to age

define kept(g: gate, c: cell) = g.age4 > count(lines(rows))

play
  turns from red1
    me plays drop8

claim "one": never some c in stone[red1]: c.age4 > 3
claim used drop8

look
  show stone[red1] as "x" red shaped disc number rows called "red1 {p}" for p in {p in players: p = red1}
  line from a to b as heavy red called "red" for a in stone[red1], b in stone[blue]
  beside "age" age
  leave "{c3}" on c3 after drop8
  tint {c in cell: c.age4 = 1} as red

notation short
  move drop8
    text "{column of c3}{row of c3}" if c3 in cell, "{d}" for d in cell

info
  rule rows "The rows." if rows = 3
"""
TOSS = "players left, right\n\nplay\n  pick at random from players -> p\n  win p\n"


def _desk(folder: Path, **texts: str) -> Desk:
    desk = Desk()
    for name, text in texts.items():
        desk.put(str(folder / f"{name}.gdl"), text)
    return desk


def _marked(text: str) -> str:
    """The text without the numbers that mark a name."""
    return "".join(c for number, c in enumerate(text) if not (c in "123456789" and text[number - 1].isalpha()))


def _renamed(desk: Desk, path: str, at: int, new: str) -> dict[str, str]:
    source = desk.source(path)
    assert source is not None
    places = find_rename(desk, source, at, new)
    assert isinstance(places, list), places
    texts: dict[str, str] = {}
    for place in sorted(places, key=lambda p: -p.start):
        text = texts.get(place.path) or desk.source(place.path).text  # type: ignore[union-attr]
        texts[place.path] = text[: place.start] + new + text[place.end :]
    return texts


def test_the_texts_are_right(tmp_path: Path) -> None:
    """Else what is renamed in them would show nothing."""
    (tmp_path / "marks.yaml").write_text("clauses: {}\n", encoding="utf-8")
    for name, text in {
        "toss": TOSS,
        "marks": _marked(GAME),
        "wide": VARIANT,
        "parts": PARTS,
        "changed": CHANGED,
    }.items():
        (tmp_path / f"{name}.gdl").write_text(text, encoding="utf-8")
    desk = Desk()
    for path in sorted(tmp_path.glob("*.gdl")):
        assert [d.line for d in desk.analyze(str(path)).found if d.is_error] == []


@pytest.mark.parametrize("word", ["red1", "early2", "suit3", "age4", "kind5", "wide6", "x7", "drop8", "k9", "c3"])
def test_a_name_is_renamed_in_all_its_places_and_no_other(word: str, tmp_path: Path) -> None:
    path = str(tmp_path / "marks.gdl")
    # where the language says the name in a string for people, it is not renamed
    text = GAME.replace('early for red1"', 'early"').replace('"red1 {p}"', '"{p}"')
    desk = _desk(tmp_path, marks=_marked(text), toss=TOSS)
    kept = "".join(c for c in word if c.isalpha())
    for number in range(text.count(word)):
        at = -1
        for _ in range(number + 1):
            at = text.index(word, at + 1)
        (renamed,) = _renamed(desk, path, len(_marked(text[:at])), "fresh_name").values()
        assert renamed == _marked(text.replace(word, "fresh_name")), (kept, number)


VARIANT = """\
variant of "marks.gdl" with rows = 2

remove claim "one"

define old(c: cell, k: 1..3) = c.age > k

claim "two": always age < 9
"""


def test_names_of_variants_and_of_what_is_played(tmp_path: Path) -> None:
    """Whatever the file in which one begins: the original changes, the variant, and the line that plays a ruleset."""
    second = 'variant of "wide.gdl"\n\nclaim "three": always some c in cell: old(c, rows)\n'
    desk = _desk(tmp_path, marks=_marked(GAME), toss=TOSS, wide=VARIANT, wider=second)
    for file, place in (("marks", "rows: 2"), ("wide", "rows = 2"), ("wider", "rows)")):
        path = str(tmp_path / f"{file}.gdl")
        found = _renamed(desk, path, desk.open[path].text.index(place), "height_of_all")
        assert {Path(p).stem for p in found} == {"marks", "wide", "wider"}
        assert "lines(height_of_all)" in found[str(tmp_path / "marks.gdl")]
        assert "rule rows" in found[str(tmp_path / "marks.gdl")]
    found = _renamed(desk, str(tmp_path / "wide.gdl"), VARIANT.index("old("), "dated")
    assert "define dated(c: cell, k: 1..3) = c.age > k and" in found[str(tmp_path / "marks.gdl")]
    assert "define dated(c: cell" in found[str(tmp_path / "wide.gdl")]
    assert "dated(c, rows)" in found[str(tmp_path / "wider.gdl")]
    found = _renamed(desk, str(tmp_path / "toss.gdl"), TOSS.index("left"), "heads")
    assert "with heads = red, right = blue" in found[str(tmp_path / "marks.gdl")]
    assert "kind: {left, right}" in found[str(tmp_path / "marks.gdl")]
    assert found[str(tmp_path / "toss.gdl")].startswith("players heads, right")


PARTS = """\
players one, two

play
  play duel with light = one, dark = two, size = 3 -> ended
  win the(ended.winners)

part duel
  players light, dark
  option size: 3..5 = 4
  state
    one_more: 0..size
  play
    win light
"""
CHANGED = 'variant of "parts.gdl"\n\nin part duel\n  define half = size div 2 + one_more\n'


def test_names_of_parts(tmp_path: Path) -> None:
    desk = _desk(tmp_path, parts=PARTS, changed=CHANGED)
    for file, place in (("parts", "size = 3"), ("parts", "size: 3"), ("parts", "size\n"), ("changed", "size")):
        path = str(tmp_path / f"{file}.gdl")
        found = _renamed(desk, path, desk.open[path].text.index(place), "extent")
        assert found[str(tmp_path / "parts.gdl")] == PARTS.replace("size", "extent")
        assert found[str(tmp_path / "changed.gdl")] == CHANGED.replace("size", "extent")
    found = _renamed(desk, str(tmp_path / "changed.gdl"), CHANGED.index("one_more"), "more")
    assert found[str(tmp_path / "parts.gdl")] == PARTS.replace("one_more", "more")


@pytest.mark.parametrize(
    ("place", "new", "reason"),
    [
        ("red, blue", "blue", "already has a meaning"),
        ("red, blue", "c", "already has a meaning"),  # a parameter: the rules could not name the player there
        ("red, blue", "if", "a word of the language"),
        ("red, blue", "cell", "a word of the language"),
        ("red, blue", "2x", "is not a name"),
        ("winner", "loser", "defines this name"),
        ("count(lines", "number_of", "defines this name"),
        ("heavy red", "number_of", "defines this name"),
        ("rule rows", "number_of", "defines this name"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_changed(place: str, new: str, reason: str, tmp_path: Path) -> None:
    desk = _desk(tmp_path, marks=_marked(GAME), toss=TOSS)
    source = desk.open[str(tmp_path / "marks.gdl")]
    at = source.text.index(place) + (place.rindex(" ") + 1 if place.startswith(("heavy", "rule")) else 0)
    found = find_rename(desk, source, at, new)
    assert isinstance(found, str)
    assert reason in found


def test_an_attribute_may_have_the_name_of_a_variable(tmp_path: Path) -> None:
    desk = _desk(tmp_path, marks=_marked(GAME), toss=TOSS)
    path = str(tmp_path / "marks.gdl")
    source = desk.open[path]
    (found,) = _renamed(desk, path, source.text.index("age: 0..9\n  last"), "years").values()
    assert "c.age > k and years > k" in found
    assert "with age = years" in found
    assert 'beside "age" years' in found
    assert isinstance(
        find_rename(desk, source, source.text.index("age: 0..9\n  kind"), "hand"), list
    )  # no attribute is called so


def test_a_shipped_original_is_not_changed(tmp_path: Path) -> None:
    desk = _desk(tmp_path, mine='variant of "hex.gdl"\n\ndefine twice = n * 2\n')
    source = desk.open[str(tmp_path / "mine.gdl")]
    found = find_rename(desk, source, source.text.index("n * 2"), "extent")
    assert found == "`hex.gdl`, which comes with gamedsl, declares this name."
    here = source.text.index("n * 2")
    assert Place(source.path, here, here + 1) in find_references(desk, source, here)  # but it is found
    assert find_here(desk, source, here) == [Place(source.path, here, here + 1)]


def test_questions_about_names_of_lines(tmp_path: Path) -> None:
    """What a line of a look binds is offered there, and said there."""
    desk = _desk(tmp_path, marks=_marked(GAME), toss=TOSS)
    source = desk.open[str(tmp_path / "marks.gdl")]
    at = source.text.index("a in stone")
    assert local_names(source, at) == ["a", "b"]
    about = hover(source, at, None, {}, [])
    assert about is not None
    assert "bound in" in about[0]
    offered = {one.label for one in completions(source, source.text.index("age > k\n"), None, {}, list)}
    assert {"c", "k"} <= offered
    about = hover(source, source.text.index("count(lines"), None, {}, [])
    assert about is not None
    assert about[0].startswith("# count")
