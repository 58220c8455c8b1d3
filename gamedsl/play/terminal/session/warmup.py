"""Prepares the programs at a table in the background, while people look at the board."""

from __future__ import annotations

from contextlib import suppress
from threading import Thread

from gamedsl.language.source import GameDSLError
from gamedsl.play.terminal.session.seats import AgentSeat
from gamedsl.play.terminal.session.session import Session


class AgentWarmup:
    """The compilation that the searching programs of a session need, in a separate thread."""

    def __init__(self, session: Session) -> None:
        self.session = session
        seats = {s.text: s.choose for s in session.seats if isinstance(s.choose, AgentSeat)}
        self._agents = [seat.agent for seat in seats.values()]
        self._thread = Thread(target=self._prepare, daemon=True)

    def begin(self) -> None:
        """Starts the compilation, unless it has started. (To be called after the first board is shown, as it slows the
        rest down.)"""
        if self._agents and self._thread.ident is None:
            self._thread.start()

    def _prepare(self) -> None:
        for agent in self._agents:
            with suppress(GameDSLError, ImportError):  # reported when the program is to move
                agent.prepare(self.session.game)

    @property
    def is_ready(self) -> bool:
        """Whether everything has been compiled."""
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Waits until everything has been compiled."""
        if self._thread.is_alive():
            self._thread.join()

    def searching(self) -> str | None:
        """The player for whom a program searches next; None when chance, a person or a random player is next."""
        state = self.session.state
        if state.is_terminal or state.kind in ("chance", "drawing"):
            return None
        player = state.to_act[0]
        searches = isinstance(self.session.seats[player].choose, AgentSeat)
        return self.session.player_name(player) if searches else None
