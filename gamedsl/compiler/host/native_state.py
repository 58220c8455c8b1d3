"""The engine's ``State``, on compiled rules.

A ``NativeState`` is a block of bytes. Moves, players to act and utilities come from compiled code, each in one call
(``entries/python_api.py``). The interpreter answers everything else, from values read from the block on demand, and
everything that compiled code refuses. ``entered`` and ``ended`` (the parts that began and ended on the way) are found
by making the last move again in the interpreter.

Noted positions are in the arena of a context. A state refers to its newest one, the states of a game share the older
ones, and every state keeps its context alive. The calls hold the GIL, so any thread may continue from any state. When
the arena is nearly full, a state continues in a new context with a copy of its own positions.
"""

from __future__ import annotations

import operator
import struct
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from gamedsl.compiler.emit.entries.python_api import ANYBODY
from gamedsl.compiler.host.context import Context
from gamedsl.compiler.host.convert import elsewhere
from gamedsl.compiler.host.move_tables import Code
from gamedsl.engine import Move, PartEnd, ReferenceState, State, Value, link, with_mistakes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.compiler.host.compiled_game import CompiledGame
    from gamedsl.engine import ObservedPart

NUMBERED = "numbered"  # a key of the cache of a state, in addition to the players
NOTHING: frozenset[int] = frozenset()
Listing = tuple[tuple[Code, ...], list[Move]]  # the codes of all moves, and the moves


