"""Which shipped rulesets a law is tried with in the quick suite."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

SHARE = 3

# Tests that try every shipped ruleset try these on small boards; the usual sizes have tests of their own.
SMALL_SIZES: dict[str, dict[str, Any]] = {
    "stratego": {"army": "small", "most_turns": 80},
    "twixt": {"size": 8},
    "go": {"n": 9},
    "phantom-go": {"n": 5},
}


def small(ruleset: str | Path) -> dict[str, Any]:
    """The options with which tests that try every shipped ruleset try this one."""
    return SMALL_SIZES.get(Path(ruleset).stem, {})


def sampled(names: Iterable[Any], law: str) -> list[Any]:
    """All of these as parameters of a test; two thirds of them are marked slow.

    ``law``: the test's name. It decides which third is quick, so that every ruleset is in the quick third of some laws.
    Tests that need the same compiled code give one name for all, so that it is compiled for a third of the rulesets only.
    """
    return [n if _share(n, law) else pytest.param(n, marks=pytest.mark.slow) for n in names]


def _share(name: Any, law: str) -> bool:
    text = f"{law} {getattr(name, 'stem', name)}"
    return crc32(text.encode()) % SHARE == 0
