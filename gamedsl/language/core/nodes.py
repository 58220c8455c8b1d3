"""The Core: the meaning of a ruleset. It is typed, finite and closed, without traces of the source syntax.

Values are integers: a bool is 0 or 1, an element its index, a bounded integer itself, a set its bits. An optional is 0
for none and value - low + 1 otherwise (for an element: index + 1). Every node has its type. Every node that can fail at
run time or is worth showing to a person has its span.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import ClassVar, Literal, TypeAlias

from gamedsl.language.boards import Board, Domain
from gamedsl.language.core.node_parts import operands
from gamedsl.language.source import NOWHERE, Span, node

# ---------------------------------------------------------------------------------------------------- types


@node()
class SingleT:
    """The type of a single value that can be none."""


@node()
class ScalarT(SingleT):
    """The type of a single value that is never none."""


@node()
class StoredT:
    """The type of a variable that does not hold a value: expressions query the variable, but never have this type."""


@node()
class BoolT(ScalarT):
    pass


# lo..hi
@node()
class IntT(ScalarT):
    low: int
    high: int


# one element of a domain
@node()
class ElemT(ScalarT):
    domain: Domain


# T?          (inner: ElemT, IntT or BoolT)
@node()
class OptT(SingleT):
    inner: ElemT | IntT | BoolT


# set of D
@node()
class SetT:
    domain: Domain


# stack of D up to n         (only as the type of a variable; never of an expression)
@node()
class StackT(StoredT):
    inner: ElemT | IntT | BoolT
    limit: int


# a drawing: named strokes of exact decimal points      (only as the type of a variable)
@node()
class DrawingT(StoredT):
    plan: object = field(compare=False)  # boards.drawing.Plan


# a multiset of positions      (only as the type of a variable)
@node()
class HistoryT(StoredT):
    pass


ValueT: TypeAlias = BoolT | IntT | ElemT | OptT | SetT
VarT: TypeAlias = BoolT | IntT | ElemT | OptT | SetT | StackT | DrawingT | HistoryT


def limits(t: object) -> tuple[int, int]:
    """Returns the least and the greatest code of a value of this type."""
    match t:
        case BoolT():
            return 0, 1
        case IntT(low, high):
            return low, high
        case ElemT(domain):
            return 0, domain.size - 1
        case OptT(inner):
            low, high = limits(inner)
            return 0, high - low + 1
        case SetT(domain):
            return 0, domain.full
    raise AssertionError(f"no value type: {t}")


# ------------------------------------------------------------------------------------------------ variables


@node()
class Var:
    """A state variable: plain if ``keys`` is empty, otherwise a total map over the product of the keys.

    ``index`` is its number in ``Program.variables``, ``part`` the number of its part. ``role`` is its purpose
    (``piece``: where pieces are on the board; ``temp``: cleared when dead and hidden from people). ``initial`` has one
    value per slot. ``seen`` is who can see it. ``viewers`` is the number of the variable that holds, for each slot (or
    for all slots with its keys), the players to whom it has been revealed. ``has_first_value``: the ruleset gives its
    initial value.
    """

    index: int
    name: str
    type: VarT
    keys: tuple[Domain, ...] = ()
    initial: tuple[int, ...] = (0,)
    seen: Literal["all", "owner", "nobody"] = "all"
    role: Literal["state", "piece", "count", "temp", "countdown", "viewers"] = "state"
    part: int = 0
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    viewers: int | None = None
    has_first_value: bool = field(default=True, compare=False, repr=False)

    @property
    def slots(self) -> int:
        """The number of values it holds (a map has one for every key)."""
        total = 1
        for k in self.keys:
            total *= k.size
        return total


# ---------------------------------------------------------------------------------------------- expressions


@node(kw_only=True)
class CoreNode:
    span: Span = field(default=NOWHERE, compare=False, repr=False)


@node(kw_only=True)
class CoreExpr(CoreNode):
    """What a pass needs to know of any expression. A class overrides the answers that differ from those given here.

    ``reads_state``: its value depends on the state, beyond what its operands read. ``looks_ahead``: it tries moves.
    ``loops``: evaluation takes a loop or a call. ``searches``: it takes a search along a relation, or through moves.
    ``folded``: nothing in it is left to fold.
    """

    folded: bool = field(default=False, init=False, compare=False, repr=False)
    reads_state: ClassVar[bool] = False
    looks_ahead: ClassVar[bool] = False
    loops: ClassVar[bool] = True
    searches: ClassVar[bool] = False

    def read(self) -> Var | None:
        """The variable that the node itself reads; None if it reads none."""
        return None

    def may_fail(self) -> bool:
        """Whether the node can raise a rules error although none of its operands does."""
        return False

    def expansion(self) -> Expr | None:
        """An equivalent of smaller nodes, for passes without a case for this class; None if there is none."""
        return None

    def bound(self) -> tuple[Local, ...]:
        """The locals that it binds in its operands."""
        return ()

    def scoped_operands(self) -> tuple[tuple[Expr, tuple[Local, ...]], ...]:
        """The operands, each with the locals that the node binds in it."""
        return tuple((e, ()) for e in operands(self))


@node(kw_only=True)
class Binder(CoreExpr):
    """Binds ``local`` in all operands except the first."""

    def bound(self) -> tuple[Local, ...]:
        return (self.local,)  # type: ignore[attr-defined]

    def scoped_operands(self) -> tuple[tuple[Expr, tuple[Local, ...]], ...]:
        first, *rest = operands(self)
        return ((first, ()), *((e, self.bound()) for e in rest))


# 3
@node()
class Const(CoreExpr):
    loops = False
    value: int
    type: ValueT


@node()
class Local:
    """A name inside an expression or effect: a parameter, or bound by a loop or let. ``id`` is unique in the
    program."""

    id: int
    name: str
    type: ValueT


# c
@node()
class Load(CoreExpr):
    loops = False
    local: Local

    @property
    def type(self) -> ValueT:
        return self.local.type


# mark[me]
@node()
class Get(CoreExpr):
    reads_state = True
    loops = False
    var: Var
    keys: tuple[Expr, ...]
    type: ValueT

    def read(self) -> Var:
        return self.var


@node()
class TableData:
    """A constant function over a product of domains. Its values are in order, with the last key varying fastest."""

    name: str
    keys: tuple[Domain, ...]
    type: ValueT
    values: tuple[int, ...] = field(repr=False)


# between(a, b)
@node()
class Lookup(CoreExpr):
    loops = False
    table: TableData
    keys: tuple[Expr, ...]

    @property
    def type(self) -> ValueT:
        return self.table.type


UnaryOp: TypeAlias = Literal[
    "not", "neg", "wrap", "unwrap", "is_none", "count", "single", "complement", "is_empty", "first"
]
# wrap: T -> T?      unwrap: T? -> T (rules error if none)      count: set -> int      single: D -> {D}
# complement: set -> all other elements      is_empty: set -> bool
# first: set -> element with the lowest index (error if empty)


@node()
class Op1(CoreExpr):
    loops = False
    op: UnaryOp
    operand: Expr
    type: ValueT

    def may_fail(self) -> bool:
        return self.op in ("unwrap", "first")


BinOp: TypeAlias = Literal[
    "and", "or", "eq", "ne", "lt", "le",      # bool results (and, or: short-circuit)
    "in", "within", "disjoint",               # element in set; subset; disjoint sets
    "union", "meet", "minus",                 # sets
    "add", "sub", "mul", "div", "mod",        # integers (div, mod: floor; rules error on 0)
    "min", "max",
]  # fmt: skip


@node()
class Op2(CoreExpr):
    loops = False
    op: BinOp
    left: Expr
    right: Expr
    type: ValueT

    def may_fail(self) -> bool:
        return self.op in ("div", "mod") and limits(self.right.type)[0] <= 0 <= limits(self.right.type)[1]


# always a rules error with this message; it has no value
@node()
class Fail(CoreExpr):
    loops = False
    message: str
    type: ValueT

    def may_fail(self) -> bool:
        return True


# x as lo..hi: the same integer, or a rules error if it is out of range. Also integer -> element
# (0 <= x < size) and element -> integer. The value never changes.
@node()
class Convert(CoreExpr):
    loops = False
    operand: Expr
    type: ValueT

    def always_fits(self) -> bool:
        """Whether the new type can represent every value of the old one."""
        low, high = limits(self.type)
        inner_low, inner_high = limits(self.operand.type)
        return low <= inner_low and inner_high <= high

    def may_fail(self) -> bool:
        return not self.always_fits()


# if c then a else b
@node()
class Cond(CoreExpr):
    loops = False
    condition: Expr
    then: Expr
    otherwise: Expr
    type: ValueT


# let x = v in e
@node()
class LetE(Binder):
    loops = False
    local: Local
    value: Expr
    body: Expr

    @property
    def type(self) -> ValueT:
        return self.body.type


# some x in S: F
@node()
class Loop(Binder):
    """A loop: ``local`` ranges over the set ``over``, in ascending order. ``condition`` filters it (None: all).

    The value by ``kind``: some, every: whether a bool ``body`` holds for some or every member; count: for how many it
    holds; sum, max, min: of integer bodies (max, min: rules error if there are none); union: of set bodies; filter: the
    set of members for which the body holds.
    """

    kind: Literal["some", "every", "count", "sum", "max", "min", "union", "filter"]
    local: Local
    over: Expr
    condition: Expr | None
    body: Expr
    type: ValueT

    def may_fail(self) -> bool:
        return self.kind in ("max", "min")


# three(p)
@node()
class CallF(CoreExpr):
    reads_state = True
    function: int  # index in Program.functions
    args: tuple[Expr, ...]
    type: ValueT


# height of a stack, its top (rules error if empty), or the item at ``level`` (1 is the lowest; rules error outside)
@node()
class StackOp(CoreExpr):
    reads_state = True
    loops = False
    op: Literal["height", "top", "item"]
    var: Var
    keys: tuple[Expr, ...]
    type: ValueT
    level: Expr | None = None  # "item" only: a number

    def read(self) -> Var:
        return self.var

    def may_fail(self) -> bool:
        return self.op in ("top", "item")


# the number of times that the current position has been noted
@node()
class Noted(CoreExpr):
    reads_state = True
    history: Var
    position: tuple[Expr, ...]
    type: ValueT

    def read(self) -> Var:
        return self.history


# a relation of a finished drawing's arrangement: "spaces" (set), "borders" (set), "sides" (border -> set of space) ...
@node()
class Arranged(CoreExpr):
    reads_state = True
    var: Var
    relation: str
    args: tuple[Expr, ...]
    type: ValueT

    def read(self) -> Var:
        return self.var


# after m: F, for one move or for waiting
@node()
class AfterE(CoreExpr):
    """The body in the scratch state after a move: first ``tick``, then the schema's effect (None: waiting), then
    ``passed`` (which counts the ply).

    ``args`` are the schema's ``me`` and parameters. The body reads the scratch state; locals are kept.
    """

    looks_ahead = True
    searches = True
    reads_state = True
    schema: int | None
    args: tuple[Expr, ...]
    tick: tuple[CoreStmt, ...]
    body: Expr
    passed: tuple[CoreStmt, ...] = ()

    @property
    def type(self) -> ValueT:
        return self.body.type

    def may_fail(self) -> bool:
        return True


REACHED = -1  # the id of the local that only an expansion binds, and whose body mentions no other local


# everything reachable from ``start`` by ``table`` (D -> set of D) without leaving ``within``; start & within
# is included
@node()
class Flood(CoreExpr):
    searches = True
    start: Expr
    within: Expr
    table: TableData
    type: ValueT

    def expansion(self) -> Expr:
        assert isinstance(self.type, SetT)
        inside = Op2("meet", self.start, self.within, self.type, span=self.span)
        reached = Local(REACHED, "reached", ElemT(self.type.domain))
        step = Op2("meet", Lookup(self.table, (Load(reached),)), self.within, self.type, span=self.span)
        return Closure(inside, reached, step, self.type, span=self.span)


# the least set that contains ``start`` and, with every element x of it, all of ``step`` with ``local`` = x
@node()
class Closure(Binder):
    searches = True
    start: Expr
    local: Local
    step: Expr
    type: ValueT


# some m in moves(p, a | b): after m: F
@node()
class SomeMove(CoreExpr):
    """Tries every move of the alternatives. ``kind`` is some, every or count.

    Each branch has a schema, and a body with its own locals for the schema's parameters (so that ``after m`` becomes
    AfterE on them). ``me`` is the mover. If ``legal``, forbids apply too.
    """

    looks_ahead = True
    searches = True
    reads_state = True
    kind: Literal["some", "every", "count"]
    mover: Expr
    branches: tuple[MoveBranch, ...]
    legal: bool
    tick: tuple[CoreStmt, ...]
    type: ValueT

    def may_fail(self) -> bool:
        return True

    def bound(self) -> tuple[Local, ...]:
        return tuple(one for b in self.branches for one in (b.me, *b.params))

    def scoped_operands(self) -> tuple[tuple[Expr, tuple[Local, ...]], ...]:
        return ((self.mover, ()), *((b.body, (b.me, *b.params)) for b in self.branches))


@node()
class MoveBranch:
    schema: int
    me: Local
    params: tuple[Local, ...]
    body: Expr


Expr: TypeAlias = (
    Const | Load | Get | Lookup | Op1 | Op2 | Fail | Convert | Cond | LetE | Loop | CallF | StackOp | Noted | Arranged | Flood
    | Closure | AfterE | SomeMove
)  # fmt: skip


@node()
class Function:
    """A pure function of its arguments and the current (or scratch) state."""

    index: int
    name: str
    params: tuple[Local, ...]
    body: Expr
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# ----------------------------------------------------------------------------------------------- statements


@node(kw_only=True)
class CoreStatement(CoreNode):
    """What a pass needs to know of any statement.

    ``may_fail``: the statement itself can raise a rules error. ``confined``: it changes nothing but the slot that its
    keys name, or what the statements inside it do.
    """

    may_fail: ClassVar[bool] = False
    confined: ClassVar[bool] = False

    def written(self) -> Var | None:
        """The variable that the statement itself writes; None if it writes none."""
        return None


@node(kw_only=True)
class Update(CoreStatement):
    """A change of a variable that depends on its current value."""

    may_fail = True


# var[keys] := value           (value has the variable's type; ranges are checked by Convert inside it)
@node()
class Assign(CoreStatement):
    confined = True
    var: Var
    keys: tuple[Expr, ...]
    value: Expr

    def written(self) -> Var:
        return self.var


# every slot := its initial value
@node()
class Reset(CoreStatement):
    var: Var

    def written(self) -> Var:
        return self.var


# let x = v        (for the rest of the list)
@node()
class LetS(CoreStatement):
    confined = True
    local: Local
    value: Expr


# if
@node()
class IfS(CoreStatement):
    confined = True
    condition: Expr
    then: tuple[CoreStmt, ...]
    otherwise: tuple[CoreStmt, ...]


# for x in S          (S is evaluated once, before)
@node()
class ForS(CoreStatement):
    confined = True
    local: Local
    over: Expr
    body: tuple[CoreStmt, ...]


# stop                (ends the enclosing effect)
@node()
class StopS(CoreStatement):
    pass


# a rules error unless the condition holds
@node()
class Check(CoreStatement):
    may_fail = True
    confined = True
    condition: Expr
    message: str


@node()
class PushS(Update):
    confined = True
    var: Var
    keys: tuple[Expr, ...]
    value: Expr

    def written(self) -> Var:
        return self.var


@node()
class PopS(Update):
    confined = True
    var: Var
    keys: tuple[Expr, ...]

    def written(self) -> Var:
        return self.var


# note position
@node()
class NoteS(Update):
    history: Var
    position: tuple[Expr, ...]

    def written(self) -> Var:
        return self.history


# the effect of a chance-free move, with its arguments (me first)
@node()
class Effect(CoreStatement):
    schema: int
    args: tuple[Expr, ...]


CoreStmt: TypeAlias = Assign | Reset | LetS | IfS | ForS | StopS | Check | PushS | PopS | NoteS | Effect

# ----------------------------------------------------------------------------------------- moves and program


@node()
class CoreGuard:
    """One condition of a move. If ``looks_ahead``, it tries moves, so it is tested only after the others hold."""

    condition: Expr
    message: str
    clauses: tuple[str, ...]
    span: Span
    looks_ahead: bool


@node()
class CoreParam:
    """A parameter and the set over which it ranges, which can depend on earlier parameters and on the state. If it is
    ``secret``, only the mover sees it.
    """

    local: Local
    over: Expr
    secret: bool = False


# plan step: bind the parameter with this number to each member of this set
@node()
class Bind:
    param: int
    over: Expr


# plan step: continue only if this holds
@node()
class Test:
    condition: Expr


@node()
class Schema:
    """A kind of move. ``me`` is the mover among the players of its part. ``effect`` is empty if it ``has_chance``
    (then blocks of the program contain it). ``written`` is its notation: literal strings and parameter numbers.
    """

    index: int
    name: str
    part: int
    me: Local
    params: tuple[CoreParam, ...]
    guards: tuple[CoreGuard, ...]
    forbids: tuple[CoreGuard, ...]  # tested in the state after tick and move
    effect: tuple[CoreStmt, ...]
    has_chance: bool
    mistake: bool
    written: tuple[str | int, ...]
    plan: tuple[Bind | Test, ...]
    clauses: tuple[str, ...]
    span: Span = field(compare=False, repr=False, default=NOWHERE)
    also: tuple[tuple[str | int, ...], ...] = field(
        compare=False, repr=False, default=()
    )  # further notations, accepted as input only


@node(kw_only=True)
class BlockEnd(CoreNode):
    """What a pass needs to know of any end of a block. ``kind``: the number of a kind of stop in compiled code; 0 for
    the end of the game and for ends where the game does not stop.
    """

    kind: ClassVar[int] = 0

    def targets(self) -> tuple[int, ...]:
        """The blocks that can follow."""
        return ()

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        """Returns the same end with every target replaced."""
        raise NotImplementedError

    def result_variable(self) -> Var | None:
        """The variable that takes the chosen or drawn value; None if there is none."""
        return None


@node(kw_only=True)
class Stop(BlockEnd):
    """The game waits here: for a player, for chance, or because it is over."""


@node(kw_only=True)
class Decision(Stop):
    """A stop where one or several players decide."""


@node()
class SoloDecision(Decision):
    """A stop where one player decides. ``seat`` is the program's player, ``mover`` the same player in the part."""

    seat: Expr
    mover: Expr


