"""Laws that hold on every board, joined and cut ones too."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.language.boards import Shape, make_board, make_graph, steps_of
from gamedsl.language.boards.domains import Board, elements
from gamedsl.language.boards.lattice import ShapeKind, Start

SMALL = st.integers(1, 4)
FORMS: dict[str, ShapeKind] = {"grid": "grid", "hex": "hex", "hexagon": "hex", "star": "hex star"}


@st.composite
def boards(draw: st.DrawFn) -> Board:
    kind = draw(st.sampled_from(["grid", "grid", "hex", "hexagon", "star", "track", "graph"]))
    if kind == "graph":
        names = tuple(f"n{i}" for i in range(draw(st.integers(1, 7))))
        pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda p: p[0] != p[1])
        return make_graph(names, tuple(draw(st.lists(pairs, max_size=10))) if len(names) > 1 else ())
    if kind == "track":
        return make_board((Shape("track", (draw(st.integers(1, 9)),)),))
    shapes = []
    for _ in range(draw(st.integers(1, 2))):
        sizes = (draw(SMALL),) if kind in ("hexagon", "star") else (draw(SMALL), draw(SMALL))
        shapes.append(Shape(FORMS[kind], sizes, (draw(SMALL), draw(SMALL))))
    starts: list[Start | None] = ["top", "bottom", None]
    start = draw(st.sampled_from(starts))
    whole = make_board(tuple(shapes), (), "numbers", start)
    names = whole.domains["cell"].names
    cut = draw(st.lists(st.sampled_from(names), max_size=min(3, len(names) - 1), unique=True))
    return make_board(tuple(shapes), tuple(cut), "numbers", start)


@settings(max_examples=60, deadline=None)
@given(boards())
def test_neighbors_are_mutual(board: Board) -> None:
    for key in (
        ("neighbors", 1),
        ("adjacent", 2),
        ("distance", 2),
        ("edge_between", 2),
        ("between", 2),
        ("in_line", 2),
    ):
        relation = board.relations.get(key)
        if relation is None:
            continue
        size = relation.params[0].size
        for a in range(size):
            for b in range(size):
                if key == ("neighbors", 1):
                    assert relation.compute(a) >> b & 1 == relation.compute(b) >> a & 1
                else:
                    assert relation.compute(a, b) == relation.compute(b, a)


@settings(max_examples=60, deadline=None)
@given(boards())
def test_distances_edges_and_neighbors_agree(board: Board) -> None:
    cell = board.domains["cell"]
    near, distance = board.relations["neighbors", 1], board.relations["distance", 2]
    edge, sides = board.relations["edge_between", 2], board.relations["sides", 1]
    for a in range(cell.size):
        assert sides.compute(a).bit_count() == near.compute(a).bit_count()
        for b in range(cell.size):
            beside = near.compute(a) >> b & 1
            assert bool(beside) == (edge.compute(a, b) > 0)
            if cell.size > 1:
                assert bool(beside) == (distance.compute(a, b) == 1)
    assert board.domains["edge"].size == sum(near.compute(a).bit_count() for a in range(cell.size)) // 2


@settings(max_examples=60, deadline=None)
@given(boards())
def test_steps_rays_and_directions_agree(board: Board) -> None:
    step = board.relations.get(("step", 2))
    if step is None:
        return
    ray, between, heading = (board.relations[key] for key in (("ray", 2), ("between", 2), ("direction", 2)))
    cell, direction = step.params
    for c in range(cell.size):
        for d in range(direction.size):
            there = step.compute(c, d)
            assert (there > 0) == (ray.compute(c, d) != 0)
            if there:
                assert heading.compute(c, there - 1) == d + 1
                assert ray.compute(c, d) == 1 << (there - 1) | ray.compute(there - 1, d)
            for far in elements(ray.compute(c, d)):
                assert between.compute(c, far) | 1 << far | ray.compute(far, d) == ray.compute(c, d)


@settings(max_examples=40, deadline=None)
@given(boards(), st.integers(1, 4))
def test_steps_along_lines_are_steps(board: Board, k: int) -> None:
    lines = board.families.get(("lines", 1))
    if lines is None:
        return
    try:
        found = lines(k)
    except ValueError:
        return
    along = steps_of(board, found)
    (_, firsts), (_, seconds) = board.domains["step"].components
    for i, members in enumerate(found.members):
        pairs = [(firsts[s], seconds[s]) for s in elements(along.compute(i))]
        assert len(pairs) == k - 1
        assert [*(a for a, _ in pairs), *(b for _, b in pairs[-1:])] == (list(elements(members)) if k > 1 else [])


@settings(max_examples=40, deadline=None)
@given(boards())
def test_passages_lead_from_cell_to_cell(board: Board) -> None:
    passages = board.relations.get(("passages", 2))
    if passages is None:
        return
    near, edge = board.relations["neighbors", 2], board.relations["edge_between", 2]
    ways = passages.result.domain
    assert ways is not None
    cell = board.domains["cell"]
    for a in range(cell.size):
        for b in range(cell.size):
            found = list(elements(passages.compute(a, b)))
            if edge.compute(a, b):
                assert [ways.members[w] for w in found] == [1 << (edge.compute(a, b) - 1)]  # type: ignore[attr-defined]
            elif near.compute(a, 2) >> b & 1:
                common = near.compute(a, 0) & near.compute(b, 0)
                around = {
                    1 << (edge.compute(a, c) - 1) | 1 << (edge.compute(c, b) - 1) for c in elements(common)
                }  # fmt: skip
                assert {ways.members[w] for w in found} == around  # type: ignore[attr-defined]
            else:
                assert found == []


@settings(max_examples=40, deadline=None)
@given(boards())
def test_every_element_has_a_name_of_its_own_and_a_place_on_the_picture(board: Board) -> None:
    rows, columns = board.size
    for name, domain in board.domains.items():
        assert len(set(domain.names)) == domain.size
        if name in ("cell", "edge", "point", "step"):
            for i in range(domain.size):
                x, y = board.position(name, i)
                assert 0 <= x <= columns
                assert 0 <= y <= rows
