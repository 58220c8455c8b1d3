"""Computes the figures of `gamedsl metrics` again from recorded games, without its code, and compares them.

    gamedsl metrics GAME --plain --format json -o figures.json --traces games.jsonl
    python -m scripts.recompute_metrics figures.json games.jsonl

The definitions are those of docs/reference/metrics.md. Figures that come from further games (the counted games of
random players) are compared only if there are none. Exit code 1: a figure differs in the third digit.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

RELATIVE = 0.0005  # three digits
FURTHER = {"length", "branching", "forced", "first_mover", "drawishness"}  # from counted games, where there are some

Game = dict[str, Any]


def main(arguments: list[str]) -> int:
    figures, games = (Path(name).read_text(encoding="utf-8") for name in arguments)
    bad = list(compare(json.loads(figures), [json.loads(line) for line in games.splitlines()]))
    for line in bad:
        print(line)
    return bool(bad)


def compare(figures: dict[str, Any], games: list[Game]) -> list[str]:
    """Returns a line for every figure that differs."""
    bad = []
    for player in figures["players"]:
        mine = recompute([g for g in games if g["player"] == player["player"] and g["finished"]])
        further = player["counted"] > player["games"]
        for name, told in player["figures"].items():
            if not (further and name in FURTHER):
                found = mine.get(name)
                if found is None or not math.isclose(found, told["value"], rel_tol=RELATIVE, abs_tol=1e-9):
                    bad.append(f"{player['player']}: {name} is {told['value']}, and from the games {found}")
        for place, told in player["coverage"].items():
            found = covered(games, player["player"], place, figures["places"][place])
            if not math.isclose(found, told["value"], rel_tol=RELATIVE):
                bad.append(f"{player['player']}: coverage of {place} is {told['value']}, and from the games {found}")
    return bad


def covered(games: list[Game], player: str, place: str, size: int) -> float:
    shares = [g["covered"][place] / size for g in games if g["player"] == player and g["finished"]]
    return sum(shares) / len(shares)


def recompute(games: list[Game]) -> dict[str, float]:
    """Returns the figures of finished games."""
    decisions = [[c for s, c in zip(g["seats"], g["choices"], strict=True) if s >= 0] for g in games]
    offered = [c for game in decisions for c in game if c > 0]
    found = {"length": average([len(game) for game in decisions])}
    if offered:
        found["branching"] = average(offered)
        found["forced"] = average([c == 1 for c in offered])
    found |= of_actions(games)
    if len(games[0]["returns"]) == 1:
        return found
    starts = [next((s for s in g["seats"] if s >= 0), None) for g in games]
    players = len(games[0]["returns"])
    points = [point(g["returns"], s) - 1 / players for g, s in zip(games, starts, strict=True) if s is not None]
    if points:
        found["first_mover"] = average(points)
    found["drawishness"] = average([min(g["returns"]) == max(g["returns"]) for g in games])
    return found | of_values(games)


def average(numbers: list[Any]) -> float:
    return sum(numbers) / len(numbers)


def point(returns: list[float], seat: int) -> float:
    winners = [s for s, u in enumerate(returns) if u == max(returns)]
    return 1 / len(winners) if seat in winners else 0.0


def of_values(games: list[Game]) -> dict[str, float]:
    """Returns the figures of who is ahead."""
    rows: dict[str, list[float]] = {}
    for game in games:
        valued = [(v, m) for v, m in zip(game["values"], game["margins"], strict=True) if v is not None]
        if not valued:
            continue
        ahead = []
        for values, margin in valued:
            best = values.index(max(values))
            others = [v for s, v in enumerate(values) if s != best]
            ahead.append(best if values[best] - max(others) > margin else None)
        names = [s for s in ahead if s is not None]
        changes = sum(names[k] != names[k - 1] for k in range(1, len(names)))
        rows.setdefault("lead_changes", []).append(changes)
        leads = [sorted(v)[-1] - sorted(v)[-2] for v, _ in valued]
        rows.setdefault("uncertainty", []).append(average([1 - min(1, lead / 2) for lead in leads]))
        top = [s for s, u in enumerate(game["returns"]) if u == max(game["returns"])]
        if len(top) > 1:
            continue
        (winner,) = top
        behind = [(max(v) - v[winner]) / 2 for v, m in valued if max(v) - v[winner] > m]
        rows.setdefault("drama", []).append(average([x**0.5 for x in behind]) if behind else 0.0)
        rows.setdefault("winner_trails", []).append(len(behind) / len(valued))
        last = max((k for k, s in enumerate(ahead) if s != winner), default=-1)
        rows.setdefault("decided_at", []).append((last + 1) / len(ahead))
    return {name: average(values) for name, values in rows.items()}


def of_actions(games: list[Game]) -> dict[str, float]:
    """Returns the figures of the decisions at which all actions were valued, weighted by the decisions of a game."""
    sums: dict[str, float] = {}
    total = 0
    for game in games:
        valued = list(game["actions"].values())
        if not valued:
            continue
        number = sum(s >= 0 and c > 1 for s, c in zip(game["seats"], game["choices"], strict=True))
        total += number
        for actions in valued:
            first, second = actions["selecting"], actions["valuing"]
            best, mean = second[first.index(max(first))], average(second)
            worst = second[first.index(min(first))]
            promising = mean + 0.75 * (max(second) - mean)
            row = {
                "blunder_cost": best - mean,
                "decisions_that_matter": best - worst > 2 * actions["margin"],
                "narrowness": average([v >= promising for v in second]),
            }
            for name, value in row.items():
                sums[name] = sums.get(name, 0.0) + value * number / len(valued)
    return {name: value / total for name, value in sums.items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