# go to block 7
@node()
class Goto(BlockEnd):
    target: int

    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, target=to(self.target))


@node()
class BranchT(BlockEnd):
    condition: Expr
    yes: int
    no: int

    def targets(self) -> tuple[int, ...]:
        return (self.yes, self.no)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, yes=to(self.yes), no=to(self.no))


@node()
class Alt:
    """One alternative of a decision: the schema, the next block, and the variables that take ``me`` and the parameters
    (empty if the effect runs at once). The decision's ``tick`` runs first."""

    schema: int
    target: int
    registers: tuple[Var, ...]


@node()
class Decide(SoloDecision):
    """A player's choice of a move.

    ``tick`` runs before the effect. ``stuck`` is the block entered, without a decision, if there is no legal move
    (None: a rules error). ``may_pass`` is the block entered on a pass.
    """

    kind = 1
    alternatives: tuple[Alt, ...]
    tick: tuple[CoreStmt, ...]
    stuck: int | None
    may_pass: int | None
    part: int

    def targets(self) -> tuple[int, ...]:
        return (*(a.target for a in self.alternatives), *(b for b in (self.stuck, self.may_pass) if b is not None))

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        alternatives = tuple(replace(a, target=to(a.target)) for a in self.alternatives)
        stuck = None if self.stuck is None else to(self.stuck)
        may_pass = None if self.may_pass is None else to(self.may_pass)
        return replace(self, alternatives=alternatives, stuck=stuck, may_pass=may_pass)


