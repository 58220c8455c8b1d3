"""All tables of a server: making them, finding them, and resuming them after a start."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path

from filelock import FileLock, Timeout
from starlette.requests import HTTPConnection

from gamedsl.engine import Game
from gamedsl.language.source import FileError, reason
from gamedsl.play.web.server.agents import Thinkers
from gamedsl.play.web.server.catalogue import Catalogue, Loaded
from gamedsl.play.web.server.connection_guard import ConnectionGuard
from gamedsl.play.web.server.conversation import Chat
from gamedsl.play.web.server.events import PERSON, Event, Setup
from gamedsl.play.web.server.limits import (
    DAY,
    MOST_OPEN,
    MOST_OPEN_EACH,
    NOTE_SECONDS,
    OPEN_DAYS,
    SWEEP_SECONDS,
    Limits,
)
from gamedsl.play.web.server.links import Links, new_table_name
from gamedsl.play.web.server.live_tables import Table
from gamedsl.play.web.server.logs import LOG
from gamedsl.play.web.server.refusals import DAMAGED, FAILED, Refused
from gamedsl.play.web.server.requests import TABLE_NAME, NewTable
from gamedsl.play.web.server.rules_threads import in_rules
from gamedsl.play.web.server.seat_requests import swapped, wants_rematch
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.store import SqliteStore, Write
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.writer import Writer


class TableRegistry:
    """The tables of one data folder, which belongs to one process at a time."""

    def __init__(
        self,
        folder: Path,
        catalogue: Catalogue,
        limits: Limits,
        delay: float = 60.0,
        prefix: str = "",
        run: Run | None = None,
        chat: Chat = "seats",
    ) -> None:
        """``delay``: see ``Table``. ``prefix``: the beginning of table names. ``run``: the run of the server that this
        is a part of; None for a server of its own. ``chat``: who writes and reads messages.

        Raises ``FileError`` (E0011) if the folder cannot be used."""
        shown = folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder
        with ExitStack() as opened:  # closes everything that was opened if a later step fails
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._lock = FileLock(folder / "lock", timeout=0, mode=0o600, thread_local=False)
                self._lock.acquire()  # held for the life of the process
                opened.callback(self._lock.release)
                self.links = Links.of_folder(folder)
                store, self.reading = (opened.enter_context(_opened(folder / "tables.sqlite")) for _ in range(2))
            except Timeout as error:
                raise FileError(f"another server uses `{shown}`", code="E0011") from error
            except sqlite3.Error as error:
                raise FileError(f"`{shown}/tables.sqlite` is not a log of tables: {error}", code="E0011") from error
            except OSError as error:
                raise FileError(f"`{shown}` cannot hold the tables: {reason(error)}", code="E0011") from error
            opened.pop_all()
        self.catalogue, self.limits, self.delay, self.prefix = catalogue, limits, delay, prefix
        self.chat: Chat = chat
        self.folder, self.is_relayed = folder, run is not None
        self.run = run or Run.begin(folder)
        self.sleeping: dict[str, int] = {}  # tables with clocks that are not in memory: when a flag falls
        self.open: dict[str, tuple[str, int]] = {}  # tables whose game is not over: owner, last event
        self.writer, self.thinkers = Writer(store), Thinkers(values=list(catalogue.values.values()))
        self.tables: dict[str, Table] = {}
        self.opening: dict[str, asyncio.Task[Table]] = {}
        self.loading = asyncio.Lock()
        self.tasks: list[asyncio.Task[None]] = []
        self.unopened: set[str] | None = None  # tables that go on alone, still to be opened; None: not yet searched for
        self.is_stopped = False
        self.door: ConnectionGuard | None = None  # is informed of the connections that have a seat

    # ------------------------------------------------------------------------------------------------ the process

    def start(self) -> None:
        """Resumes the tables that go on alone: those with clocks or agents."""
        self.tasks = [asyncio.ensure_future(self.forever(self._tend, SWEEP_SECONDS))]
        if not self.is_relayed:
            self.tasks.append(asyncio.ensure_future(self.forever(self._note, NOTE_SECONDS)))

    async def _note(self) -> None:
        await asyncio.to_thread(self.run.note, self.folder)

    async def forever(self, work: Callable[[], Awaitable[None]], pause: float) -> None:
        """Repeats work with pauses. No failure, not even a cancelled future, prevents the next round."""
        rests = 0.0
        while True:
            try:
                await asyncio.sleep(rests)
                rests = pause
                await work()
            except BaseException as error:
                task = asyncio.current_task()
                if task is None or task.cancelling():  # the loop is to end
                    raise
                LOG.error("the upkeep of the tables failed", exc_info=error)

    async def _tend(self) -> None:
        """Opens the tables that go on alone. Idle tables leave the memory until the next visitor or their own
        alarm."""
        if self.unopened is None:
            self.unopened = self._alone()
        soon = self.run.now() + 2 * SWEEP_SECONDS * 1000
        due = {name for name, wakes in self.sleeping.items() if wakes < soon}
        for name in sorted(self.unopened | due):
            try:
                await self.table(name)
            except Refused as refused:
                LOG.warning("table %s cannot continue: %s", name, refused.message)
                if refused.code in ("storage", "failed"):
                    continue  # the next round tries again
            self.unopened.discard(name)
            self.sleeping.pop(name, None)
        for name, table in list(self.tables.items()):
            self._count(name, table)
            if table.is_idle:
                self._put_to_sleep(name, table)

    def _count(self, name: str, table: Table) -> None:
        if table.play.is_over or table.damage:
            self.open.pop(name, None)
        else:
            self.open[name] = table.play.setup.owner, table.play.last_at

    def _put_to_sleep(self, name: str, table: Table) -> None:
        table.stop()
        del self.tables[name]
        if table.wakes is not None:
            self.sleeping[name] = table.wakes

    def _alone(self) -> set[str]:
        found = set()
        for name, setup in self.reading.open_tables():
            if setup is None:
                LOG.warning("table %s is damaged: its setup cannot be read", name)
            else:
                self.open.setdefault(name, (setup.owner, setup.at))
                if setup.goes_on_alone:
                    found.add(name)
        return found

    def stop(self) -> None:
        """Stops all tables; every acknowledged event is already on the disk."""
        self.is_stopped = True
        if not self.is_relayed:
            self.run.note(self.folder)
        for task in self.tasks:
            task.cancel()
        for table in self.tables.values():
            table.stop()
        self.thinkers.stop()
        self.writer.stop()
        self.writer.store.close()
        self.reading.close()
        self._lock.release()

    # ------------------------------------------------------------------------------------------------ tables

    async def load(self, game: str, options: Mapping[str, str] | None = None) -> Loaded:
        """A game, loaded while other tables go on. Raises ``Refused``."""
        async with self.loading:
            return await asyncio.to_thread(self.catalogue.load, game, options)

    async def make(self, wanted: NewTable, owner: str = "") -> Table:
        """A new table. ``owner``: see ``Setup``. Raises ``Refused``."""
        loaded = await self.load(wanted.game, wanted.options)
        game = loaded.game
        if len(wanted.seats) != game.num_players:
            raise Refused("seats", f"the game has {game.num_players} seats, not {len(wanted.seats)}")
        if PERSON not in wanted.seats:
            raise Refused("seats", "at least one person must play")
        able = await in_rules(game, lambda: loaded.seats)
        if unable := [who for who in wanted.seats if who not in able]:
            raise Refused("seats", f"`{unable[0]}` cannot play by these rules")
        self._admit(owner)
        at, run = self.run.now(), self.run.number
        setup = Setup(
            wanted.game, game.digest, game.options, wanted.seats, wanted.clock, wanted.is_public, "", at, owner, run
        )
        return await self._add(new_table_name(self.prefix), setup, await in_rules(game, Play, game, setup))

    def _admit(self, owner: str) -> None:
        """Raises ``Refused`` if too many tables have games that are not over. Tables without a recent event do not
        count."""
        since = self.run.now() - OPEN_DAYS * DAY * 1000
        self.open = {name: (who, at) for name, (who, at) in self.open.items() if at > since}
        if len(self.open) >= MOST_OPEN or sum(who == owner for who, _ in self.open.values()) >= MOST_OPEN_EACH:
            raise Refused("full", "too many tables are open; finish some, or wait until old ones are deleted")

    async def _add(self, name: str, setup: Setup, play: Play) -> Table:
        try:
            await self.writer.keep(Write(name, setup))
        except OSError as error:
            raise Refused("storage", "the server cannot write its log now") from error
        return await self._seat(name, play)

    async def _seat(self, name: str, play: Play, damage: str = "") -> Table:
        table = Table(name, play, self.writer, self.thinkers, self.delay, lambda: self._reread(name), damage, self.run)
        self.tables[name] = table
        self.sleeping.pop(name, None)
        self._count(name, table)
        await table.begin()
        return table

    async def table(self, name: str) -> Table:
        """The table with a name, read from the log if need be. Raises ``Refused``."""
        if not TABLE_NAME.fullmatch(name):
            raise Refused("table", "there is no such table")
        if name in self.tables:
            return self.tables[name]
        if name not in self.opening:
            task = self.opening[name] = asyncio.ensure_future(self._open(name))
            task.add_done_callback(lambda done: self.opening.pop(name, None) and (done.cancelled() or done.exception()))
        opening = self.opening[name]
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            if opening.cancelled() and not self.is_stopped:  # the work was cancelled, not the caller
                raise Refused("failed", FAILED) from None
            raise

    async def _open(self, name: str) -> Table:
        play, damage = await self._read(name)
        if damage:
            LOG.warning("table %s is damaged and cannot continue: %s", name, damage)
            play.clocks.since.clear()  # no clock runs at a table where nobody can move
        return await self._seat(name, play, damage)

    async def _reread(self, name: str) -> Play:
        play, damage = await self._read(name)
        if damage:
            raise Refused("damaged", DAMAGED)
        return play

    async def _read(self, name: str) -> tuple[Play, str]:
        """A game from its log, up to any damage, and a description of the damage. Raises ``Refused``."""
        try:
            log = self.reading.read(name)
        except OSError as error:
            LOG.warning("table %s: %s", name, error)
            raise Refused("storage", "the server cannot read its log now") from error
        if log is None:
            raise Refused("table", "there is no such table")
        if log.setup is None:
            LOG.warning("table %s is damaged: %s", name, log.damage)
            raise Refused("damaged", "the log of this table is damaged: not even its game can be read")
        game = (await self.load(log.setup.game, log.setup.options)).game
        if len(log.setup.seats) != game.num_players:
            LOG.warning("table %s is damaged: its seats are not those of the game", name)
            raise Refused("damaged", "the log of this table is damaged: its seats are not those of the game")
        play, damage = await in_rules(game, replayed, game, log.setup, log.events)
        return play, damage or log.damage

    async def rematch(self, table: Table, seat: int) -> None:
        """Requests a rematch for a seat, and makes its table once all seats have asked."""
        play, name = table.play, ""
        if play.is_over and seat not in play.rematch and play.people <= play.rematch | {seat}:
            setup = swapped(play, table.name, self.run)
            name = new_table_name(self.prefix)
            await self._add(name, setup, await in_rules(play.game, Play, play.game, setup))
        await table.request(wants_rematch(seat, name))

    def sit(self, connection: HTTPConnection) -> None:
        """Notes that a connection has shown the key of a seat: it is kept when others are closed."""
        if self.door is not None:
            self.door.seat(connection.scope.get("state", {}).get("visitor"))

    @property
    def is_empty(self) -> bool:
        """Whether no table is in memory and none is being opened."""
        return not self.tables and not self.opening

    def public_tables(self) -> list[dict[str, object]]:
        """Tables in memory that anybody may watch, the newest first."""
        found = sorted((t for t in self.tables.values() if t.play.setup.is_public), key=lambda t: -t.play.setup.at)
        return [_public(t) for t in found[:100]]


def _opened(path: Path) -> closing[SqliteStore]:
    return closing(SqliteStore(path))


def replayed(game: Game, setup: Setup, events: list[Event]) -> tuple[Play, str]:
    """The game of a log, up to the first impossible event, and a description of that fault. Raises ``Refused``."""
    if game.digest != setup.digest:
        raise Refused("rules", "the rules of this game were changed after the table was made")
    play = Play(game, setup)
    for at, event in enumerate(events):
        try:
            play.check(event)
            play.take(event)
        except Exception as error:  # any failure that a damaged event causes
            again, _ = replayed(game, setup, events[:at])
            return again, f"event {at} cannot have happened: {error}"
    return play, ""


def _public(table: Table) -> dict[str, object]:
    play = table.play
    is_over = play.is_over and len(table.moments_for(None)) == len(play.moments)  # as far as spectators know
    return {"table": table.name, "game": play.setup.game, "title": play.game.title, "over": is_over}
