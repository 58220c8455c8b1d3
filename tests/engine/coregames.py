"""Small games written directly in the Core, for tests of the rooms that know no syntax."""

from __future__ import annotations

from gamedsl.language.boards.domains import Domain, Family
from gamedsl.language.core.enumeration_plan import make_plan
from gamedsl.language.core.nodes import (
    Alt,
    Assign,
    Block,
    BoolT,
    BranchT,
    Chance,
    Choose,
    Cond,
    Const,
    CoreGuard,
    CoreParam,
    Decide,
    DecideTogether,
    ElemT,
    End,
    Expr,
    Get,
    Goto,
    HistoryT,
    IntT,
    Load,
    Local,
    Lookup,
    Loop,
    Noted,
    NoteS,
    Op1,
    Op2,
    Part,
    Program,
    Reset,
    Schema,
    SetT,
    TableData,
    Var,
)
from gamedsl.language.source.text import NOWHERE, Source, Span

BOOL = BoolT()


def number(n: int) -> Const:
    return Const(n, IntT(n, n))


def elem(domain: Domain, i: int) -> Const:
    return Const(i, ElemT(domain))


def everything(domain: Domain) -> Const:
    return Const(domain.full, SetT(domain))


def place(text: str) -> Span:
    """The span of a rule whose text is this."""
    return Span(Source("test.gdl", text), 0, len(text))


def guard(
    condition: Expr, text: str = "", clauses: tuple[str, ...] = (), ahead: bool = False, rule: str = ""
) -> CoreGuard:
    return CoreGuard(condition, text, clauses, place(rule) if rule else NOWHERE, ahead)


def part(players: Domain, seats: tuple[Expr, ...] | None = None, index: int = 0, name: str = "main") -> Part:
    own = tuple(elem(players, i) for i in range(players.size))
    return Part(index, name, name, players, None, None, seats or own, (), (), (), "", "")


def program(name, players, variables, schemas, blocks, functions=(), parts=None, options=()) -> Program:  # type: ignore[no-untyped-def]
    return Program(
        name, name, tuple(options), players, tuple(variables), tuple(functions), tuple(schemas), tuple(blocks), 0,
        tuple(parts or (part(players),)), (), (), (),
    )  # fmt: skip


def schema(
    index, name, me, params, guards, effect, written=(), forbids=(), chance=False, mistake=False, part=0
) -> Schema:  # type: ignore[no-untyped-def]
    params, guards = tuple(params), tuple(guards)
    return Schema(
        index, name, part, me, params, guards, tuple(forbids), tuple(effect), chance, mistake, tuple(written),
        make_plan(params, guards), (), NOWHERE,
    )  # fmt: skip


def payoffs(players: Domain, winners: Expr) -> tuple[Expr, ...]:
    def one(i: int) -> Expr:
        lost = Cond(Op1("is_empty", winners, BOOL), number(0), number(-1), IntT(-1, 0))
        return Cond(Op2("in", elem(players, i), winners, BOOL), number(1), lost, IntT(-1, 1))

    return tuple(one(i) for i in range(players.size))


