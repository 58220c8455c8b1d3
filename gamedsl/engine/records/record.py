"""Records: a game as a small text file.

    gamedsl record 1 ~4be2c1
    game: connect ~11f09a
    rules: 5d41402abc4b2a76 ~a83d10
    seed: 7 ~...
    seats: human, random ~...
    1. X: r2c2 ~...
    2. O: r1c1 ~...
    # a comment ~...
    refused X: r1c1 ~...
    redraw ~...
    end 2 ~...

Every line ends with a code that depends on it and on all lines before it, and the last line states the number of plies,
so that a changed or truncated file is refused, with the number of the line. Lines that begin with ``#`` and have no
code may be added by hand. A plain list of moves, one per line, is accepted as well; numbers, player names and ``#``
comments are optional in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.records.entries import FIRST_LINE, HIDDEN, NOBODY, Entry, record_error
from gamedsl.engine.records.for_seat import told_entries
from gamedsl.engine.records.record_reader import parse_good_part, parse_record
from gamedsl.language.source import FileError, GameDSLError, Source, Span, lazy_dataclass, read_file, reason, write_file

if TYPE_CHECKING:
    from gamedsl.engine.state import Game, State

MOST_BYTES = 20_000_000
MOST_REFUSED = 200  # characters kept of a refused attempt


@lazy_dataclass(frozen=True)
class Record:
    """A recorded game. Immutable; ``plus`` returns a longer one. ``digest``: a prefix of the rules' digest (empty for a
    list of moves written by hand); ``seat``: the player it was made for, if the rules hide something; ``position``: the
    position at which the game began, on one line (empty: the initial one); ``size``: columns and rows of the board, if
    another program's file states them."""

    game: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    digest: str = ""
    seed: int | None = None
    seats: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    seat: str = ""
    position: str = ""
    size: tuple[int, int] | None = None
    source: Source | None = field(default=None, compare=False, repr=False)

    @staticmethod
    def begin(
        game: Game, name: str, seed: int | None = None, seats: tuple[str, ...] = (), position: str = ""
    ) -> Record:
        """The record of a new game. ``name``: what the ruleset was loaded by (a shipped name or a path)."""
        return Record(name, dict(game.options), game.digest[:16], seed, seats, position=position)

    # ---------------------------------------------------------------------------------------------- adding

    def plus(self, entry: Entry) -> Record:
        """This record with one more entry."""
        return replace(self, entries=(*self.entries, entry))

    def plus_move(self, game: Game, move: Move) -> Record:
        """This record with one more ply."""
        who = NOBODY if move.player is None else game.players[move.player]
        return self.plus(Entry("ply", str(move), who))

    def plus_comment(self, text: str) -> Record:
        """This record with one more comment; line breaks become spaces."""
        return self.plus(Entry("comment", one_line(text)))

    def plus_refused(self, who: str, text: str) -> Record:
        """This record with an attempt that was refused, which need not be a move at all."""
        return self.plus(Entry("refused", one_line(text)[:MOST_REFUSED] or "-", who))

    def plus_redraw(self) -> Record:
        """This record with a note that the sheet was redrawn here."""
        return self.plus(Entry("redraw"))

    @property
    def plies(self) -> tuple[Entry, ...]:
        """The entries that are plies, of players and of chance, in order."""
        return tuple(e for e in self.entries if e.kind == "ply")

    # ---------------------------------------------------------------------------------------------- files

    @staticmethod
    def read(path: str | Path) -> Record:
        """The record in a file. Raises ``GameDSLError``: E0530 if it cannot be read, E0531 with the line if it was
        changed or truncated."""
        data = _bytes_of(path)
        try:
            return Record.parse(data.decode("utf-8"), str(path))
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise play_error("E0531", f"{path}: line {line} is not UTF-8 text") from error

    @staticmethod
    def read_good_part(path: str | Path) -> tuple[Record, GameDSLError | None]:
        """The valid beginning of the record in a file, and the error after it (None: there is none). Raises
        ``GameDSLError`` if no part of it can be used."""
        found, fault = parse_good_part(Source(str(path), _bytes_of(path).decode("utf-8", "replace")))
        return Record(**found), fault

    @staticmethod
    def parse(text: str, path: str = "<record>", has_numbers: bool = False) -> Record:
        """The record in a string; see ``read``. ``has_numbers``: read it as numbered moves (``1. e4 e5``), even if it
        could be a plain list of moves."""
        return Record(**parse_record(Source(path, text), has_numbers))

    def write(self, path: str | Path, game: Game | None = None, for_seat: int | None = None) -> None:
        """Writes the file atomically: the path holds either the old file or the complete new one."""
        write_atomically(Path(path), self.text(game, for_seat))

    def text(self, game: Game | None = None, for_seat: int | None = None) -> str:
        """The text of the file. ``for_seat`` (needs ``game``): only what that seat may know, as in ``for_seat``."""
        if for_seat is not None:
            assert game is not None, "the game is needed to omit what a seat may not know"
            return self.for_seat(game, for_seat).text()
        lines = [FIRST_LINE, f"game: {self.game}", f"rules: {self.digest}"]
        lines += [f"options: {', '.join(f'{k}={v}' for k, v in self.options.items())}"] if self.options else []
        lines += [f"seed: {self.seed}"] if self.seed is not None else []
        lines += [f"seats: {', '.join(self.seats)}"] if self.seats else []
        lines += [f"seat: {self.seat}"] if self.seat else []
        lines += [f"position: {self.position}"] if self.position else []
        number = 0
        for e in self.entries:
            number += e.kind == "ply"
            lines.append(_line(e, number))
        lines.append(f"end {number}")
        return "".join(f"{line} ~{code}\n" for line, code in _coded(lines))

    def for_seat(self, game: Game, seat: int) -> Record:
        """The record with only what a seat may know of every ply, and without the seed, which may reveal the choices of
        others. If the rules hide something, the new record names its seat and cannot be replayed."""
        name = game.players[seat] if game.secrets.hides else ""
        position = self.position and self.start(game).position_text(seat, one_line=True)
        entries = told_entries(self.entries, list(self.steps(game)), seat)
        return replace(self, seed=None, entries=entries, seat=name, position=position)

    # ---------------------------------------------------------------------------------------------- replaying

    def replay(self, game: Game) -> list[State]:
        """The states of the game, from the first one. Raises ``GameDSLError`` if the rules differ from those of the
        record (E0533), the record was made for one seat (E0534), or a ply is illegal (E0535, with its line)."""
        return [state for state, _ in self.steps(game)]

    def steps(self, game: Game) -> Iterator[tuple[State, Move | None]]:
        """The states in order, each with the move that led to it (None for the first). Raises ``GameDSLError`` as
        ``replay`` does."""
        if self.digest and not game.has_digest(self.digest):
            where = Span(self.source, 0, 0) if self.source else None
            raise record_error("E0533", "the record was played with other rules or options", where)
        if self.seat:
            raise self._one_sided(self.entries[0] if self.entries else None)
        self._check_size(game)
        state = self.start(game)
        yield state, None
        for entry in self.plies:
            for move, after in self._plies_of(game, state, entry):
                yield after, move
                state = after

    def _check_size(self, game: Game) -> None:
        board = game.program.parts[0].board
        if self.size is None or board is None or self.size == board.size[::-1]:
            return
        theirs, ours = (f"{columns} by {rows}" for columns, rows in (self.size, board.size[::-1]))
        where = Span(self.source, 0, 0) if self.source else None
        what = f"the game was played on {theirs}, and this board has {ours}"
        raise record_error("E0533", what, where, help="If an option sets the size, give it: `--set NAME=NUMBER`.")

    def start(self, game: Game) -> State:
        """The state at which the game begins. Raises ``GameDSLError`` if the position does not fit the rules."""
        return game.position(self.position, "position of the record") if self.position else game.initial_state()

    def good_part(self, game: Game) -> tuple[Record, GameDSLError | None]:
        """The record up to its first illegal ply, and the error of that ply (None: all plies are legal).

        Raises ``GameDSLError`` if the rules differ."""
        state, _ = next(self.steps(game))
        for place, entry in enumerate(self.entries):
            if entry.kind == "ply":
                try:
                    *_, (_, state) = self._plies_of(game, state, entry)
                except GameDSLError as fault:
                    return replace(self, entries=self.entries[:place]), fault
        return self, None

    def _plies_of(self, game: Game, state: State, entry: Entry) -> list[tuple[Move, State]]:
        """The plies of an entry, usually one, each with the state after it."""
        if entry.text == HIDDEN:
            raise self._one_sided(entry)
        player = None
        if entry.who and entry.who != NOBODY:
            if entry.who not in game.players:
                raise record_error("E0532", f"there is no player {entry.who!r}", self._span(entry))
            player = game.players.index(entry.who)
        try:
            return game.play_text(entry.text, state, player)
        except GameDSLError as error:
            what = "; ".join(d.message for d in error.diagnostics)
            raise record_error("E0535", f"this ply cannot be made: {what}", self._span(entry)) from error

    def _one_sided(self, entry: Entry | None) -> GameDSLError:
        where = self._span(entry) if entry is not None else None
        whose = f"what {self.seat} may not know" if self.seat else "a ply"
        return record_error("E0534", f"this record was made for one seat: {whose} is omitted", where)

    def _span(self, entry: Entry) -> Span | None:
        if self.source is None or not entry.line:
            return None
        start = self.source.line_starts[entry.line - 1]
        return Span(self.source, start, start + len(self.source.line(entry.line)))


def _bytes_of(path: str | Path) -> bytes:
    try:
        return read_file(path, MOST_BYTES, streams=True)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {reason(error)}", code="E0530") from error


def one_line(text: str) -> str:
    """The text on one line, with ``?`` in place of characters that cannot be encoded."""
    return " ".join(text.encode("utf-8", "replace").decode().split())


def _line(e: Entry, number: int) -> str:
    match e.kind:
        case "ply":
            return f"{number}. {e.who or NOBODY}: {e.text}"
        case "comment":
            return f"# {e.text}".rstrip()
        case "refused":
            return f"refused {e.who}: {e.text}"
        case "redraw":
            return "redraw"


def _coded(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with its code, which depends on all lines before it."""
    chain = hashlib.sha256()
    for line in lines:
        chain.update(line.encode() + b"\n")
        yield line, chain.hexdigest()[:6]


def write_atomically(path: Path, text: str) -> None:
    """Replaces a file atomically. Raises ``FileError`` (E0530) if that fails."""
    try:
        write_file(path, text)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {reason(error)}", code="E0530") from error
