"""The forms of the language, from ``grammar/words.yaml``: words, template, meaning and example of each."""

from __future__ import annotations

from functools import cache
from typing import Any

from gamedsl.language.source import lazy_dataclass, resource_path


@lazy_dataclass(frozen=True)
class WordEntry:
    """One form of the language, and the words that belong to it.

    ``rules``: its grammar rules; a rule and a token (``verdict WIN``) mean the rule with that word. ``place``: where
    ``example`` goes in a ruleset; ``given``: the declarations that it needs besides the usual ones, or with
    ``is_whole`` the ruleset. ``see``: titles of other forms. ``guide``: names of pages of the guide. ``errors``: codes
    that belong to the form, wherever the test of such a code reports it.
    """

    title: str
    group: str
    words: tuple[str, ...]
    rules: tuple[str, ...]
    form: str
    meaning: str
    example: str
    place: str = ""
    given: str = ""
    is_whole: bool = False
    see: tuple[str, ...] = ()
    guide: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@cache
def word_entries() -> tuple[WordEntry, ...]:
    """Returns all entries, in the order of the file."""
    import yaml  # start-up: few commands need the words

    from gamedsl.language.syntax.data.yaml_reader import YAML_LOADER  # start-up

    text = resource_path("grammar", "words.yaml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = yaml.load(text, Loader=YAML_LOADER)
    return tuple(WordEntry(**_fields(row)) for row in rows)


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
