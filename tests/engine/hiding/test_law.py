"""Who has observed the same is shown the same: of the play, of the board, in records, in answers to mistakes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from gamedsl.engine.picture.position_view import view
from gamedsl.engine.state import Game
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.play.terminal.render.canvas import plain
from gamedsl.play.terminal.render.page import render_page
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.session.seats import HUMAN
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.web import describe_position

from . import NAMES, Steps, game_of, history, prefixes, random_play, record_of, told

PLAYS = {"phantom-tic-tac-toe": 60, "peeks": 120}
MOST_ALIKE = 4  # plays that are compared with each other

Alike = list[tuple[int, list[Steps]]]


@cache
def alike(name: str) -> Alike:
    """Different plays that a seat can't tell apart."""
    game = game_of(name)
    groups: dict[tuple[int, str], list[Steps]] = {}
    for seed in range(PLAYS.get(name, 60)):
        for steps in prefixes(random_play(game, seed)):
            if steps[-1][0].kind != "chance":
                for seat in range(game.num_players):
                    group = groups.setdefault((seat, history(steps, seat)), [])
                    if len(group) < MOST_ALIKE and all(moves(steps) != moves(other) for other in group):
                        group.append(steps)
    return [(seat, group) for (seat, _), group in groups.items() if len(group) > 1]


def moves(steps: Steps) -> list[str]:
    return [str(m) for _, m in steps[1:]]


def law(name: str, shown: Callable[[Game, Steps, int], object]) -> None:
    """What is shown is the same for all plays that a seat can't tell apart."""
    game, found = game_of(name), alike(name)
    assert len(found) > 5
    for seat, (first, *others) in found:
        expected = shown(game, first, seat)
        for other in others:
            assert shown(game, other, seat) == expected, (moves(first), moves(other))


def picture(game: Game, steps: Steps, seat: int) -> object:
    return [plain(x) for x in render_page(view(steps[-1][0], viewer=seat), Viewport(80, 24))]


def page(game: Game, steps: Steps, seat: int) -> object:
    """The page at the table, with the log, highlights and what lies on the paper."""
    session = Session(game, game.program.name, (HUMAN,) * game.num_players, 1)
    for _, move in steps[1:]:
        assert move is not None
        session.play(move)
    log = [f"{e.number} {session.ply_text(e)}" for e in session.log(seat)]
    return log, session.picture(seat)


def answers(game: Game, steps: Steps, seat: int) -> object:
    """What the rules say against every move of the game, to who is to move."""
    state = steps[-1][0]
    if seat not in state.to_act:
        return None
    found = []
    for text in move_texts(game):
        try:
            move = game.parse_move(text, state, seat)
            refusals = [(r.message, r.clauses, r.look_ahead) for r in state.why_not(move)]
            found.append((text, refusals))
        except GameDSLError as mistake:
            found.append((text, [(d.message, (), False) for d in mistake.diagnostics]))
    return found


def move_texts(game: Game) -> list[str]:
    """Moves of every kind, whether legal somewhere or not."""
    from itertools import product

    from gamedsl.language.core.constant_folding import limits

    texts = ["nonsense", "pass"]
    for schema in game.program.schemas:
        ranges = [range(limits(p.local.type)[0], limits(p.local.type)[1] + 1) for p in schema.params]
        texts += [game.notation.move_text(schema.index, args) for args in product(*ranges)][:60]
    return texts


@pytest.mark.parametrize("name", NAMES)
def test_pictures(name: str) -> None:
    law(name, picture)


@pytest.mark.parametrize("name", NAMES)
def test_plies(name: str) -> None:
    law(name, lambda game, steps, seat: told(steps, seat))


@pytest.mark.parametrize("name", NAMES)
def test_pages(name: str) -> None:
    law(name, page)


@pytest.mark.parametrize("name", NAMES)
def test_records(name: str) -> None:
    law(name, lambda game, steps, seat: record_of(game, steps).text(game, for_seat=seat))


@pytest.mark.parametrize("name", NAMES)
def test_saved_states(name: str) -> None:
    """(Where the play stands in the program is in them; it follows from what is seen in these rulesets.)"""
    law(name, lambda game, steps, seat: steps[-1][0].serialize(for_seat=seat))


@pytest.mark.parametrize("name", NAMES)
def test_positions_as_text(name: str) -> None:
    law(name, lambda game, steps, seat: steps[-1][0].position_text(for_seat=seat))


@pytest.mark.parametrize("name", NAMES)
def test_answers_to_mistakes(name: str) -> None:
    law(name, answers)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_page_is_told(name: str) -> None:
    law(name, lambda game, steps, seat: describe_position(steps[-1][0], seat))


@pytest.mark.parametrize("name", ["battleship", "phantom-go", "goofspiel"])
def test_every_seat_may_write_every_position(name: str) -> None:
    game = game_of(name)
    for state, _ in random_play(game, 1, 12):
        for seat, player in enumerate(game.players):
            assert f"seat: {player}" in state.position_text(for_seat=seat)
