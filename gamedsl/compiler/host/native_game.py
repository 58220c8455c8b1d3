"""The engine's ``Game``, on compiled rules."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gamedsl.compiler.host.compiled_game import CompiledGame
from gamedsl.compiler.host.convert import api_context
from gamedsl.compiler.host.game_tables import why_not_observed
from gamedsl.compiler.host.native_state import NativeState
from gamedsl.compiler.host.state_methods import fits, quick_type, words_of
from gamedsl.engine import Origin, State, copy_beginning, play_error
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.compiler.host.binding import Native
    from gamedsl.compiler.host.observing import Observing


class NativeGame(CompiledGame):
    """A game with compiled states."""

    def __init__(self, program: n.Program, origin: Origin | None = None, native: Native | None = None) -> None:
        super().__init__(program, origin, native)
        self.state_type = NativeState
        quick = quick_type(NativeState) if fits(self.move_codes, self.num_actions) else None
        if quick is not None:
            self.state_type = quick
            self.words = words_of(self, quick)
        self._first: State | None = None

    def initial_state(self) -> State:
        if self._first is None:
            self._first = self._begun()
        return self._first

    def _begun(self) -> State:
        if not self.native.has_initial:
            return self._packed(self.native.first_state)
        context, out = api_context(self.native), bytes(self.state_size)
        if self.calls.initial(context.handle, out) < 0:
            return self.compiled(super().initial_state())
        return self.state_type(self, out, context, int.from_bytes(out[:4], "little"))

    def compiled(self, state: State) -> State:
        """The same state, compiled. Raises ``GameDSLError`` (E0521) for a state of other rules."""
        if state.game is not self and state.game.digest != self.digest:
            raise play_error("E0521", f"the state belongs to other rules: {state.game.program.name}")
        if isinstance(state, NativeState) and state.game is self:
            return state
        return self._packed(state)

    def _packed(self, state: State) -> State:
        context = api_context(self.native, state)
        data = bytes(self.native.pack(state, context))
        return copy_beginning(state, self.state_type(self, data, context, int.from_bytes(data[:4], "little")))

    def deserialize(self, text: str) -> State:
        return self.compiled(super().deserialize(text))

    def position(self, text: str, path: str = "<position>") -> State:
        return self.compiled(super().position(text, path))

    @cached_property
    def observing(self) -> Observing | None:
        """The code that writes observations; None if this game cannot be compiled to such code."""
        # start-up: numpy takes long to import
        from gamedsl.compiler.host.observing import Observing

        return Observing(self) if why_not_observed(self) is None else None

    def open_masks(self) -> None:
        """Lets machine code make masks from now on."""
        # start-up: numpy takes long to import
        from gamedsl.compiler.host.observing import open_masks

        open_masks(self)
