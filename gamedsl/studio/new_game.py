"""The files of a new game from a template."""

from __future__ import annotations

import re
from string import Template
from unicodedata import category

from gamedsl.language.source import UsageError, resource_path

MOST_LETTERS = 60  # so that the name of a file fits into the 255 bytes that file systems have for it


def is_name(name: str) -> bool:
    """Whether a game may have a name: letters and digits of every script, - and _, and not these two first."""
    kinds = [category(letter)[0] for letter in name]  # letters, their marks (such as vowels of Thai), numbers
    fits = all(kind in "LMN" or letter in "-_" for kind, letter in zip(kinds, name, strict=True))
    return 0 < len(name) <= MOST_LETTERS and kinds[0] in "LN" and fits


def template_kinds() -> list[str]:
    """The names of the templates."""
    return resource_path("templates", "kinds.txt").read_text(encoding="utf-8").split()


def template_files(name: str, kind: str) -> dict[str, str]:
    """The texts of a new game, by the names of their files. Raises ``UsageError`` (E0004) for a name that no game can have."""
    if not is_name(name):
        raise UsageError(
            f"`{name[:MOST_LETTERS]}` cannot be the name of a game",
            code="E0004",
            help=f"Use letters and digits of any script, - and _, at most {MOST_LETTERS}, and begin with a letter or a digit.",
        )
    templates = resource_path("templates")
    sources = {
        f"{name}.gdl": templates / kind / "rules.gdl",
        f"{name}.examples.yaml": templates / kind / "examples.yaml",
        "README.md": templates / "README.md",
    }
    title = re.sub(r"[-_]+", " ", name).strip().title()
    return {
        file: Template(path.read_text(encoding="utf-8")).substitute(name=name, title=title)
        for file, path in sources.items()
    }
