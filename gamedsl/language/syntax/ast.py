"""The syntax tree of a ruleset: closed, frozen node types, every node with its span.

Above each node stands one example line of what it stands for. Spans, citations' places and nothing else are left out of
comparisons, so two trees are equal when they say the same. *Lines* (nodes with ``notes``) are what a line of text may be:
they carry the clause citations and the comments that belong to them. The data form (JSON/YAML) is derived from the
dataclasses in this file, field by field; a field named ``span`` is never written.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from gamedsl.language.source import NOWHERE, Span, node


@node(slots=True, kw_only=True)
class Node:
    span: Span = field(default=NOWHERE, compare=False, repr=False)


# @4.05c
@node(slots=True)
class Cite(Node):
    clause: str


# a name where it is declared or mentioned outside an expression
@node(slots=True)
class Name(Node):
    id: str


@node(slots=True)
class Notes:
    """The surroundings of a line: citations, comment lines before it, and the comment at its end (texts without ``#``).

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


# cell
@node(slots=True)
class NamedType(Node):
    name: str


# 0..45
@node(slots=True)
class RangeType(Node):
    low: Expr
    high: Expr


# west_east "west-east"
@node(slots=True)
class ElementWords(Node):
    name: Name
    text: str


# {rock, paper, scissors}          {west_east "west-east", north_south}
@node(slots=True)
class EnumType(Node):
    names: tuple[Name, ...]
    words: tuple[ElementWords, ...] = ()  # of those that are called otherwise


# cell?
@node(slots=True)
class OptionalType(Node):
    inner: Type


# set of cell
@node(slots=True)
class SetType(Node):
    inner: Type


# player -> cell -> 0..9      (right associative; a map with several keys is a map to maps)
@node(slots=True)
class MapType(Node):
    key: Type
    value: Type


# countdown up to 8
@node(slots=True)
class CountdownType(Node):
    limit: Expr | None


# stack of player up to 8
@node(slots=True)
class StackType(Node):
    inner: Type
    limit: Expr


# (rank, -2..2)      (a tuple: one value of each)
@node(slots=True)
class ProductType(Node):
    parts: tuple[NamedType | RangeType, ...]


Type: TypeAlias = (
    NamedType | RangeType | EnumType | OptionalType | SetType | MapType | CountdownType | StackType | ProductType
)

# --------------------------------------------------------------------------------------------- expressions


# 420
@node(slots=True)
class Int(Node):
    value: int


# yes, no
@node(slots=True)
class Bool(Node):
    value: bool


# none      (also {}: a SetDisplay without items)
@node(slots=True)
class NoneValue(Node):
    pass


# mark      me      empty      X      c
@node(slots=True)
class Ref(Node):
    name: str


# linked(a, b)
@node(slots=True)
class Call(Node):
    name: str
    args: tuple[Expr, ...]


# mark[me]      height[me, c]
@node(slots=True)
class Index(Node):
    base: Expr
    keys: tuple[Expr, ...]


# b.safe      result.winner
@node(slots=True)
class FieldOf(Node):
    base: Expr
    name: str


# pile[c] at 2          (what stands there in a stack; 1 is the lowest)
@node(slots=True)
class ItemAt(Node):
    stack: Expr
    level: Expr


# {a, b}      {}
@node(slots=True)
class SetDisplay(Node):
    items: tuple[Expr, ...]


# (rock, scissors)
@node(slots=True)
class TupleDisplay(Node):
    items: tuple[Expr, ...]


# 1..6
@node(slots=True)
class RangeSet(Node):
    low: Expr
    high: Expr


# not F      - n
@node(slots=True)
class Unary(Node):
    op: Literal["not", "-"]
    operand: Expr


BinaryOp: TypeAlias = Literal[
    "or", "and", "=", "!=", "<", "<=", ">", ">=", "in", "not in", "within", "disjoint", "meets",
    "|", "&", "+", "-", "*", "div", "mod",
]  # fmt: skip


# a & b
@node(slots=True)
class Binary(Node):
    op: BinaryOp
    left: Expr
    right: Expr


# pen is none      result.winner is some
@node(slots=True)
class IsNone(Node):
    operand: Expr
    negated: bool  # True for "is some"


# if F then a else b
@node(slots=True)
class IfExpr(Node):
    condition: Expr
    then: Expr
    otherwise: Expr


# 2 north      -dx ahead(me)          (only as an argument of a call: ``step(c, 2 north, 1 east)``)
@node(slots=True)
class Leg(Node):
    count: Expr
    direction: Expr


# l, k in lines(3)      (a, b) in steps(l)      distinct x, y in cell
@node(slots=True)
class Binder(Node):
    """Each of ``names`` ranges over ``source``, independently or with ``distinct`` each over another element. With
    ``is_tuple``, they destructure one element."""

    names: tuple[Name, ...]
    is_tuple: bool
    source: Expr
    distinct: bool = False


# some l in lines(3): l within mark[p]          (binders are nested in order)
@node(slots=True)
class Quantified(Node):
    kind: Literal["some", "every", "no", "count"]
    binders: tuple[Binder, ...]
    body: Expr


# {c in empty: row(c) = 1}
@node(slots=True)
class Filter(Node):
    binder: Binder
    condition: Expr


# union of b.on for b in barrier: b.spent      sum of wins[p] for p in players
@node(slots=True)
class Fold(Node):
    kind: Literal["union", "sum", "max", "min", "set"]
    value: Expr
    binders: tuple[Binder, ...]
    condition: Expr | None


# max of height(c) for c in S: F or 0          (``otherwise``: the value if there are no elements)
@node(slots=True)
class FoldOr(Node):
    kind: Literal["max", "min"]
    value: Expr
    binders: tuple[Binder, ...]
    condition: Expr | None
    otherwise: Expr


# reach of neighbors(x) for x from {c}: x in empty          (from an x without the condition nothing is reached)
@node(slots=True)
class Reach(Node):
    value: Expr
    binder: Binder  # one name, or a tuple; its source is the set from which it begins
    condition: Expr | None


# after m: F      after this: F      after waiting: F
@node(slots=True)
class After(Node):
    move: str
    body: Expr


# moves(rival, place | take)          attempts(...) includes moves that "forbid" forbids
@node(slots=True)
class MovesOf(Node):
    kind: Literal["moves", "attempts"]
    player: Expr
    moves: tuple[Name, ...]


Expr: TypeAlias = (
    Int | Bool | NoneValue | Ref | Call | Index | FieldOf | ItemAt | SetDisplay | TupleDisplay | RangeSet | Unary | Binary
    | IsNone | Leg | IfExpr | Quantified | Filter | Fold | FoldOr | Reach | After | MovesOf
)  # fmt: skip

# ---------------------------------------------------------------------------------------------- statements

Body: TypeAlias = "tuple[Stmt, ...]"


# put mark[me] on c        put man[me] on c with rank = k
@node(slots=True)
class Put(Line):
    piece: Expr
    on: Expr
    bindings: tuple[Binding, ...] = ()


# reveal c.rank        reveal hand[me] to next(me)
@node(slots=True)
class Reveal(Line):
    """Shows what is hidden to a player or a set of players (None: to all), from now on."""

    what: Expr
    to: Expr | None


# remove disc[me] from c        remove all disc[rival] from s        remove all from c
@node(slots=True)
class Remove(Line):
    everything: bool
    piece: Expr | None
    source: Expr


# move disc[me] from a to b      move all from a to b      (whatever stands there)
@node(slots=True)
class MovePiece(Line):
    piece: Expr | None
    source: Expr
    target: Expr


# set pen to c
@node(slots=True)
class SetTo(Line):
    target: Expr
    value: Expr


# add {a, b} to done        add 1 to wins[p]
@node(slots=True)
class Add(Line):
    value: Expr
    target: Expr


# take 1 from stock       take c from done
@node(slots=True)
class Take(Line):
    value: Expr
    target: Expr


# push me on pile[c]
@node(slots=True)
class Push(Line):
    value: Expr
    target: Expr


# pop pile[c] -> x
@node(slots=True)
class Pop(Line):
    target: Expr
    result: Name | None


# put_up(fence[me], s)      release
@node(slots=True)
class Perform(Line):
    action: str
    args: tuple[Expr, ...]


# let won = min(n, stock)
@node(slots=True)
class Let(Line):
    name: Name
    value: Expr


# if F        (one branch; "else if" makes more)
@node(slots=True)
class Branch(Line):
    condition: Expr
    body: Body


# else
@node(slots=True)
class Else(Line):
    body: Body


# if F ... else if G ... else ...
@node(slots=True)
class If(Line):
    branches: tuple[Branch, ...]  # the first branch's notes are the statement's own and are empty here
    otherwise: Else | None


# for p in players
@node(slots=True)
class For(Line):
    binder: Binder
    body: Body


# repeat ... until F        repeat 5 times        repeat (without end: must contain a decision or an end)
@node(slots=True)
class Repeat(Line):
    times: Expr | None
    body: Body
    until: Until | None


# until F
@node(slots=True)
class Until(Line):
    condition: Expr


# stop          (ends the effect of a move)
@node(slots=True)
class Stop(Line):
    pass


# skip          (ends the turn)
@node(slots=True)
class Skip(Line):
    pass


# again         (ends the turn; the same player has the next one)
@node(slots=True)
class Again(Line):
    pass


# end phase
@node(slots=True)
class EndPhase(Line):
    pass


# roll d6 -> r          roll 2 d6 -> r   (their sum)
@node(slots=True)
class Roll(Line):
    dice: int
    faces: int
    result: Name


# pick at random from empty -> c
@node(slots=True)
class Pick(Line):
    source: Expr
    result: Name


# draw from bag -> t          (bag: T -> 0..n; t is drawn with probability bag[t] / total, and leaves the bag)
@node(slots=True)
class DrawFrom(Line):
    bag: Expr
    result: Name


# shuffle deck
@node(slots=True)
class Shuffle(Line):
    target: Expr


# shuffle discards into deck
@node(slots=True)
class ShuffleInto(Line):
    source: Expr
    target: Expr


# deal from deck to hand[p]          deal 5 from deck to hand[p]      (each at random, or from the top of a stack)
@node(slots=True)
class Deal(Line):
    times: Expr | None
    source: Expr
    target: Expr


# discard k from hand[me] to discards
@node(slots=True)
class Discard(Line):
    value: Expr
    source: Expr
    target: Expr


# note position      note board      note position with fresh, passed      (for "repetition(n)")
@node(slots=True)
class NotePosition(Line):
    """``what``: the board alone, or the board and the player to move. ``more``: further state variables of the
    position."""

    what: Literal["position", "board"]
    more: tuple[Name, ...]


# phase battle
@node(slots=True)
class Phase(Line):
    name: Name
    body: Body


# turns from first          turns from first, n times          turns from starter until stock = 0
@node(slots=True)
class Turns(Line):
    start: Expr
    times: Expr | None
    until: Expr | None
    body: Body


# stuck
@node(slots=True)
class Stuck(Line):
    body: Body


# me plays place | jump        (an indented "may pass" and a "stuck" block may follow)
@node(slots=True)
class Plays(Line):
    who: Expr
    moves: tuple[Name, ...]
    may_pass: MayPass | None
    stuck: Stuck | None


# may pass
@node(slots=True)
class MayPass(Line):
    pass


# starter chooses edition          b chooses symbol[b] from {x, o}
@node(slots=True)
class Chooses(Line):
    who: Expr
    target: Expr
    source: Expr | None


# me passes                    (a decision with one choice)
@node(slots=True)
class Passes(Line):
    who: Expr


# everyone plays show          everyone in active plays bid
@node(slots=True)
class Everyone(Line):
    group: Expr | None
    moves: tuple[Name, ...]


# first draws figure, upper, lower
@node(slots=True)
class Draws(Line):
    who: Expr
    strokes: tuple[Name, ...]


# left = one
@node(slots=True)
class Binding(Node):
    name: Name
    value: Expr


# play shoot with left = one, right = two -> throw
@node(slots=True)
class PlayGame(Line):
    game: Name
    bindings: tuple[Binding, ...]
    result: Name | None


# win me        lose me "no legal move"
@node(slots=True)
class Verdict(Line):
    kind: Literal["win", "lose"]
    who: Expr
    reason: str | None


# draw        draw "a full board"
@node(slots=True)
class DrawGame(Line):
    reason: str | None


# rank by points      share by points      score by points      (a map over player, or a definition with one player)
@node(slots=True)
class RankBy(Line):
    kind: Literal["rank", "share", "score"]
    by: Name


Stmt: TypeAlias = (
    Put | Reveal | Remove | MovePiece | SetTo | Add | Take | Push | Pop | Perform | Let | If | For | Repeat | Stop | Skip
    | Again | EndPhase | Roll | Pick | DrawFrom | Shuffle | ShuffleInto | Deal | Discard | NotePosition | Phase | Turns
    | Plays | Chooses | Passes | Everyone | Draws | PlayGame | Verdict | DrawGame | RankBy
)  # fmt: skip

# --------------------------------------------------------------------------------------------- declarations


#   by "An Author"      source "..."      clauses "clauses/x.yaml"
@node(slots=True)
class HeaderItem(Line):
    key: Literal["by", "source", "clauses"]
    text: str


# game "Three in a Row"
@node(slots=True)
class GameDecl(Line):
    title: str
    items: tuple[HeaderItem, ...]


# use "throw.gdl" as shoot
@node(slots=True)
class UseDecl(Line):
    file: str
    name: Name


# players X, O
@node(slots=True)
class PlayersNamed(Line):
    names: tuple[Name, ...]


# players 1 to 6 = 2            (an option "players" with that range and default; seats are p1, p2 ...)
@node(slots=True)
class PlayersRange(Line):
    low: int
    high: int
    default: int | None


# option n: 2..16 = 8 "side of the grid"
@node(slots=True)
class OptionDecl(Line):
    name: Name
    type: Type
    default: Expr
    text: str | None


# type way = {west_east, north_south}
@node(slots=True)
class TypeDecl(Line):
    name: Name
    type: Type


# board grid r by c      hex 5      hex 11 by 11      hex star 4      track 30          (at 1, 3 where boards are joined)
@node(slots=True)
class BoardShape(Node):
    kind: Literal["grid", "hex", "hex star", "track"]
    sizes: tuple[Expr, ...]
    at: tuple[Expr, ...]


# board grid 8 by 8 without a1, h8 named by letters from bottom
@node(slots=True)
class BoardDecl(Line):
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
    source: Name
    targets: tuple[Name, ...]


# board graph
@node(slots=True)
class GraphDecl(Line):
    items: tuple[GraphNodes | GraphLinks, ...]


#     within 45 degrees of horizontal     apart from lower     crosses left, right once     simple
@node(slots=True)
class StrokeCondition(Line):
    """One condition of a stroke.

    simple (never meets itself), within N degrees of horizontal/vertical, apart from NAMES (no common point), crosses
    NAMES once, crosses what it meets (crossing at single points, never touching or running along), avoids crossings (of
    earlier strokes), new ends (its ends lie on no earlier stroke's end).
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
class DrawingDecl(Line):
    limit: Expr
    strokes: tuple[StrokeDecl, ...]


# shape ell = "XX/X."
@node(slots=True)
class ShapeDecl(Line):
    """A shape made of cells. ``rows``: X for a cell, . for none, / between rows."""

    name: Name
    rows: str


# piece mark of player, 25 each         piece grey, 10 in supply         piece disc of player, stacking
@node(slots=True)
class PieceDecl(Line):
    """``each``: the number of pieces (per player, if owned). ``place``: the domain on which it stands (None: cells
    or spaces). ``fields``: what each piece carries."""

    names: tuple[Name, ...]
    of: Type | None
    place: str | None
    stacking: bool
    each: Expr | None
    seen: Literal["all", "owner", "nobody"]
    fields: tuple[Variable, ...] = ()


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
class TokenDecl(Line):
    name: Name
    kinds: tuple[TokenKind, ...]
    fields: tuple[Variable, ...]


# state
@node(slots=True)
class StateDecl(Line):
    variables: tuple[Variable, ...]


#   hare: (0, 2), (0, -1)        else: {}
@node(slots=True)
class TableRow(Line):
    """The values at some keys. Without ``keys``: at all keys that no other row gives."""

    keys: tuple[Expr, ...]
    values: tuple[Expr, ...]


# table leaps: animal -> set of (-2..2, -2..2)
@node(slots=True)
class TableDecl(Line):
    name: Name
    type: Type
    rows: tuple[TableRow, ...]


# c: cell          s in blocks(2, 2)          k: rank seen by owner
@node(slots=True)
class Param(Node):
    """A parameter has a type, or ranges over the elements of ``source`` (moves only). ``seen``: who is told it (moves
    only)."""

    name: Name
    type: Type | None
    source: Expr | None
    seen: Literal["all", "owner", "nobody"] = "all"


# define three(p: player) = F
@node(slots=True)
class DefineDecl(Line):
    """``depth``: how deep its calls of itself may be nested; None if it does not call itself."""

    name: Name
    params: tuple[Param, ...]
    type: Type | None
    depth: Expr | None
    value: Expr


# action put_up(b: barrier, s: set of edge)
@node(slots=True)
class ActionDecl(Line):
    name: Name
    params: tuple[Param, ...]
    body: Body


#   when F "one a game" @4.04b
@node(slots=True)
class Guard(Line):
    condition: Expr
    message: str | None


# move place(c: cell) written "{c}"           move slip(c: cell) by mistake           move go written "forward" or "go"
@node(slots=True)
class MoveDecl(Line):
    name: Name
    params: tuple[Param, ...]
    mistake: bool
    written: str | None
    also: tuple[str, ...]  # other ways to write it, which are only read
    guards: tuple[Guard, ...]
    effect: Body


# forbid three(X) and three(O) "both would have three"
@node(slots=True)
class ForbidDecl(Line):
    condition: Expr
    message: str | None


# play
@node(slots=True)
class PlayDecl(Line):
    body: Body


# always F
@node(slots=True)
class Always(Node):
    condition: Expr


# never F
@node(slots=True)
class Never(Node):
    condition: Expr


# reachable F
@node(slots=True)
class Reachable(Node):
    condition: Expr


# F leads to G
@node(slots=True)
class LeadsTo(Node):
    condition: Expr
    then: Expr


# ends      ends within 2 * n plies
@node(slots=True)
class Ends(Node):
    bound: Expr | None  # in plies


# used place, pass_on
@node(slots=True)
class Used(Node):
    moves: tuple[Name, ...]


# balanced within 5%
@node(slots=True)
class Balanced(Node):
    percent: Expr


# moves may tell pawn, passed        results may tell hand
@node(slots=True)
class MayTell(Node):
    """Hidden variables, pieces or fields of which the legal moves may tell their player, or the result everyone."""

    teller: Literal["moves", "results"]
    hidden: tuple[Name, ...]


Claim: TypeAlias = Always | Never | Reachable | LeadsTo | Ends | Used | Balanced | MayTell


# claim "no overlap": never F        claim in phase opening: always F
@node(slots=True)
class ClaimDecl(Line):
    """``phase``: the claim is about the positions inside this phase only."""

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
    """An end of a line: the middle of a place, or a point that lies ``across`` and ``down`` percent of its width and height
    from its upper left corner. Both are given, or neither."""

    place: Expr
    across: Expr | None
    down: Expr | None


#   line from c to d as heavy red called "a link" for c in peg[me], d in links[c]
@node(slots=True)
class LookLine(Line):
    source: LineEnd
    target: LineEnd
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
    """What a move leaves on the paper, beyond the position. Evaluated in the state before the move, with its parameters
    in scope. ``after`` is a move's name, "refusal", or None (any ply)."""

    text: str | None
    on: tuple[Expr, ...]
    is_path: bool
    called: str | None
    binders: tuple[Binder, ...]
    after: str | None
    when: Expr | None
    until_redrawn: bool
    large: Expr | None = None  # the piece whose sign is drawn over all of ``on``


#   say "Bang!" after shot when s meets man[rival]         say "{p} is ahead" for p in players when lead(p)
@node(slots=True)
class LookSay(Line):
    """What is said when a ply has been made: until the next one. After a move (or "refusal"), ``when`` is about the state
    before it, with its parameters in scope; without ``after``, about the state that makes it true."""

    text: str
    binders: tuple[Binder, ...]
    after: str | None
    when: Expr | None


LookItem: TypeAlias = (
    LookShow | LookStroke | LookLine | LookTint | LookBorder | LookCells | LookBeside | LookLeave | LookSay
)


# look
@node(slots=True)
class LookDecl(Line):
    items: tuple[LookItem, ...]


#   board "/"
@node(slots=True)
class NotationBoard(Line):
    """The diagram of the board, with this text between its rows, and empty cells as numbers."""

    separator: str


#   "l" if me = light
@node(slots=True)
class NotationItem(Node):
    text: str
    condition: Expr | None


#   text "l" if me = light, "d" if me = dark        text "{n}" for n in {idle}        text "x" for c in here else "-"
@node(slots=True)
class NotationText(Line):
    """The texts whose conditions hold, one behind the other; ``otherwise`` if there are none."""

    items: tuple[NotationItem, ...]
    otherwise: str | None
    binders: tuple[Binder, ...]


#   any "1"
@node(slots=True)
class NotationAny(Line):
    """This text is written; when it is read, any word may stand there, or none at the end."""

    text: str


#   count "1" after dark
@node(slots=True)
class NotationCount(Line):
    """A number: ``first`` at the beginning of a game, and one more after every turn of ``player`` (None: of anybody)."""

    first: str
    player: Name | None


#     apart "{column of from}", "{row of from}", "{from}"
@node(slots=True)
class NotationApart(Line):
    """The first of these texts with which no other legal move is written alike; none if the move is alone anyway."""

    items: tuple[NotationItem, ...]
    binders: tuple[Binder, ...]


#   move go | promote
@node(slots=True)
class NotationMoves(Line):
    """How moves are written. Their parameters can be named in ``parts``."""

    moves: tuple[Name, ...]
    parts: tuple[NotationText | NotationApart, ...]


#   after "#" if over, "+" if in_check(rival)
@node(slots=True)
class NotationAfter(Line):
    """The texts whose conditions hold once a move has been made, behind every move."""

    items: tuple[NotationItem, ...]


NotationPart: TypeAlias = NotationText | NotationApart
NotationLine: TypeAlias = NotationBoard | NotationText | NotationAny | NotationCount | NotationMoves | NotationAfter


# notation fen
@node(slots=True)
class NotationDecl(Line):
    name: Name
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
class InfoDecl(Line):
    items: tuple[InfoItem, ...]


# part battle            (a ruleset inside a file; it sees the options and types of the file)
@node(slots=True)
class PartDecl(Line):
    name: Name
    decls: tuple[Decl, ...]


# in part battle            (in a variant: declarations that change those of a part, or of a ruleset that is used)
@node(slots=True)
class InPartDecl(Line):
    name: Name
    decls: tuple[Decl, ...]


#   remove move jump          (in a variant)
@node(slots=True)
class RemoveDecl(Line):
    kind: str
    name: Name | None


# variant of "base.gdl" with n = 5
@node(slots=True)
class VariantDecl(Line):
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
