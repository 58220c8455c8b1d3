"""The costs by which the self-test of `auto` gives both sides equal time: measured once, and kept."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.agents import auto_choice, deepening, forest, kept_data, search_costs
from gamedsl.agents.leaf_value import leaf_value
from gamedsl.agents.position import compiled
from tests.agents.play import watch_kept_data


def test_costs_are_measured_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    native = compiled(gamedsl.load("tic-tac-toe"))
    value, kept = leaf_value(native), watch_kept_data(monkeypatch)
    assert value is not None
    found = search_costs.search_costs(native, value)
    assert list(found) == kept["search costs"] and min(found) >= search_costs.LEAST
    assert search_costs.search_costs(native, value) is found


@pytest.mark.parametrize("data", [b"", b"[1, 2]", b"[1, 2, 0]", b'[1, 2, "x"]', b"[1, 2, NaN]", b"{}"])
def test_forged_costs_are_measured_anew(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_costs, "_measured", lambda *_: [1.0, 2.0, 3.0])
    monkeypatch.setattr(kept_data, "cached_data", lambda *_: data)
    native = compiled(gamedsl.load("tic-tac-toe"))
    value = leaf_value(native)
    assert value is not None
    assert search_costs._kept(native, value) == (1.0, 2.0, 3.0)


def test_a_move_gets_what_its_time_buys(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,000 microseconds are 20,000 units of alpha-beta at 50 for 1,000 units, and 100 iterations at 10 each."""
    native = compiled(gamedsl.load("tic-tac-toe"))
    value, asked = leaf_value(native), list[int]()
    assert value is not None
    costs = search_costs.SearchCosts(50.0, 4.0, 10.0)
    monkeypatch.setattr(auto_choice, "search_costs", lambda *_: costs)
    monkeypatch.setattr(deepening, "search", lambda *args: asked.append(args[2].effort))
    monkeypatch.setattr(forest, "search", lambda *args: asked.append(args[2]))
    position: Any = type("Position", (), {"beside": lambda _: None})()
    for way in (auto_choice.Way("ab", True), auto_choice.PLAIN, auto_choice.Way("tree", True)):
        auto_choice.contender(way, native, value, 1_000).find(position, 1)
    assert asked == [20_000, 100, 250]
