"""Variations of a game with comments and marks, as JSON.

    {"gamedsl exploration": 1, "engine": "0.2.0", "game": "my-game", "options": {}, "digest": "...",
     "rules": {"my-game.gdl": "..."}, "at": 1, "nodes": [
     {},
     {"parent": 0, "who": "X", "ply": "b2", "comment": "the middle", "circles": [["cell", "a1"]],
      "arrows": [["cell", "a1", "cell", "c3"]]},
     {"parent": 0, "who": "X", "ply": "a1"}]}

A node is a position; the first is the beginning of the game, and all others follow an earlier one by a ply, in the
notation of records. ``end`` names the winners where the game is over. ``at`` is the position that is shown first. The
rules are there as text, so that a later version can say what differs. Verdicts are not part of the file: whoever opens
it proves them again. Every command that reads a record reads the main line, the first continuation everywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import unified_diff
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from gamedsl.engine.errors import play_error
from gamedsl.engine.records.entries import NOBODY, Entry, record_error
from gamedsl.engine.records.formats import Fields, RecordFormat
from gamedsl.language.core import all_spans
from gamedsl.language.source import GameDSLError, Source, Span, first_unfit, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import Game, State

KEY, FORM = "gamedsl exploration", 1
MOST_CHARACTERS = 2_000_000  # of a file
MOST_NODES, MOST_DEPTH = 5_000, 2_000
MOST_COMMENT, MOST_MARKS = 4_000, 100  # characters of a comment; circles, or arrows, of a position
MOST_NAME, MOST_PLY = 200, 10_000  # characters
MOST_FILES = 20  # of the rules
_DIGEST = re.compile("[0-9a-f]{8,64}")
_GAME = re.compile(r"[^\W_][^/\\]*")
_PLY = re.compile(r'"ply"\s*:')
_FITS = re.compile(r"\s*\{\s*\"gamedsl exploration\"")

Place = tuple[str, str]  # its kind and its name


@lazy_dataclass(frozen=True)
class Branch:
    """A position of an exploration, with the ply that leads to it. ``parent``: the number of the branch before (None: the
    first position); ``end``: the winners, if the game was over there."""

    parent: int | None
    who: str = ""
    text: str = ""
    comment: str = ""
    circles: tuple[Place, ...] = ()
    arrows: tuple[tuple[Place, Place], ...] = ()
    end: tuple[str, ...] | None = None


@lazy_dataclass(frozen=True)
class Exploration:
    """A file that was read. ``rules``: the texts of the ruleset by file name; ``at``: the branch that is shown first."""

    game: str
    options: Mapping[str, str]
    digest: str
    engine: str
    rules: Mapping[str, str]
    branches: tuple[Branch, ...]
    at: int
    source: Source

    @cached_property
    def children(self) -> list[list[int]]:
        """By branch, the branches that continue from it, the main line first."""
        found: list[list[int]] = [[] for _ in self.branches]
        for number, branch in enumerate(self.branches):
            if branch.parent is not None:
                found[branch.parent].append(number)
        return found

    def line(self, number: int) -> list[Branch]:
        """The branches from the first ply to one of them."""
        found = list[Branch]()
        at: int | None = number
        while at:
            found.append(self.branches[at])
            at = self.branches[at].parent
        return found[::-1]

    def steps(self, game: Game) -> list[tuple[State, Move | None]]:
        """The state at every branch, with the move that leads to it. Raises ``GameDSLError`` (E0535) for the first ply
        that the rules do not allow."""
        found: list[tuple[State, Move | None]] = [(game.initial_state(), None)]
        for number, branch in enumerate(self.branches[1:], 1):
            assert branch.parent is not None
            try:
                plies = game.play_text(branch.text, found[branch.parent][0], _seat(game, branch.who))
                if len(plies) != 1:
                    raise play_error("E0535", f"{branch.text} is {len(plies)} plies")
            except GameDSLError as error:
                before = ", ".join(one.text for one in self.line(number)[:-1]) or "the beginning"
                what = "; ".join(d.message for d in error.diagnostics)
                message = (
                    f"this exploration holds a move that these rules do not have: {branch.text} after {before} ({what})"
                )
                made = (
                    f"It was made by gamedsl {self.engine}. `gamedsl replay FILE --game GAME` reads it by other rules."
                )
                raise record_error("E0535", message, self.place(number), help=made) from error
            move, state = plies[0]
            found.append((state, move))
        return found

    def place(self, number: int) -> Span:
        """Where the ply of a branch stands in the file."""
        at = self._places[number - 1] if 0 < number <= len(self._places) else 0
        return Span(self.source, at, at)

    @cached_property
    def _places(self) -> list[int]:
        """The offsets of all plies in the file."""
        return [found.start() for found in _PLY.finditer(self.source.text)]


def _seat(game: Game, who: str) -> int | None:
    if who == NOBODY:
        return None
    if who not in game.players:
        raise play_error("E0532", f"there is no player `{who}`")
    return game.players.index(who)


def rules_texts(game: Game) -> dict[str, str]:
    """The texts of a game's ruleset by file name."""
    sources = {span.source.path: span.source.text for span in all_spans(game.program) if span.source.text}
    return {PurePath(path).name: text for path, text in sorted(sources.items())}


