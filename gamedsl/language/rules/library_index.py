"""Writes the index of the shipped rulesets: ``python -m gamedsl.language.rules.library_index`` brings titles and sentences up to date.

Families and their order are kept; a ruleset that is in none yet is put into the last one, to be moved by hand.
"""

from __future__ import annotations

import json

from gamedsl.language.rules.files import shipped
from gamedsl.language.rules.lower import load_program
from gamedsl.language.source import Entry, read_index, resource_path


def write_index() -> None:
    """Writes the index anew from the rulesets."""
    found = {e.name: e for e in entries()}
    families = {family: [found.pop(e.name) for e in games if e.name in found] for family, games in read_index().items()}
    families[list(families)[-1]] += found.values()
    data = {family: [vars(e) for e in games] for family, games in families.items()}
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    resource_path("rulesets", "index.json").write_text(text, encoding="utf-8")


def entries() -> list[Entry]:
    """What the shipped rulesets say of themselves."""
    found = []
    for name, path in shipped().items():
        program = load_program(path)
        about = next((p.text for p in program.parts[0].info if p.key == "about"), "")
        found.append(Entry(name, program.title, " ".join(about.split())))
    return found


if __name__ == "__main__":
    write_index()