class NativeState(ReferenceState):
    """A state as a block of bytes, with the interface of ``State``.

    ``_legal``: the numbers of the legal actions, once they have been needed.
    ``_words`` and ``_pointer`` are ``game.words`` and ``context.pointer``. Machine code reads and writes these slots
    (``emit/methods``).
    """

    __slots__ = (
        "_context", "_data", "_legal", "_own_cache", "_pointer", "_words", "is_terminal",
    )  # fmt: skip

    game: CompiledGame
    is_terminal: bool

    def __init__(self, game: CompiledGame, data: bytes, context: Context, block: int) -> None:
        self.game = game
        self.block = block
        self.past = None
        self.previous = None
        self._own_cache: dict[Any, Any] | None = None
        self.is_terminal = game.kinds[block] == "end"
        self._words, self._pointer = game.words, context.pointer
        self._data, self._context = data, context
        self._legal: list[int] | None = None

    @property
    def cache(self) -> dict[Any, Any]:
        if self._own_cache is None:
            self._own_cache = {}
        return self._own_cache

    @property
    def _at(self) -> tuple[bytes, Context]:
        return self._data, self._context

    # ---------------------------------------------------------------------------------------------- values

    @property
    def compared(self) -> bytes:
        """Its values but for noted positions and drawings: equal for equal states of a game."""
        return self._at[0][: self.game.native.value_size]

    @property
    def plain(self) -> State:
        """The same state in the interpreter."""
        if "plain" not in self.cache:
            data, context = self._at
            self.cache["plain"] = self.game.native.unpack(data, context, self.game)
        found: State = self.cache["plain"]
        return found

    @property
    def slots(self) -> tuple[Any, ...]:
        return self.plain.slots

    @property
    def pending(self) -> tuple[Any, ...]:
        return self.plain.pending if self.kind == "together" else ()

    @property
    def ended(self) -> tuple[PartEnd, ...]:
        made = self._made_plainly
        return () if made is None else made.ended

    @property
    def entered(self) -> frozenset[int]:
        made = self._made_plainly if len(self.game.program.parts) > 1 else None
        return NOTHING if made is None else made.entered

    @property
    def _made_plainly(self) -> State | None:
        """The state that the interpreter makes from the previous one, if that is kept; else None."""
        if "made" not in self.cache:
            before, past = self.previous, self.past
            found = None
            if isinstance(before, NativeState) and isinstance(past, tuple) and self._may_end:
                made = past[1]
                found = before.plain.apply(made if isinstance(made, Move) else self.game.move(made, before))
            self.cache["made"] = found
        made_state: State | None = self.cache["made"]
        return made_state

    @property
    def _may_end(self) -> bool:
        return self.is_terminal or len(self.game.program.parts) > 1

    def with_values(self, changes: Mapping[tuple[str, int], list[Value]]) -> State:
        return self.game.compiled(super().with_values(changes))

    # ----------------------------------------------------------------------------------------------- moves

    @property
    def to_act(self) -> tuple[int, ...]:
        if "to_act" not in self.cache:
            data, context = self._at
            out = bytes(8 * max(1, self.game.native.frame.movers))
            n = self.game.calls.actors(context.handle, data, out)
            seats = struct.unpack_from(f"{n}q", out) if n >= 0 else self.plain.to_act
            self.cache["to_act"] = tuple(dict.fromkeys(seats))
        found: tuple[int, ...] = self.cache["to_act"]
        return found

    def legal_moves(self, player: int | None = None, mistakes: bool = False) -> list[Move]:
        if player is None:
            listing = self.cache.get(ANYBODY) or self._listing(ANYBODY)
        else:
            listing = self._of_player(player)
        if listing is None:
            return self.plain.legal_moves(player, mistakes)
        found: list[Move] = listing[1][:]
        return with_mistakes(self.plain, player, found) if mistakes and self.block in self.game.mistaken else found

    def _of_player(self, player: int) -> Listing | None:
        who = operator.index(player)
        return self._listing(who) if who >= 0 else ((), [])

    def _listing(self, player: int) -> Listing | None:
        """The legal moves of a player who is to act (-1: the first of them). Returns None after a rules error."""
        cache = self.cache
        if player in cache:
            found: Listing | None = cache[player]
            return found
        codes = self._codes(player)
        moves = self.game.tables[self.block]
        cache[player] = None if codes is None else (codes, list(map(moves.__getitem__, codes)))
        return cache[player]  # type: ignore[no-any-return]

    def _codes(self, player: int) -> tuple[Code, ...] | None:
        """The codes of the legal moves of a player who is to act (-1: the first of them). Returns None after a rules
        error."""
        game, (data, context) = self.game, self._at
        capacity = game.capacity
        raw = bytes(8 * game.code_words * capacity)
        n = game.calls.legal(context.handle, data, player, raw, capacity)
        if n > capacity:
            game.capacity = n
            return self._codes(player)
        return game.codes(raw, n) if n >= 0 else None

    def _numbered(self) -> tuple[tuple[Code, ...], list[int]]:
        """The codes of the legal moves of the first player who is to act, and the numbers of these actions."""
        if NUMBERED not in self.cache:
            codes = self._codes(ANYBODY) or ()
            self.cache[NUMBERED] = codes, list(map(self.game.action_tables[self.block].__getitem__, codes))
        found: tuple[tuple[Code, ...], list[int]] = self.cache[NUMBERED]
        return found

    def legal_actions(self, player: int | None = None) -> list[int]:
        actions = self._numbered()[1] if player is None else []
        return sorted(actions) if actions else super().legal_actions(player)

    def apply_action(self, action: SupportsIndex, player: int | None = None) -> State:
        if player is None:
            number, (codes, actions) = operator.index(action), self._numbered()
            with suppress(ValueError):
                code = codes[actions.index(number)]
                return self._after(code, number) or super().apply_action(number)
        return super().apply_action(action, player)

    def action_mask(self, player: int | None = None) -> NDArray[np.bool_]:
        self.game.open_masks()
        return super().action_mask(player)

    def observation_tensor(self, player: int | None, part: ObservedPart = "whole") -> NDArray[np.float32]:
        self.game.check_seat(player)
        observing, found = self.game.observing, None
        if observing and part == "whole":
            data, context = self._at
            found = observing.tensor(context, data, player)
        return super().observation_tensor(player, part) if found is None else found

    def count_moves(self, player: int | None = None) -> int:
        who = ANYBODY if player is None else operator.index(player)
        if player is not None and who < 0:
            return 0
        data, context = self._at
        n: int = self.game.calls.legal(context.handle, data, who, b"", 0)
        return self.plain.count_moves(player) if n < 0 else n

    def chance_outcomes(self) -> list[tuple[Move, Fraction]]:
        if self.kind != "chance":
            return []
        listing = self._listing(ANYBODY)
        if listing is None:
            return self.plain.chance_outcomes()
        data, context = self._at
        weights = [self.game.calls.weight(context.handle, data, k) for k in range(len(listing[1]))]
        return [(move, Fraction(w, sum(weights))) for move, w in zip(listing[1], weights, strict=True)]

    def apply(self, move: Move) -> State:
        game, listing, code = self.game, self.cache.get(ANYBODY), move.code
        if listing is None or code not in listing[0] or game.tables[self.block].get(code) is not move:
            code = self._legal_code(move)
            if code is None:
                return self._interpreted(move)
        return self._after(code, move) or self._interpreted(move)

    def _interpreted(self, move: Move) -> State:
        """The state after a move that compiled code refuses."""
        after = self.game.compiled(self.plain.apply(move))
        link(after, self, move)
        return after

    def _after(self, code: Code, made: Move | int) -> State | None:
        """The state after a legal move. ``made``: the move, or its number. Returns None after a rules error."""
        game, (data, context) = self.game, self._at
        if game.has_history and context.nearly_full:
            data, context = self._data, self._context = elsewhere(game.native, data, context)
            self._pointer = context.pointer
        out = bytes(game.state_size)
        words = code if isinstance(code, tuple) else (code,)
        block = game.calls.after(context.handle, data, out, *words)
        if block < 0:
            return None
        after = game.state_type(game, out, context, block)
        link(after, self, made)
        return after

    def _legal_code(self, move: Move) -> Code | None:
        """The code of a move if it is legal, else None. If several players are to act, the move's own player counts."""
        code = self.game.tables[self.block].code(move)
        if code is None:
            return None
        listing = self._listing(ANYBODY)
        if self.kind == "together" and move.player is not None and (listing is None or code not in listing[0]):
            listing = self._of_player(move.player)
        return code if listing is not None and code in listing[0] else None

    # --------------------------------------------------------------------------------------------- outcome

    @property
    def returns(self) -> tuple[int, ...]:
        players = self.game.num_players
        data, context = self._at
        out = bytes(8 * players)
        status = self.game.calls.payoffs(context.handle, data, out)
        return struct.unpack(f"{players}q", out) if status == 0 else self.plain.returns
