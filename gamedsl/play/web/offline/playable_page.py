"""A game as one self-contained HTML file: rules, page and opponents, with nothing from the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.agents import LEARNED, LEVELS, expected_levels, known_levels, learned_iterations
from gamedsl.play.web.offline.playable_data import playable_data
from gamedsl.play.web.single_file import one_file, packed
from gamedsl.play.web.single_script import one_script

if TYPE_CHECKING:
    from gamedsl.agents import LearnedValue
    from gamedsl.engine import Game

HUMAN, RANDOM = "human", "random"
USUAL = "medium"
_START = '${entry}.open(document.getElementById("page")).then((page) => {{ globalThis.shown = page; }});'


def playable_page(
    game: Game,
    players: Sequence[str] = (),
    start: str = "",
    levels: Sequence[int] | None = None,
    learned: LearnedValue | None = None,
) -> str:
    """The text of the file. ``players``: the first player of each seat (``HUMAN``, ``RANDOM`` or a level); by default a
    person against searches, or only people where a search is not a fair opponent. ``start``: the text of a record
    with which the page begins. ``levels``: the iterations of the levels (by default those that are known without a
    self-test). ``learned``: the value of a further level, ``LEARNED``, which hints use, too; it is for these rules.

    Raises ``NativeError`` for rules whose numbers do not fit into 64 bits, ``ValueError`` for other players."""
    found = playable_data(game, learned)
    if levels is None:
        levels = expected_levels(game) if game.secrets.hides else known_levels(game)
    iterations = dict(zip(LEVELS, levels, strict=True)) if "search" in found.facts else {}
    if learned is not None:
        iterations[LEARNED] = learned_iterations(levels)
    facts = {
        "facts": {**found.facts, "levels": iterations},
        "players": _players(game, players, tuple(iterations)),
        "start": start,
    }
    searches = "information_worker" if game.secrets.hides else "search_worker"
    worker = f'"use strict";\n{one_script(searches)}\n${searches}.serve();\n'
    data = {
        "facts": packed(json.dumps(facts, separators=(",", ":"), ensure_ascii=False).encode()),
        "code": packed(found.code),
        "worker": packed(worker.encode()),
    }
    entry = "playable_hiding" if game.secrets.hides else "playable"
    return one_file(game.title, entry, _START.format(entry=entry), data, ("'wasm-unsafe-eval'",), plays=True)


def _players(game: Game, players: Sequence[str], levels: Sequence[str]) -> list[str]:
    if not players:
        others = USUAL if levels else HUMAN
        return [HUMAN, *[others] * (game.num_players - 1)]
    if len(players) != game.num_players:
        raise ValueError(f"{game.title} has {game.num_players} players, not {len(players)}")
    known = (HUMAN, RANDOM, *levels)
    wrong = next((p for p in players if p not in known), None)
    if wrong is not None:
        reason = "" if wrong not in LEVELS else ": a search cannot follow what its players see"
        raise ValueError(f"{wrong} cannot play {game.title}{reason}; possible: {', '.join(known)}")
    return list(players)
