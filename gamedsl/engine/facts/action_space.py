"""The numbers of actions, and the moves they stand for."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.action_kinds import ActionKind, action_kinds
from gamedsl.engine.facts.move_making import make_move, pass_move
from gamedsl.engine.moves import Move

if TYPE_CHECKING:
    from gamedsl.engine.facts.translated_rules import TranslatedRules


class ActionSpace:
    """The actions of a game, numbered from 0. ``kinds`` partition the numbers, in order.

    Drawings have no numbers, because there are infinitely many.
    """

    def __init__(self, game: TranslatedRules) -> None:
        self.kinds = action_kinds(game.program, game.notation)
        self.size = sum(k.size for k in self.kinds)
        self.player_size = sum(k.size for k in self.kinds if k.kind != "chance")
        self._game = game
        self._firsts = [k.first for k in self.kinds if k.size]
        self._filled = [i for i, k in enumerate(self.kinds) if k.size]
        self._of_schema = {k.schema: k for k in self.kinds if k.schema is not None}

    @cached_property
    def _of_text(self) -> dict[tuple[str, str], int]:
        """The numbers of values and outcomes, by kind and text."""
        named = (k for k in self.kinds if k.kind in ("choose", "chance"))
        return {(k.kind, text): k.first + i for k in named for i, text in enumerate(k.parameters[0].names)}

    @cached_property
    def _of_pass(self) -> int | None:
        return next((k.first for k in self.kinds if k.kind == "pass"), None)

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """The size of each factor: the number of kinds, then for every argument position the size of its largest
        parameter."""
        longest = max((len(k.parameters) for k in self.kinds), default=0)
        places = ([k.parameters[i].size for k in self.kinds if i < len(k.parameters)] for i in range(longest))
        return (len(self.kinds), *map(max, places))

    def kind_of(self, action: SupportsIndex) -> int:
        """The number of an action's kind. Raises ``GameDSLError`` (E0540) if there is no such action."""
        a = index(action)
        if not 0 <= a < self.size:
            numbered = f"this game numbers its actions from 0 to {self.size - 1}" if self.size else "this game has none"
            raise play_error("E0540", f"there is no action {a}: {numbered}")
        return self._filled[bisect_right(self._firsts, a) - 1]

    def parts(self, action: SupportsIndex) -> tuple[int, ...]:
        """The factored form of an action: the number of its kind, then the indices of its arguments."""
        kind = self.kind_of(action)
        return (kind, *self.kinds[kind].indices(index(action)))

    def joined(self, parts: tuple[int, ...]) -> int:
        """The number of the action with this factored form. Raises ``GameDSLError`` (E0540) if there is none."""
        kind, *indices = map(index, parts)
        if 0 <= kind < len(self.kinds):
            sizes = [p.size for p in self.kinds[kind].parameters]
            if len(indices) == len(sizes) and all(0 <= i < n for i, n in zip(indices, sizes, strict=True)):
                return self.kinds[kind].number(tuple(indices))
        raise play_error("E0540", f"no action has the parts {parts}", help="`game.action_kinds` has the sizes")

    def number(self, move: Move) -> int:
        """The number of a move. Raises ``GameDSLError`` (E0541) if it has none."""
        found = self._number(move)
        if found is None:
            raise play_error("E0541", f"{move} has no number", help=self._why(move))
        return found

    def _number(self, move: Move) -> int | None:
        match move.kind:
            case "move":
                kind = self._of_schema.get(move.schema) if move.schema is not None else None
                return None if kind is None else _of_arguments(kind, move.args)
            case "pass":
                return self._of_pass
            case _:
                return self._of_text.get((move.kind, move.text))

    @staticmethod
    def _why(move: Move) -> str:
        if move.kind == "drawing":
            return "there are infinitely many drawings: use `legal_moves`, `propose` and `apply`"
        return "it is not a move of this game"

    def move(self, action: SupportsIndex, player: int | None) -> Move:
        """The move of an action, made by a player. Raises ``GameDSLError`` (E0540) if there is no such action."""
        kind = self.kinds[self.kind_of(action)]
        indices = kind.indices(index(action))
        if kind.schema is not None:
            args = tuple(p.low + i for p, i in zip(kind.parameters, indices, strict=True))
            return make_move(self._game, kind.schema, player, args)
        if kind.kind == "pass":
            return pass_move(player)
        text = kind.parameters[0].names[indices[0]]
        return Move(kind.kind, None, kind.name, player if kind.kind == "choose" else None, (), text)


def _of_arguments(kind: ActionKind, args: tuple[int, ...]) -> int | None:
    """The number of the action of a kind with these arguments; None if they do not fit."""
    if len(args) != len(kind.parameters):
        return None
    indices = tuple(a - p.low for a, p in zip(args, kind.parameters, strict=True))
    fits = all(0 <= i < p.size for i, p in zip(indices, kind.parameters, strict=True))
    return kind.number(indices) if fits else None
