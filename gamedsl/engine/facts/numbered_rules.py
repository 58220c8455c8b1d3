"""The rules of a game with the numbers of its actions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, SupportsIndex

from gamedsl.engine.facts.action_space import ActionSpace
from gamedsl.engine.facts.translated_rules import TranslatedRules

if TYPE_CHECKING:
    from gamedsl.engine.facts.action_kinds import ActionKind
    from gamedsl.engine.moves import Move


class NumberedRules(TranslatedRules):
    """Rules whose actions have numbers."""

    @cached_property
    def action_space(self) -> ActionSpace:
        """The numbers of all actions. They depend only on the ruleset's digest."""
        return ActionSpace(self)

    @property
    def num_actions(self) -> int:
        """The number of actions: moves, passing, values to choose, and then the outcomes of chance."""
        return self.action_space.size

    @property
    def num_player_actions(self) -> int:
        """The number of actions of players. They come first; the outcomes of chance have the numbers from this one
        on."""
        return self.action_space.player_size

    @property
    def action_kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of actions, each with its parameters and its first number."""
        return self.action_space.kinds

    @property
    def action_factors(self) -> tuple[int, ...]:
        """The sizes of the factored form: the number of kinds, then for every argument position the size of its largest
        parameter."""
        return self.action_space.factors

    def action(self, move: Move) -> int:
        """The number of a move; it does not depend on the player. Raises ``GameDSLError`` (E0541) for drawings and for
        moves of other games."""
        return self.action_space.number(move)

    def action_text(self, action: SupportsIndex) -> str:
        """The notation of an action. Raises ``GameDSLError`` (E0540) if there is no such action."""
        return self.action_space.move(action, None).text

    def action_parts(self, action: SupportsIndex) -> tuple[int, ...]:
        """The factored form of an action: the number of its kind, then the index of every argument.

        Raises ``GameDSLError`` (E0540) if there is no such action."""
        return self.action_space.parts(action)

    def action_of_parts(self, parts: tuple[int, ...]) -> int:
        """The inverse of ``action_parts``. Raises ``GameDSLError`` (E0540) if no action has these parts."""
        return self.action_space.joined(parts)
