"""The clocks of a game: a pure function of its events."""

from __future__ import annotations

from dataclasses import field

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.events import ClockRule
from gamedsl.play.web.server.limits import RESUMED_SECONDS


def _after(left: int, used: int) -> int:
    return left - min(max(0, used), max(0, left - RESUMED_SECONDS * 1000))


@lazy_dataclass()
class Clocks:
    """Times in milliseconds. ``left``: the time left per seat when its clock last stopped; ``since``: when the running
    clocks started. ``shown``: ``left`` and ``since`` of seats that have chosen while others at the same stop have not.
    The fact that they have chosen is secret, so their clocks seem to run on."""

    rule: ClockRule
    seats: int
    left: list[int] = field(init=False)
    since: dict[int, int] = field(default_factory=dict)
    shown: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = [self.rule.base * 1000] * self.seats

    @property
    def is_on(self) -> bool:
        return self.rule.kind != "none"

    def on_move(self, at: int, mover: int | None, acting: tuple[int, ...], is_pending: bool, free: int = 0) -> None:
        """Stops and starts clocks after a move or an outcome of chance; ``acting``: the seats to act now.
        ``is_pending``: others still choose at this stop. ``free``: see ``Made``."""
        if not is_pending:
            self.shown.clear()
        for seat in list(self.since):
            if seat == mover or seat not in acting:
                if is_pending:
                    self.shown[seat] = (self.left[seat], self.since[seat])
                stops = max(self.since[seat], at - free) if seat == mover else at
                self._stop(seat, stops, seat == mover)
        for seat in () if is_pending else acting:  # a clock that starts would show that somebody has chosen
            self.since.setdefault(seat, at)

    def _stop(self, seat: int, at: int, has_moved: bool) -> None:
        began = self.since.pop(seat)
        if self.rule.kind == "move":
            self.left[seat] = self.rule.base * 1000
        else:
            self.left[seat] -= max(0, at - began) - self.rule.step * 1000 * has_moved

    def on_publication(self, made: int, at: int) -> None:
        """Starts the clocks that an event at ``made`` set running at ``at``, when it was shown. The time between is
        charged to nobody."""
        self.since = {seat: at if began == made else began for seat, began in self.since.items()}
        self.shown = {seat: (left, at if began == made else began) for seat, (left, began) in self.shown.items()}

    def stop_all(self, at: int) -> None:
        """Stops all clocks, at the end of the game."""
        self.shown.clear()
        for seat, began in self.since.items():
            self.left[seat] -= at - began
        self.since.clear()

    def on_return(self, at: int, until: int = 0) -> None:
        """Restarts the clocks after the server was down, which is charged to nobody. The server and the clocks ran up
        to ``until``; a little time is always left, since no clock may run out while nobody can move."""
        for seat, began in self.since.items():
            self.left[seat] = _after(self.left[seat], until - began)
        self.shown = {seat: (_after(left, until - began), at) for seat, (left, began) in self.shown.items()}
        self.since = dict.fromkeys(self.since, at)

    def restart(self, at: int, acting: tuple[int, ...]) -> None:
        """Starts the clocks of the seats to act after plies were taken back; nobody gets time back."""
        self.stop_all(at)
        self.since = dict.fromkeys(acting, at)

    def next_flag(self) -> tuple[int, int] | None:
        """The seat whose time runs out first, and when; None if no clock is running."""
        ends = [(began + self.left[seat], seat) for seat, began in self.since.items()]
        return min((seat, at) for at, seat in [min(ends)]) if ends and self.is_on else None

    def told(self, now: int) -> list[dict[str, object]] | None:
        """``clocks`` of the page's data."""
        if not self.is_on:
            return None
        running = {seat: (self.left[seat], began) for seat, began in self.since.items()} | self.shown
        found: list[dict[str, object]] = []
        for seat in range(self.seats):
            left, began = running.get(seat, (self.left[seat], now))
            found.append({"left": round(max(0, left - (now - began)) / 1000, 1), "running": seat in running})
        return found
