"""What a ruleset hides from its players: variables, and the helper variables that may reveal them."""

from __future__ import annotations

from functools import cached_property

from gamedsl.engine.facts.helper_flow import unseen_helpers
from gamedsl.engine.facts.known_sizes import known_sizes
from gamedsl.engine.facts.reads import Reads
from gamedsl.language.core import nodes as n


class Secrets(Reads):
    """The secrets of a program.

    ``hides``: whether any variable or parameter is hidden from somebody. ``unseen_at``: per block, the numbers of the
    helper variables that a player may be unable to compute from what they see when the game stops there; ``unseen``: at
    any block.
    """

    def __init__(self, program: n.Program) -> None:
        super().__init__(program)
        self.hides = self.name() is not None
        self.unseen_at = unseen_helpers(self) if self.hides else ()
        self.unseen = frozenset[int]().union(*self.unseen_at)

    @cached_property
    def known_sizes(self) -> frozenset[int]:
        """The numbers of the hidden variables whose sizes everybody knows wherever players decide."""
        return known_sizes(self.program) if self.hides else frozenset()

    def is_hidden(self, var: n.Var, block: int | None = None) -> bool:
        """Whether a variable is hidden from somebody when the game stops at the end of a block (None: of any block).
        Noted positions are, because they contain all variables, hidden ones included."""
        if not self.hides:
            return False
        unseen = self.unseen if block is None else self.unseen_at[block]
        return var.seen != "all" or var.index in unseen or isinstance(var.type, n.HistoryT)

    def name(self) -> str | None:
        """The name of the first variable that is hidden from somebody, or else of the first secret parameter; None if
        there is neither."""
        variables = [v.name for v in self.program.variables if v.seen != "all" and v.role != "temp"]
        params = [p.local.name for s in self.program.schemas for p in s.params if p.secret]
        return next(iter([*variables, *params]), None)