@node()
class DecideTogether(Decision):
    """A simultaneous and secret choice of several players. ``movers`` is a set over the part's players; ``seats`` maps
    these to the program's players. When all have chosen, the effects run in the players' order."""

    kind = 4
    movers: Expr
    seats: tuple[Expr, ...]
    alternatives: tuple[Alt, ...]
    tick: tuple[CoreStmt, ...]
    target: int
    part: int

    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, target=to(self.target))


@node()
class Choose(SoloDecision):
    """A player's choice of a value for a variable from ``source`` (a set; for integers bit i is low + i)."""

    kind = 2
    var: Var
    keys: tuple[Expr, ...]
    source: Expr
    names: tuple[str, ...]
    tick: tuple[CoreStmt, ...]
    target: int
    part: int

    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, target=to(self.target))

    def result_variable(self) -> Var:
        return self.var


@node()
class Chance(Stop):
    """A chance event: ``result`` takes an outcome (encoded for its type) with probability proportional to its weight.

    ``over`` is the set of outcomes. ``weight``, with ``local`` bound to the outcome, is an integer >= 0. Both can read
    the state. ``names`` name the outcomes. ``what`` is "roll", "pick", "draw", "deal" or "shuffle".
    """

    kind = 3
    result: Var
    local: Local
    over: Expr
    weight: Expr
    names: tuple[str, ...]
    what: str
    target: int
    part: int

    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, target=to(self.target))

    def result_variable(self) -> Var:
        return self.result


