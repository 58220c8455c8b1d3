"""Writes the index of the shipped rulesets: ``python -m gamedsl.language.rules.library_index`` brings titles and
sentences up to date.

Families and their order are kept; a ruleset without a family is added to the last one, to be moved by hand.
"""

from __future__ import annotations

import json
from pathlib import Path

from gamedsl.language.core import nodes as n
from gamedsl.language.rules.error_report import Report
from gamedsl.language.rules.files import Files, shipped
from gamedsl.language.rules.lower import load_program
from gamedsl.language.source import Entry, read_index, resource_path
from gamedsl.language.syntax import ast


def write_index() -> None:
    """Rewrites the index from the rulesets."""
    found = {e.name: e for e in entries()}
    families = {family: [found.pop(e.name) for e in games if e.name in found] for family, games in read_index().items()}
    families[list(families)[-1]] += found.values()
    data = {family: [vars(e) for e in games] for family, games in families.items()}
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    resource_path("rulesets", "index.json").write_text(text, encoding="utf-8")


def entries() -> list[Entry]:
    """Returns the entries of the shipped rulesets, as these describe themselves."""
    found = []
    for name, path in shipped().items():
        program = load_program(path)
        about = next((p.text for p in program.parts[0].info if p.key == "about"), "")
        is_hidden = any(v.seen != "all" and v.role != "temp" for v in program.variables)
        has_chance = any(isinstance(block.end, n.Chance) for block in program.blocks)
        found.append(
            Entry(name, program.title, " ".join(about.split()), _player_counts(path, program), is_hidden, has_chance)
        )
    return found


def _player_counts(path: Path, program: n.Program) -> tuple[int, ...]:
    """Returns the numbers of players that a ruleset allows."""
    ranges = [d for d in Files(Report()).load_first(path).tree if isinstance(d, ast.PlayersRange)]
    if ranges and any(name == "players" for name, _ in program.options):
        return tuple(range(ranges[0].low, ranges[0].high + 1))
    return (program.players.size,)


if __name__ == "__main__":
    write_index()
