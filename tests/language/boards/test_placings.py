"""Placings of shapes: numbers from geometry, and laws on every board with rows and columns."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.language.boards import Shape, make_board, read_pattern
from gamedsl.language.boards.domains import Board, Family, elements
from gamedsl.language.boards.lattice import ShapeKind
from gamedsl.language.boards.placings import FREEDOMS

EVERY = -1  # the set of all shapes


def laid(board: Board, freedom: str = "free", shapes: int = EVERY) -> int:
    assert board.placings is not None
    return board.placings(shapes, freedom).bit_count()


def board_of(kind: ShapeKind, sizes: tuple[int, ...], *texts: str, start: str = "top") -> Board:
    patterns = tuple(read_pattern(f"shape{i}", text) for i, text in enumerate(texts))
    return make_board((Shape(kind, sizes),), (), None, start, patterns)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("X", (16, 16, 16)),
        ("XX", (12, 24, 24)),  # level; level and upright
        ("XX/XX", (9, 9, 9)),
        ("XX/X.", (9, 36, 36)),  # four turns, each its own mirror image turned
        ("XXX/X..", (6, 24, 48)),
        (".XX/XX.", (6, 12, 24)),
        (".XX/XX./.X.", (4, 16, 32)),
        (".X./XXX/.X.", (4, 4, 4)),
        ("X.X", (8, 16, 16)),  # shapes need not hang together
        (".../.X./...", (16, 16, 16)),  # empty rows and columns around a shape don't count
    ],
)
def test_on_four_by_four(text: str, counts: tuple[int, ...]) -> None:
    board = board_of("grid", (4, 4), text)
    assert tuple(laid(board, freedom) for freedom in FREEDOMS) == counts


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("XX", (6 + 5 + 5 - 2, 42, 42)),  # of the 42 sides of 19 hexagons a third lie each way
        ("XX/X.", (12, 24, 24)),  # a triangle, and the other way up
        ("XXX", (9, 27, 27)),
    ],
)
def test_on_a_hexagon_of_side_three(text: str, counts: tuple[int, ...]) -> None:
    board = board_of("hex", (3,), text)
    assert tuple(laid(board, freedom) for freedom in FREEDOMS) == counts


@pytest.mark.parametrize("start", ["top", "bottom"])
def test_where_row_one_lies_changes_no_number(start: str) -> None:
    assert laid(board_of("hex", (4,), "XX./.XX", start=start)) == laid(board_of("hex", (4,), "XX./.XX"))


def test_on_a_track() -> None:
    board = board_of("track", (6,), "XX.X")
    assert [laid(board, freedom) for freedom in FREEDOMS] == [3, 3, 6]


TEXTS = st.lists(st.text("X.", min_size=2, max_size=2), min_size=1, max_size=3).map("/".join).filter(lambda t: "X" in t)


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.sampled_from(["grid", "hex", "hexagon"]), st.sampled_from(["top", "bottom"]))
def test_laws(text: str, kind: str, start: str) -> None:
    sizes = (3,) if kind == "hexagon" else (4, 5)
    board = board_of("hex" if kind == "hexagon" else kind, sizes, text, start=start)  # type: ignore[arg-type]
    placing, shape = board.domains["placing"], board.domains["shape"]
    assert isinstance(placing, Family) and isinstance(shape, Family) and board.placings is not None
    assert len(set(placing.members)) == len(placing.members) == len(set(placing.names))
    size = text.count("X")
    assert shape.members[0].bit_count() == size
    for name, member in zip(placing.names, placing.members, strict=True):
        assert member.bit_count() == size
        assert name.split("+") == [board.domains["cell"].names[c] for c in elements(member)]
    fixed, turned, free = (board.placings(EVERY, freedom) for freedom in FREEDOMS)
    assert fixed & ~turned == turned & ~free == 0 and free == placing.full
    # the distances between the cells are those of the shape, whichever way it lies
    distance = board.relations["distance", 2]
    spreads = {tuple(sorted(distance.compute(a, b) for a in elements(m) for b in elements(m))) for m in placing.members}
    assert len(spreads) == 1


def test_two_shapes_that_are_alike_are_told_apart() -> None:
    board = board_of("grid", (2, 2), "X.", "X")
    assert board.domains["placing"].names[:2] == ("shape0:a1", "shape0:b1")
    assert laid(board, shapes=0b01) == laid(board, shapes=0b10) == 4
    owner = board.relations["shape", 1]
    assert [owner.compute(p) for p in range(8)] == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("XX/X", 'it would be "XX/X."'),
        ("", "no cell"),
        ("../..", "no cell"),
        ("XO", "`O`"),
        ("X X", "` `"),
        ("X/", '"X/."'),
    ],
)
def test_texts_that_show_no_shape(text: str, word: str) -> None:
    with pytest.raises(ValueError) as problem:
        read_pattern("a", text)
    assert word in str(problem.value)


def test_a_shape_that_fits_nowhere() -> None:
    with pytest.raises(ValueError, match="fits nowhere on 2 by 2"):
        board_of("grid", (2, 2), "XXX")
