"""Scores explain themselves: what counts is listed, and is on the board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

import gamedsl
from gamedsl.engine import Move, Sheet, State, announcements_at
from gamedsl.engine.picture import Picture, scars_of, sketch_of, view
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import sampled

MOST_PLIES = 150
EXPLAINED = {  # rulesets whose looks show a number by player that rises in every random game
    "abs-trac-toe", "dots-and-boxes", "goofspiel", "horn-tiles", "kalah", "macmahon-dominoes", "oware", "pig", "t-tic-t-tac-toe",
}  # fmt: skip


def play(name: str, seed: int, backend: str = "interpreter") -> Iterator[tuple[State, Picture]]:
    """The states of a random game, and their pictures."""
    state, rng, sheet = gamedsl.load(name, backend=backend).initial_state(), Random(seed), Sheet()
    for _ in range(MOST_PLIES):
        if state.is_terminal:
            return
        move = state.propose(rng)
        after = state.apply(move)
        sheet, state = sheet.after(state, move, after), after
        yield state, view(state, scars=scars_of(sheet, state))


def because(picture: Picture, label: str) -> str:
    return next(aside.because for aside in picture.asides if aside.label.startswith(label))


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "test_what_counts_adds_up"))
def test_what_counts_adds_up(name: str) -> None:
    """The numbers in brackets add up to the score, where all are listed."""
    found = False
    for _, picture in play(name, 1):
        for aside in picture.asides:
            if aside.because and " more" not in aside.because:
                items = aside.because.split(" [")[0].removeprefix("= ").split(" + ")
                worth = [int(item.rsplit("(", 1)[1].rstrip(")")) for item in items]
                assert aside.values == (str(sum(worth)),), aside
            found |= bool(aside.because)
    assert found == (name in EXPLAINED) or name not in EXPLAINED


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_lines_of_six(seed: int) -> None:
    """By hand: whoever lays a tile scores the lines through its own half that now hold six of its symbol."""
    before = dict.fromkeys("ab", 0)
    for state, picture in play("horn-tiles", seed):
        move = state.history[-1]
        if move.schema is None or state.game.program.schemas[move.schema].name != "lay":
            continue
        board = state.game.program.parts[0].board
        assert board is not None and move.player is not None
        me = "ab"[move.player]
        sign = next(a.label[-1] for a in picture.asides if a.label.startswith(f"{me} plays"))
        at = {board.position("cell", i): i for i in range(100)}
        own = {p for p, i in at.items() if any(g.text == sign for g in picture.spot("cell", i).glyphs)}
        x, y = board.position("cell", move.args[0 if sign == "X" else 1])
        lines = [[p for p in own if p[0] == x], [p for p in own if p[1] == y]]
        for down in (1, -1):
            slant = x - down * y
            if sum(p[0] - down * p[1] == slant for p in at) >= 6:
                lines.append([p for p in own if p[0] - down * p[1] == slant])
        scored = sum(len(line) == 6 for line in lines)
        text = because(picture, f"lines of {me}")
        assert text.count("(1)") == before[me] + scored or "stock 0" in " ".join(picture.beside)
        assert not text or text.endswith("[FH-7, FH-c, FH-e, FH-8]")
        before[me] = text.count("(1)")
    assert sum(before.values())


def test_boxes_are_named_and_lit() -> None:
    """Each box of dots and boxes counts one, and lies where its owner's mark lies."""
    *_, (_, picture) = play("dots-and-boxes", 1)
    for aside in picture.asides:
        if aside.because:
            assert len(aside.places) == int(aside.values[0]) == aside.because.count("(1)")
            assert all(picture.spot(*place).glyphs for place in aside.places)


def test_compiled_games_explain_scores_alike() -> None:
    for (_, one), (_, other) in zip(play("horn-tiles", 2), play("horn-tiles", 2, "native"), strict=True):
        assert [a.because for a in one.asides] == [a.because for a in other.asides]


@pytest.mark.parametrize("seat", [None, 0, 1, "all"])
def test_who_chose_together_score_with_their_own_choices(seat: int | str | None) -> None:
    """By hand: the higher bid takes the prize, the same bids share it; the score names the bids of its player."""
    state, rng, sheet = gamedsl.load("goofspiel").initial_state(), Random(5), Sheet()
    steps: list[tuple[State, Move | None]] = [(state, None)]
    won: dict[str, list[str]] = {"p1": [], "p2": []}
    bids: dict[int | None, str] = {}
    while not state.is_terminal:
        before, points, move = state, points_of(state), state.propose(rng)
        state = state.apply(move)
        steps.append((state, move))
        if seat == "all":
            sheet = sheet.after(before, move, state)
            bids |= {move.player: move.text}
        else:
            assert not isinstance(seat, str)
            announced = announcements_at(steps, len(steps) - 1, seat)
            sheet = sheet.after_announced(before.seen_by(seat), announced, state.seen_by(seat))
            bids |= {one.player: one.text for one in announced}
        for i, name in enumerate(won):
            if (more := points_of(state)[i] - points[i]) > 0:
                won[name].append(f"{bids[i]} ({more})")
    picture = view(state, scars=scars_of(sheet, state))
    for name, items in won.items():
        assert because(picture, f"points of {name}") == f"= {' + '.join(items)}"
    assert sum(map(len, won.values())) >= 8


def points_of(state: State) -> list[int]:
    return [int(aside.values[0]) for aside in view(state).asides if aside.label.startswith("points of")]


@pytest.mark.parametrize("seed", [1, 4])
def test_scored_borders_are_marked_as_borders(seed: int) -> None:
    """By hand: a border counts if the spaces on both sides of it have the mark of one player. It is lit itself, and not its
    spaces, and stays marked for that player."""
    *_, (state, picture) = play("abs-trac-toe", seed)
    sketch = sketch_of(picture.paper)
    assert state.is_terminal and sketch is not None
    owner = {i: s.glyphs[0].text for (domain, i), s in picture.spots.items() if domain == "space" and s.glyphs}
    for number, name in enumerate(("p1", "p2")):
        own = [i for i, b in enumerate(sketch.borders) if {owner[s] for s in b.spaces} == {name}]
        aside = next(a for a in picture.asides if a.label == f"points of {name}")
        assert aside.places == tuple(("border", i) for i in own) and aside.values == (str(len(own)),)
        assert [s.places for s in picture.scored if s.owner == number] == [(("border", i),) for i in own]
        for i in own[:12]:
            low, high = sketch.borders[i].spaces
            assert f"s{low + 1}-s{high + 1} (1)" in aside.because


def test_scored_lines_stay_marked() -> None:
    """In Horn's game a scored line counts to the end, whatever is laid on it later; it is marked from its first to its last
    square, for the player who scored it."""
    marked: set[tuple[int | None, tuple[int, ...]]] = set()
    for _, picture in play("horn-tiles", 3):
        found = {(s.owner, tuple(i for _, i in s.places)) for s in picture.scored}
        assert marked <= found
        marked = found
        for number, name in enumerate("ab"):
            aside = next(a for a in picture.asides if a.label == f"lines of {name}")
            assert not aside.because or len([1 for owner, _ in found if owner == number]) == int(aside.values[0])
    assert marked and all(len(cells) >= 6 for _, cells in marked)
    assert all(abs(b - a) in (1, 9, 10, 11) for _, cells in marked for a, b in pairwise(cells))


def test_what_is_no_line_is_not_marked() -> None:
    for name in ("kalah", "dots-and-boxes", "goofspiel", "sim"):
        assert all(not picture.scored for _, picture in play(name, 1))
