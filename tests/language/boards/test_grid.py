"""Grids: numbers counted by hand, names, geometry."""

from __future__ import annotations

import pytest

from gamedsl.language.boards import Shape, make_board, steps_of
from gamedsl.language.boards.domains import Board, Family, elements
from gamedsl.language.boards.lattice_board import table


def grid(rows: int, columns: int, naming: str = "numbers", **more: object) -> Board:
    return make_board((Shape("grid", (rows, columns)),), naming=naming, **more)  # type: ignore[arg-type]


def family(board: Board, name: str, *numbers: int) -> Family:
    return board.families[name, len(numbers)](*numbers)


def cells(board: Board, relation: str, *names: str) -> set[str]:
    """The value of a set relation, its parameters and elements by name."""
    r = board.relations[relation, len(names)]
    assert r.result.domain is not None
    indices = (d.index(n) for d, n in zip(r.params, names, strict=True))
    return set(r.result.domain.set_names(r.compute(*indices)))


def number(board: Board, relation: str, *names: str) -> int:
    r = board.relations[relation, len(names)]
    return r.compute(*(d.index(n) for d, n in zip(r.params, names, strict=True)))


def element(board: Board, relation: str, *names: str) -> str | None:
    """The value of an optional relation by name."""
    r = board.relations[relation, len(names)]
    value = number(board, relation, *names)
    assert r.result.domain is not None
    return None if value == 0 else r.result.domain.names[value - 1]


FIVE = grid(5, 5)


@pytest.mark.parametrize(
    ("name", "numbers", "size"),
    [
        ("lines", (3,), 48),  # 3 in each of 5 rows and 5 columns: 30; 3 by 3 starts of either diagonal: 18
        ("lines", (5,), 12),  # 5 rows, 5 columns, 2 long diagonals
        ("rows", (), 5),
        ("columns", (), 5),
        ("diagonals", (3,), 10),  # either way those of 3, 4, 5, 4, 3
        ("diagonals", (1,), 18),  # either way 9; a corner alone is a diagonal of one way only
        ("blocks", (2, 2), 16),  # 4 by 4 upper left corners
        ("blocks", (1, 5), 5),
        ("gridlines", (), 8),  # 4 level, 4 upright
        ("straights", (1,), 40),  # all sides between two cells: 5 * 4 each way
        ("straights", (2,), 32),  # 4 on each of 8 grid lines
        ("straights", (5,), 8),
        ("rings", (), 25),
    ],
)
def test_families_of_five_by_five(name: str, numbers: tuple[int, ...], size: int) -> None:
    found = family(FIVE, name, *numbers)
    assert found.size == size
    assert len(set(found.names)) == len(found.members) == size
    assert len(set(found.members)) == size


def test_lines_of_three_by_three_are_eight() -> None:
    assert family(grid(3, 3), "lines", 3).size == 8


def test_domains_of_five_by_five() -> None:
    sizes = {name: d.size for name, d in FIVE.domains.items()}
    # sides: 2 * 5 * 4; inner points: 4 * 4; steps: 2 * (40 sides + 2 * 16 diagonals)
    assert sizes == {"cell": 25, "edge": 40, "point": 16, "direction": 8, "step": 144, "adjacency": 3}


def test_members_of_some_sets() -> None:
    block = family(FIVE, "blocks", 2, 2)
    assert block.base.set_names(block.members[block.index("r2c3")]) == ("r2c3", "r2c4", "r3c3", "r3c4")
    straight = family(FIVE, "straights", 2)
    assert straight.base.set_names(straight.members[straight.index("v3.2")]) == ("r2c3/r2c4", "r3c3/r3c4")
    assert straight.base.set_names(straight.members[straight.index("h2.3")]) == ("r2c3/r3c3", "r2c4/r3c4")
    ring = family(FIVE, "rings")
    assert [m.bit_count() for m in ring.members].count(4) == 9  # inner cells; 12 on the rim have 3, 4 corners 2
    assert [m.bit_count() for m in ring.members].count(2) == 4
    lines = family(FIVE, "gridlines")
    assert lines.names == ("h1", "h2", "h3", "h4", "v1", "v2", "v3", "v4")
    assert lines.base.set_names(lines.members[0]) == tuple(f"r1c{c}/r2c{c}" for c in range(1, 6))


def test_grid_lines_are_counted_from_the_top_of_the_picture_also_from_the_bottom() -> None:
    board = grid(3, 3, "letters")
    lines = family(board, "gridlines")
    assert set(lines.base.set_names(lines.members[lines.index("h1")])) == {"a2/a3", "b2/b3", "c2/c3"}


