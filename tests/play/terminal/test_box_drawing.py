"""The characters where lines meet."""

import unicodedata
from itertools import product

import pytest

from gamedsl.play.terminal.render.box_drawing import DASHED, DOUBLE, HEAVY, LIGHT, NONE, Arms, bar, joint

ALL = [Arms(*weights) for weights in product((NONE, LIGHT, HEAVY, DOUBLE, DASHED), repeat=4)]


@pytest.mark.parametrize(
    ("arms", "char"),
    [
        (Arms(LIGHT, LIGHT, LIGHT, LIGHT), "┼"),
        (Arms(NONE, LIGHT, LIGHT, NONE), "┌"),
        (Arms(LIGHT, HEAVY, LIGHT, HEAVY), "┿"),
        (Arms(LIGHT, HEAVY, LIGHT, NONE), "┝"),
        (Arms(HEAVY, LIGHT, HEAVY, LIGHT), "╂"),
        (Arms(LIGHT, DOUBLE, LIGHT, DOUBLE), "╪"),
        (Arms(DOUBLE, DOUBLE, DOUBLE, DOUBLE), "╬"),
        (Arms(LIGHT, DASHED, LIGHT, DASHED), "┼"),
        (Arms(LIGHT, DOUBLE, DOUBLE, LIGHT), "╔"),  # the corner of a box on a light grid: no mixed sign exists
        (Arms(LIGHT, LIGHT, LIGHT, DOUBLE), "┼"),  # the end of a double stroke: no mixed sign exists
    ],
)
def test_signs(arms: Arms, char: str) -> None:
    assert joint(arms, ascii=False) == char


def test_every_mixture_has_a_sign() -> None:
    for arms in ALL:
        char = joint(arms, ascii=False)
        assert char == " " if not any(arms) else unicodedata.name(char).startswith("BOX DRAWINGS")


def test_ascii_is_ascii() -> None:
    assert all(joint(arms, ascii=True).isascii() for arms in ALL)
    assert all(bar(w, upright, True).isascii() for w in range(5) for upright in (False, True))


def test_mirrored_arms_have_mirrored_signs() -> None:
    """Left and right exchanged: a sign's name changes LEFT and RIGHT and nothing else."""
    for arms in ALL:
        if DASHED in arms or not any(arms):
            continue
        mirrored = arms._replace(e=arms.w, w=arms.e)
        ours, theirs = (unicodedata.name(joint(a, False)) for a in (arms, mirrored))
        assert sorted(ours.replace("LEFT", "RIGHT").split()) == sorted(theirs.replace("LEFT", "RIGHT").split())