@node()
class DecideDrawing(SoloDecision):
    """A decision of a player to draw strokes, which are added to those in ``var`` (of type DrawingT)."""

    kind = 5
    var: Var
    strokes: tuple[str, ...]
    tick: tuple[CoreStmt, ...]
    target: int
    part: int

    def targets(self) -> tuple[int, ...]:
        return (self.target,)

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return replace(self, target=to(self.target))

    def result_variable(self) -> Var:
        return self.var


@node()
class End(Stop):
    """The end of the game.

    ``payoff``: the utility of each player in points: 1, 0 and -1 for a win, a draw and a loss, or the scores of the
    rules. ``winners``: the set of players who won (none, one or several). ``scores``: one per player, or empty if the
    rules count none.
    """

    kind = 0
    payoff: tuple[Expr, ...]
    winners: Expr
    scores: tuple[Expr, ...]

    def redirected(self, to: Callable[[int], int]) -> Terminator:
        return self


Terminator: TypeAlias = Goto | BranchT | Decide | DecideTogether | Choose | Chance | DecideDrawing | End


@node()
class Reason:
    """The reason why a part ends with a block, for people: a string of the ruleset (or none), and the clauses cited
    there.
    """

    text: str
    clauses: tuple[str, ...]


@node()
class Block:
    index: int
    statements: tuple[CoreStmt, ...]
    end: Terminator
    phase: str
    part: int
    clauses: tuple[str, ...] = ()
    reason: Reason | None = field(default=None, compare=False, repr=False)