def test_passages() -> None:
    assert cells(FIVE, "passages", "r1c1", "r1c2") == {"r1c1/r1c2"}
    assert cells(FIVE, "passages", "r2c2", "r3c3") == {"r2c2/r2c3+r2c3/r3c3", "r2c2/r3c2+r3c2/r3c3"}
    assert cells(FIVE, "passages", "r1c1", "r1c3") == set()
    assert cells(FIVE, "passages", "r1c1", "r1c1") == set()
    passage = FIVE.relations["passages", 2].result.domain
    assert isinstance(passage, Family)
    assert passage.name == "passage"
    assert passage.size == 104  # 40 sides, and round each of 16 points 4 pairs of sides that follow each other
    assert [m.bit_count() for m in passage.members].count(2) == 64


def test_around_a_missing_cell_there_is_one_way() -> None:
    board = grid(2, 2, without=("r1c2",))
    assert cells(board, "passages", "r1c1", "r2c2") == {"r1c1/r2c1+r2c1/r2c2"}
    assert board.domains["point"].size == 0
    corner = grid(2, 2, without=("r1c1", "r2c2"))
    assert cells(corner, "passages", "r1c2", "r2c1") == set()


def test_neighbors_and_distance() -> None:
    assert cells(FIVE, "neighbors", "r1c1") == {"r1c2", "r2c1"}
    assert cells(FIVE, "neighbors", "r1c1", "any") == {"r1c2", "r2c1", "r2c2"}
    assert cells(FIVE, "neighbors", "r1c1", "corner") == {"r2c2"}
    assert number(FIVE, "distance", "r1c1", "r5c4") == 7
    assert number(FIVE, "adjacent", "r1c1", "r2c2") == 0
    assert number(FIVE, "adjacent", "r1c1", "r2c1") == 1
    assert cells(FIVE, "sides", "r1c1") == {"r1c1/r1c2", "r1c1/r2c1"}
    assert element(FIVE, "edge_between", "r2c1", "r1c1") == "r1c1/r2c1"
    assert element(FIVE, "edge_between", "r2c2", "r1c1") is None


def test_distance_goes_round_holes() -> None:
    board = grid(3, 3, without=("r1c2", "r2c2"))
    assert number(board, "distance", "r1c1", "r1c3") == 6
    island = grid(1, 3, without=("r1c2",))
    assert number(island, "distance", "r1c1", "r1c3") == 2  # the number of cells: no way


def test_lines_between_cells() -> None:
    assert cells(FIVE, "between", "r1c1", "r4c4") == {"r2c2", "r3c3"}
    assert cells(FIVE, "between", "r5c1", "r5c4") == {"r5c2", "r5c3"}
    assert cells(FIVE, "between", "r1c1", "r2c3") == set()
    assert cells(FIVE, "corners", "r1c2", "r4c5") == {"r1c5", "r4c2"}
    assert cells(FIVE, "corners", "r1c2", "r1c5") == set()
    assert cells(FIVE, "ray", "r2c2", "se") == {"r3c3", "r4c4", "r5c5"}
    assert [number(FIVE, "aligned", "r1c1", x) for x in ("r1c4", "r4c4", "r2c3", "r1c1")] == [1, 0, 0, 1]
    assert [number(FIVE, "in_line", "r1c1", x) for x in ("r1c4", "r4c4", "r2c3", "r1c1")] == [1, 1, 0, 1]
    assert element(FIVE, "direction", "r3c3", "r1c1") == "nw"
    assert element(FIVE, "direction", "r3c3", "r1c2") is None
    assert number(FIVE, "same_row", "r1c1", "r1c5") == 1
    assert number(FIVE, "same_column", "r1c1", "r1c5") == 0


@pytest.mark.parametrize(("start", "north"), [("top", "r1c2"), ("bottom", "r3c2")])
def test_north_is_upward_wherever_row_one_lies(start: str, north: str) -> None:
    board = grid(3, 3, start=start)
    assert element(board, "step", "r2c2", "n") == north
    domain, top, is_set = board.constants["top_row"]
    assert is_set
    assert north in domain.set_names(top)
    x, y = board.position("cell", board.domains["cell"].index(north))
    assert (x, y) == (1.5, 0.5)


def test_names_and_order() -> None:
    letters = make_board((Shape("grid", (2, 28)),))
    names = letters.domains["cell"].names
    assert names[:2] == ("a1", "b1")
    assert names[26:29] == ("aa1", "ab1", "a2")
    assert letters.start == "bottom"
    assert FIVE.start == "top"
    assert FIVE.domains["cell"].names[5] == "r2c1"
    for domain in (*FIVE.domains.values(), family(FIVE, "straights", 2), family(FIVE, "lines", 3)):
        assert not [n for n in domain.names if set(n) & set(" ,()[]{}")]


