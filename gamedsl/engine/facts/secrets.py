"""What a ruleset hides from its players: which variables, and which temporaries may reveal them."""

from __future__ import annotations

from gamedsl.engine.facts.helper_flow import unseen_helpers
from gamedsl.engine.facts.reads import Reads
from gamedsl.language.core import nodes as n


class Secrets(Reads):
    """``hides``: is any variable or parameter hidden from somebody? ``unseen_at``: per block the numbers of the helper variables
    that a player may be unable to compute from what the player sees, when play stops there; ``unseen``: of all."""

    def __init__(self, program: n.Program) -> None:
        super().__init__(program)
        self.hides = self.name() is not None
        self.unseen_at = unseen_helpers(self) if self.hides else ()
        self.unseen = frozenset[int]().union(*self.unseen_at)

    def is_hidden(self, var: n.Var, block: int | None = None) -> bool:
        """Is it hidden from somebody, where play stops at the end of a block (None: anywhere)? Noted positions contain all
        variables, hidden ones included."""
        if not self.hides:
            return False
        unseen = self.unseen if block is None else self.unseen_at[block]
        return var.seen != "all" or var.index in unseen or isinstance(var.type, n.HistoryT)

    def name(self) -> str | None:
        """The name of the first variable that is hidden from somebody, or else of the first secret parameter."""
        variables = [v.name for v in self.program.variables if v.seen != "all" and v.role != "temp"]
        params = [p.local.name for s in self.program.schemas for p in s.params if p.secret]
        return next(iter([*variables, *params]), None)