def differences(
    game: Game, version: str, found: Exploration, steps: Sequence[tuple[State, Move | None]]
) -> Iterator[str]:
    """What differs between an exploration and this game and version, a sentence each. ``steps``: those of the exploration
    in this game."""
    if found.engine != version:
        yield f"It was made by gamedsl {found.engine}; this is {version}."
    if found.game != game.program.name:
        yield f"It was made for {found.game}; these are the rules of {game.program.name}."
    if dict(found.options) != dict(game.options):
        yield f"Its options are {_options(found.options)}; here they are {_options(game.options)}."
    if not game.has_digest(found.digest):
        yield f"Its rules differ from these{_changed(found.rules, rules_texts(game))}. All its moves are legal here."
    for number, (branch, (state, _)) in enumerate(zip(found.branches, steps, strict=True)):
        now = tuple(game.players[seat] for seat in sorted(state.winners)) if state.is_terminal else None
        if now != branch.end:
            where = ", ".join(one.text for one in found.line(number)) or "the beginning"
            yield f"After {where}, {_ending(branch.end)} there, and {_ending(now)} here."


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "not set"


def _ending(winners: tuple[str, ...] | None) -> str:
    if winners is None:
        return "the game went on"
    return f"the winner was {' and '.join(winners)}" if winners else "nobody won"


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    lines = [
        line
        for name in sorted({*before, *after})
        for line in unified_diff(before.get(name, "").splitlines(), after.get(name, "").splitlines(), n=0, lineterm="")
        if line[:1] in ("-", "+") and line[:3] not in ("---", "+++") and line[1:].strip()
    ]
    return f" in {len(lines)} lines, the first of them `{lines[0][1:].strip()[:80]}`" if lines else ""


# ------------------------------------------------------------------------------------------------------- reading


