"""The boards of a report: how a random game ended, and how the games of a match did."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import gamedsl
from gamedsl.cli.report_boards import boards


def data_of(picture: str) -> Any:
    found = re.search(r'data-figure="([^"]*)"', picture)
    assert found is not None
    return json.loads(unescape(found[1]))["picture"]


def test_the_end_is_told_with_its_scores() -> None:
    captions, pictures = zip(*boards(gamedsl.load("horn-tiles"), 0), strict=True)
    assert captions[:2] == ("the beginning", "after 16 random plies")
    end, result, *scores = captions[2].split("\n")
    assert end.startswith("the end, after ") and result.endswith(" [FH-10]")
    counts = {line.split()[2]: line.count("(1)") for line in scores}  # lines of a 4 = ...
    assert f"(a {counts['a']}, b {counts['b']})" in result
    last = data_of(pictures[2])
    assert len(last["scored"]) == sum(counts.values()) and last["trails"]


def test_every_game_of_a_match_is_shown_as_it_ended() -> None:
    caption, picture = boards(gamedsl.load("t-tic-t-tac-toe"), 0)[-1]
    assert caption.startswith("the end") and "one wins (one 3, two 2)" in caption
    past = data_of(picture)["past"]
    shown = [*(one["caption"] for one in past), caption]
    games = [int(number) for c in shown for number in re.findall(r"Game (\d).*\[(?:3\.1\.05|TT-3)", c)]
    assert games == [1, 2, 3, 4, 5]
    won = [one["picture"]["spots"] for one in past if "(three in a row)" in one["caption"]]
    assert len(won) >= 5 and all(sum("decides" in spot for spot in spots) >= 3 for spots in won)


def test_secrets_are_not_in_a_report() -> None:
    """A spectator of phantom tic-tac-toe sees no stone that was laid unseen."""
    for _, picture in boards(gamedsl.load("phantom-tic-tac-toe"), 0)[:2]:
        assert not data_of(picture)["trails"]
