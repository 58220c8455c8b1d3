"""The table of figures of all shipped rulesets, from `rulesets/figures.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from scripts.reference.markdown import ROOT, fence, page, table

FILE = ROOT / "rulesets" / "figures.json"
LEAD = """Random players, {count} rulesets with the values of options that they have by default (others are named). The command
`python benchmarks/ruleset_figures.py` measures them again, ruleset by ruleset, and can be stopped and continued. More digits
and all intervals are in [`rulesets/figures.json`](../../rulesets/figures.json). [Metrics](metrics.md) defines the figures. In
parentheses: 95 percent intervals."""
HOW = "Each ruleset is measured by the first of these commands, and those with levels of play by the second one, too:"
NOTES = """- *Games*: the number of different games, as a power of ten; exact, or estimated. A dash stands for a figure that does not
  exist for this game, or that no game showed in time.
- *Best play*: the first player's utility, where at most 20,000 positions decide it.
- *Levels*: players of a ladder who beat the level below, of players with twice the iterations of the one before; "or more" where
  all rungs were used. Long games have fewer rungs than the command below says: `--rungs` 4 for atreso, 6 for chess, and up to 10
  for others (`settings` in the file). With more rungs there may be more levels.
- *CPU*: seconds of all commands together, with compiling. A star: the time for `gamedsl metrics` ran out (60 seconds, 240
  for atreso and blokus-duo), so it made fewer games, and another machine makes other figures, except levels. The ladders of
  atreso and chess were made in several pieces, so their seconds are not among these: about 5 and 10 minutes."""


def figure_pages() -> Iterator[tuple[str, str]]:
    """The page, by its path in the docs."""
    games = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    head = (
        "ruleset", "plies", "choices", "first mover", "drawn", "decided after", "lead changes", "uncertainty",
        "cost of a random move", "games", "best play", "levels", "CPU",
    )  # fmt: skip
    metrics, depth = _settings(games)
    lines = f"gamedsl metrics RULESET {metrics}\ngamedsl depth RULESET {depth}"
    rows = [_row(name, game) for name, game in sorted(games.items())]
    body = table(head, rows)
    yield (
        "reference/figures.md",
        page("Figures of all rulesets", LEAD.format(count=len(rows)), body, NOTES, f"{HOW}\n\n{fence(lines)}"),
    )


def _settings(games: Mapping[str, Any]) -> tuple[str, str]:
    """The options of both commands, as most rulesets have them."""
    texts = [" ".join(game["settings"]) for game in games.values()]
    longest = next((text for text in texts if "--rungs" in text), "")
    metrics, _, depth = longest.partition(" --rungs")
    return metrics, f"--rungs{depth}"


def _row(name: str, game: Mapping[str, Any]) -> list[str]:
    found = {k: v for k, v in game["figures"].items() if game["games"] > 1 or v["low"] is not None}  # not of one game
    ladder = game.get("ladder")
    levels = "-" if ladder is None else f"{ladder['levels']}{' or more' if ladder['end'] in ('time', 'rungs') else ''}"
    solved = game["value"] and all(high - low < 1e-9 for low, high in game["value"])
    return [
        name,
        _figure(found.get("length"), ""),
        _figure(found.get("branching"), ""),
        _figure(found.get("first_mover"), "%"),
        _figure(found.get("drawishness"), "%"),
        _figure(found.get("decided_at"), "%"),
        _figure(found.get("lead_changes"), ""),
        _figure(found.get("uncertainty"), "%"),
        _figure(found.get("blunder_cost"), ""),
        "-" if game["tree"] is None else f"{game['tree']['value']:.1f}",
        f"{game['value'][0][0]:+g}" if solved else "-",
        levels,
        f"{game['cpu_seconds']:.0f}{' *' if game['out_of_time'] else ''}",
    ]


def _figure(figure: Mapping[str, Any] | None, unit: str) -> str:
    if figure is None:
        return "-"
    factor = 100 if unit else 1
    value, low, high = (None if figure[k] is None else _digits(factor * figure[k]) for k in ("value", "low", "high"))
    return f"{value}{unit}" if low is None or low == high else f"{value}{unit} ({low} to {high})"


def _digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
