"""Hex boards, tracks and graphs: numbers from geometry."""

from __future__ import annotations

from math import hypot

import pytest

from gamedsl.language.boards import Shape, make_board, make_graph, steps_of

HEX = make_board((Shape("hex", (5,)),))
RHOMBUS = make_board((Shape("hex", (11, 11)),))


def test_a_hexagon_of_side_five() -> None:
    assert HEX.domains["cell"].size == 61  # 5 + 6 + 7 + 8 + 9 + 8 + 7 + 6 + 5
    assert HEX.domains["edge"].size == 156  # (61 * 6 - outer sides 6 * (2 * 5 - 1)) / 2
    assert HEX.domains["direction"].names == ("ne", "e", "se", "sw", "w", "nw")
    assert HEX.constants["rim"][1].bit_count() == 24
    assert HEX.size == (9, 9)
    domain, center, _ = HEX.constants["center"]
    assert HEX.relations["neighbors", 1].compute(center).bit_count() == 6
    assert HEX.position("cell", center) == (4.5, 4.5)
    assert "left_column" not in HEX.constants
    assert domain.set_names(HEX.constants["top_row"][1]) == ("a9", "b9", "c9", "d9", "e9")


@pytest.mark.parametrize("arm", [1, 2, 4])
def test_a_star(arm: int) -> None:
    """A hexagon of side arm + 1 and six triangles of 1 + 2 + ... + arm cells; a cell at a point has two neighbours."""
    star = make_board((Shape("hex star", (arm,)),), (), None, "top")
    hexagon = 3 * arm * (arm + 1) + 1
    assert star.domains["cell"].size == hexagon + 6 * (arm * (arm + 1) // 2)
    assert star.kind == "hex" and star.title == f"hex star {arm}"
    near = [star.relations["neighbors", 1].compute(c).bit_count() for c in range(star.domains["cell"].size)]
    assert near.count(2) == 6
    domain, center, _ = star.constants["center"]
    distance = star.relations["distance", 2]
    assert sum(distance.compute(center, c) <= arm for c in range(domain.size)) == hexagon
    assert star.size == (4 * arm + 1, 3 * arm + 1)


@pytest.mark.parametrize(("k", "count"), [(9, 3), (5, 3 * 5 + 6 * (1 + 2 + 3 + 4)), (1, 61)])
def test_lines_on_a_hexagon(k: int, count: int) -> None:
    # three ways; rows of 5, 6, 7, 8, 9, 8, 7, 6, 5 cells
    assert HEX.families["lines", 1](k).size == count


def test_distances_on_a_hexagon() -> None:
    cell = HEX.domains["cell"]
    distance = HEX.relations["distance", 2]
    assert distance.compute(cell.index("e1"), cell.index("e9")) == 8
    assert distance.compute(cell.index("a9"), cell.index("i1")) == 8
    assert distance.compute(cell.index("e5"), cell.index("e5")) == 0
    assert max(distance.compute(cell.index("e5"), c) for c in range(61)) == 4


@pytest.mark.parametrize("start", ["top", "bottom"])
def test_directions_agree_with_the_picture(start: str) -> None:
    board = make_board((Shape("hex", (4, 3)),), (), "letters", start)  # type: ignore[arg-type]
    step = board.relations["step", 2]
    slopes = {"ne": (0.5, -1), "e": (1, 0), "se": (0.5, 1), "sw": (-0.5, 1), "w": (-1, 0), "nw": (-0.5, -1)}
    for c in range(board.domains["cell"].size):
        for d, name in enumerate(board.domains["direction"].names):
            there = step.compute(c, d)
            if there:
                (xa, ya), (xb, yb) = board.position("cell", c), board.position("cell", there - 1)
                assert (xb - xa, yb - ya) == slopes[name]


def test_neighbors_are_those_that_lie_beside_on_the_picture() -> None:
    near = HEX.relations["neighbors", 1]
    places = [HEX.position("cell", c) for c in range(61)]
    for a, (xa, ya) in enumerate(places):
        beside = [hypot(xb - xa, (yb - ya) * 3**0.5 / 2) < 1.1 for xb, yb in places]
        assert near.compute(a) == sum(1 << b for b, yes in enumerate(beside) if yes and b != a)


def test_a_rhombus() -> None:
    assert RHOMBUS.domains["cell"].size == 121
    left, right = RHOMBUS.constants["left_column"][1], RHOMBUS.constants["right_column"][1]
    assert left.bit_count() == right.bit_count() == 11
    cell = RHOMBUS.domains["cell"]
    assert RHOMBUS.relations["neighbors", 1].compute(cell.index("a1")).bit_count() in (2, 3)
    assert RHOMBUS.relations["aligned", 2].compute(cell.index("a1"), cell.index("a11")) == 1
    assert RHOMBUS.size == (11, 16)


def test_corners_of_hexes_are_no_neighbors() -> None:
    near = HEX.relations["neighbors", 2]
    adjacency = HEX.domains["adjacency"]
    assert near.compute(30, adjacency.index("corner")) == 0
    assert near.compute(30, adjacency.index("any")) == near.compute(30, adjacency.index("side"))


def test_a_track() -> None:
    track = make_board((Shape("track", (30,)),))
    cell = track.domains["cell"]
    assert (cell.size, cell.names[0], cell.names[-1]) == (30, "t1", "t30")
    step, distance = track.relations["step", 2], track.relations["distance", 2]
    assert step.compute(0, 0) == 2  # forward: t2
    assert step.compute(0, 1) == 0  # back: none
    assert distance.compute(0, 29) == 29
    assert track.families["lines", 1](4).size == 27
    assert cell.set_names(track.constants["rim"][1]) == ("t1", "t30")
    lines = track.families["lines", 1](3)
    assert track.domains["step"].set_names(steps_of(track, lines).compute(0)) == ("t1-t2", "t2-t3")


def test_a_graph() -> None:
    graph = make_graph(("a", "b", "c", "d"), (("a", "b"), ("b", "c"), ("b", "a")))
    assert graph.domains["edge"].names == ("a/b", "b/c")
    assert graph.domains["step"].names == ("a-b", "b-a", "b-c", "c-b")
    near, distance = graph.relations["neighbors", 1], graph.relations["distance", 2]
    assert near.compute(1) == 0b101
    assert [distance.compute(0, x) for x in range(4)] == [0, 1, 2, 4]
    assert "direction" not in graph.domains
    places = {graph.position("cell", i) for i in range(4)}
    assert len(places) == 4
    rows, columns = graph.size
    assert all(0 <= x <= columns and 0 <= y <= rows for x, y in places)
    with pytest.raises(ValueError, match="no lines"):
        steps_of(graph, graph.families["rings", 0]())


@pytest.mark.parametrize(
    ("nodes", "links", "sentence"),
    [
        ((), (), "at least one node"),
        (("a", "a"), (), "`a` is named twice"),
        (("alpha", "beta"), (("alpha", "betta"),), "no node `betta` .did you mean beta"),
        (("a",), (("a", "a"),), "linked to itself"),
        (tuple(f"n{i}" for i in range(2000)), (), "2000 nodes"),
    ],
)
def test_graphs_that_are_none(nodes: tuple[str, ...], links: tuple[tuple[str, str], ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_graph(nodes, links)


@pytest.mark.parametrize(
    ("places", "sentence"),
    [
        ((("a", (0, 0)), ("b", (0, 0))), "`a` and `b` have the same place"),
        ((("a", (0, 0)),), "`b` has no place"),
        ((("a", (0, 0)), ("a", (1, 0))), "`a` has two places"),
        ((("x", (0, 0)),), "no node `x`"),
    ],
)
def test_places_of_nodes_that_are_none(places: tuple[tuple[str, tuple[int, int]], ...], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_graph(("a", "b"), (("a", "b"),), places)


def test_nodes_have_their_places_and_edges_are_between_them() -> None:
    graph = make_graph(("a", "b"), (("a", "b"),), (("b", (4, -2)), ("a", (0, 0))))
    assert [graph.position("cell", i) for i in range(2)] == [(0, 0), (4, -2)]
    assert graph.position("edge", 0) == (2, -1)


@pytest.mark.parametrize(
    ("shape", "sentence"),
    [
        (Shape("hex", (0,)), "at least 1"),
        (Shape("hex", (30,)), "2611 cells"),
        (Shape("hex", (2, 2, 2)), "1 or 2 numbers"),
        (Shape("hex star", (2, 2)), "takes 1 number"),
        (Shape("hex star", (0,)), "at least 1"),
        (Shape("hex star", (13,)), "1093 cells"),
        (Shape("track", (2000,)), "2000 cells"),
        (Shape("track", (3, 3)), "1 number$"),
    ],
)
def test_shapes_that_are_none(shape: Shape, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make_board((shape,))
