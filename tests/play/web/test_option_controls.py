"""Options as forms offer them: a control of its own for each, from its declaration."""

from __future__ import annotations

import pytest

from gamedsl.language.rules import load_lowered
from gamedsl.language.source import read_index
from gamedsl.play.web.option_controls import describe_options
from gamedsl.play.web.server.agents import AGENTS, SEAT_WORDS
from gamedsl.play.web.server.catalogue import Catalogue
from tests.shipped_sample import sampled

NAMES = [entry.name for entries in read_index().values() for entry in entries]


def test_options_are_described_from_their_declarations() -> None:
    """By hand, from the texts of the rulesets."""
    assert describe_options(load_lowered("pig")) == [
        {"name": "players", "label": "players", "value": "2", "text": "", "low": 2, "high": 6},
        {"name": "target", "label": "target", "value": "100", "text": "points to win", "low": 2, "high": 1000},
    ]
    found = {one["name"]: one for one in describe_options(load_lowered("abs-trac-toe", {"teams": "two", "players": 4}))}
    assert found["teams"]["values"] == [["single", "single"], ["two", "two"], ["three", "three"]]
    assert found["teams"]["value"] == "two" and found["teams"]["text"].startswith("single players, or two")
    swap = next(one for one in describe_options(load_lowered("hex")) if one["name"] == "swap")
    assert swap["values"] == [["no", "no"], ["yes", "yes"]] and swap["value"] == "no"


@pytest.mark.parametrize("name", sampled(NAMES, "test_every_option_has_a_control"))
def test_every_option_has_a_control(name: str) -> None:
    """The value of an option is one that its control offers."""
    for one in Catalogue.of([name]).load(name).options:
        offered = [value for value, _ in one["values"]] if "values" in one else [str(one["low"]), str(one["high"])]
        assert offered and (one["value"] in offered or int(offered[0]) <= int(one["value"]) <= int(offered[1]))


def test_agents_have_words() -> None:
    assert set(SEAT_WORDS) == {"person", *AGENTS}
    seats = Catalogue.of(["kuhn-poker"]).load("kuhn-poker").seats
    assert seats == ("person", *AGENTS[:-1])  # no file of a learned value