# -------------------------------------------------------------------------------------- presentation: look, info


@node()
class LineEnd:
    """The middle of a place, or a point in it: ``offset`` is empty, or percent across and down from its upper left
    corner.
    """

    place: Expr
    offset: tuple[Expr, ...] = ()


@node()
class Mark:
    """A rule for how the position looks, evaluated in the current state. ``binders`` are loops around it: (local, set).

    kind: show (a glyph, optionally with a number, on the elements of ``what``), stroke (edges), tint, border (a glyph
    along the outside), cells (``style``: as crossings of lines, as dots, without names), beside (text and value), line
    (from one of two ``ends`` to the other). ``called`` is its name in the legend; ``shape``: the form of a piece;
    ``chosen``: the owner of the piece can choose another sign.
    """

    kind: Literal["show", "stroke", "tint", "border", "cells", "beside", "line"]
    text: tuple[str | Local, ...]  # glyph or label, with the binders' values filled in
    what: Expr | None
    number: Expr | None
    colour: str | None
    style: str | None
    binders: tuple[tuple[Local, Expr], ...]
    called: tuple[str | Local, ...] | None = None
    shape: str | None = None
    ends: tuple[LineEnd, ...] = ()
    chosen: bool = False

    @property
    def reads(self) -> tuple[Expr, ...]:
        """The expressions that are evaluated for every binding."""
        own = tuple(e for e in (self.what, self.number) if e is not None)
        return own + tuple(e for end in self.ends for e in (end.place, *end.offset))


