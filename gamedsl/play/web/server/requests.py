"""The requests of sockets and forms, checked field by field before they are used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.agents import AGENTS
from gamedsl.play.web.server.events import PERSON, ClockRule
from gamedsl.play.web.server.limits import (
    FARTHEST,
    MOST_ACTION,
    MOST_AHEAD,
    MOST_DRAWN,
    MOST_ID,
    MOST_LINES,
    MOST_NAME,
    MOST_OPTION,
    MOST_OPTIONS,
    MOST_PLY,
    MOST_POINTS,
    MOST_SEATS,
    MOST_STROKES,
    MOST_TEXT,
    MOST_TRIED,
    MOST_WORD,
)
from gamedsl.play.web.server.refusals import Refused

Json: TypeAlias = dict[str, Any]
TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{12}(?:[A-Za-z0-9_-]{8})?")  # the longer ones belong to uploaded rules
_DAY = 86_400
CLOCKS: Mapping[str, tuple[int, int, int, int]] = {  # least and greatest base, least and greatest step, in seconds
    "none": (0, 0, 0, 0),
    "move": (5, 30 * _DAY, 0, 0),
    "fischer": (10, _DAY, 0, 3600),
}


@lazy_dataclass(frozen=True)
class Request:
    """A request from a socket; ``number`` is returned with the answer."""

    do: str
    number: int
    fields: Json


def whole(data: Json, name: str, low: int, high: int) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Refused("malformed", f"`{name}` must be a whole number from {low} to {high}")
    return value


def text(data: Json, name: str, most: int) -> str:
    value = data.get(name)
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise Refused("malformed", f"`{name}` must be a string of at most {most} characters")
    return value


def actions(data: Json, name: str) -> list[int]:
    """Numbers of actions, bounded in number and size."""
    value = data.get(name)
    if not isinstance(value, list) or len(value) > MOST_TRIED:
        raise Refused("malformed", f"`{name}` must be a list of at most {MOST_TRIED} numbers")
    if not all(type(one) is int and 0 <= one <= MOST_ACTION for one in value):
        raise Refused("malformed", f"`{name}` must be whole numbers from 0 to {MOST_ACTION}")
    return value


def line(data: Json, name: str, most: int = MOST_AHEAD) -> list[str]:
    """A line of plies as text, bounded in number and size."""
    return _line(data.get(name), most)


def _line(value: Any, most: int) -> list[str]:
    if not isinstance(value, list) or len(value) > most:
        raise Refused("malformed", f"a line is a list of at most {most} plies")
    if not all(isinstance(one, str) and len(one) <= MOST_PLY and one.isprintable() for one in value):
        raise Refused("malformed", f"a ply is a string of at most {MOST_PLY} characters")
    return value


def lines(data: Json, name: str) -> list[list[str]]:
    """Lines of plies, bounded in number."""
    value = data.get(name)
    if not isinstance(value, list) or len(value) > MOST_LINES:
        raise Refused("malformed", f"`{name}` must be a list of at most {MOST_LINES} lines")
    return [_line(one, MOST_AHEAD) for one in value]


def strokes(data: Json, name: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Strokes as ``[[name, [[x, y], ...]], ...]``, bounded in number and size."""
    value = data.get(name)
    if not isinstance(value, list) or len(value) > MOST_STROKES:
        raise Refused("malformed", f"`{name}` must be a list of at most {MOST_STROKES} strokes")
    found = [_stroke(one) for one in value]
    if sum(len(points) for _, points in found) > MOST_DRAWN:
        raise Refused("malformed", f"all strokes together have at most {MOST_DRAWN} points")
    return found


def _stroke(value: Any) -> tuple[str, list[tuple[float, float]]]:
    match value:
        case [str(name), list(points)] if len(name) <= MOST_NAME and len(points) <= MOST_POINTS:
            return name, [_point(p) for p in points]
        case _:
            raise Refused("malformed", f"a stroke is a pair of its name and at most {MOST_POINTS} points")


def _point(value: Any) -> tuple[float, float]:
    match value:
        case [int() | float() as x, int() | float() as y] if _is_near(x) and _is_near(y):
            return float(x), float(y)
        case _:
            raise Refused("malformed", "a point is a pair of numbers")


def _is_near(x: float) -> bool:
    return not isinstance(x, bool) and math.isfinite(x) and abs(x) <= FARTHEST


def read_request(frame: str) -> Request:
    """A frame of a socket. Raises ``Refused`` (malformed)."""
    data = read_json(frame)
    return Request(text(data, "do", MOST_WORD), whole(data, "id", 0, MOST_ID), data)


def read_json(frame: str | bytes) -> Json:
    """A JSON object. Raises ``Refused`` (malformed), including numbers and nesting that Python refuses, and halves of
    surrogate pairs, which cannot be stored or sent."""
    try:
        data = json.loads(frame, parse_constant=_no_constant)
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Refused("malformed", "that is not JSON") from error
    if not isinstance(data, dict):
        raise Refused("malformed", "a message must be a JSON object")
    return data


def _no_constant(word: str) -> float:
    raise ValueError(word)


@lazy_dataclass(frozen=True)
class NewTable:
    """A request for a new table."""

    game: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    clock: ClockRule
    is_public: bool


def read_new_table(body: bytes) -> NewTable:
    """The body of a request that makes a table. Raises ``Refused``."""
    data = read_json(body)
    if set(data) - {"game", "options", "seats", "clock", "public"}:
        raise Refused("malformed", "the request has unknown fields")
    return NewTable(
        text(data, "game", MOST_NAME),
        _options(data.get("options", {})),
        _listed(data.get("seats"), _seat),
        _clock(data.get("clock", {"kind": "none"})),
        data.get("public") is True,
    )


def read_options(body: bytes) -> Mapping[str, str]:
    """The body of a request about a game with options. Raises ``Refused``."""
    data = read_json(body)
    if set(data) != {"options"}:
        raise Refused("malformed", "the request has one field, `options`")
    return _options(data["options"])


def read_upload(body: bytes) -> str:
    """The text of an uploaded ruleset. Raises ``Refused``."""
    data = read_json(body)
    found = data.get("text")
    if set(data) != {"text"} or not isinstance(found, str) or not found.strip():
        raise Refused("malformed", "an upload has one field, `text`: the ruleset")
    if len(found) > MOST_TEXT:
        raise Refused("malformed", f"a ruleset has at most {MOST_TEXT:,} characters here")
    return found


def _options(value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(
        isinstance(v, str) and len(k) + len(v) <= MOST_OPTION for k, v in value.items()
    ):
        raise Refused("malformed", "`options` must give a string for every name")
    if len(value) > MOST_OPTIONS:
        raise Refused("malformed", f"`options` has at most {MOST_OPTIONS} names")
    return value


def _listed(value: Any, each: Callable[[Any], str]) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_SEATS:
        raise Refused("malformed", "`seats` must be a list")
    return tuple(each(v) for v in value)


def _seat(value: Any) -> str:
    if value != PERSON and value not in AGENTS:
        raise Refused("malformed", f"a seat is one of {', '.join((PERSON, *AGENTS))}")
    return str(value)


def _clock(value: Any) -> ClockRule:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str) or value["kind"] not in CLOCKS:
        raise Refused("malformed", f"a clock is one of {', '.join(CLOCKS)}")
    low, high, least, most = CLOCKS[value["kind"]]
    filled = {"base": 0, "step": 0, **value}
    return ClockRule(value["kind"], whole(filled, "base", low, high), whole(filled, "step", least, most))
