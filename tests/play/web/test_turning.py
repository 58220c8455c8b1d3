"""A shape that is held is turned and flipped; only forms in which some move lays it are met, and each place lays one move."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.play.web.test_rules_js import NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("turning_check.mjs")
Cells = list[list[int]]


def told(folder: Path, *shapes: list[Cells]) -> list[Any]:
    (folder / "shapes.json").write_text(json.dumps(shapes), encoding="utf-8")
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "shapes.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def turned(cells: Cells, times: int, mirrored: bool = False) -> Cells:
    for _ in range(times):
        cells = [[-y, x] for x, y in cells]
    return [[-x, y] for x, y in cells] if mirrored else cells


ELL: Cells = [[0, 0], [0, 1], [0, 2], [1, 2]]
BAR: Cells = [[0, 0], [1, 0], [2, 0]]
SQUARE: Cells = [[0, 0], [1, 0], [0, 1], [1, 1]]


def test_forms_are_met_by_turning_and_flipping(tmp_path: Path) -> None:
    """An L has four turns and a mirror image, a bar two turns and none, a square one form, as everybody who plays with them knows."""
    ell = [turned(ELL, k, m) for m in (False, True) for k in range(4)]
    one_sided = [turned(ELL, k) for k in range(4)]
    bar = [turned(BAR, k) for k in range(2)]
    found = told(tmp_path, ell, one_sided, bar, [SQUARE], [ELL, turned(ELL, 2)])
    assert [(len(one["seen"]), one["turns"], one["flips"]) for one in found] == [
        (4, True, True), (4, True, False), (2, True, False), (1, False, False), (2, True, False)
    ]  # fmt: skip
    assert found[0]["seen"][0] == "0,0 0,1 0,2 1,2"
    assert found[0]["flipped"] == "0,2 1,0 1,1 1,2"  # the L in a mirror, and on no turn of the L
    assert found[0]["flipped"] not in found[0]["seen"]


def test_a_place_lays_the_shape_whose_middle_is_nearest(tmp_path: Path) -> None:
    """Two bars in a row, from 0 to 2 and from 1 to 3: their middles lie on 1 and 2."""
    (found,) = told(tmp_path, [BAR, [[x + 1, 0] for x, _ in BAR]])
    assert dict(found["lays"]) == {"0,0": 0, "1,0": 0, "2,0": 1, "3,0": 1}


def test_other_moves_are_not_turned(tmp_path: Path) -> None:
    """Different shapes, and single places."""
    assert told(tmp_path, [BAR, SQUARE], [[[0, 0]], [[1, 0]]], [BAR, [[0, 0], [1, 0]]]) == [None, None, None]