@node()
class Leaving:
    """A mark that a ply leaves on the drawing, evaluated in the state before it. ``schema`` None: any ply; -1: a
    refusal. With a schema, ``me`` and ``params`` are the mover and parameters of the move.

    ``is_said``: a message that is shown until the next ply. For any ply, it is shown when ``when`` becomes true.
    """

    text: tuple[str | Local, ...]
    on: tuple[Expr, ...]
    is_path: bool
    binders: tuple[tuple[Local, Expr], ...]
    schema: int | None
    me: Local | None
    params: tuple[Local, ...]
    when: Expr | None
    until_redrawn: bool
    called: str | None = None
    large: Get | None = None  # the piece that is drawn as one large sign over all of ``on``
    is_said: bool = False


@node()
class ClaimHead:
    """The fields of all claims. ``part`` is the ruleset that makes the claim (0 is the whole); it concerns the states
    of that part.

    ``has_witness``: a single game suffices to prove it; for all others, a single game suffices to refute it.
    ``compares_players``: symmetries must not swap the players. ``checked_along``: a single game shows at
    every state whether it contradicts the claim so far.
    """

    name: str
    part: int
    clauses: tuple[str, ...]
    span: Span

    has_witness: ClassVar[bool] = False
    compares_players: ClassVar[bool] = False
    checked_along: ClassVar[bool] = False


