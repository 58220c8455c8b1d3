"""Every shipped ruleset is played to its end by somebody who only reads the sentence and looks at the board."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import gamedsl
from tests.shipped_sample import small

from .browser import browser, needs_browser, open_page
from .dev_table import DevTable
from .person import OVER, Person
from .test_page import NAMES

needs_browser()

QUICK = {"tic-tac-toe": "desktop", "clobber": "phone", "kuhn-poker": "phone", "quoridor": "desktop"}
FIRST, LAST = (
    12,
    8,
)  # moves by the person, before and after a program plays a game that is long at random to near its end
ROUNDS = 6  # as the last moves may lead elsewhere
DRAWN = {"abs-trac-toe"}  # a hand draws there: see test_drawing.py


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as found:
        yield found


def finish_nearly(table: DevTable, rng: Random, left: int = 3) -> None:
    """Plays at random up to a few plies before the end."""
    states = [table.state]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(states[-1].propose(rng)))
    table.nodes[table.at].state = states[max(0, len(states) - 1 - left)]
    table._let_chance()


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize(
    "name",
    [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES if n not in DRAWN],
)
def test_the_sentence_leads_to_the_end(chrome: Any, name: str, size: str) -> None:
    if QUICK.get(name, size) != size:
        pytest.skip("the other size of this game is in the long run")
    rng = Random(f"{name} {size}")
    table = DevTable(gamedsl.load(name, **small(name)))
    page = open_page(chrome, table, size)
    person = Person(page, rng, touches=size == "phone")
    try:
        person.play(FIRST)
        for _ in range(ROUNDS):
            if person.sentence == OVER:
                break
            finish_nearly(table, rng)
            page.reload()
            page.wait_for_selector(".guide")
            person.play(LAST)
        assert person.sentence == OVER and table.state.is_terminal
        assert not page.errors
    finally:
        page.context.close()
