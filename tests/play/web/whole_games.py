"""Every shipped ruleset is played to its end by a person who only reads the sentence, sees what can be touched, and presses buttons.

    python -m tests.play.web.whole_games [NAME ...] [--size desktop|phone] [--logs FOLDER]

writes what happened into ``docs/reference/whole-games.md``, game by game; rows of other games stay. With ``--logs``, every sentence
and every action are written into a file for each game.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import gamedsl
from tests.shipped_sample import small

from .browser import SIZES, browser, give_back, open_page
from .dev_table import DevTable
from .person import Person, Stuck

ROOT = Path(__file__).parents[3]
NAMES = sorted(p.stem for folder in ("rulesets", "rulesets/classics") for p in (ROOT / folder).glob("*.gdl"))
PAGE = ROOT / "docs/reference/whole-games.md"
LONG = 300  # plies: a game that is longer at random ends by a program, but for its last moves
LAST = 8  # moves by the person after a program has played on
ROUNDS = 40  # as these may lead elsewhere: where one move of sixty ends the game, six were too few
ENDED = "ended"
HEAD = f"""# Whole games in the page

Written by `python -m tests.play.web.whole_games`; do not edit. A program without any knowledge of the rules plays every shipped
ruleset in the page to its end: it reads the sentence above the board, sees at which pixels something can be touched, and presses
the buttons that the sentence speaks of. At 1,280 pixels it clicks with a mouse, at 390 pixels it touches with a finger. What it
chooses is random. *Actions* are touches and presses together. Where random games last for more than {LONG} plies
([figures](figures.md)), it stops after {LONG}, a program plays on to three plies before the end, and the person makes the last moves.
Stratego, TwixT, Go and phantom Go are played on their small boards.

| ruleset | size | plies | actions | presses | most for a ply | result | how |
|---|---|---:|---:|---:|---:|---|---|
"""


@dataclass(frozen=True)
class Played:
    """What happened in a game. ``most``: actions for one ply; ``result``: the winners as the page says it, or why it did not end."""

    name: str
    size: str
    plies: int
    actions: int
    presses: int
    most: int
    result: str
    how: str


def play_whole(found: Any, name: str, size: str) -> tuple[Played, list[str]]:
    """The game and its log: sentences, and what the person did."""
    rng = Random(f"{name} {size}")
    game = gamedsl.load(name, **small(name))
    table = DevTable(game, rolls=not game.secrets.hides)  # nobody presses a button for cards that nobody may see
    page = open_page(found, table, size)
    person, played = Person(page, rng, touches=size == "phone"), Played(name, size, 0, 0, 0, 0, "", "")
    try:
        played = replace(played, how=_play(person, table, rng, is_long(name)))
        assert table.state.is_terminal and not page.faults, page.faults
        result = ENDED
    except Exception as problem:
        result = f"{type(problem).__name__}: {problem}".splitlines()[0]
        person.log.append(str(problem))
        if not isinstance(problem, Stuck | AssertionError) and "Timeout" not in result:
            raise
    counts: dict[str, Any] = {
        "plies": len(person.counts),
        "actions": len(person.log),
        "presses": person.presses,
        "most": max(person.counts, default=0),
    }
    give_back(page)
    return replace(played, result=result, **counts), person.log


def _play(person: Person, table: DevTable, rng: Random, is_capped: bool) -> str:
    """Plays to the end. Returns how."""
    person.play(LONG if is_capped else 10_000)
    if person.is_over:
        return "whole"
    for _ in range(ROUNDS):
        person.log.append("a program plays on to three plies before the end")
        finish_nearly(table, rng)
        person.page.reload()
        person.page.wait_for_selector(".guide")
        person.play(LAST)
        if person.is_over:
            return f"{LONG} plies, then the last"
    raise Stuck("the last moves lead elsewhere")


def finish_nearly(table: DevTable, rng: Random, left: int = 3) -> None:
    """Plays at random up to a few plies before the end."""
    states = [table.state]
    while not states[-1].is_terminal:
        states.append(states[-1].apply(states[-1].propose(rng)))
    table.nodes[table.at].state = states[max(0, len(states) - 1 - left)]


def is_long(name: str) -> bool:
    """Do random games of these rules last for more than ``LONG`` plies?"""
    figures = json.loads((ROOT / "rulesets/figures.json").read_text(encoding="utf-8"))
    return bool(figures[name]["figures"]["length"]["value"] > LONG)


def rows() -> dict[tuple[str, str], Played]:
    """The games of the page, by ruleset and size."""
    found = {}
    if PAGE.exists():
        for line in PAGE.read_text(encoding="utf-8").splitlines():
            if line.startswith("| ") and not line.startswith("| ruleset"):
                name, size, *counts, result, how = [cell.strip() for cell in line.strip("|").split("|")]
                plies, actions, presses, most = map(int, counts)
                found[name, size] = Played(name, size, plies, actions, presses, most, result, how)
    return found


def write(played: Iterable[Played]) -> None:
    """Writes these games into the page, beside the others."""
    every = rows() | {(one.name, one.size): one for one in played}
    lines = [
        f"| {' | '.join(str(cell).replace('|', '/') for cell in astuple(every[key]))} |\n" for key in sorted(every)
    ]
    PAGE.write_text(HEAD + "".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--logs", type=Path)
    args = parser.parse_args()
    with browser() as found:
        for name in args.names:
            for size in args.size or SIZES:
                played, log = play_whole(found, name, size)
                write([played])
                print(*astuple(played), flush=True)
                if args.logs:
                    args.logs.mkdir(parents=True, exist_ok=True)
                    (args.logs / f"{name}-{size}.txt").write_text("\n".join(log) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
