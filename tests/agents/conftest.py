"""Tests of agents use the leaf value of random games: learning from self-play takes seconds for every ruleset."""

from __future__ import annotations

import pytest

from gamedsl.agents.leaf_value import leaf_value


@pytest.fixture(autouse=True)
def without_self_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests of self-play ask for the learned value themselves."""
    for module in ("leaf_choice", "auto_choice"):
        monkeypatch.setattr(f"gamedsl.agents.{module}.best_value", leaf_value)
