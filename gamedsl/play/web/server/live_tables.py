"""Live tables: one owner per table, one request at a time, and events on the disk before anybody sees them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from gamedsl.language.source import GameDSLError
from gamedsl.play.web.server import seat_requests
from gamedsl.play.web.server.conversation import Speakers
from gamedsl.play.web.server.events import PERSON, Aside, Event, Published, Resumed
from gamedsl.play.web.server.limits import LAG_MOST, MOST_EVENTS, RETRY_MOST, RETRY_SECONDS, SLEEP_SECONDS
from gamedsl.play.web.server.logs import LOG
from gamedsl.play.web.server.refusals import DAMAGED, FAILED, Refused
from gamedsl.play.web.server.rules_threads import in_rules
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.store import Write
from gamedsl.play.web.server.table_play import Moment, Play
from gamedsl.play.web.server.views import Account, View, view_of

if TYPE_CHECKING:
    from gamedsl.play.web.server.agents import Thinkers
    from gamedsl.play.web.server.writer import Writer

T = TypeVar("T")
LATE = 20  # milliseconds from a move to its publication; a longer delay is logged


class Watcher(Protocol):
    """A viewer of a table (a socket)."""

    seat: int | None

    @property
    def lag(self) -> int:
        """The round-trip time in milliseconds."""

    def on_change(self) -> None:
        """Handles a change of the table; must not wait."""


class Table:
    """A game in memory, in progress or finished."""

    def __init__(
        self,
        name: str,
        play: Play,
        writer: Writer,
        thinkers: Thinkers,
        delay: float,
        reread: Callable[[], Awaitable[Play]] | None = None,
        damage: str = "",
        run: Run | None = None,
    ) -> None:
        """``delay``: seconds by which spectators lag behind the seats in games with secrets. ``reread``: reads the
        game from the log again. ``damage``: the fault of the log; the table is read-only then."""
        self.name, self.play, self.writer, self.thinkers = name, play, writer, thinkers
        self.delay = delay if play.game.secrets.hides else 0.0
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.speakers = Speakers()
        self.accounts: dict[int | None, Account] = {}
        self.views: dict[int | None, tuple[tuple[object, ...], View]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.thinking: set[int] = set()
        self.failed: set[int] = set()  # seats whose agents gave no move; they try again later, or when a seat asks
        self.flag: asyncio.TimerHandle | None = None
        self.reread, self.damage = reread, damage
        self.is_unsure = False  # a write failed: the contents of the log are not known
        self.run = run or Run.begin()
        self.is_stopped = False
        self.failures = 0  # one after another
        self.again: asyncio.TimerHandle | None = None  # after a failure

    # ------------------------------------------------------------------------------------------------ requests

    async def request(self, decide: Callable[[Play, int], seat_requests.Decided], lag: int = 0) -> None:
        """Decides on the game as it is when this request's turn comes, and does so. The events are on the disk when
        this returns, even if the sender has gone away. ``lag``: the transmission time in milliseconds. Raises
        ``Refused``."""
        task = self._start(self._request(decide, self.run.now() - min(lag, LAG_MOST)))
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled() and not self.is_stopped:  # the work was cancelled, not the caller
                raise Refused("failed", FAILED) from None
            raise

    async def _request(self, decide: Callable[[Play, int], seat_requests.Decided], sent: int | None = None) -> None:
        """Handles one request. ``sent``: when it was sent, if its sender's clock is to stop there."""
        if self.damage:
            raise Refused("damaged", DAMAGED)
        try:
            async with self.lock:
                await self._catch_up()
                await self._keep(seat_requests.ran_out(self.play, self._patient(sent)))  # a request that comes too late
                decided = await in_rules(self.play.game, decide, self.play, self.run.now())
                await self._keep(decided if sent is None else seat_requests.freed(decided, sent))
        except Refused:
            self._go_on_later() if self.is_unsure else self._go_on()
            raise
        except GameDSLError as error:  # the rules themselves fail here
            self._go_on_later()
            raise Refused("rules", "; ".join(d.message for d in error.diagnostics)) from error
        except BaseException:
            self._go_on_later()
            raise
        self.failures = 0
        self._go_on()

    async def _catch_up(self) -> None:
        """Brings the game up to date: it agrees with the log, the clocks run, and pending outcomes of chance are
        drawn."""
        if self.is_unsure and self.reread is not None:
            self.play = await self.reread()
            self.accounts.clear()
            self.views.clear()
            self.is_unsure = False
            self._tell()
        if self.play.is_over or self.damage:
            return
        found = seat_requests.Decided()
        if self.play.run != self.run.number and self.play.clocks.is_on:
            found.append((Resumed(self.run.now(), self.run.number, self.run.until(self.play.run)), None))
        if self.play.state.kind == "chance":
            found += await in_rules(self.play.game, seat_requests.made, self.play, None, self.run.now())
        await self._keep(found)

    def _patient(self, sent: int | None = None) -> int:
        """The instant up to which flags fall: earlier than now while a move may still be on its way."""
        flag = self.play.clocks.next_flag()
        lag = 0 if flag is None else max((min(w.lag, LAG_MOST) for w in self.watchers if w.seat == flag[0]), default=0)
        now = self.run.now()
        return max(self.play.last_at, now - lag if sent is None else min(sent, now - lag))

    async def _keep(self, decided: seat_requests.Decided) -> None:
        if not decided:
            return
        events = [event for event, _ in decided]
        beside = isinstance(events[-1], Aside)  # which has bounds of its own
        if not beside and self.play.events - self.play.asides + len(decided) > MOST_EVENTS:
            raise Refused("full", "the log of this table is full")
        self.is_unsure = True
        try:
            await self.writer.keep(Write(self.name, first=self.play.events, events=events))
        except OSError as error:
            raise Refused("storage", "the server cannot write its log now") from error
        was_over = self.play.is_over
        self.failed.clear()
        for event, after in decided:
            self.play.take(event, after)
        self.is_unsure = False
        try:
            await self._publish(events[-1])
        finally:
            self._tell()
        if self.play.is_over and not was_over:
            self._start(self.close())

    async def _publish(self, last: Event) -> None:
        """Works out what will be shown before anybody sees it. The time that this takes is charged to nobody."""
        if isinstance(last, Published | Aside) or not self.play.clocks.is_on or not self.play.clocks.since:
            return
        for seat in {*self.play.to_act, *(w.seat for w in self.watchers)}:
            with suppress(GameDSLError):  # later viewers are answered with it
                await in_rules(self.play.game, self.view, seat)
        shown = Published(self.run.now(), last.at)
        if shown.at - last.at >= LATE:
            with suppress(Refused):  # the move is kept, whatever becomes of this
                await self._keep([(shown, None)])

    async def close(self) -> None:
        """Marks the table as over, so that the next start skips it. If that fails, a later start tries again."""
        with suppress(OSError, asyncio.CancelledError):
            await self.writer.keep(Write(self.name, closes=True))

    def _tell(self) -> None:
        for watcher in list(self.watchers):
            watcher.on_change()
        if self.delay and any(w.seat is None for w in self.watchers):
            asyncio.get_running_loop().call_later(self.delay + 0.05, self._tell_spectators)

    def _tell_spectators(self) -> None:
        for watcher in [w for w in self.watchers if w.seat is None]:
            watcher.on_change()

    # ------------------------------------------------------------------------------------------------ going on

    async def begin(self) -> None:
        """Lets chance, clocks and agents continue after the game was made or read."""
        if self.damage:
            return
        await self.request(seat_requests.nothing)
        if self.play.is_over:
            self._start(self.close())  # a failure may have kept it from being marked

    def _go_on_later(self) -> None:
        """Makes the table try again after a failure of any kind, at growing intervals."""
        if self.again is None and not self.is_stopped:
            self.failures += 1
            wait = min(RETRY_MOST, RETRY_SECONDS * 2 ** min(self.failures, 20))
            self.again = asyncio.get_running_loop().call_later(wait, self._try_again)

    def _try_again(self) -> None:
        self.again = None
        self.failed.clear()
        self._start(self._request(seat_requests.nothing))

    def _go_on(self) -> None:
        """Sets the clock's alarm, and lets the agents whose turn it is think."""
        if self.flag is not None:
            self.flag.cancel()
            self.flag = None
        if self.play.is_over or self.is_stopped:
            return
        ends = self.play.clocks.next_flag()
        if ends is not None:
            wait = max(0.0, (ends[1] - self._patient()) / 1000) + 0.01
            self.flag = asyncio.get_running_loop().call_later(
                wait, lambda: self._start(self._request(seat_requests.nothing))
            )
        for seat in self.play.to_act:
            if self.play.setup.seats[seat] != PERSON and seat not in self.thinking | self.failed:
                self.thinking.add(seat)
                self._start(self._think(seat))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refused):
            LOG.error("table %s: a request failed", self.name, exc_info=error)

    async def retry(self) -> None:
        """Makes the agents that failed think again. Raises ``Refused`` if none has failed."""
        if not self.failed:
            raise Refused("no", "no agent has failed")
        self.failed.clear()
        self._tell()
        self._go_on()

    def _fail(self, seat: int, error: BaseException) -> None:
        """Shows the people at the table that an agent gave no move, and logs the reason."""
        why = error.message if isinstance(error, Refused) else f"{type(error).__name__}: {error}"
        LOG.warning("table %s: an agent gave no move: %s", self.name, why)
        self.failed.add(seat)
        self._tell()

    async def _think(self, seat: int) -> None:
        """Asks an agent for its move and makes it, unless the position has changed (plies taken back, game over)."""
        state = self.play.state
        try:
            text = await self.thinkers.choose(state, self.play.setup.seats[seat], seat, self.place)
            self.thinking.discard(seat)
            await self._request(lambda play, now: seat_requests.agent_moves(play, now, seat, text))
        except BaseException as error:  # even a cancelled future: nothing ends what drives the table
            self.thinking.discard(seat)
            if isinstance(error, Refused) and error.code == "stale":
                return  # the request has already continued
            if not self.is_stopped:
                self._fail(seat, error)
                self._go_on_later()

    # ------------------------------------------------------------------------------------------------ views

    def moments_for(self, seat: int | None) -> Sequence[Moment]:
        """The moments that a viewer may see; spectators of a game with secrets see them later."""
        moments, latest = self.play.moments, self.seen_until(seat)
        if latest is None:
            return moments
        if self.play.is_over and self.play.ended_at <= latest:
            return moments
        shown = [m for i, m in enumerate(moments) if i == 0 or m.at <= latest]
        return shown[: len(shown) - len(shown[-1].state.pending)] if shown[-1].state.pending else shown

    def seen_until(self, seat: int | None) -> int | None:
        """The instant up to which a viewer sees; None: everything."""
        return None if seat is not None or not self.delay else self.run.now() - int(self.delay * 1000)

    async def look(self, work: Callable[..., T], *args: Any) -> T:
        """Runs a function that reads the game, while nothing changes it."""
        async with self.lock:
            try:
                await self._catch_up()
            except Refused:  # the disk fails: acknowledged events can still be seen
                self._go_on_later()
            return await in_rules(self.play.game, work, *args)

    def view(self, seat: int | None) -> View:
        """The present view of a viewer, made once for all its sockets. It runs the rules: see ``look``."""
        moments = self.moments_for(seat)
        version = (self.play.events - self.play.unseen, len(moments), *sorted(self.failed))
        found = self.views.get(seat)
        if found is None or found[0] != version:
            account = self.accounts.setdefault(seat, Account(seat))
            found = self.views[seat] = (
                version,
                view_of(self.play, account, moments, self._notice(seat), self._trouble()),
            )
        return found[1]

    def _notice(self, seat: int | None) -> str:
        if self.damage:
            return "the log of this table is damaged: only this part could be read, and the game cannot continue"
        return f"spectators see this {self.delay:g} seconds later" if seat is None and self.delay else ""

    def _trouble(self) -> str:
        names = [self.play.game.players[seat] for seat in sorted(self.failed)]
        return f"{' and '.join(names)} could not move: the agent failed. The server's log says why." if names else ""

    @property
    def is_idle(self) -> bool:
        """Whether nothing happens here for a while unless a visitor comes."""
        flag = self.play.clocks.next_flag()
        is_near = flag is not None and self.flag is not None and flag[1] < self.run.now() + SLEEP_SECONDS * 1000
        return not (self.watchers or self.tasks or self.again is not None or self.lock.locked() or is_near)

    @property
    def wakes(self) -> int | None:
        """The instant when a flag falls here; None: never."""
        flag = self.play.clocks.next_flag()
        return None if flag is None or self.play.is_over or self.damage else flag[1]

    @property
    def place(self) -> tuple[str, str]:
        """The place of its agents in the queue: the address that made the table, then the table."""
        return self.play.setup.owner, self.name

    def stop(self) -> None:
        self.is_stopped = True
        for timer in (self.flag, self.again):
            if timer is not None:
                timer.cancel()
        for task in self.tasks:
            task.cancel()
