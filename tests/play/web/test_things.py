"""Values as people know them: playing cards in a text take the place of their names, and no other word is lost."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.play.web.test_rules_js import NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
JACK = {"rank": "jack", "suit": "diamonds"}
TEXTS: dict[str, list[Any]] = {
    "jack of diamonds": [JACK],
    "jack_of_diamonds": [JACK],
    "Jack Diamonds": [JACK],
    "(diamonds, jack)": [JACK],
    "diamonds jack": [JACK],
    "deal jack of diamonds": ["deal ", JACK],
    "north has laid the jack of diamonds, and waits": ["north has laid the ", JACK, ", and waits"],
    "jack of diamonds, ace of spades": [JACK, ", ", {"rank": "ace", "suit": "spades"}],
    "diamonds, the jack was turned up": ["diamonds, the jack was turned up"],  # not the name of a card
    "no card of diamonds": ["no card of diamonds"],
    "nineteen of diamonds": ["nineteen of diamonds"],
    "jack": ["jack"],
}


def test_cards_take_the_place_of_their_names() -> None:
    script = f"import {{ cardsIn }} from '{STATIC}/things.js'; " + (
        f"console.log(JSON.stringify({json.dumps(list(TEXTS))}.map(cardsIn)))"
    )
    arguments = [str(NODE), "--input-type=module", "-e", script]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    assert dict(zip(TEXTS, json.loads(done.stdout), strict=True)) == TEXTS
