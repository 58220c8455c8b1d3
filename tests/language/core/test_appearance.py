"""No two kinds of things that a shipped look shows look alike, on any surface; the page draws what the model says."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import gamedsl
from gamedsl.language.core import Thing, alike_on, labels_of, things_of
from gamedsl.language.core.nodes import Part

ROOT = Path(__file__).parents[3]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
LOOK = """players X, O
board grid 3 by 3
piece man of player
piece king of player
piece rock
move place(c: cell) written "{{c}}"
  put man[me] on c
  put king[me] on c
  put rock on c
play
  turns from X, 9 times
    me plays place
  draw
look
{marks}
"""


def things(part: Part) -> list[Thing]:
    return [thing for found in things_of(part) for thing in found]


def alike(part: Part) -> dict[tuple[str, str], list[str]]:
    labels = labels_of(part)
    pairs = ((a, b, alike_on(part, a, b, labels)) for a, b in combinations(things(part), 2))
    return {(a.name, b.name): surfaces for a, b, surfaces in pairs if surfaces}


@pytest.mark.parametrize("name", NAMES)
def test_no_two_kinds_of_a_shipped_look_are_alike(name: str) -> None:
    for part in gamedsl.load(name).program.parts:
        assert not alike(part), part.name


BROWSER, TERMINAL = "in the browser", "in a terminal"


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        (['show man[X] as "x"', 'show king[X] as "x"'], [BROWSER, TERMINAL]),
        (['show man[X] as "x"', 'show king[X] as "X"'], []),  # the page writes signs that differ by case on the discs
        (['show man[X] as "x" red', 'show man[O] as "x" blue'], [TERMINAL]),  # the page gives O's discs a ring
        (['show man[X] as "x" shaped cross', 'show man[O] as "o" shaped cross'], [BROWSER]),  # red and blue: equal in grey
        (['show man[X] as "x" yellow shaped cross', 'show king[X] as "o" black shaped cross'], []),
        (['show man[X] as "x" shaped star', 'show king[X] as "x" shaped disc'], [TERMINAL]),
        (['show man[X] as "x"', 'show man[X] & top_row as "x"'], []),  # the same kind of thing
        (['show rock as "#"', 'show man[X] as "x"'], [BROWSER]),  # a grey disc and a red one
        (['show rock as "#"', 'show man[O] as "x"'], []),
    ],
)  # fmt: skip
def test_what_looks_alike(tmp_path: Path, marks: list[str], expected: list[str]) -> None:
    file = tmp_path / "look.gdl"
    file.write_text(LOOK.format(marks="\n".join(f"  {mark}" for mark in marks)))
    [part] = gamedsl.load(file).program.parts
    assert sorted(surface for surfaces in alike(part).values() for surface in surfaces) == sorted(expected)