# --------------------------------------------------------------------------------------------------- three in a row

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def three_in_a_row(plan: bool = True) -> Program:
    """On 3 by 3; after every move: three in a row wins, a full board is a draw."""
    players = Domain("player", ("X", "O"))
    cell = Domain("cell", tuple(f"r{r}c{c}" for r in (1, 2, 3) for c in (1, 2, 3)))
    line = Family(
        "line", tuple(f"l{i}" for i in range(8)), base=cell, members=tuple(sum(1 << i for i in x) for x in LINES)
    )
    p, c, s = ElemT(players), ElemT(cell), SetT(cell)
    mark = Var(0, "mark", s, (players,), (0, 0), role="piece")
    mover = Var(1, "player to move", p, role="temp")
    winners = Var(2, "winners", SetT(players), role="temp")
    me, at, q, way = Local(1, "me", p), Local(2, "c", c), Local(3, "q", p), Local(4, "l", ElemT(line))
    taken = Loop("union", q, everything(players), None, Get(mark, (Load(q),), s), s)
    empty = Op1("complement", taken, s)
    put = Assign(mark, (Load(me),), Op2("union", Get(mark, (Load(me),), s), Op1("single", Load(at), s), s))
    vacant = guard(Op2("in", Load(at), empty, BOOL), "the square is taken", ("1.2",))
    move = schema(0, "place", me, [CoreParam(at, everything(cell))], [vacant], [put], (0,))
    now = Get(mover, (), p)
    cells = TableData("cells of line", (line,), s, line.members)
    within = Op2("within", Lookup(cells, (Load(way),)), Get(mark, (now,), s), BOOL)
    three = Loop("some", way, everything(line), None, within, BOOL)
    other = Lookup(TableData("next", (players,), p, (1, 0)), (now,))
    won = Get(winners, (), SetT(players))
    full = Op1("is_empty", empty, BOOL)
    blocks = [
        Block(0, (Assign(mover, (), elem(players, 0)),), Goto(1), "", 0),
        Block(1, (), Decide(now, now, (Alt(0, 2, ()),), (), None, None, 0), "", 0),
        Block(2, (), BranchT(three, 3, 4), "", 0),
        Block(3, (Assign(winners, (), Op1("single", now, SetT(players))),), Goto(6), "", 0),
        Block(4, (), BranchT(full, 6, 5), "", 0),
        Block(5, (Assign(mover, (), other),), Goto(1), "", 0),
        Block(6, (), End(payoffs(players, won), won, ()), "", 0),
    ]
    return program("three in a row", players, [mark, mover, winners], [move], blocks)


# ------------------------------------------------------------------------------------------------------- dice


def dice_race(target: int = 5) -> Program:
    """Two players in turn roll a die or stop; a roll is a move with chance in it: 1 to 3, added to the mover's points.
    Who has ``target`` points or more wins."""
    players = Domain("player", ("a", "b"))
    p, points_t, die_t = ElemT(players), IntT(0, target + 2), IntT(1, 3)
    face = Domain("1..3", ("1", "2", "3"))
    points = Var(0, "points", points_t, (players,), (0, 0))
    mover = Var(1, "player to move", p, role="temp")
    register = Var(2, "mover of roll_die", p, role="temp")
    die = Var(3, "die", die_t, initial=(1,), role="temp")
    me, f = Local(1, "me", p), Local(2, "die", ElemT(face))
    now, who, rolled = Get(mover, (), p), Get(register, (), p), Get(die, (), die_t)
    move = schema(0, "roll_die", me, [], [], [], ("roll the die",), chance=True)
    total = Op2("add", Get(points, (who,), points_t), rolled, IntT(1, target + 5))
    high = Op2("min", total, number(target + 2), points_t)
    reached = Op2("le", number(target), Get(points, (now,), points_t), BOOL)
    winner = Op1("single", now, SetT(players))
    other = Lookup(TableData("next", (players,), p, (1, 0)), (now,))
    scores = tuple(Get(points, (elem(players, i),), points_t) for i in range(2))
    blocks = [
        Block(0, (Assign(mover, (), elem(players, 0)),), Goto(1), "", 0),
        Block(1, (), Decide(now, now, (Alt(0, 2, (register,)),), (), None, 4, 0), "", 0),
        Block(2, (), Chance(die, f, everything(face), number(1), face.names, "roll", 3, 0), "", 0),
        Block(3, (Assign(points, (who,), high),), BranchT(reached, 5, 4), "", 0),
        Block(4, (Assign(mover, (), other),), Goto(1), "", 0),
        Block(5, (), End(payoffs(players, winner), winner, scores), "", 0),
    ]
    return program("dice race", players, [points, mover, register, die], [move], blocks)