@node()
class StateClaim(ClaimHead):
    """A claim about single states."""

    condition: Expr


# in every state
@node()
class Always(StateClaim):
    checked_along = True


# in no state
@node()
class Never(StateClaim):
    checked_along = True


# in some state
@node()
class Reachable(StateClaim):
    has_witness = True


# every state in which the condition holds is followed, sooner or later, by a state in which the other holds
@node()
class LeadsTo(ClaimHead):
    condition: Expr
    then: Expr


# every game ends (within this number of plies)
@node()
class Ends(ClaimHead):
    checked_along = True
    bound: Expr | None


# a move of each of these names is legal in some state
@node()
class Used(ClaimHead):
    has_witness = True
    moves: tuple[str, ...]


# in random play, the players' chances of winning differ by at most this many percentage points
@node()
class Balanced(ClaimHead):
    compares_players = True
    percent: Expr


# legal moves may give away these hidden variables (by number) to their player, or results to everyone, at ends where the
# condition holds; the local is the owner of what is told
@node()
class MayTell(ClaimHead):
    teller: Literal["moves", "results"]
    hidden: tuple[int, ...]
    owner: Local | None = None
    when: Expr | None = None


CoreClaim: TypeAlias = Always | Never | Reachable | LeadsTo | Ends | Used | Balanced | MayTell


