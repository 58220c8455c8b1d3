"""Measures all shipped rulesets for `rulesets/figures.json`: `python benchmarks/ruleset_figures.py [NAME ...]`.

Every ruleset is measured by `gamedsl metrics`, and those of the scale of known games by `gamedsl depth` too, each command with a
limit of time. What the file has for the same rules and settings is not measured again, so the script can be stopped and
continued. Without names: all rulesets.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from gamedsl.language.core import digest
from gamedsl.language.rules import load_program

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "rulesets" / "figures.json"
METRICS = [
    "-n",
    "20",
    "--playouts",
    "24",
    "--limit",
    "20000",
    "--length",
    "1000",
    "--seed",
    "0",
    "--time",
    "60",
    "--plain",
]
SLOW = {"atreso": "240", "blokus-duo": "240"}  # seconds for those whose games take very long
DEPTH = ["--pairs", "60", "--difference", "100", "--seed", "0"]
RUNGS = {"atreso": "4", "chess": "6", "hex": "9", "horn-tiles": "8", "t-tic-t-tac-toe": "8", "t-tic-t-tac-toe-version-2": "8",
         "abs-trac-toe": "9", "english-draughts": "10"}  # fmt: skip
MOST_RUNGS = "12"  # of the others
KEPT = (
    "length", "branching", "forced", "first_mover", "drawishness", "decided_at", "lead_changes", "drama", "uncertainty",
    "blunder_cost", "decisions_that_matter", "narrowness",
)  # fmt: skip
# on the scale of known games: these rulesets with these options
SCALE = (
    "tic-tac-toe", "nim", "connect-four", "hex n=5", "hex", "yavalath", "reversi", "english-draughts", "chess",
    "rock-paper-scissors", "t-tic-t-tac-toe", "t-tic-t-tac-toe-version-2", "x-s-and-lines", "horn-tiles", "atreso", "abs-trac-toe",
)  # fmt: skip


def main(names: list[str]) -> int:
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    every = [*SCALE, *(name for name in all_names() if name not in SCALE)]
    for key in [k for k in every if not names or k in names]:
        name, *settings = key.split()
        wanted = digest(load_program(name, dict(s.split("=") for s in settings)))
        old = known.get(key, {})
        if old.get("digest") == wanted and old.get("settings") == _settings(key):
            continue
        known[key] = measured(key, name, settings) | {"digest": wanted}
        text = json.dumps({k: known[k] for k in every if k in known}, indent=1, ensure_ascii=False)
        FILE.write_text(text + "\n", encoding="utf-8")
        sys.stdout.write(f"{key}: {known[key]['cpu_seconds']} CPU seconds\n")
        sys.stdout.flush()
    return 0


def all_names() -> list[str]:
    """The names of the shipped rulesets, sorted."""
    return sorted(path.stem for path in (ROOT / "rulesets").rglob("*.gdl"))


def _settings(key: str) -> list[str]:
    return [*_metrics(key), *(_depth(key) if key in SCALE else [])]


def _depth(key: str) -> list[str]:
    return ["--rungs", RUNGS.get(key, MOST_RUNGS), *DEPTH]


def _metrics(key: str) -> list[str]:
    return [SLOW.get(key, word) if before == "--time" else word for before, word in pairwise(["", *METRICS])]


def measured(key: str, name: str, settings: list[str]) -> dict[str, Any]:
    """Runs the commands, and returns what is kept of their results."""
    options = [word for s in settings for word in ("--set", s)]
    before = _cpu()
    told = run(["metrics", name, *options, *_metrics(key)])
    (player,) = told["players"] or [{"figures": {}, "games": 0, "counted": 0, "unfinished": 0, "tree": None}]
    exact = told["exact"]
    found = {
        "is_on_scale": key in SCALE, "settings": _settings(key), "games": player["games"], "counted": player["counted"],
        "unfinished": player["unfinished"],
        "figures": {k: _rounded(player["figures"][k]) for k in KEPT if k in player["figures"]},
        "value": exact["value"], "positions": exact["positions"] if exact["complete"] else None,
        "bits": told["bits"], "symmetries": None if told["symmetries"] is None else str(told["symmetries"]),
        "hidden_values": told["hidden_values"], "tree": _rounded(player["tree"] or told["tree_by_strata"]),
        "out_of_time": told["out_of_time"],
    }  # fmt: skip
    if key in SCALE and not told["hidden_values"]:
        ladder = run(["depth", name, *options, *_depth(key)])
        if ladder:
            found["ladder"] = {k: ladder[k] for k in ("levels", "elo_in_all", "end")}
    return found | {"cpu_seconds": round(_cpu() - before, 1)}


def run(words: list[str]) -> dict[str, Any]:
    """Runs a command, and returns what it prints; nothing if the game does not suit it."""
    done = subprocess.run(["gamedsl", *words, "--format", "json", "-q"], capture_output=True, text=True, check=False)
    if done.returncode == 2:
        return {}
    if done.returncode:
        raise SystemExit(f"gamedsl {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _rounded(figure: dict[str, Any] | None) -> dict[str, Any] | None:
    """The value and the ends of its interval, with four digits."""
    if figure is None:
        return None
    return {k: None if figure[k] is None else float(f"{figure[k]:.4g}") for k in ("value", "low", "high")}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
