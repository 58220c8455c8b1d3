"""The boards of a report: the first position, a later one, and how a random game and its parts ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game, Sheet, State
    from gamedsl.engine.picture import Scars

LATER = 16  # plies before the second picture of the board, or half of a shorter game
MOST_PLIES = 1000  # of the game whose end is shown


@lazy_dataclass(frozen=True)
class Moment:
    """A position of the game, the number of plies that led to it, and the marks on the paper."""

    state: State
    plies: int
    sheet: Sheet


def boards(game: Game, seed: int) -> list[tuple[str, str]]:
    """Captions and pictures of the first position in which a player decides, of one some plies later, and of the end of a random
    game, with the last boards of its parts. Positions without a board are omitted."""
    from gamedsl.play.web import figure

    moments = list(_random_game(game, seed))
    first = next((m for m in moments if m.state.kind not in ("chance", "drawing")), moments[-1])
    later = moments[min(first.plies + LATER, (first.plies + len(moments)) // 2)]
    found = [("the beginning", first), (f"after {later.plies} random plies", later)]
    last = moments[-1]
    if last.state.is_terminal:
        found.append((f"the end, after {last.plies} random plies\n{_caption(last)}", last))
    pictures = [(words, figure(m.state, _scars(m))) for words, m in found]
    return [(words, picture) for words, picture in pictures if picture]


def position_picture(game: Game, moves: list[str]) -> str:
    """The picture of the position after these moves; empty if there is no board, or they are not moves of this game."""
    from gamedsl.play.web import figure

    state = game.initial_state()
    try:
        for text in moves:
            state = state.apply(game.parse_move(text, state))
    except GameDSLError:
        return ""
    return figure(state)


def _random_game(game: Game, seed: int) -> Iterator[Moment]:
    from gamedsl.engine import Sheet

    state, rng, sheet = game.initial_state(), Random(seed), Sheet()
    yield Moment(state, 0, sheet)
    for plies in range(1, MOST_PLIES + 1):
        if state.is_terminal:
            return
        move = state.propose(rng)
        after = state.apply(move)
        sheet, state = sheet.after(state, move, after), after
        yield Moment(state, plies, sheet)


def _scars(moment: Moment) -> Scars:
    """The marks on the paper that a spectator sees."""
    from gamedsl.engine.picture import CLEAN, scars_of

    scars = scars_of(moment.sheet, moment.state)
    return replace(CLEAN, ended=scars.ended) if moment.state.game.secrets.hides else scars


def _caption(moment: Moment) -> str:
    """Lines about the ending of the game and of its last part, and about the origin of the scores."""
    from gamedsl.engine.picture import ends_told, outcome_of, view

    scars = _scars(moment)
    scores = [f"{x.text} {x.because}" for x in view(moment.state, scars=scars).asides if x.because]
    own = [outcome_of(moment.state), *scores] if moment.state.is_terminal else []
    return "\n".join([*ends_told(moment.state.ended, moment.sheet.ended), *own])
