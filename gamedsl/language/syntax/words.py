"""The words of the language, from ``grammar/words.yaml``: form, meaning and example of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gamedsl.language.source import resource_path


@dataclass(frozen=True)
class WordEntry:
    """What one or several words of the language mean."""

    words: tuple[str, ...]
    form: str
    meaning: str
    example: str


@cache
def word_entries() -> tuple[WordEntry, ...]:
    """All entries, in the order of the file."""
    import yaml  # start-up: few commands need the words

    rows = yaml.safe_load(resource_path("grammar", "words.yaml").read_text(encoding="utf-8"))
    return tuple(WordEntry(tuple(r["words"]), r["form"], r["meaning"], r["example"]) for r in rows)
