"""The figures of the design lab as values of the page's template. They may come from a file, which is untrusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

from markupsafe import Markup

from gamedsl.lab.report.known_games import OnScale, has_matches, on_scale
from gamedsl.lab.report.lab_charts import effect_bars, ladder_steps, scale_strip
from gamedsl.language.source import lazy_dataclass

Section = Mapping[str, Any]
SHOWN_EFFECTS = 12


@lazy_dataclass(frozen=True)
class LabFigures:
    """What the lab has found, by section; ``commands``: the command that makes each section's figures again.

    ``metrics``: as `gamedsl metrics --format json`; ``ladder``: as `gamedsl depth --format json`; ``effects``: those of
    `gamedsl ablate --format json`; ``openings`` and ``puzzles``: see ``puzzles``. A section that is missing is not shown.
    """

    sections: Mapping[str, Any] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """What a reader has to know about the figures."""
        metrics, ladder = self.sections.get("metrics") or {}, self.sections.get("ladder") or {}
        found = []
        if metrics.get("out_of_time"):
            found.append("The time ran out while random games were measured; more time makes more games.")
        if ladder.get("end") == "time":
            found.append("The time ran out while the ladder was climbed; more time climbs further.")
        return found

    def view(self, pictures: Callable[[list[str]], str]) -> dict[str, Any]:
        """Returns the values of the template. ``pictures``: draws the position after these moves."""
        found: dict[str, Any] = dict.fromkeys(VIEWS) | {"puzzles": None}
        for name, make in VIEWS.items():
            if self.sections.get(name):
                found[name] = make(self.sections)
        if self.sections.get("puzzles"):
            found["puzzles"] = [_puzzle(p, pictures) for p in self.sections["puzzles"]]
        return found


def can_be_shown(name: str, section: Any) -> bool:
    """Whether a section, perhaps from a file, has the form of its view."""
    try:
        LabFigures({name: section}).view(lambda moves: "")
        if name == "metrics" and section:
            list(on_scale(_game({"metrics": section, "ladder": None})))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        return False
    return True


# ------------------------------------------------------------------------------------------------ the sections


def _game(sections: Section) -> Section:
    """The figures of a game, as the file of known games has them."""
    metrics, ladder = sections.get("metrics"), sections.get("ladder")
    player = metrics["players"][0] if metrics and metrics["players"] else {"figures": {}, "tree": None}
    tree = player["tree"] or (metrics or {}).get("tree_by_strata")
    digest = (metrics or {}).get("digest")
    return {"figures": player["figures"], "tree": tree, "ladder": ladder or None, "digest": digest}


def _scale(sections: Section) -> list[dict[str, Any]]:
    return [_scale_row(row) for row in on_scale(_game(sections))]


def _scale_row(row: OnScale) -> dict[str, Any]:
    shown = row.known.shown
    has_ends = row.low is not None and row.high is not None
    return {
        "name": row.known.name,
        "value": shown(row.value),
        "interval": f"{shown(row.low)} to {shown(row.high)}" if has_ends and row.low != row.high else "",  # type: ignore[arg-type]
        "near": _near(row),
        "chart": Markup(scale_strip(row)),
    }


def _near(row: OnScale) -> str:
    """Between which known games it lies."""
    below = [f"{name} ({row.known.shown(v)})" for name, v in row.others if v <= row.value]
    above = [f"{name} ({row.known.shown(v)})" for name, v in row.others if v > row.value]
    if below and above:
        return f"between {below[-1]} and {above[0]}"
    return f"above {below[-1]}" if below else f"below {above[0]}"


def _ladder(sections: Section) -> dict[str, Any]:
    ladder = sections["ladder"]
    rows = []
    for rung in ladder["rungs"]:
        below = rung["below"]
        elo = None if below is None else below["elo"]
        known = elo is not None and all(elo[k] is not None for k in ("value", "low", "high"))
        text = f"{elo['value']:+.0f} ({elo['low']:+.0f} to {elo['high']:+.0f})" if elo is not None and known else ""
        pairs = "" if below is None else str(sum(below["outcomes"]))
        against = "" if below is None else str(below["against"])
        verdict = "" if below is None else {"H1": "stronger", "H0": "not stronger"}.get(below["accepted"], "undecided")
        rows.append((str(rung["rung"]), str(rung["player"]), against, pairs, text, verdict))
    low, high = ladder["levels_interval"]
    return {
        "is_measured": has_matches(ladder),
        "levels": int(ladder["levels"]),
        "interval": f"{low} to {high}" if low != high else "",
        "rows": rows,
        "chart": Markup(ladder_steps(ladder["rungs"])),
    }


def _effects(sections: Section) -> dict[str, Any]:
    valid = [e for e in sections["effects"] if not e["invalid"]]
    moved = [e for e in valid if float(e["effect"]) > 0][:SHOWN_EFFECTS]
    return {
        "chart": Markup(effect_bars([(f"line {e['line']}", float(e["effect"])) for e in moved])),
        "rows": [(str(e["line"]), str(e["before"]), str(e["sentence"])) for e in moved],
        "idle": [(str(e["line"]), str(e["before"])) for e in valid if e["never_matters"]],
        "number": len(valid),
    }


def _openings(sections: Section) -> list[tuple[str, ...]]:
    def rows() -> Iterator[tuple[str, ...]]:
        for opening in sections["openings"]:
            value = float(opening["value"])
            result = "win for the first player" if value > 0 else "win for the second player" if value < 0 else "draw"
            plies = "" if opening["plies"] is None else str(int(opening["plies"]))
            yield str(opening["move"]), result, plies, str(opening["reply"])

    return list(rows())


def _puzzle(puzzle: Mapping[str, Any], pictures: Callable[[list[str]], str]) -> dict[str, Any]:
    moves = [str(move) for move in puzzle["moves"]]
    plies, choices = int(puzzle["plies"]), int(puzzle["choices"])
    return {
        "picture": Markup(pictures(moves)),
        "task": f"{puzzle['player']} is to move and wins within {plies} plies; only one of {choices} moves does",
        "grade": f"{puzzle['grade']}: the proof examines {int(puzzle['positions']):,} positions",
        "moves": "; ".join(moves),
        "solution": "; ".join(str(move) for move in puzzle["line"]),
    }


VIEWS: dict[str, Callable[[Section], Any]] = {
    "metrics": _scale, "ladder": _ladder, "effects": _effects, "openings": _openings,
}  # fmt: skip
