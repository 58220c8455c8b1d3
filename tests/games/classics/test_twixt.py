"""TwixT: links and blocked links against plain geometry of segments, and that plays end."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.games.classics.soundness import load, plays_end
from tests.values import codes_named

Hole = tuple[int, int]
Link = tuple[Hole, Hole]


def hole(name: str) -> Hole:
    """The column and row of a hole, from 1."""
    return ord(name[0]) - 96, int(name[1:])


def meet(one: Link, two: Link) -> bool:
    """Whether two links cross: they are cut in their inside, each by the line through the other."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = two
    across = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if across == 0:
        return False
    along_one = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / across
    along_two = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across
    return 0 < along_one < 1 and 0 < along_two < 1


def new_links(pegs: set[Hole], links: set[Link], peg: Hole) -> set[Link]:
    """The links that a new peg makes to those of its colour."""
    near = {p for p in pegs if sorted((abs(p[0] - peg[0]), abs(p[1] - peg[1]))) == [1, 2]}
    return {link for p in near for link in [(min(p, peg), max(p, peg))] if not any(meet(link, one) for one in links)}


def test_links_beside_random_plays() -> None:
    """On a board of nine: after every ply the links are those that geometry allows."""
    game = load("twixt", size=9, swap=False)
    cells = game.program.parts[0].board.domains["cell"].names  # type: ignore[union-attr]
    for seed in range(4):
        rng, state, links = Random(seed), game.initial_state(), set[Link]()
        pegs: tuple[set[Hole], set[Hole]] = (set(), set())
        while not state.is_terminal:
            mover, move = state.current_player, rng.choice(state.legal_moves())
            state = state.apply(move)
            links |= new_links(pegs[mover], links, hole(str(move)))
            pegs[mover].add(hole(str(move)))
            found = zip(cells, codes_named(state, "links"), strict=True)
            there = {(hole(a), hole(cells[b])) for a, mask in found for b in range(len(cells)) if mask >> b & 1}
            assert there == links | {(b, a) for a, b in links}
        assert not any(meet(one, two) for one, two in combinations(links, 2))


def test_plays_end() -> None:
    assert {"red", "black"} <= plays_end("twixt", 12, 61, size=6)
