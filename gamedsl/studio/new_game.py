"""The files of a new game from a template."""

from __future__ import annotations

import re
from string import Template

from gamedsl.language.source import UsageError, resource_path

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*", re.IGNORECASE)
MOST_LETTERS = 60


def template_kinds() -> list[str]:
    """The names of the templates."""
    return resource_path("templates", "kinds.txt").read_text(encoding="utf-8").split()


def template_files(name: str, kind: str) -> dict[str, str]:
    """The texts of a new game, by the names of their files. Raises ``UsageError`` (E0004) for a name that no game can have."""
    if not NAME.fullmatch(name) or len(name) > MOST_LETTERS:
        raise UsageError(
            f"`{name[:MOST_LETTERS]}` cannot be the name of a game",
            code="E0004",
            help=f"Use letters, digits, - and _, at most {MOST_LETTERS}, and begin with a letter or a digit.",
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
