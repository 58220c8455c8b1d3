"""The questions that a page asks about a state: expressions of the Core, numbered, as functions to be compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.language.boards import Domain
from gamedsl.language.core import free_locals, offset, substitute, told_by_results
from gamedsl.language.core import nodes as n
from gamedsl.play.web.offline.seen_values import SPECTATOR, SeenValues, conditions, revealing

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]

FIRST_ID = 1 << 30  # the first number of locals that only questions have


class Questions:
    """Collects expressions. Each is asked with the values of its free locals, in the order of their ids; in games with
    hidden information, they are preceded by the viewing seat (``SPECTATOR``: none)."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.revealing = revealing(game) if told_by_results(game.program) else 0
        most = self.revealing * ((1 << len(conditions(game))) + 1)
        self.viewer = n.Local(FIRST_ID, "viewer", n.IntT(SPECTATOR, game.num_players - 1 + most))
        self.seen = SeenValues(game, self.viewer, len(game.program.functions))
        self._asked: dict[tuple[n.Expr, bool], int] = {}
        self._made: list[tuple[str, tuple[n.Local, ...], n.Expr]] = []
        self._domains: dict[Domain, int] = {}
        self._data: list[Json] = []
        self.telling = self._telling()

    def ask(self, e: n.Expr, *, openly: bool = False) -> int:
        """Adds a question and returns its number. ``openly``: it may be answered for any viewer."""
        if (e, openly) not in self._asked:
            order = tuple(local for _, local in sorted(free_locals(e).items()))
            body, params = e, order
            if self.game.secrets.hides:
                body, params = e if openly else self.seen.of(e), (self.viewer, *order)
            self._asked[e, openly] = len(self._made)
            self._made.append((f"question {len(self._made)}", params, body))
            self._data.append({"type": self.type(e.type), "locals": [local.id for local in order]})
        return self._asked[e, openly]

    def functions(self) -> list[n.Function]:
        """The functions to compile after those of the program: helpers, then the questions in order."""
        helpers = self.seen.functions
        first = self.seen.first + len(helpers)
        return [*helpers, *(n.Function(first + i, *made) for i, made in enumerate(self._made))]

    @property
    def helpers(self) -> int:
        """The number of functions before the first question."""
        return len(self.seen.functions)

    # ----------------------------------------------------------------------------------------------- plain data

    def _telling(self) -> list[int]:
        """The questions whether the conditions hold under which results may tell something."""
        found = []
        for claim, player in self.seen.conditions:
            known = {} if claim.owner is None else {claim.owner.id: n.Const(player or 0, claim.owner.type)}
            assert claim.when is not None
            found.append(self.ask(substitute(claim.when, known), openly=True))
        return found

    def data(self) -> Json:
        """The facts that a page needs to ask: ``asked`` by number, ``domains`` with the names of their elements."""
        return {
            "seats": self.game.secrets.hides,
            "revealing": self.revealing,
            "telling": self.telling,
            "asked": self._data,
            "domains": [{"name": d.name, "names": list(d.words)} for d in self._domains],
        }

    def domain(self, domain: Domain) -> int:
        return self._domains.setdefault(domain, len(self._domains))

    def type(self, t: n.ValueT) -> Json:
        match t:
            case n.BoolT():
                return {"kind": "bool"}
            case n.IntT(low, _):
                return {"kind": "int", "low": low}
            case n.ElemT(domain):
                return {"kind": "element", "domain": self.domain(domain)}
            case n.OptT(inner):
                return {"kind": "optional", "of": self.type(inner)}
            case n.SetT(domain):
                return {"kind": "set", "domain": self.domain(domain)}

    def text(self, template: tuple[str | n.Local, ...] | None) -> list[Any] | None:
        """A string with places for the values of locals."""
        if template is None:
            return None
        return [p if isinstance(p, str) else {"local": p.id, "type": self.type(p.type)} for p in template]

    def binders(self, binders: tuple[tuple[n.Local, n.Expr], ...]) -> list[Json]:
        return [{"local": b.id, "from": offset(b.type), "over": self.ask(over)} for b, over in binders]
