"""The formats of records, and how to recognize them. Other packages can register more (entry points
``gamedsl.records``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from gamedsl.language.source import Registry, Source, lazy_dataclass

Fields: TypeAlias = dict[str, Any]  # of a ``Record``, by name


@lazy_dataclass(frozen=True)
class RecordFormat:
    """A format in which games are written. ``fits``: returns whether a string is in this format. ``read``: returns the
    fields of a ``Record``, of which ``entries`` is required (the moves as ``Entry("ply", TEXT, line=N)``), and raises
    ``GameDSLError`` for a damaged text (``record_error``)."""

    fits: Callable[[str], bool]
    read: Callable[[Source], Fields]


RECORD_FORMATS = Registry(
    "gamedsl.records",
    "record format",
    RecordFormat,
    {
        "gamedsl": "gamedsl.engine.records.record_reader:CODED",
        "exploration": "gamedsl.engine.records.exploration:EXPLORATION",
        "sgf": "gamedsl.engine.records.game_files:SGF",
        "numbered": "gamedsl.engine.records.game_files:NUMBERED",
        "list": "gamedsl.engine.records.record_reader:PLAIN",
    },
)
FALLBACK = "list"  # fits every text, so it is tried after the formats of other packages


def format_of(text: str) -> RecordFormat:
    """The first format that fits a text."""
    names = [name for name in RECORD_FORMATS.built_in if name != FALLBACK]
    for name in names:
        if (found := RECORD_FORMATS.find(name)) is not None and found.fits(text):
            return found
    return next(other for other in _others() if other.fits(text))


def _others() -> Iterator[RecordFormat]:
    for name in (*(offer.name for offer in RECORD_FORMATS.offers()), FALLBACK):
        if (found := RECORD_FORMATS.find(name)) is not None:
            yield found
