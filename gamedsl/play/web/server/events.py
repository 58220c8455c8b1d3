"""The events of a table's log, and their JSON. Written events never change, and a game is the sum of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, asdict, field, fields
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.refusals import BadData

PERSON = "person"
ClockKind: TypeAlias = Literal["none", "move", "fischer"]


@lazy_dataclass(frozen=True)
class ClockRule:
    """How long a seat may think, in seconds. "move": ``base`` for every move (days, for correspondence); "fischer":
    ``base`` for the game and ``step`` more after every move."""

    kind: ClockKind = "none"
    base: int = 0
    step: int = 0


@lazy_dataclass(frozen=True)
class Setup:
    """The settings of a new table. ``seats``: the player of each, ``person`` or an agent's specification. ``before``:
    the table of which this is the rematch. ``at``: milliseconds since 1970, as everywhere in the log. ``owner``: a MAC
    of the address that made it (see ``Links.owner``). ``run``: the run of the server (see ``Run``). ``marks``: the
    marks with which the seats begin; none: the signs of the look. ``names``: those that the players gave themselves;
    none: nobody has."""

    game: str
    digest: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    clock: ClockRule = ClockRule()
    is_public: bool = False
    before: str = ""
    at: int = 0
    owner: str = ""
    run: int = 0
    marks: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def goes_on_alone(self) -> bool:
        """Whether things happen at the table when nobody is there: a clock runs out, or an agent moves."""
        return self.clock.kind != "none" or any(who != PERSON for who in self.seats)


@lazy_dataclass(frozen=True)
class Made:
    """A move, or an outcome of chance (``seat`` None), in the notation of records. ``free``: milliseconds before
    ``at`` that the mover's clock does not count, because the move was on its way or the server was busy."""

    at: int
    seat: int | None
    text: str
    free: int = 0


@lazy_dataclass(frozen=True)
class Resigned:
    at: int
    seat: int


@lazy_dataclass(frozen=True)
class TimeRanOut:
    at: int
    seat: int


@lazy_dataclass(frozen=True)
class Offered:
    """A seat asks all others to agree: to a draw, or to take back plies so that ``keep`` are left."""

    at: int
    seat: int
    what: Literal["draw", "undo"]
    keep: int = 0


@lazy_dataclass(frozen=True)
class Answered:
    at: int
    seat: int
    yes: bool


@lazy_dataclass(frozen=True)
class Resumed:
    """The server restarted; clocks continue from here. ``run``: the number of the new run; ``until``: the instant, by
    the clock of the previous run, up to which that run counts (0: not at all)."""

    at: int
    run: int = 0
    until: int = 0


@lazy_dataclass(frozen=True)
class Published:
    """An event at ``made`` was shown to those concerned only at ``at``; the time between is charged to nobody."""

    at: int
    made: int


@lazy_dataclass(frozen=True)
class Rematch:
    """A seat wants a rematch; ``table`` is the name of the new table once all seats want one."""

    at: int
    seat: int
    table: str = ""


@lazy_dataclass(frozen=True)
class Marked:
    """A seat has chosen a mark; empty: it returns to the sign of the look."""

    at: int
    seat: int
    mark: str


class Aside:
    """An event beside the game, which changes no position, offer, clock or ending."""


@lazy_dataclass(frozen=True)
class Named(Aside):
    """The player of a seat has chosen a name; empty: none."""

    at: int
    seat: int
    name: str


@lazy_dataclass(frozen=True)
class Said(Aside):
    """A message to all at the table. ``seat`` None: from a spectator, who is called ``name``."""

    at: int
    seat: int | None
    text: str
    name: str = ""


Lines: TypeAlias = tuple[tuple[str, ...], ...]


@lazy_dataclass(frozen=True)
class Planned(Aside):
    """The answers that a seat has prepared, instead of all before: lines of plies from the position that it is in, in
    the notation of records. Its own plies in them are made as soon as those before them have been made."""

    at: int
    seat: int
    lines: Lines


Event: TypeAlias = (
    Made | Resigned | TimeRanOut | Offered | Answered | Resumed | Published | Rematch | Marked | Named | Said | Planned
)
_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
Json: TypeAlias = dict[str, Any]
_LATER = ("marks", "names")  # fields of a setup, by seat, that logs of earlier versions do not have


def event_json(event: Event) -> Json:
    """An event as plain data; ``event`` names its kind."""
    return {"event": type(event).__name__, **asdict(event)}


def event_from(data: object) -> Event:
    """The inverse of ``event_json``. Raises ``BadData`` for anything else."""
    kind = _KINDS.get(str(data.get("event"))) if isinstance(data, dict) else None
    if kind is None or not isinstance(data, dict):
        raise BadData("it is not an event")
    made: Event = _built(kind, {name: value for name, value in data.items() if name != "event"})
    return made


def _built(kind: type[Any], data: Json) -> Any:
    """A dataclass with these fields; fields with a default may be missing. Raises ``BadData`` where a value does not
    have the type of its field."""
    hints = get_type_hints(kind)
    needed = {f.name for f in fields(kind) if f.default is MISSING}
    if not needed <= set(data) <= set(hints):
        raise BadData(f"{kind.__name__} has other fields")
    for name, value in data.items():
        if not _fits(value, hints[name]):
            raise BadData(f"`{name}` of {kind.__name__} is damaged")
    return kind(**{name: _tuples(value) for name, value in data.items()})


def _tuples(value: object) -> object:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _fits(value: object, hint: Any) -> bool:
    if get_origin(hint) is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if get_origin(hint) is tuple:  # of any length
        return isinstance(value, list | tuple) and all(_fits(one, get_args(hint)[0]) for one in value)
    if hint is int:
        return type(value) is int and abs(value) < 2**53
    return type(value) is hint


def setup_json(setup: Setup) -> Json:
    lists = {name: list(getattr(setup, name)) for name in ("seats", *_LATER)}
    return {**asdict(setup), "options": dict(setup.options), **lists}


def setup_from(data: object) -> Setup:
    """The inverse of ``setup_json``. Raises ``BadData`` for anything else."""
    match data:
        case {"seats": list(seats), "options": dict(options), "clock": dict(clock), **rest} if all(
            isinstance(one, str) for one in (*seats, *options, *options.values())
        ):
            later = {name: _strings(name, rest.pop(name, [])) for name in _LATER}
            plain = _built(_Plain, {str(name): value for name, value in rest.items()})
            told = {**asdict(plain), "clock": _built(ClockRule, clock), **later}
            return Setup(**told, seats=tuple(map(str, seats)), options=options)
        case _:
            raise BadData("it is not a table")


def _strings(name: str, found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise BadData(f"`{name}` of the table is damaged")
    return tuple(found)


@lazy_dataclass(frozen=True)
class _Plain:
    """The fields of a ``Setup`` that are numbers or strings."""

    game: str
    digest: str
    is_public: bool = False
    before: str = ""
    at: int = 0
    owner: str = ""
    run: int = 0


@lazy_dataclass()
class TableLog:
    """All stored data of a table. ``damage``: the fault that cut the events short, or a fault in the setup (which is
    None then)."""

    setup: Setup | None
    events: list[Event] = field(default_factory=list)
    damage: str = ""