@node()
class Paragraph:
    key: str
    text: str
    clauses: tuple[str, ...]


@node()
class NotationField:
    """A field of a notation. ``kind``: board (the diagram, ``text`` between its rows), text (the strings of ``items``
    whose conditions hold, for all values of ``binders``; ``text`` if there are none), any (``text``; any word is
    accepted in its place when it is read), count (the number ``text``, and one more for every turn that ``player`` has
    completed; None: any player) or apart (the first of ``items`` that distinguishes a move from the others, if one is
    needed).
    """

    kind: Literal["board", "text", "any", "count", "apart"]
    text: str
    items: tuple[tuple[tuple[str | Local, ...], Expr | None], ...]
    binders: tuple[tuple[Local, Expr], ...]
    player: int | None = None
    span: Span = field(compare=False, repr=False, default=NOWHERE)


@node()
class MoveNotation:
    """The notation of the moves of a schema: its ``fields``, joined. ``me`` is the mover, ``params`` are the
    parameters.
    """

    schema: int
    me: Local
    params: tuple[Local, ...]
    fields: tuple[NotationField, ...]


@node()
class NotationEnding:
    """The ending of every move in a notation: a field about the state after the move. ``over`` (bool): the game has
    ended; ``winners``: the players who have won (empty before the end).
    """

    over: Local
    winners: Local
    field: NotationField


@node()
class PublicNotation:
    """A notation that a ruleset declares. ``fields`` write positions, ``moves`` and ``endings`` moves. ``me`` is
    the player to move, in ``endings`` the player who has moved.
    """

    name: str
    me: Local
    fields: tuple[NotationField, ...]
    moves: tuple[MoveNotation, ...] = ()
    endings: tuple[NotationEnding, ...] = ()


@node()
class PieceKind:
    """A kind of piece: ``var`` holds the sets of its places, ``above`` the number of pieces beyond the first on each
    place (stacking only), ``each`` the number of pieces of each owner (None: any number). ``on_board``: its places are
    the board's default places for pieces.
    """

    var: Var
    above: Var | None
    each: int | None
    on_board: bool


@node()
class Part:
    """A ruleset within the program (0 is the whole). ``seats``: the program's player for each player of the part;
    ``around``: the part that plays it."""

    index: int
    name: str
    title: str
    players: Domain
    board: Board | None
    drawing: Var | None
    seats: tuple[Expr, ...]
    looks: tuple[Mark, ...]
    leavings: tuple[Leaving, ...]
    info: tuple[Paragraph, ...]
    by: str
    source: str
    pieces: tuple[PieceKind, ...] = ()
    notations: tuple[PublicNotation, ...] = ()
    around: int = 0


@node()
class Citation:
    """A citation of a clause: in an operative line, or in a ``presentation`` only."""

    clause: str
    span: Span
    part: int
    presentation: bool


@node()
class Program:
    """A whole ruleset with the values of its options substituted."""

    name: str
    title: str
    options: tuple[tuple[str, str], ...]  # name and value, as written
    players: Domain
    variables: tuple[Var, ...]
    functions: tuple[Function, ...]
    schemas: tuple[Schema, ...]
    blocks: tuple[Block, ...]
    entry: int
    parts: tuple[Part, ...]
    claims: tuple[CoreClaim, ...]
    citations: tuple[Citation, ...]
    clauses: tuple[tuple[str, str], ...]  # the index: number and paraphrase
