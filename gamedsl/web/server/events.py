"""The events of a table's log, and their JSON. What has been written never changes; a play is what its events say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, TypeAlias, get_args

from gamedsl.web.server.refusals import BadData

PERSON = "person"
ClockKind: TypeAlias = Literal["none", "move", "fischer"]


@dataclass(frozen=True)
class ClockRule:
    """How long a seat may think, in seconds. "move": ``base`` for every move (days, for correspondence); "fischer":
    ``base`` for the play and ``step`` more after every move."""

    kind: ClockKind = "none"
    base: int = 0
    step: int = 0


@dataclass(frozen=True)
class Setup:
    """What a table was made with. ``seats``: who plays each, ``person`` or an agent's specification. ``before``: the table
    of which this is the rematch. ``at``: milliseconds since 1970, as everywhere in the log."""

    game: str
    digest: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    clock: ClockRule = ClockRule()
    is_public: bool = False
    before: str = ""
    at: int = 0

    @property
    def goes_on_alone(self) -> bool:
        """Something happens at the table although nobody is there: a clock runs out, an agent moves."""
        return self.clock.kind != "none" or any(who != PERSON for who in self.seats)


@dataclass(frozen=True)
class Made:
    """A move, or an outcome of chance (``seat`` None): the notation of records."""

    at: int
    seat: int | None
    text: str


@dataclass(frozen=True)
class Resigned:
    at: int
    seat: int


@dataclass(frozen=True)
class TimeRanOut:
    at: int
    seat: int


@dataclass(frozen=True)
class Offered:
    """A seat asks all others to agree: to a draw, or to take back plies so that ``keep`` are left."""

    at: int
    seat: int
    what: Literal["draw", "undo"]
    keep: int = 0


@dataclass(frozen=True)
class Answered:
    at: int
    seat: int
    yes: bool


@dataclass(frozen=True)
class Resumed:
    """The server began again; clocks go on from here."""

    at: int


@dataclass(frozen=True)
class Rematch:
    """A seat wants another play; ``table`` is its name once all do."""

    at: int
    seat: int
    table: str = ""


Event: TypeAlias = Made | Resigned | TimeRanOut | Offered | Answered | Resumed | Rematch
_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
Json: TypeAlias = dict[str, Any]


def event_json(event: Event) -> Json:
    """An event as plain data; ``event`` names its kind."""
    return {"event": type(event).__name__, **asdict(event)}


def event_from(data: Json) -> Event:
    """The inverse of ``event_json``. Raises ``BadData`` for anything else."""
    kind = _KINDS.get(data.get("event", ""))
    if kind is None or set(data) - {"event"} != {f.name for f in fields(kind)}:
        raise BadData(f"not an event: {str(data)[:80]}")
    return kind(**{k: v for k, v in data.items() if k != "event"})


def setup_json(setup: Setup) -> Json:
    return {**asdict(setup), "options": dict(setup.options), "seats": list(setup.seats)}


def setup_from(data: Json) -> Setup:
    """The inverse of ``setup_json``."""
    return Setup(**{**data, "seats": tuple(data["seats"]), "clock": ClockRule(**data["clock"])})


@dataclass
class TableLog:
    """Everything that is kept of a table."""

    setup: Setup
    events: list[Event] = field(default_factory=list)
