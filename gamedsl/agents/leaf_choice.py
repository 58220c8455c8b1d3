"""The self-test of the leaf value: a short match of alpha-beta with it against alpha-beta with playouts.

Both spend the same effort on a move, counted in steps of the rules and not in seconds, so the decision is the same on
every machine. It is made once for a ruleset and kept in the code cache.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from gamedsl.agents.contender import kept_match, match
from gamedsl.agents.position import once
from gamedsl.agents.self_play_value import best_value
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.compiler import Native

PAIRS = 3  # mirrored pairs of games, at most


@lazy_dataclass(frozen=True)
class LeafChoice:
    """``value``: the leaf value that alpha-beta uses (None: playouts); ``text``: the choice and its reason, in words."""

    value: LeafValue | None
    text: str


def leaf_choice(native: Native, forced: str | None = None) -> LeafChoice:
    """Returns the choice for a ruleset. ``forced``: the choice without a test, ``linear`` or ``playouts``."""
    if forced == "playouts":
        return LeafChoice(None, "playouts, as asked")
    value = best_value(native)
    if value is None:
        return LeafChoice(None, "playouts, because random games teach no linear leaf value")
    if forced == "linear":
        return LeafChoice(value, "a linear leaf value, as asked")
    points, games = once(native, "leaf_test", partial(_tested, native, value))
    if 2 * points >= games:
        won = f"{points:g} of {games} points against playouts in the self-test"
        found = LeafChoice(value, f"a linear leaf value ({won}, learned from {value.origin})")
    else:
        lost = f"a linear leaf value got {points:g} of {games} points against them in the self-test"
        found = LeafChoice(None, f"playouts ({lost})")
    logging.getLogger("gamedsl").info("ab: %s", found.text)
    return found


def _tested(native: Native, value: LeafValue) -> tuple[float, int]:
    """The points of the leaf value, and the number of games."""
    return kept_match(native, f"leaf test, {value.origin}", lambda: match(native, value, None, PAIRS), PAIRS)
