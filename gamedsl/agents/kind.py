"""The registration of a kind of agent, and the amounts of work in its specification."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.agent import Agent

MOST_ITERATIONS, MOST_SECONDS = 10**9, 86_400.0
_DURATION = re.compile(r"([0-9]{1,8}(?:\.[0-9]{1,6})?)(ms|s|m)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}


@lazy_dataclass(frozen=True)
class AgentKind:
    """A kind of agent, such as ``mcts``.

    ``make``: returns the agent for the part after the colon of a specification (empty if there is no colon), or
    None if that is not valid; ``forms``: examples of specifications, each with its description.
    """

    make: Callable[[str], Agent | None]
    forms: tuple[tuple[str, str], ...] = ()


def read_seconds(text: str) -> float | None:
    """Returns the number of seconds in ``2s``, ``200ms`` or ``1m``; None if it is not a time within bounds."""
    found = _DURATION.fullmatch(text)
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    return seconds if 0.0 < seconds <= MOST_SECONDS else None


def read_number(text: str, most: int) -> int | None:
    """Returns the whole number from 1 to ``most`` in a string; None if there is none."""
    number = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else 0
    return number if 1 <= number <= most else None
