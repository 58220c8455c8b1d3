"""Strategies in files: JSON with the rules' digest, and for each seat a table of probabilities by information state."""

from __future__ import annotations

import json
import re
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from gamedsl.engine import Game, play_error
from gamedsl.lab.equilibrium.approximation import Approximation
from gamedsl.lab.equilibrium.finding import Equilibrium
from gamedsl.lab.equilibrium.profile import Profile
from gamedsl.lab.equilibrium.sequences import SequenceForm
from gamedsl.lab.equilibrium.texts import set_texts
from gamedsl.language.source import GameDSLError, lazy_dataclass, read_file, reason

FORMAT = "gamedsl strategy 1"
UNIFORM = "uniform"  # the strategy for states that a file does not mention
MOST_BYTES = 1 << 30
SLACK = 1e-6  # tolerance of sums of probabilities
_KEY = re.compile(r"[0-9a-f]{32}")
Odds = dict[str, float]  # by the text of an action


@lazy_dataclass(frozen=True)
class SavedStrategy:
    """A strategy for every seat, read from a file.

    ``tables``: for each seat, by the key of an information state (``InformationState.key``), the probabilities of
    its actions. States with only one action are omitted. ``about``: the other entries of the file.
    """

    path: str
    game: str
    digest: str
    tables: tuple[dict[str, Odds], ...]
    about: dict[str, Any]

    def check(self, game: Game) -> None:
        """Raises ``GameDSLError`` (E0524) if it is for other rules or another number of players."""
        if not game.has_digest(self.digest):
            raise refused(
                self.path, f"it is for other rules or options than {game.title or game.program.name} has here"
            )
        if len(self.tables) != game.num_players:
            raise refused(self.path, f"it has strategies for {len(self.tables)} players, not {game.num_players}")

    def odds(self, seat: int, key: str, actions: list[str]) -> list[float]:
        """The probabilities of the legal actions, given by their texts, in an information state of a seat.

        Raises ``GameDSLError`` (E0524) if the file does not mention the state, or names other actions. If a file
        covers only part of the game (``otherwise``), all actions are equally likely elsewhere.
        """
        if len(actions) == 1:
            return [1.0]
        found = self.tables[seat].get(key)
        if found is None and self.about.get("otherwise") == UNIFORM:
            return [1 / len(actions)] * len(actions)
        if found is None:
            raise refused(self.path, "it says nothing about what the player has seen and done so far")
        if found.keys() != set(actions):
            raise refused(self.path, f"it names the actions {', '.join(found)}, but there are {', '.join(actions)}")
        return [found[a] for a in actions]


def refused(path: str, why: str) -> GameDSLError:
    """The error for a strategy that cannot be used."""
    return play_error("E0524", f"the strategy in {path} cannot be used: {why}")


# ---------------------------------------------------------------------------------------------------------- writing


def strategy_json(found: Equilibrium) -> dict[str, Any]:
    """An equilibrium as plain data; see ``read_strategy``."""
    profile, tree = found.profile, found.profile.form.tree
    game, texts, keys = tree.game, set_texts(tree), tree.keys
    tables: list[list[dict[str, Any]]] = [[] for _ in game.players]
    for i, number in enumerate(profile.form.order.tolist()):
        actions = [game.action_text(a) for a in tree.actions(number)]
        if len(actions) > 1:
            odds = dict(zip(actions, profile.probabilities(i).tolist(), strict=True))
            tables[tree.sets.seat[number]].append({"key": keys[number], "text": texts[number], "actions": odds})
    return {
        "format": FORMAT,
        "game": game.program.name,
        "options": game.options,
        "digest": game.digest,
        "method": found.method,
        "iterations": found.iterations,
        "exploitability": profile.exploitability,
        "values": list(profile.values),
        "players": [{"player": n, "strategy": t} for n, t in zip(game.players, tables, strict=True)],
    }


def approximation_json(found: Approximation) -> dict[str, Any]:
    """Sampled strategies as plain data; see ``read_strategy``."""
    sampler, game = found.sampler, found.sampler.game
    tables: list[list[dict[str, Any]]] = [[] for _ in game.players]
    for number, text, odds in found.rows():
        tables[sampler.sets.seat[number]].append({"key": sampler.key(number), "text": text, "actions": odds})
    return {
        "format": FORMAT,
        "game": game.program.name,
        "options": game.options,
        "digest": game.digest,
        "method": sampler.method,
        "iterations": found.iterations,
        "otherwise": UNIFORM,
        "players": [{"player": n, "strategy": t} for n, t in zip(game.players, tables, strict=True)],
    }


# ---------------------------------------------------------------------------------------------------------- reading


def read_strategy(path: str | Path) -> SavedStrategy:
    """The strategy in a file. Raises ``GameDSLError`` (E0524) with the reason if the file does not contain one."""
    name = str(path)
    try:
        data = json.loads(read_file(path, MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise refused(name, reason(error)) from None
    except (ValueError, RecursionError):
        raise refused(name, "it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise refused(name, f"it has no `format` entry with the string `{FORMAT}`")
    game, digest, players = data.get("game"), data.get("digest"), data.get("players")
    if not isinstance(game, str) or not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise refused(name, "it does not say for which game it is")
    if not isinstance(players, list):
        raise refused(name, "`players` is not a list")
    about = {k: v for k, v in data.items() if k not in ("format", "game", "digest", "players")}
    return SavedStrategy(name, game, digest, tuple(_table(name, p) for p in players), about)


def _table(name: str, player: Any) -> dict[str, Odds]:
    rows = player.get("strategy") if isinstance(player, dict) else None
    if not isinstance(rows, list):
        raise refused(name, "a player has no list `strategy`")
    table: dict[str, Odds] = {}
    for n, row in enumerate(rows, 1):
        key = row.get("key") if isinstance(row, dict) else None
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise refused(name, f"entry {n} of `strategy` has no `key` of 32 hexadecimal digits")
        if key in table:
            raise refused(name, f"the key {key} occurs twice")
        table[key] = _odds(name, key, row.get("actions"))
    return table


def _odds(name: str, key: str, given: Any) -> Odds:
    if not isinstance(given, dict) or not given:
        raise refused(name, f"`actions` of {key} is not an object of probabilities")
    numbers = list(given.values())
    if not all(isinstance(p, int | float) and not isinstance(p, bool) and isfinite(p) and p >= 0 for p in numbers):
        raise refused(name, f"`actions` of {key} has a probability that is not a number from 0 to 1")
    total = float(sum(numbers))
    if abs(total - 1) > SLACK:
        raise refused(name, f"the probabilities of {key} add up to {total:g}, not 1")
    return {a: p / total for a, p in given.items()}


def profile_of(form: SequenceForm, saved: SavedStrategy) -> Profile:
    """The profile of a saved strategy. Raises the errors of ``SavedStrategy``."""
    tree, strategy = form.tree, np.ones(form.sequences)
    saved.check(tree.game)
    for i, number in enumerate(form.order.tolist()):
        actions = [tree.game.action_text(a) for a in tree.actions(number)]
        first = int(form.forms.first[i])
        odds = saved.odds(int(tree.sets.seat[number]), tree.keys[number], actions)
        strategy[first : first + len(actions)] = odds
    return Profile(form, strategy)
