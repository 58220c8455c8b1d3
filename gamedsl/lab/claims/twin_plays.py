"""Twin games: two games that one player cannot tell apart, built move by move.

The observed player makes the same moves in both. The other players and chance move differently if the player sees
no difference: not before the ply, not right after its effect, and not at the next stop. The announcement of a ply
follows from these, so it is the same in both games.
"""

from __future__ import annotations

from dataclasses import field
from random import Random

from gamedsl.engine import Move, State, seen_in_passing
from gamedsl.lab.base import Clock
from gamedsl.language.source import lazy_dataclass

TRIES = 6  # moves tried, per ply, to find one that looks the same


@lazy_dataclass()
class Branch:
    """One of the two games. ``stop`` and ``chosen``: where a simultaneous choice began, and the choices made since."""

    now: State
    moves: list[Move] = field(default_factory=list)
    stop: State | None = None
    chosen: list[Move] = field(default_factory=list)

    def after(self, move: Move) -> Branch:
        now = self.now.apply(move)
        stop = self.stop if self.now.pending else self.now
        chosen = [*(self.chosen if self.now.pending else ()), move]
        return Branch(now, [*self.moves, move], stop, chosen)

    def seen(self, seat: int) -> object:
        """Returns what the seat sees of the ply that has just been made, as a value to compare."""
        passing: object = []
        if not self.now.pending and self.stop is not None:
            moves = sorted(self.chosen, key=lambda m: -1 if m.player is None else m.player)
            passing = seen_in_passing(self.stop, moves, seat)
        return self.now.observation(seat), passing


class TwinPlays:
    """Two games from ``start`` on that look the same to one seat.

    ``compared``: how often the seat had to act while the positions differed.
    """

    def __init__(self, start: State, seat: int, rng: Random) -> None:
        self.seat, self.rng, self.compared = seat, rng, 0
        self.one, self.other = Branch(start), Branch(start)

    def differ(self, plies: int, clock: Clock) -> bool:
        """Plays on, for at most ``plies`` moves, until the seat has different moves in the two games.

        Returns False if that does not happen, or the time runs out.
        """
        for _ in range(plies):
            if self.one.now.is_terminal or clock.is_over:
                return False
            mine = self.seat in self.one.now.to_act
            if mine and self.one.now != self.other.now:
                self.compared += 1
                if texts(self.one.now, self.seat) != texts(self.other.now, self.seat):
                    return True
            self._advance(mine, clock)
        return False

    def _advance(self, mine: bool, clock: Clock) -> None:
        """Makes the seat's own moves the same in both games; for other players' moves picks a different one that looks
        the same, if there is one.
        """
        here = self.one.now
        move = self.rng.choice(here.legal_moves(self.seat)) if mine else here.propose(self.rng)
        one = self.one.after(move)
        seen = one.seen(self.seat)
        for candidate in self._candidates(move, mine):
            if clock.is_over:
                return
            other = self.other.after(candidate)
            if other.seen(self.seat) == seen:
                self.one, self.other = one, other
                return
        self.one = self.other = one

    def _candidates(self, move: Move, mine: bool) -> list[Move]:
        there = self.other.now
        if there.kind == "chance":
            found = [m for m, _ in there.chance_outcomes()]
        else:
            found = there.legal_moves(move.player) if move.player in there.to_act else []
        same = [m for m in found if str(m) == str(move)]
        if mine:
            return same
        others = [m for m in found if str(m) != str(move)]
        self.rng.shuffle(others)
        return [*others[: TRIES - 1], *same]


def texts(state: State, seat: int) -> dict[str, Move]:
    """Returns the moves of a seat by their notation, including mistakes."""
    return {str(m): m for m in state.legal_moves(seat, mistakes=True)}