# ----------------------------------------------------------------------------------------------- choices in secret


def odd_one(rounds: int = 3) -> Program:
    """Two players show a hand at once; the same hand is a tie and shown again; each hand beats the one before it."""
    players = Domain("player", ("one", "two"))
    hand = Domain("hand", ("rock", "paper", "scissors"))
    p, h = ElemT(players), ElemT(hand)
    shown = Var(0, "shown", h, (players,), (0, 0), role="temp")
    me, what = Local(1, "me", p), Local(2, "h", h)
    show = Assign(shown, (Load(me),), Load(what))
    move = schema(0, "show", me, [CoreParam(what, everything(hand))], [], [show], (0,))
    first, second = Get(shown, (elem(players, 0),), h), Get(shown, (elem(players, 1),), h)
    beats = Lookup(TableData("beats", (hand, hand), BOOL, (0, 0, 1, 1, 0, 0, 0, 1, 0)), (first, second))
    won = Cond(beats, Const(1, SetT(players)), Const(2, SetT(players)), SetT(players))
    seats = (elem(players, 0), elem(players, 1))
    blocks = [
        Block(0, (Reset(shown),), DecideTogether(everything(players), seats, (Alt(0, 1, ()),), (), 1, 0), "", 0),
        Block(1, (), BranchT(Op2("eq", first, second, BOOL), 0, 2), "", 0),
        Block(2, (), End(payoffs(players, won), won, ()), "", 0),
    ]
    return program("odd one", players, [shown], [move], blocks)


# --------------------------------------------------------------------------------------------- a value, and history


def walk_in_a_ring(size: int = 4) -> Program:
    """One player chooses a start, then steps to either side for as long as he likes; a position that comes up for the
    third time ends it. A pass is allowed, a step onto the last place is forbidden, a stumble is a mistake."""
    players = Domain("player", ("walker",))
    spot = Domain("spot", tuple(f"s{i}" for i in range(size)))
    p, t = ElemT(players), ElemT(spot)
    here = Var(0, "here", t)
    history = Var(1, "history", HistoryT())
    secret = Var(2, "secret", IntT(0, 9), (players,), (7,), seen="nobody")
    me, to, me2 = Local(1, "me", p), Local(2, "to", t), Local(3, "me", p)
    now = Get(here, (), t)
    near = tuple(1 << (i + 1) % size | 1 << (i - 1) % size for i in range(size))
    beside = Lookup(TableData("beside", (spot,), SetT(spot), near), (now,))
    last = Op2("eq", now, elem(spot, size - 1), BOOL)
    close = guard(Op2("in", Load(to), beside, BOOL), "", ("2",), rule="when to in beside(here)")
    banned = guard(last, "not on the last place", ("3",))
    step = schema(
        0, "step", me, [CoreParam(to, everything(spot))], [close], [Assign(here, (), Load(to))], forbids=[banned]
    )
    stumble = schema(1, "stumble", me2, [], [], [Assign(here, (), elem(spot, 0))], ("oops",), mistake=True)
    one = elem(players, 0)
    often = Op2("le", number(3), Noted(history, (now,), IntT(0, 1000)), BOOL)
    nobody = Const(0, SetT(players))
    blocks = [
        Block(0, (), Choose(one, one, here, (), everything(spot), spot.names, (), 1, 0), "start", 0),
        Block(1, (NoteS(history, (now,)),), BranchT(often, 3, 2), "walk", 0),
        Block(2, (), Decide(one, one, (Alt(0, 1, ()), Alt(1, 1, ())), (), None, 1, 0), "walk", 0),
        Block(3, (Reset(secret),), End((number(0),), nobody, ()), "", 0),
    ]
    return program("walk in a ring", players, [here, history, secret], [step, stumble], blocks)


ALL = {"three": three_in_a_row, "dice": dice_race, "odd": odd_one, "walk": walk_in_a_ring}