def test_constants() -> None:
    domain, center, is_set = FIVE.constants["center"]
    assert (domain.names[center], is_set) == ("r3c3", False)
    assert FIVE.constants["rim"][1].bit_count() == 16
    assert "center" not in grid(4, 5).constants
    direction, north, _ = FIVE.constants["north"]
    assert direction.names[north] == "n"
    assert FIVE.domains["cell"].set_names(FIVE.constants["left_column"][1]) == tuple(f"r{r}c1" for r in range(1, 6))


def test_joined_boards_share_overlapping_cells() -> None:
    shapes = (Shape("grid", (3, 3)), Shape("grid", (3, 3), (3, 3)))
    board = make_board(shapes, naming="numbers")
    assert board.domains["cell"].size == 17
    assert board.size == (5, 5)
    assert set(board.families["lines", 1](5).names) == {"r3c1-r3c5", "r1c3-r5c3", "r1c1-r5c5"}
    # 8 in either part; row 3, column 3 and the long diagonal once more through the middle; two each beside the long one
    assert board.families["lines", 1](3).size == 8 + 8 + 3 + 4


def test_steps_along_lines() -> None:
    lines = family(FIVE, "lines", 3)
    along = steps_of(FIVE, lines)
    step = FIVE.domains["step"]
    assert along.result.domain == step
    assert step.set_names(along.compute(lines.index("r1c3-r3c1"))) == ("r1c3-r2c2", "r2c2-r3c1")
    assert all(value.bit_count() == 2 for value in table(along))
    broken = grid(1, 4, without=("r1c2",))
    row = steps_of(broken, family(broken, "rows"))
    assert broken.domains["step"].set_names(row.compute(0)) == ("r1c3-r1c4",)


@pytest.mark.parametrize("name", ["blocks", "gridlines"])
def test_what_is_no_line_has_no_steps(name: str) -> None:
    numbers = (2, 2) if name == "blocks" else ()
    with pytest.raises(ValueError, match="steps"):
        steps_of(FIVE, family(FIVE, name, *numbers))


@pytest.mark.parametrize(
    ("name", "numbers", "sentence"),
    [
        ("lines", (30,), "a line of 30 does not fit on 3 by 3: the longest has 3 cells"),
        ("lines", (0,), "a line has at least 1 cell, not 0"),
        ("diagonals", (4,), "no diagonal of 3 by 3 has 4 cells"),
        ("blocks", (4, 1), "a block of 4 by 1 does not fit on 3 by 3"),
        ("blocks", (0, 1), "a block has at least 1"),
        ("straights", (4,), "a straight of 4 edges does not fit on 3 by 3"),
        ("straights", (-1,), "a straight has at least 1 edge"),
    ],
)
def test_families_that_do_not_fit(name: str, numbers: tuple[int, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        family(grid(3, 3), name, *numbers)


@pytest.mark.parametrize(
    ("shapes", "without", "sentence"),
    [
        ((Shape("grid", (0, 3)),), (), "at least 1"),
        ((Shape("grid", (40, 40)),), (), "1600 cells; the limit is 1024"),
        ((Shape("grid", (10**12, 10**12)),), (), "the limit is 1024"),
        ((Shape("grid", (3,)),), (), "2 numbers"),
        ((Shape("grid", (3, 3)),), ("d1",), "`d1`, which is not a cell of this board .did you mean"),
        ((Shape("grid", (1, 1)),), ("a1",), "every cell"),
        ((Shape("grid", (2, 2), (0, 1)),), (), "cannot start at 0, 1"),
        ((Shape("grid", (2, 2)), Shape("hex", (2,))), (), "different kinds"),
        ((Shape("track", (2,)), Shape("track", (2,))), (), "tracks cannot be joined"),
        ((), (), "at least one shape"),
    ],
)
def test_boards_that_are_none(shapes: tuple[Shape, ...], without: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_board(shapes, without)


def test_tables_tell_boards_apart_that_name_their_cells_alike() -> None:
    square = make_board((Shape("grid", (3, 3)),))
    slanted = make_board((Shape("hex", (3, 3)),))
    a, b = square.relations["neighbors", 1], slanted.relations["neighbors", 1]
    assert square.domains["cell"] == slanted.domains["cell"]
    assert a != b
    assert table(a) != table(b)
    assert table(a)[4] == sum(1 << i for i in (1, 3, 5, 7))
    assert list(elements(table(b)[4])) == [1, 2, 3, 5, 6, 7]
