"""Solves games in which a repeated position is a draw as games on a graph without that rule.

Let G be a game with perfect information on finitely many positions, in which an endless game is worth 0 to every
player. Once a position has been noted, there is no chance, and nobody chooses at the same time as others. Let R be
the same game with the rule that it is over, and worth 0 to every player, when a position has been noted for the
n-th time (n > 1). Then every player can secure the same in R as in G, whatever the others do:

- A value above 0 that a player can force in G can be forced by moves that decrease the distance to an end. No position
  occurs twice, so the rule never interferes.
- A value of 0 or more that a player can hold (or one of 0 or less to which others can hold them) is held by moves that
  never leave the positions with such a value. If the rule ends the game, it is worth 0, which is no worse.

The noted position must therefore determine everything that follows: all that the rules may still read after it is
noted. Moreover, no other position from earlier in the game may be so close to n that its first return ends the
game. Otherwise the value may depend on the whole history, and positions with different histories are different
positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from gamedsl.engine import InterpretedGame, State, codes_of, evaluate_at
from gamedsl.language.core import (
    all_exprs,
    all_statements,
    claim_exprs,
    fold,
    free_locals,
    live_variables,
    map_children,
    reached,
    walk,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

Values: TypeAlias = dict[int, n.Expr]


class _HistoryMattersError(Exception):
    """The value may depend on the history; the message gives the reason."""


@lazy_dataclass(frozen=True)
class WithoutRepetition:
    """A state of the game without its repetition rule. ``times``: how often a position must be noted to be a draw."""

    state: State
    times: int


def notes_positions(program: n.Program) -> bool:
    return any(isinstance(v.type, n.HistoryT) for v in program.variables)


def without_repetition(state: State) -> WithoutRepetition | str | None:
    """Return an equivalent state of a game without a repetition rule.

    Returns the reason if there may be none, and None if the rules note no positions.
    """
    program = state.game.program
    histories = [v for v in program.variables if isinstance(v.type, n.HistoryT)]
    if not histories:
        return None
    try:
        rule = _Rule.of(program, histories)
        rule.refuse_past(state)
    except _HistoryMattersError as reason:
        return str(reason)
    game = InterpretedGame(rule.removed(program))
    at = state.game.code.offsets[rule.history.index]
    return WithoutRepetition(game.make_state(state.block, (*state.slots[:at], 0, *state.slots[at + 1 :])), rule.times)


@lazy_dataclass(frozen=True)
class _Rule:
    """A repetition rule: ``note position`` at one place, and ``if repetition(n)`` leading to a draw. ``times``: the
    least n.
    """

    history: n.Var
    note: n.NoteS
    times: int

    @staticmethod
    def of(program: n.Program, histories: list[n.Var]) -> _Rule:
        notes = [s for s in all_statements(program) if isinstance(s, n.NoteS)]
        if len(histories) != 1 or len(notes) != 1:
            raise _HistoryMattersError("positions are noted at several places")
        blocks = [b for b in program.blocks if any(s is notes[0] for s in b.statements)]
        if not blocks:
            raise _HistoryMattersError("positions are noted within a move, or only sometimes")
        ends = [program.blocks[i].end for i in reached(program, [blocks[0].index])]
        if any(isinstance(end, n.Chance | n.DecideTogether) for end in ends):
            raise _HistoryMattersError("after a position is noted, there is chance, or players choose at the same time")
        rule = _Rule(histories[0], notes[0], min(_tests(program), default=2))
        rule.refuse_more_than_noted(program, blocks[0])
        return rule

    def refuse_more_than_noted(self, program: n.Program, block: n.Block) -> None:
        """Refuse rules that may read, after a position is noted, a variable that was not noted."""
        at = next(i for i, s in enumerate(block.statements) if s is self.note)
        rest = n.Block(len(program.blocks), block.statements[at + 1 :], block.end, block.phase, block.part)
        before = replace(block, statements=block.statements[:at], end=n.Goto(rest.index))
        blocks = tuple(before if b is block else b for b in program.blocks)
        live = live_variables(replace(self.removed(program), blocks=self._silent((*blocks, rest))))[0][rest.index]
        slots: dict[int, set[tuple[n.Expr, ...]]] = {}
        for e in self.note.position:
            if isinstance(e, n.Get) and not free_locals(e):
                slots.setdefault(e.var.index, set()).add(e.keys)
        whole = {i for i, keys in slots.items() if len(keys) == program.variables[i].slots}
        missing = [program.variables[i].name for i in sorted(live - whole)]
        if missing:
            raise _HistoryMattersError(f"a noted position omits {', '.join(f'`{name}`' for name in missing)}")

    def refuse_past(self, state: State) -> None:
        """Refuse a history in which some other position is a draw at its next return."""
        here = tuple(evaluate_at(state, e) for e in self.note.position)
        for values, count in codes_of(state, self.history)[0].items():
            if values != here and count > self.times - 2:
                raise _HistoryMattersError("an earlier position of this game would be a draw at its next return")

    def removed(self, program: n.Program) -> n.Program:
        """Return the rules without the notes and the tests, and with an unused truth value instead of the history."""
        unused = replace(self.history, type=n.BoolT())
        variables = tuple(unused if v is self.history else v for v in program.variables)
        return replace(program, variables=variables, blocks=self._silent(program.blocks), claims=_plain(program))

    def _silent(self, blocks: tuple[n.Block, ...]) -> tuple[n.Block, ...]:
        return tuple(
            replace(b, statements=tuple(s for s in b.statements if s is not self.note), end=_open(b)) for b in blocks
        )


def _plain(program: n.Program) -> tuple[n.CoreClaim, ...]:
    return tuple(c for c in program.claims if not any(_asks(e) for e in claim_exprs(c)))


def _open(block: n.Block) -> n.Terminator:
    end = block.end
    return (
        replace(end, condition=fold(_never(end.condition)))
        if isinstance(end, n.BranchT) and _asks(end.condition)
        else end
    )


def _never(e: n.Expr) -> n.Expr:
    """Return a condition with ``repetition(n)`` replaced by false, as long as no position is repeated."""
    return n.Const(0, n.BoolT()) if _times(e) else map_children(e, _never)


def _asks(e: n.Expr) -> bool:
    return any(isinstance(part, n.Noted) for part in walk(e))


def _times(e: n.Expr) -> int:
    """Return n of ``repetition(n)``; 0 for any other expression."""
    match e:
        case n.Op2("le", n.Const(value=number), n.Noted()):
            return int(number)
        case _:
            return 0


def _tests(program: n.Program) -> Iterator[int]:
    """Yield every n of ``repetition(n)``.

    Each must be a condition for a draw of all players, and nothing else.
    """
    asked = sum(isinstance(e, n.Noted) for e in all_exprs(program))
    for b in program.blocks:
        end = b.end
        if not isinstance(end, n.BranchT) or not _asks(end.condition):
            continue
        for number in _positive(end.condition):
            asked -= 1
            if number < 2:
                raise _HistoryMattersError("a position may not be noted twice")
            yield number
        if not _is_draw(program, end.yes):
            raise _HistoryMattersError("a repetition is not simply a draw")
    if asked:
        raise _HistoryMattersError("a repetition decides something other than the end of the game")


def _positive(e: n.Expr) -> Iterator[int]:
    """Yield every n in a condition that repetitions can make true but not false."""
    if number := _times(e):
        yield number
    elif isinstance(e, n.Op2) and e.op in ("and", "or"):
        yield from (*_positive(e.left), *_positive(e.right))
    elif _asks(e):
        raise _HistoryMattersError("a repetition is part of a compound condition")


def _is_draw(program: n.Program, number: int) -> bool:
    """Whether a block leads to an end worth 0 to every player, whatever the position."""
    values: Values = {}
    for _ in program.blocks:
        block = program.blocks[number]
        for s in block.statements:
            match s:
                case n.Assign(var=var, keys=(), value=value):
                    values[var.index] = _with(value, values)
                case n.Reset(var=var):
                    values.pop(var.index, None)
                case _:
                    return False
        match block.end:
            case n.Goto(target=target):
                number = target
            case n.End(payoff=payoff):
                return all(isinstance(v := _with(e, values), n.Const) and v.value == 0 for e in payoff)
            case _:
                return False
    return False


def _with(e: n.Expr, values: Values) -> n.Expr:
    """Return an expression in which variables have these values."""

    def put(part: n.Expr) -> n.Expr:
        known = values.get(part.var.index) if isinstance(part, n.Get) and not part.keys else None
        return map_children(part, put) if known is None else known

    return fold(put(e))
