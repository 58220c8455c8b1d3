"""The syntax tree of a ruleset: closed, frozen node types, every node with its span.

A comment above each node gives an example line that it represents. Comparisons ignore spans and nothing else, so two
trees are equal when they say the same. *Lines* (nodes with ``notes``) represent lines of text:
they carry the clause citations and the comments that belong to them. The data form (JSON/YAML) is derived from the
dataclasses in this file, field by field; a field named ``span`` is never written.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import ClassVar, Literal, TypeAlias

from gamedsl.language.source import NOWHERE, Span, node


@node(slots=True, kw_only=True, weakref_slot=True)
class Node:
    """A node of the tree. ``alternatives``: the field whose names are alternatives, any of which can be removed as long
    as one remains (empty: no field).
    """

    span: Span = field(default=NOWHERE, compare=False, repr=False)
    alternatives: ClassVar[str] = ""

    def mention(self) -> str:
        """The name that the node itself mentions; empty if it mentions none."""
        return ""


# @4.05c
@node(slots=True)
class Cite(Node):
    clause: str


# a name where it is declared or mentioned outside an expression
@node(slots=True)
class Name(Node):
    id: str

    def mention(self) -> str:
        return self.id


@node(slots=True)
class Notes:
    """The surroundings of a line: citations, comment lines before it, and the comment at its end (without ``#``).

    ``gap``: an empty line precedes the line (and its comments).
    """

    cites: tuple[Cite, ...] = ()
    before: tuple[str, ...] = ()
    behind: str | None = None
    gap: bool = False


@node(slots=True, kw_only=True)
class Line(Node):
    notes: Notes = field(default_factory=Notes)


# --------------------------------------------------------------------------------------------------- types


@node(slots=True, kw_only=True)
class TypeNode(Node):
    """``is_phrase``: its text is several words, so that a ``?`` after it would belong to the last one only."""

    is_phrase: ClassVar[bool] = False


# cell
@node(slots=True)
class NamedType(TypeNode):
    name: str


# 0..45
@node(slots=True)
class RangeType(TypeNode):
    low: Expr
    high: Expr


# west_east "west-east"
@node(slots=True)
class ElementWords(Node):
    name: Name
    text: str


# {rock, paper, scissors}          {west_east "west-east", north_south}
@node(slots=True)
class EnumType(TypeNode):
    names: tuple[Name, ...]
    words: tuple[ElementWords, ...] = ()  # of the elements that are shown under another name


# cell?
@node(slots=True)
class OptionalType(TypeNode):
    inner: Type


# set of cell
@node(slots=True)
class SetType(TypeNode):
    is_phrase = True
    inner: Type


# player -> cell -> 0..9      (right associative; a map with several keys is a map to maps)
@node(slots=True)
class MapType(TypeNode):
    key: Type
    value: Type


# countdown up to 8
@node(slots=True)
class CountdownType(TypeNode):
    is_phrase = True
    limit: Expr | None


# stack of player up to 8
@node(slots=True)
class StackType(TypeNode):
    is_phrase = True
    inner: Type
    limit: Expr


# (rank, -2..2)      (tuples with one value of each part)
@node(slots=True)
class ProductType(TypeNode):
    parts: tuple[NamedType | RangeType, ...]


Type: TypeAlias = (
    NamedType | RangeType | EnumType | OptionalType | SetType | MapType | CountdownType | StackType | ProductType
)

# --------------------------------------------------------------------------------------------- expressions


@node(slots=True, kw_only=True)
class Expression(Node):
    """What a pass needs to know of any expression. ``fenced``: its text begins with a brace, a bracket or a keyword.
    ``has_own_type``: its type does not depend on the one wanted in its place."""

    fenced: ClassVar[bool] = False
    has_own_type: ClassVar[bool] = False

    def is_condition(self) -> bool:
        """Whether its form alone makes it a condition, independent of the meaning of its names."""
        return False


@node(slots=True, kw_only=True)
class OpenExpression(Expression):
    """Its text extends as far to the right as possible."""

    def tail(self) -> Expr | None:
        """The operand with which its text ends; None if it ends in binders."""
        raise NotImplementedError


@node(slots=True, kw_only=True)
class Collecting(OpenExpression):
    """Collects the values of an expression for all elements of some sets."""

    fenced = True

    def unfiltered(self) -> Expr | None:
        """The same without its condition; None if it has none."""
        raise NotImplementedError


# 420
@node(slots=True)
class Int(Expression):
    value: int


# yes, no
@node(slots=True)
class Bool(Expression):
    fenced = True
    value: bool

    def is_condition(self) -> bool:
        return True


# none      (also {}: a SetDisplay without items)
@node(slots=True)
class NoneValue(Expression):
    fenced = True


# mark      me      empty      X      c
@node(slots=True)
class Ref(Expression):
    has_own_type = True
    name: str

    def mention(self) -> str:
        return self.name


# linked(a, b)
@node(slots=True)
class Call(Expression):
    has_own_type = True
    name: str
    args: tuple[Expr, ...]

    def mention(self) -> str:
        return self.name


# mark[me]      height[me, c]
@node(slots=True)
class Index(Expression):
    has_own_type = True
    base: Expr
    keys: tuple[Expr, ...]


# b.safe      result.winner
@node(slots=True)
class FieldOf(Expression):
    has_own_type = True
    base: Expr
    name: str


# pile[c] at 2          (the item at a level of a stack; 1 is the lowest)
@node(slots=True)
class ItemAt(Expression):
    stack: Expr
    level: Expr


# {a, b}      {}
@node(slots=True)
class SetDisplay(Expression):
    fenced = True
    items: tuple[Expr, ...]


# (rock, scissors)
@node(slots=True)
class TupleDisplay(Expression):
    fenced = True
    items: tuple[Expr, ...]


# 1..6
@node(slots=True)
class RangeSet(Expression):
    low: Expr
    high: Expr


# not F      - n
@node(slots=True)
class Unary(Expression):
    op: Literal["not", "-"]
    operand: Expr

    def is_condition(self) -> bool:
        return self.op == "not"


BinaryOp: TypeAlias = Literal[
    "or", "and", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "within", "disjoint", "meets",
    "|", "&", "+", "-", "*", "div", "mod",
]  # fmt: skip


# a & b
@node(slots=True)
class Binary(Expression):
    op: BinaryOp
    left: Expr
    right: Expr

    def is_condition(self) -> bool:
        return self.op not in ("-", "+", "*", "div", "mod", "|", "&")


# pen is none      result.winner is some
@node(slots=True)
class IsNone(Expression):
    operand: Expr
    negated: bool  # True for "is some"

    def is_condition(self) -> bool:
        return True


# if F then a else b
@node(slots=True)
class IfExpr(OpenExpression):
    condition: Expr
    then: Expr
    otherwise: Expr

    def tail(self) -> Expr | None:
        return self.otherwise


# 2 north      -dx ahead(me)          (only as an argument of a call: ``step(c, 2 north, 1 east)``)
@node(slots=True)
class Leg(Expression):
    count: Expr
    direction: Expr


# l, k in lines(3)      (a, b) in steps(l)      distinct x, y in cell
@node(slots=True)
class Binder(Node):
    """Each of ``names`` ranges over ``source``, independently, or over different elements with ``distinct``. With
    ``is_tuple``, they destructure one element."""

    names: tuple[Name, ...]
    is_tuple: bool
    source: Expr
    distinct: bool = False


# some l in lines(3): l within mark[p]          (binders are nested in order)
@node(slots=True)
class Quantified(OpenExpression):
    kind: Literal["some", "every", "no", "count"]
    binders: tuple[Binder, ...]
    body: Expr

    def tail(self) -> Expr | None:
        return self.body

    def is_condition(self) -> bool:
        return self.kind != "count"


# {c in empty: row(c) = 1}
@node(slots=True)
class Filter(Expression):
    fenced = True
    binder: Binder
    condition: Expr


# union of b.on for b in barrier: b.spent      sum of wins[p] for p in players
@node(slots=True)
class Fold(Collecting):
    kind: Literal["union", "sum", "max", "min", "set"]
    value: Expr
    binders: tuple[Binder, ...]
    condition: Expr | None

    def tail(self) -> Expr | None:
        return self.condition

    def unfiltered(self) -> Expr | None:
        return None if self.condition is None else replace(self, condition=None)


# max of height(c) for c in S: F or 0          (``otherwise``: the value if there are no elements)
@node(slots=True)
class FoldOr(Collecting):
    kind: Literal["max", "min"]
    value: Expr
    binders: tuple[Binder, ...]
    condition: Expr | None
    otherwise: Expr

    def tail(self) -> Expr | None:
        return self.otherwise

    def unfiltered(self) -> Expr | None:
        return None if self.condition is None else replace(self, condition=None)


# reach of neighbors(x) for x from {c}: x in empty          (an x without the condition reaches nothing)
@node(slots=True)
class Reach(Collecting):
    value: Expr
    binder: Binder  # one name, or a tuple; its source is the set where the search starts
    condition: Expr | None

    def tail(self) -> Expr | None:
        return self.condition

    def unfiltered(self) -> Expr | None:
        return None if self.condition is None else replace(self, condition=None)


# after m: F      after this: F      after waiting: F
@node(slots=True)
class After(OpenExpression):
    move: str
    body: Expr

    def tail(self) -> Expr | None:
        return self.body

    def is_condition(self) -> bool:
        return True


# moves(rival, place | take)          attempts(...) includes moves that "forbid" forbids
@node(slots=True)
class MovesOf(Expression):
    fenced = True
    alternatives = "moves"
    kind: Literal["moves", "attempts"]
    player: Expr
    moves: tuple[Name, ...]


Expr: TypeAlias = (
    Int | Bool | NoneValue | Ref | Call | Index | FieldOf | ItemAt | SetDisplay | TupleDisplay | RangeSet | Unary | Binary
    | IsNone | Leg | IfExpr | Quantified | Filter | Fold | FoldOr | Reach | After | MovesOf
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- statements

Body: TypeAlias = "tuple[Stmt, ...]"


@node(slots=True, kw_only=True)
class RuleLine(Line):
    """A line of a body or of a move. ``word`` is its name in messages; ``begins`` are the words with which its text can
    begin, if these are not the first word of its name (empty: it begins with a name or an expression).
    """

    word: ClassVar[str] = ""
    begins: ClassVar[tuple[str, ...] | None] = None

    @classmethod
    def first_words(cls) -> tuple[str, ...]:
        """The words with which its text can begin."""
        return tuple(cls.word.split()[:1]) if cls.begins is None else cls.begins


@node(slots=True, kw_only=True)
class Statement(RuleLine):
    """What a pass needs to know of any statement. A class overrides the answers that differ from those given here.

    ``flow``: it changes the course of play, so it needs its own blocks and cannot be in a plain effect. ``waits``: the
    game stops there, so a loop around it makes progress.
    """

    flow: ClassVar[bool] = False
    waits: ClassVar[bool] = False

    def needs_blocks(self) -> bool:
        """Whether this statement itself changes the course of play, not counting the statements inside it."""
        return self.flow

    def writes(self) -> tuple[Expr, ...]:
        """The variables it changes, as it writes them: ``x``, ``m[k]``, ``x.field``."""
        return ()

    def only_writes(self) -> tuple[Expr, ...]:
        """Those of ``writes`` whose values it passes on to nothing else."""
        return self.writes()

    def reads(self) -> tuple[Name, ...]:
        """The variables it reads without an expression that mentions them."""
        return ()

    def binds(self) -> Name | None:
        """The name it introduces for the statements after it."""
        return None

    def bodies(self) -> tuple[Body, ...]:
        """The lists of statements indented below it."""
        return ()


@node(slots=True, kw_only=True)
class Keyword(Statement):
    """A statement that is just its word."""


@node(slots=True, kw_only=True)
class Decision(Statement):
    """A choice by one or several players."""

    waits = True
    flow = True


@node(slots=True, kw_only=True)
class ChanceStatement(Statement):
    """An event of chance."""

    waits = True
    flow = True


@node(slots=True, kw_only=True)
class Draw(ChanceStatement):
    """An event of chance that gives a name to the value drawn."""

    def binds(self) -> Name:
        raise NotImplementedError


@node(slots=True, kw_only=True)
class Ending(Statement):
    """An end of the game."""

    flow = True


# put mark[me] on c        put man[me] on c with rank = k
@node(slots=True)
class Put(Statement):
    word = "put"
    piece: Expr
    on: Expr
    bindings: tuple[Binding, ...] = ()


# reveal c.rank        reveal hand[me] to next(me)
@node(slots=True)
class Reveal(Statement):
    """Shows a hidden value to a player or a set of players (None: to everyone) from now on."""

    word = "reveal"
    what: Expr
    to: Expr | None


# remove disc[me] from c        remove all disc[rival] from s        remove all from c
@node(slots=True)
class Remove(Statement):
    word = "remove"
    everything: bool
    piece: Expr | None
    source: Expr


# move disc[me] from a to b      move all from a to b      (all pieces on it)
@node(slots=True)
class MovePiece(Statement):
    word = "move"
    piece: Expr | None
    source: Expr
    target: Expr


# set pen to c
@node(slots=True)
class SetTo(Statement):
    word = "set"
    target: Expr
    value: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# add {a, b} to done        add 1 to wins[p]
@node(slots=True)
class Add(Statement):
    word = "add"
    value: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# take 1 from stock       take c from done
@node(slots=True)
class Take(Statement):
    word = "take"
    value: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# push me on pile[c]
@node(slots=True)
class Push(Statement):
    word = "push"
    value: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# pop pile[c] -> x
@node(slots=True)
class Pop(Statement):
    word = "pop"
    target: Expr
    result: Name | None

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)

    def only_writes(self) -> tuple[Expr, ...]:
        return () if self.result else (self.target,)

    def binds(self) -> Name | None:
        return self.result


# put_up(fence[me], s)      release
@node(slots=True)
class Perform(Statement):
    word = "an action"
    begins = ()
    action: str
    args: tuple[Expr, ...]

    def mention(self) -> str:
        return self.action


# let won = min(n, stock)
@node(slots=True)
class Let(Statement):
    word = "let"
    name: Name
    value: Expr

    def binds(self) -> Name | None:
        return self.name


# if F        (one branch; each "else if" is another)
@node(slots=True)
class Branch(Line):
    condition: Expr
    body: Body


# else
@node(slots=True)
class Else(RuleLine):
    word = "else"
    body: Body


# if F ... else if G ... else ...
@node(slots=True)
class If(Statement):
    word = "if"
    branches: tuple[Branch, ...]  # the first branch's notes are the statement's own and are empty here
    otherwise: Else | None

    def bodies(self) -> tuple[Body, ...]:
        return (*(b.body for b in self.branches), *((self.otherwise.body,) if self.otherwise else ()))


# for p in players
@node(slots=True)
class For(Statement):
    word = "for"
    binder: Binder
    body: Body

    def bodies(self) -> tuple[Body, ...]:
        return (self.body,)


# repeat ... until F        repeat 5 times        repeat (without end: must contain a decision or an end)
@node(slots=True)
class Repeat(Statement):
    word = "repeat without a number of times"
    times: Expr | None
    body: Body
    until: Until | None

    def needs_blocks(self) -> bool:
        return self.times is None

    def bodies(self) -> tuple[Body, ...]:
        return (self.body,)


# until F
@node(slots=True)
class Until(RuleLine):
    word = "until"
    condition: Expr


# stop          (ends the effect of a move)
@node(slots=True)
class Stop(Keyword):
    word = "stop"
    flow = True


# skip          (ends the turn)
@node(slots=True)
class Skip(Keyword):
    word = "skip"
    flow = True


# again         (ends the turn; the same player has the next one)
@node(slots=True)
class Again(Keyword):
    word = "again"
    flow = True


# end phase
@node(slots=True)
class EndPhase(Keyword):
    word = "end phase"
    flow = True


# roll d6 -> r          roll 2 d6 -> r   (their sum)
@node(slots=True)
class Roll(Draw):
    word = "roll"
    dice: int
    faces: int
    result: Name

    def binds(self) -> Name:
        return self.result


# pick at random from empty -> c
@node(slots=True)
class Pick(Draw):
    word = "pick"
    source: Expr
    result: Name

    def binds(self) -> Name:
        return self.result


# draw from bag -> t          (bag: T -> 0..n; t is drawn with probability bag[t] / total, and leaves the bag)
@node(slots=True)
class DrawFrom(Draw):
    word = "draw"
    bag: Expr
    result: Name

    def writes(self) -> tuple[Expr, ...]:
        return (self.bag,)

    def only_writes(self) -> tuple[Expr, ...]:
        return ()

    def binds(self) -> Name:
        return self.result


# shuffle deck
@node(slots=True)
class Shuffle(ChanceStatement):
    word = "shuffle"
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# shuffle discards into deck
@node(slots=True)
class ShuffleInto(ChanceStatement):
    word = "shuffle"
    source: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.source, self.target)

    def only_writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# deal from deck to hand[p]          deal 5 from deck to hand[p]      (each at random, or from the top of a stack)
@node(slots=True)
class Deal(ChanceStatement):
    word = "deal"
    times: Expr | None
    source: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.source, self.target)

    def only_writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# discard k from hand[me] to discards
@node(slots=True)
class Discard(Statement):
    word = "discard"
    value: Expr
    source: Expr
    target: Expr

    def writes(self) -> tuple[Expr, ...]:
        return (self.source, self.target)

    def only_writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# note position      note board      note position with fresh, passed      (for "repetition(n)")
@node(slots=True)
class NotePosition(Statement):
    """``what``: the board alone, or the board and the player to move. ``more``: further state variables of the
    position."""

    word = "note"
    what: Literal["position", "board"]
    more: tuple[Name, ...]

    def reads(self) -> tuple[Name, ...]:
        return self.more


# phase battle
@node(slots=True)
class Phase(Statement):
    word = "phase"
    flow = True
    name: Name
    body: Body

    def bodies(self) -> tuple[Body, ...]:
        return (self.body,)


# turns from first          turns from first, n times          turns from starter until stock = 0
@node(slots=True)
class Turns(Statement):
    word = "turns"
    flow = True
    start: Expr
    times: Expr | None
    until: Expr | None
    body: Body

    def bodies(self) -> tuple[Body, ...]:
        return (self.body,)


# stuck
@node(slots=True)
class Stuck(Line):
    body: Body


# me plays place | jump        (an indented "may pass" and a "stuck" block may follow)
@node(slots=True)
class Plays(Decision):
    word = "plays"
    alternatives = "moves"
    begins = ()
    who: Expr
    moves: tuple[Name, ...]
    may_pass: MayPass | None
    stuck: Stuck | None

    def bodies(self) -> tuple[Body, ...]:
        return () if self.stuck is None else (self.stuck.body,)


# may pass
@node(slots=True)
class MayPass(Line):
    pass


# starter chooses edition          b chooses symbol[b] from {x, o}
@node(slots=True)
class Chooses(Decision):
    word = "chooses"
    begins = ()
    who: Expr
    target: Expr
    source: Expr | None

    def writes(self) -> tuple[Expr, ...]:
        return (self.target,)


# me passes                    (a decision with one choice)
@node(slots=True)
class Passes(Decision):
    word = "passes"
    begins = ()
    who: Expr


# everyone plays show          everyone in active plays bid
@node(slots=True)
class Everyone(Decision):
    word = "everyone plays"
    alternatives = "moves"
    group: Expr | None
    moves: tuple[Name, ...]


# first draws figure, upper, lower
@node(slots=True)
class Draws(Decision):
    word = "draws"
    begins = ()
    who: Expr
    strokes: tuple[Name, ...]


# left = one
@node(slots=True)
class Binding(Node):
    name: Name
    value: Expr


# play shoot with left = one, right = two -> throw
@node(slots=True)
class PlayGame(Statement):
    word = "play"
    flow = True
    waits = True
    game: Name
    bindings: tuple[Binding, ...]
    result: Name | None

    def binds(self) -> Name | None:
        return self.result


# win me        lose me "no legal move"
@node(slots=True)
class Verdict(Ending):
    word = "win or lose"
    begins = ("win", "lose")
    kind: Literal["win", "lose"]
    who: Expr
    reason: str | None


# draw        draw "a full board"
@node(slots=True)
class DrawGame(Ending):
    word = "draw"
    reason: str | None


# rank by points      share by points      score by points      (a map over player, or a definition with one player)
@node(slots=True)
class RankBy(Ending):
    word = "rank by"
    begins = ("rank", "share", "score")
    kind: Literal["rank", "share", "score"]
    by: Name

    def reads(self) -> tuple[Name, ...]:
        return (self.by,)


Stmt: TypeAlias = (
    Put | Reveal | Remove | MovePiece | SetTo | Add | Take | Push | Pop | Perform | Let | If | For | Repeat | Stop | Skip
    | Again | EndPhase | Roll | Pick | DrawFrom | Shuffle | ShuffleInto | Deal | Discard | NotePosition | Phase | Turns
    | Plays | Chooses | Passes | Everyone | Draws | PlayGame | Verdict | DrawGame | RankBy
)  # fmt: skip

# --------------------------------------------------------------------------------------------- declarations


@node(slots=True, kw_only=True)
class Declaration(Line):
    """What a pass needs to know of any declaration. ``word`` is its name in messages and in ``remove``; declarations of
    one word
    can replace one another in a variant (empty: only a variant contains it).

    ``once``: a ruleset has at most one with its word. ``is_rule``: it contains rules, so the legal moves can depend on
    it.
    """

    word: ClassVar[str] = ""
    once: ClassVar[bool] = False
    is_rule: ClassVar[bool] = True

    def identity(self) -> str:
        """The name or text that distinguishes it from others with its word; empty where a ruleset has only one."""
        return ""

    def statements(self) -> Body:
        """The statements of its body."""
        return ()


@node(slots=True)
class Named(Declaration):
    name: Name

    def identity(self) -> str:
        return self.name.id


@node(slots=True)
class NamedRule(Named):
    """A declaration that other rules can mention by name, and that can mention others."""


@node(slots=True)
class RuleWithParams(NamedRule):
    params: tuple[Param, ...]


@node(slots=True, kw_only=True)
class Board(Declaration):
    """Declares places and their connections."""

    word = "board"
    once = True


#   by "An Author"      source "..."      clauses "clauses/x.yaml"
@node(slots=True)
class HeaderItem(Line):
    key: Literal["by", "source", "clauses"]
    text: str


# game "Three in a Row"
@node(slots=True)
class GameDecl(Declaration):
    word = "game"
    once = True
    is_rule = False
    title: str
    items: tuple[HeaderItem, ...]


# use "throw.gdl" as shoot
@node(slots=True)
class UseDecl(Declaration):
    word = "use"
    is_rule = False
    file: str
    name: Name

    def identity(self) -> str:
        return self.name.id


# players X, O
@node(slots=True)
class PlayersNamed(Declaration):
    word = "players"
    once = True
    names: tuple[Name, ...]


# players 1 to 6 = 2            (an option "players" with that range and default; seats are p1, p2 ...)
@node(slots=True)
class PlayersRange(Declaration):
    word = "players"
    once = True
    low: int
    high: int
    default: int | None


# option n: 2..16 = 8 "side of the grid"
@node(slots=True)
class OptionDecl(Named):
    word = "option"
    type: Type
    default: Expr
    text: str | None


# type way = {west_east, north_south}
@node(slots=True)
class TypeDecl(Named):
    word = "type"
    type: Type


# board grid r by c      hex 5      hex 11 by 11      hex star 4      track 30          (at 1, 3 where boards are joined)
@node(slots=True)
class BoardShape(Node):
    kind: Literal["grid", "hex", "hex star", "track"]
    sizes: tuple[Expr, ...]
    at: tuple[Expr, ...]


# board grid 8 by 8 without a1, h8 named by letters from bottom
@node(slots=True)
class BoardDecl(Board):
    """Joined shapes minus removed cells. ``without``: cells and sets of cells of the joined shapes. ``naming``: letters
    (a1) or numbers (r1c1). ``start``: the side of row 1."""

    shapes: tuple[BoardShape, ...]
    without: tuple[Expr, ...]
    naming: Literal["letters", "numbers"] | None
    start: Literal["top", "bottom"] | None


#   nodes a, b, c
@node(slots=True)
class GraphNodes(Line):
    names: tuple[Name, ...]


#   a to b, c          (links, both ways)
@node(slots=True)
class GraphLinks(Line):
    alternatives = "targets"
    source: Name
    targets: tuple[Name, ...]


#   a at 3, 0          (where it is drawn)
@node(slots=True)
class GraphPlace(Line):
    node: Name
    x: Expr
    y: Expr


#   ... around 3, 0 with radius 2, corners 4, turn 30
@node(slots=True)
class Around(Node):
    """The circle, or the outline of a regular polygon, on which the nodes of a ring are drawn."""

    x: Expr
    y: Expr
    radius: Expr
    corners: Expr | None
    turn: Expr | None


#   ring a, b, c        (links from each to the next, and from the last to the first)
@node(slots=True)
class GraphRing(Line):
    names: tuple[Name, ...]
    around: Around | None


#   path a, b, c        (links from each to the next)
@node(slots=True)
class GraphPath(Line):
    names: tuple[Name, ...]


GraphLine: TypeAlias = GraphNodes | GraphLinks | GraphPlace | GraphRing | GraphPath


# board graph
@node(slots=True)
class GraphDecl(Board):
    items: tuple[GraphLine, ...]


#     within 45 degrees of horizontal     apart from lower     crosses left, right once     simple
@node(slots=True)
class StrokeCondition(Line):
    """One condition of a stroke.

    simple (never meets itself), within N degrees of horizontal/vertical, apart from NAMES (no common point with them),
    crosses NAMES once, crosses what it meets (only crosses strokes, at single points, without touching or overlapping
    them), avoids crossings (of earlier strokes), new ends (its ends lie on no earlier stroke's end).
    """

    kind: Literal[
        "simple", "horizontal", "vertical", "apart", "crosses once", "crosses", "avoids crossings", "new ends"
    ]
    degrees: int | None
    names: tuple[Name, ...]


#   upper, lower: straight line across figure
@node(slots=True)
class StrokeDecl(Line):
    names: tuple[Name, ...]
    shape: Literal["closed curve", "straight line", "open curve"]
    across: Name | None
    conditions: tuple[StrokeCondition, ...]


# board drawing up to 40 spaces
@node(slots=True)
class DrawingDecl(Board):
    limit: Expr
    strokes: tuple[StrokeDecl, ...]


# shape ell = "XX/X."
@node(slots=True)
class ShapeDecl(Named):
    """A shape made of cells. ``rows``: X for a cell, . for none, / between rows."""

    word = "shape"
    rows: str


# piece mark of player, 25 each         piece grey, 10 in supply         piece disc of player, stacking
@node(slots=True)
class PieceDecl(Declaration):
    """``each``: the number of pieces (per player, if owned). ``place``: the domain of its places (None: cells
    or spaces). ``fields``: the attributes that each piece carries.
    """

    word = "piece"
    names: tuple[Name, ...]
    of: Type | None
    place: str | None
    stacking: bool
    each: Expr | None
    seen: Literal["all", "owner", "nobody"]
    fields: tuple[Variable, ...] = ()

    def identity(self) -> str:
        return self.names[0].id


#   fence of player           fence of player "{player}'s fence"
@node(slots=True)
class TokenKind(Node):
    name: Name
    of: Type | None
    words: str | None


#   safe: countdown up to 8           stock: 0..45 = 45             hand: player -> set of card, seen by owner
@node(slots=True)
class Variable(Line):
    names: tuple[Name, ...]
    type: Type
    initial: Expr | None
    seen: Literal["all", "owner", "nobody"]


# token barrier: fence of player, gate of player, first_gate
@node(slots=True)
class TokenDecl(Named):
    word = "token"
    kinds: tuple[TokenKind, ...]
    fields: tuple[Variable, ...]


# state
@node(slots=True)
class StateDecl(Declaration):
    word = "state"
    variables: tuple[Variable, ...]


#   hare: (0, 2), (0, -1)        else: {}
@node(slots=True)
class TableRow(Line):
    """The values at some keys. Without ``keys``: at all keys of no other row."""

    keys: tuple[Expr, ...]
    values: tuple[Expr, ...]


# table leaps: animal -> set of (-2..2, -2..2)
@node(slots=True)
class TableDecl(NamedRule):
    word = "table"
    type: Type
    rows: tuple[TableRow, ...]


# c: cell          s in blocks(2, 2)          k: rank seen by owner
@node(slots=True)
class Param(Node):
    """A parameter has a type, or ranges over the elements of ``source`` (moves only). ``seen``: the players who see it
    (moves only).
    """

    name: Name
    type: Type | None
    source: Expr | None
    seen: Literal["all", "owner", "nobody"] = "all"


# define three(p: player) = F
@node(slots=True)
class DefineDecl(RuleWithParams):
    """``depth``: how deeply its calls of itself can be nested; None if it does not call itself."""

    word = "define"
    type: Type | None
    depth: Expr | None
    value: Expr


# action put_up(b: barrier, s: set of edge)
@node(slots=True)
class ActionDecl(RuleWithParams):
    word = "action"
    body: Body

    def statements(self) -> Body:
        return self.body


#   when F "one a game" @4.04b
@node(slots=True)
class Guard(RuleLine):
    word = "when"
    condition: Expr
    message: str | None


# move place(c: cell) written "{c}"           move slip(c: cell) by mistake           move go written "forward" or "go"
@node(slots=True)
class MoveDecl(RuleWithParams):
    word = "move"
    mistake: bool
    written: str | None
    also: tuple[str, ...]  # other notations, accepted as input only
    guards: tuple[Guard, ...]
    effect: Body

    def statements(self) -> Body:
        return self.effect


# forbid three(X) and three(O) "both would have three"
@node(slots=True)
class ForbidDecl(Declaration):
    word = "forbid"
    condition: Expr
    message: str | None


# play
@node(slots=True)
class PlayDecl(Declaration):
    word = "play"
    once = True
    body: Body

    def statements(self) -> Body:
        return self.body


@node(slots=True, kw_only=True)
class ClaimForm(Node):
    """``word``: the word with which the text of the claim begins (empty: an expression or one of several words)."""

    word: ClassVar[str] = ""


@node(slots=True)
class StateClaim(ClaimForm):
    """A claim about single states."""

    condition: Expr


# always F
@node(slots=True)
class Always(StateClaim):
    word = "always"


# never F
@node(slots=True)
class Never(StateClaim):
    word = "never"


# reachable F
@node(slots=True)
class Reachable(StateClaim):
    word = "reachable"


# F leads to G
@node(slots=True)
class LeadsTo(ClaimForm):
    condition: Expr
    then: Expr


# ends      ends within 2 * n plies
@node(slots=True)
class Ends(ClaimForm):
    word = "ends"
    bound: Expr | None  # in plies


# used place, pass_on
@node(slots=True)
class Used(ClaimForm):
    word = "used"
    moves: tuple[Name, ...]


# balanced within 5%
@node(slots=True)
class Balanced(ClaimForm):
    word = "balanced"
    percent: Expr


# moves may tell pawn, passed        results may tell hand when folded is none
@node(slots=True)
class MayTell(ClaimForm):
    """Hidden variables, pieces or fields that legal moves may give away to their player, or the result to everyone.
    ``when``: only at ends where it holds; ``me`` is the owner of what is told."""

    teller: Literal["moves", "results"]
    hidden: tuple[Name, ...]
    when: Expr | None = None


Claim: TypeAlias = Always | Never | Reachable | LeadsTo | Ends | Used | Balanced | MayTell


# claim "no overlap": never F        claim in phase opening: always F
@node(slots=True)
class ClaimDecl(Declaration):
    """``phase``: the claim is about the positions inside this phase only."""

    word = "claim"
    is_rule = False
    name: str | None  # the quoted text after "claim"
    claim: Claim
    phase: Name | None


#   show mark[X] as "X" red shaped cross        show c as "W" number height(c) for c in disc[white]
#   show mark[p] as "{p}" chosen by owner for p in players
@node(slots=True)
class LookShow(Line):
    what: Expr
    glyph: str
    number: Expr | None
    colour: str | None
    called: str | None
    binders: tuple[Binder, ...]
    shape: str | None = None
    chosen: bool = False


#   stroke b.on as double red for b in barrier          (edges)
@node(slots=True)
class LookStroke(Line):
    what: Expr
    style: Literal["light", "heavy", "double", "dashed"]
    colour: str | None
    called: str | None
    binders: tuple[Binder, ...]


# spot 33, 0 of c
@node(slots=True)
class LineEnd(Node):
    """An end of a line: the middle of a place, or a point ``across`` and ``down`` percent of its width and height
    from its upper left corner. Both are given, or neither."""

    place: Expr
    across: Expr | None
    down: Expr | None


#   line from c to d as heavy red called "a link" for c in peg[me], d in links[c]
@node(slots=True)
class LookLine(Line):
    """``by``: a point through which the line goes, as an arc of a circle."""

    source: LineEnd
    target: LineEnd
    by: LineEnd | None
    style: Literal["light", "heavy", "double", "dashed"]
    colour: str | None
    called: str | None
    binders: tuple[Binder, ...]


#   tint home as blue called "the home of a player"
@node(slots=True)
class LookTint(Line):
    what: Expr
    colour: str
    called: str | None
    binders: tuple[Binder, ...]


#   border top_row as "x" red called "red's side"
@node(slots=True)
class LookBorder(Line):
    what: Expr
    glyph: str
    colour: str | None
    called: str | None
    binders: tuple[Binder, ...]


#   cells as crossings          cells unnamed
@node(slots=True)
class LookCells(Line):
    style: Literal["crossings", "dots", "unnamed"]


#   beside "stock" stock           beside "wins of {p}" wins[p] for p in players
@node(slots=True)
class LookBeside(Line):
    text: str
    value: Expr | None
    binders: tuple[Binder, ...]


#   leave "x" on s after cut until redrawn       leave path from, bend, to after draw
#   leave "(C)" on b.on for b in barrier when b.guard = 1 until redrawn         leave after refusal until redrawn
#   leave man[me] large on s after blast until redrawn
@node(slots=True)
class LookLeave(Line):
    """A mark that a move leaves on the drawing, beyond the position. Evaluated in the state before the move, with its
    parameters in scope. ``after`` is a move's name, "refusal", or None (any ply).
    """

    text: str | None
    on: tuple[Expr, ...]
    is_path: bool
    called: str | None
    binders: tuple[Binder, ...]
    after: str | None
    when: Expr | None
    until_redrawn: bool
    large: Expr | None = None  # the piece that is drawn as one large sign over all of ``on``


#   say "Bang!" after shot when s meets man[rival]         say "{p} is ahead" for p in players when lead(p)
@node(slots=True)
class LookSay(Line):
    """A message that is shown after a ply, until the next one. After a move (or "refusal"), ``when`` is about the state
    before it, with its parameters in scope; without ``after``, the message is shown when ``when`` becomes true.
    """

    text: str
    binders: tuple[Binder, ...]
    after: str | None
    when: Expr | None


LookItem: TypeAlias = (
    LookShow | LookStroke | LookLine | LookTint | LookBorder | LookCells | LookBeside | LookLeave | LookSay
)


# look
@node(slots=True)
class LookDecl(Declaration):
    word = "look"
    once = True
    is_rule = False
    items: tuple[LookItem, ...]


#   board "/"
@node(slots=True)
class NotationBoard(Line):
    """The diagram of the board, with this string between its rows; numbers count empty cells."""

    separator: str


#   "l" if me = light
@node(slots=True)
class NotationItem(Node):
    text: str
    condition: Expr | None


#   text "l" if me = light, "d" if me = dark        text "{n}" for n in {idle}        text "x" for c in here else "-"
@node(slots=True)
class NotationText(Line):
    """The strings whose conditions hold, joined; ``otherwise`` if there are none."""

    items: tuple[NotationItem, ...]
    otherwise: str | None
    binders: tuple[Binder, ...]


#   any "1"
@node(slots=True)
class NotationAny(Line):
    """Written as this string; when read, any word is accepted in its place, or none at the end."""

    text: str


#   count "1" after dark
@node(slots=True)
class NotationCount(Line):
    """A number: ``first`` at the beginning of a game, and one more after every turn of ``player`` (None: of any
    player).
    """

    first: str
    player: Name | None


#     apart "{column of from}", "{row of from}", "{from}"
@node(slots=True)
class NotationApart(Line):
    """The first of these strings that distinguishes the move from all other legal moves; nothing if none is needed."""

    items: tuple[NotationItem, ...]
    binders: tuple[Binder, ...]


#   move go | promote
@node(slots=True)
class NotationMoves(Line):
    """The notation of some moves, whose parameters ``parts`` can mention."""

    moves: tuple[Name, ...]
    parts: tuple[NotationText | NotationApart, ...]


#   after "#" if over, "+" if in_check(rival)
@node(slots=True)
class NotationAfter(Line):
    """The strings that follow every move, if their conditions hold after it."""

    items: tuple[NotationItem, ...]


NotationPart: TypeAlias = NotationText | NotationApart
NotationLine: TypeAlias = NotationBoard | NotationText | NotationAny | NotationCount | NotationMoves | NotationAfter


# notation fen
@node(slots=True)
class NotationDecl(Named):
    word = "notation"
    is_rule = False
    fields: tuple[NotationLine, ...]


InfoKey: TypeAlias = Literal[
    "about", "goal", "equipment", "setup", "turn", "rule", "ending", "example", "note", "presentation"
]


#   about "..."        rule castling "..." @4.02         goal "..." if misere         presentation "..." @2.01
@node(slots=True)
class InfoItem(Line):
    key: InfoKey
    text: str
    name: Name | None = None
    condition: Expr | None = None


# info
@node(slots=True)
class InfoDecl(Declaration):
    word = "info"
    is_rule = False
    items: tuple[InfoItem, ...]


# part battle            (a ruleset inside a file; it sees the options and types of the file)
@node(slots=True)
class PartDecl(Named):
    word = "part"
    decls: tuple[Decl, ...]


# in part battle            (in a variant: declarations that change those of a part, or of a ruleset that is used)
@node(slots=True)
class InPartDecl(Named):
    word = "in part"
    decls: tuple[Decl, ...]


#   remove move jump          (in a variant)
@node(slots=True)
class RemoveDecl(Declaration):
    kind: str
    name: Name | None


# variant of "base.gdl" with n = 5
@node(slots=True)
class VariantDecl(Declaration):
    file: str
    bindings: tuple[Binding, ...]


Decl: TypeAlias = (
    GameDecl | UseDecl | VariantDecl | RemoveDecl | PlayersNamed | PlayersRange | OptionDecl | TypeDecl | BoardDecl
    | GraphDecl | DrawingDecl | ShapeDecl | PieceDecl | TokenDecl | StateDecl | TableDecl | DefineDecl | ActionDecl
    | MoveDecl | ForbidDecl | PlayDecl | ClaimDecl | LookDecl | NotationDecl | InfoDecl | PartDecl | InPartDecl
)  # fmt: skip


@node(slots=True)
class Ruleset(Node):
    """A whole file. ``after`` holds the comment lines after the last declaration."""

    decls: tuple[Decl, ...]
    after: tuple[str, ...] = ()
