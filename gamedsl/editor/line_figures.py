"""What random games say about a ruleset, at its lines: who wins, how often each move is legal, and what was never used or true.

Before: a ruleset with the texts as the editor holds them, and a number of seconds. After: marks at the first words of lines; the
editor shows them as lenses and hints. Runs in a process of its own, see ``task_process.py``.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from random import Random
from typing import NamedTuple

from gamedsl.editor.figure_codes import LEGAL, NEVER, WINNER
from gamedsl.engine import State
from gamedsl.lab.coverage import InstrumentedGame, Line, gathered
from gamedsl.lab.statistics import Estimate, wilson
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import Parsed, load_lowered
from gamedsl.language.source import lazy_dataclass

MOST_GAMES, LONGEST = 10_000, 10_000  # games; plies of one, after which it counts as unfinished
FEWEST, FEWEST_DECISIONS = 20, 200  # games that must have ended, and decisions, before figures about them are shown
# of a condition with one answer only: by its kind, and whether that was yes
_SAID = {
    ("guard", True): "never refused a move", ("guard", False): "refused every move",
    ("test", True): "always true", ("test", False): "never true",
}  # fmt: skip


@lazy_dataclass()
class _Games:
    """Counts over random games: how they ended, and at how many decisions each kind of move was legal."""

    ended: int = 0
    begun: int = 0
    decisions: int = 0
    legal: Counter[int] = field(default_factory=Counter)
    winners: Counter[frozenset[int]] = field(default_factory=Counter)


class Figure(NamedTuple):
    """Something that random games say, at an offset of the text (-1: about the whole). ``code``: see ``figure_codes``."""

    code: str
    start: int
    text: str


def figures(path: str, parsed: Mapping[str, Parsed], seconds: float, most: int = MOST_GAMES) -> list[Figure]:
    """Plays for so many seconds, and at most so many games. Raises ``GameDSLError`` for a ruleset with mistakes, and if its rules fail."""
    program = load_lowered(path, {}, parsed).program
    probed = InstrumentedGame(program)
    games = _play(probed, time.monotonic() + seconds, most)
    lines = [line for file, found in gathered([probed], "random", "", False).files if file == path for line in found]
    starts = parsed[path].source.line_starts
    return [*_winners(program, games), *_moves(program, games, path), *_lines(lines, starts, games)]


def _play(probed: InstrumentedGame, until: float, most: int) -> _Games:
    games = _Games()
    for number in range(most):
        rng, state = Random(f"figures/{number}"), probed.game.initial_state()
        games.begun += 1
        plies = 0
        while not state.is_terminal and plies < LONGEST:
            if time.monotonic() >= until:
                return games
            _decide(state, games)
            state = state.apply(state.propose(rng))
            plies += 1
        if state.is_terminal:
            games.ended += 1
            games.winners[state.winners] += 1
    return games


def _decide(state: State, games: _Games) -> None:
    if state.kind in ("player", "together"):
        games.decisions += 1
        for schema in {move.schema for move in state.legal_moves() if move.schema is not None}:
            games.legal[schema] += 1


def share_words(share: Estimate) -> str:
    """A share with half of its interval, in percent: ``51 ± 3 %``."""
    half = max((share.high or 0.0) - share.value, share.value - (share.low or 0.0))
    return f"{100 * share.value:.0f} ± {max(1, round(100 * half))} %"


def _moves(program: n.Program, games: _Games, path: str) -> Iterator[Figure]:
    for number, schema in enumerate(program.schemas):
        share = wilson(games.legal[number], games.decisions)
        is_known = games.decisions >= FEWEST_DECISIONS and (games.legal[number] or games.ended >= FEWEST)
        if share is not None and is_known and schema.span.source.path == path and not schema.mistake:
            said = f"legal in {100 * share.value:.0f} % of plies" if games.legal[number] else "never legal"
            yield Figure(LEGAL, schema.span.start, f"{said} ({games.decisions:,} decisions in random games)")


def _winners(program: n.Program, games: _Games) -> Iterator[Figure]:
    if games.ended < FEWEST:
        return
    parts = []
    for seat, name in enumerate(program.players.names):
        share = wilson(sum(times for won, times in games.winners.items() if won == {seat}), games.ended)
        if share is not None:
            parts.append(f"{name} wins {share_words(share)}")
    others = sum(times for won, times in games.winners.items() if len(won) != 1)
    drawn = wilson(others, games.ended)
    if drawn is not None and others:
        parts.append(f"nobody alone {share_words(drawn)}")
    yield Figure(WINNER, -1, f"{', '.join(parts)} ({games.ended:,} random games)")


def _lines(lines: list[Line], starts: tuple[int, ...], games: _Games) -> Iterator[Figure]:
    """What was never reached, and conditions that always had the same answer."""
    for line in lines if games.ended >= FEWEST else ():
        said = "never reached" if line.mark == "never" else ""
        if line.mark == "partly":
            said = _SAID.get((line.kind, bool(line.times)), "")
        if said:
            yield Figure(NEVER, starts[line.number - 1], f"{said} in {games.begun:,} random games")