def read_exploration(source: Source) -> Exploration:
    """The exploration in a text, which is hostile input. Raises ``GameDSLError`` (E0531)."""
    if len(source.text) > MOST_CHARACTERS:
        raise _wrong(source, f"it has more than {MOST_CHARACTERS:,} characters")
    try:
        data = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise _wrong(source, "it was changed or cut, and is not JSON") from error
    match data:
        case {
            "gamedsl exploration": int(form),
            "engine": str(engine),
            "game": str(game),
            "options": dict(options),
            "digest": str(digest),
            "rules": dict(rules),
            "at": int(at),
            "nodes": list(nodes),
        } if form is not True:
            pass
        case _:
            raise _wrong(source, "fields are missing or of another kind")
    if form > FORM:
        raise _wrong(source, f"its form is {form}, and gamedsl {engine[:20]} wrote it; this version reads form {FORM}")
    words = [game, digest, engine, *options, *options.values()]
    if (
        not all(_is_line(word, MOST_NAME) for word in words)
        or not _GAME.fullmatch(game)
        or not _DIGEST.fullmatch(digest)
    ):
        raise _wrong(source, "a name, an option or the digest of the rules is not such a string")
    if len(rules) > MOST_FILES or not all(_is_line(name, MOST_NAME) and _is_text(t) for name, t in rules.items()):
        raise _wrong(source, "the rules are not strings")
    if not 0 < len(nodes) <= MOST_NODES or not 0 <= at < len(nodes):
        raise _wrong(source, f"it must have 1 to {MOST_NODES:,} positions, and show one of them")
    branches, depths = list[Branch](), list[int]()
    for number, node in enumerate(nodes):
        branches.append(_branch(source, number, node))
        parent = branches[-1].parent
        depths.append(0 if parent is None else depths[parent] + 1)
    if max(depths) > MOST_DEPTH:
        raise _wrong(source, f"a line has more than {MOST_DEPTH:,} plies")
    return Exploration(game, options, digest, engine, rules, tuple(branches), at, source)


def _branch(source: Source, number: int, node: Any) -> Branch:
    match node:
        case {"parent": int(parent), "who": str(who), "ply": str(text)} if (
            number and type(parent) is int and 0 <= parent < number
        ):
            found = Branch(parent, who, text)
        case dict() if number == 0 and not {"parent", "who", "ply"} & set(node):
            found = Branch(None)
        case _:
            raise _wrong(source, f"position {number} has no ply, or does not continue an earlier one")
    comment, circles, arrows, end = (node.get(name) for name in ("comment", "circles", "arrows", "end"))
    fits = (
        _is_line(found.who, MOST_NAME)
        and _is_line(found.text, MOST_PLY)
        and (comment is None or (_is_text(comment) and len(comment) <= MOST_COMMENT))
        and _are_names(circles, 2, MOST_MARKS)
        and _are_names(arrows, 4, MOST_MARKS)
        and (end is None or (isinstance(end, list) and all(_is_line(one, MOST_NAME) for one in end)))
    )
    if not fits:
        raise _wrong(source, f"position {number} has a comment, mark or name that is too long or not a string")
    return replace(
        found,
        comment=comment or "",
        circles=tuple((kind, name) for kind, name in circles or ()),
        arrows=tuple(((a, b), (c, d)) for a, b, c, d in arrows or ()),
        end=None if end is None else tuple(end),
    )


def _are_names(marks: Any, each: int, most: int) -> bool:
    if marks is None:
        return True
    return (
        isinstance(marks, list)
        and len(marks) <= most
        and all(isinstance(m, list) and len(m) == each and all(_is_line(word, MOST_NAME) for word in m) for m in marks)
    )


def _is_line(value: Any, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most and first_unfit(value) is None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and first_unfit(value, lines=True) is None


def _wrong(source: Source, why: str) -> GameDSLError:
    return record_error("E0531", f"this exploration cannot be read: {why}", Span(source, 0, 0))


def _main_line(source: Source) -> Fields:
    """The first variation everywhere, as the fields of a ``Record``. The rules are not compared."""
    found = read_exploration(source)
    entries, at = list[Entry](), [0]
    while at:
        branch = found.branches[at[0]]
        line = source.position(found.place(at[0]).start)[0]
        if branch.parent is not None:
            entries.append(Entry("ply", branch.text, branch.who, line=line))
        if branch.comment:
            entries.append(Entry("comment", " ".join(branch.comment.split()), line=line))
        at = found.children[at[0]]
    return {"game": found.game, "options": dict(found.options), "entries": tuple(entries), "source": source}


def is_exploration(text: str) -> bool:
    """Whether a text begins like an exploration."""
    return _FITS.match(text) is not None


EXPLORATION = RecordFormat(is_exploration, _main_line)
