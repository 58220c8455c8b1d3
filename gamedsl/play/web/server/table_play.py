"""A game as the result of its events: positions, offers, clocks and ending. Nothing here reads a clock, uses chance or
writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, assert_never

from gamedsl.engine import Record
from gamedsl.engine.picture import fault_of_marks
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.clocks import Clocks
from gamedsl.play.web.server.events import (
    PERSON,
    Answered,
    Aside,
    Event,
    Lines,
    Made,
    Marked,
    Named,
    Offered,
    Planned,
    Published,
    Rematch,
    Resigned,
    Resumed,
    Said,
    Setup,
    TimeRanOut,
)
from gamedsl.play.web.server.limits import MOST_PLANNED, MOST_WRITTEN, PLANNED_EACH, WRITTEN_LEAST
from gamedsl.play.web.server.refusals import BadData, Refused

if TYPE_CHECKING:
    from gamedsl.engine import Game, Move, State


@lazy_dataclass(frozen=True)
class Moment:
    """A position, the move that led to it (None for the first), and its time."""

    state: State
    move: Move | None
    at: int
    note: None = None


@lazy_dataclass(frozen=True)
class Verdict:
    """The ending of a game that the rules did not end. ``loser``: the seat that resigned or ran out of time; None: an
    agreed draw."""

    how: Literal["resigned", "time", "agreed"]
    loser: int | None


@lazy_dataclass(frozen=True)
class Open:
    """An offer, and the seats that agree so far."""

    offer: Offered
    agree: frozenset[int]


class Play:
    """The fold of a log."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game, self.setup = game, setup
        self.moments = [Moment(game.initial_state(), None, setup.at)]
        self.clocks = Clocks(setup.clock, game.num_players)
        self.verdict: Verdict | None = None
        self.open: Open | None = None
        self.rematch: frozenset[int] = frozenset()
        self.next_table = ""
        self.marks = _first_marks(game, setup)  # that the seats have chosen
        self.marked = [0] * game.num_players  # how often
        self.names = setup.names if len(setup.names) == game.num_players else ("",) * game.num_players
        self.said: list[Said] = []
        self.plans: dict[int, Lines] = {}  # by seat; secret from all others
        self.written: Counter[int | None] = Counter()  # characters by seat (None: spectators) that the log keeps
        self.planned: Counter[int] = Counter()  # characters of plans by seat that the log keeps
        self.plies = 0  # made so far, also those that were taken back
        self.events = 0  # taken so far
        self.asides = 0  # of these, such as are not part of the game
        self.unseen = 0  # of these, such as change nothing that is shown
        self.ended_at = 0
        self.run = setup.run
        self.last_at = setup.at

    @property
    def state(self) -> State:
        return self.moments[-1].state

    @property
    def is_over(self) -> bool:
        return self.verdict is not None or self.state.is_terminal

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that must choose now; none when the game is over or an outcome of chance is due."""
        return () if self.is_over or self.state.kind == "chance" else self.state.to_act

    @property
    def people(self) -> frozenset[int]:
        return frozenset(i for i, who in enumerate(self.setup.seats) if who == PERSON)

    def check(self, event: Event) -> None:
        """Raises ``BadData`` for an event that no server could have written at this point of the game."""
        seat = getattr(event, "seat", None)
        if seat is not None and not 0 <= seat < self.game.num_players:
            raise BadData(f"there is no seat {seat}")
        is_after = isinstance(event, Rematch | Resumed | Aside)
        if self.is_over and not is_after:
            raise BadData("the game was over")
        if isinstance(event, Offered) and not 0 <= event.keep < len(self.moments):
            raise BadData("it keeps more plies than there are")

    def take(self, event: Event, after: Moment | None = None) -> None:
        """Applies an event. ``after``: the position after a ``Made``, if it is already known. Raises ``GameDSLError``
        for an illegal ply, which means that the log was written under other rules."""
        self.events += 1
        was_over = self.is_over
        if isinstance(event, Aside):
            self.asides += 1
        else:
            self.last_at = event.at
        match event:
            case Made():
                self._make_move(event, after)
            case Resigned(seat=seat):
                self.verdict = Verdict("resigned", seat)
            case TimeRanOut(seat=seat):
                self.verdict = Verdict("time", seat)
            case Offered(seat=seat):
                self.open = Open(event, frozenset({seat}))
                self._conclude(event.at)
            case Answered(seat=seat, yes=yes):
                self._answer(seat, yes, event.at)
            case Resumed(at=at, run=run, until=until):
                self.clocks.on_return(at, until)
                self.run = run
            case Published(at=at, made=made):
                self.clocks.on_publication(made, at)
                self.unseen += 1
            case Marked(seat=seat, mark=mark):
                self.marked[seat] += 1
                chosen = self.with_mark(seat, mark)
                if fault_of_marks(self.game.program, chosen) is None:  # otherwise it follows other rules for marks
                    self.marks = chosen
            case Named(seat=seat, name=name):
                self.written[seat] += cost(name)
                self.names = (*self.names[:seat], name, *self.names[seat + 1 :])
            case Said(seat=writer, text=text, name=name):
                self.written[writer] += cost(text + name)
                self.said.append(event)
                self.unseen += 1
            case Planned(seat=seat, lines=lines):
                self.planned[seat] += plan_cost(lines)
                self.plans[seat] = lines
            case Rematch(seat=seat, table=table):
                self.rematch |= {seat}
                self.next_table = table
            case _:
                assert_never(event)
        if self.is_over and not was_over:
            self.ended_at, self.open = event.at, None
            self.clocks.stop_all(event.at)

    def with_mark(self, seat: int, mark: str) -> tuple[str, ...]:
        """The marks of all seats if one of them had this mark."""
        return (*self.marks[:seat], mark, *self.marks[seat + 1 :])

    def _make_move(self, event: Made, after: Moment | None) -> None:
        if after is None:
            move = self.game.parse_move(event.text, self.state, event.seat)
            after = Moment(self.state.apply(move), move, event.at)
        self.moments.append(after)
        self.plies += 1
        self.plans = narrowed(self.plans, event.text)
        if not self.game.secrets.hides and not self.state.pending:  # otherwise it would reveal a secret ply
            self.open = None
        self.clocks.on_move(event.at, event.seat, self.to_act, bool(self.state.pending), event.free)

    def _answer(self, seat: int, yes: bool, at: int) -> None:
        if self.open is None:
            return
        self.open = Open(self.open.offer, self.open.agree | {seat}) if yes else None
        self._conclude(at)

    def _conclude(self, at: int) -> None:
        """Carries out an offer once all people agree."""
        if self.open is None or not self.people <= self.open.agree:
            return
        if self.open.offer.what == "draw":
            self.verdict = Verdict("agreed", None)
        else:
            del self.moments[self.open.offer.keep + 1 :]
            self.plans = {}  # they were about a position that is gone
            self.clocks.restart(at, self.to_act)
        self.open = None

    def record(self, seat: int | None) -> Record:
        """The record that a seat (None: anybody) may know. Moves of a choice that is still open are omitted."""
        seats = tuple("human" if s == PERSON else s for s in self.setup.seats)
        record = Record.begin(self.game, self.setup.game, None, seats)
        kept = len(self.moments) - len(self.state.pending)
        for moment in self.moments[1:kept]:
            assert moment.move is not None
            record = record.plus_move(self.game, moment.move)
        return record if seat is None or not self.game.secrets.hides else record.for_seat(self.game, seat)


def cost(text: str) -> int:
    """The characters that an event with a text counts for."""
    return len(text) + WRITTEN_LEAST


def check_room(play: Play, seat: int | None, text: str) -> None:
    """Raises ``Refused`` if a seat (None: spectators) has written as much as a table keeps."""
    if play.written[seat] + cost(text) > MOST_WRITTEN:
        raise Refused("full", "this table keeps no more that you write")


def plan_cost(lines: Lines) -> int:
    """The characters that an event with these lines counts for."""
    return cost("".join(map("".join, lines)))


def check_plan_room(play: Play, seat: int, lines: Lines) -> None:
    """Raises ``Refused`` if a seat has planned as much as a table keeps. Lines can always be dropped: otherwise an answer
    would be made that the seat does not want."""
    most = MOST_PLANNED + PLANNED_EACH * play.plies
    if not set(lines) <= set(play.plans.get(seat, ())) and play.planned[seat] + plan_cost(lines) > most:
        raise Refused("full", "this table keeps no more plans of yours now; every move makes room for some")


def narrowed(plans: Mapping[int, Lines], text: str) -> dict[int, Lines]:
    """The plans that remain after a ply: of the lines that begin with it, the rest."""
    return {seat: tuple(line[1:] for line in lines if line[0] == text and line[1:]) for seat, lines in plans.items()}


def _first_marks(game: Game, setup: Setup) -> tuple[str, ...]:
    """The marks with which the seats begin; the signs of the look if those of the setup are not possible together."""
    possible = len(setup.marks) == game.num_players and fault_of_marks(game.program, setup.marks) is None
    return setup.marks if possible else ("",) * game.num_players
