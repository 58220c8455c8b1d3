"""Things that are not on a board, found from the types of variables: cards in hands and piles, dice, shapes in reserve.

A *thing* is a value of a domain whose values can be held. It is a card if sets, piles or optional values of the rules hold
it, and a die if chance rolls it. A *holding* is a variable that holds things.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.language.boards import Domain, Family
from gamedsl.language.core import all_statements, variables_read, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game

Form: TypeAlias = Literal["set", "one", "pile", "count", "list"]
MOST_SLOTS, MOST_THINGS = 60, 130
MOST_FACES = 20  # of a die


@lazy_dataclass(frozen=True)
class Thing:
    """A kind of thing; ``parts`` are the components of its values (rank and suit), which can be seen alone."""

    domain: Domain
    kind: Literal["card", "die"]

    @property
    def parts(self) -> tuple[Domain, ...]:
        return tuple(d for d, _ in self.domain.components)


@lazy_dataclass(frozen=True)
class Holding:
    """A variable that holds things. ``form``: a set, at most one, a pile with the top last, how many there are of each, or
    a list of all things with those ticked that are in a set that nothing leaves. ``part``: of a thing, if the variable holds
    only one component of it. ``inner``: the last key is a component, so that key and value together are a thing."""

    var: n.Var
    thing: Thing
    form: Form
    part: int | None = None
    inner: int | None = None

    @property
    def keys(self) -> tuple[Domain, ...]:
        """The keys of its places: those of the variable, without one that counts things."""
        return self.var.keys[:-1] if self.form == "count" else self.var.keys


# ---------------------------------------------------------------------------------------------- what holds things


@lru_cache(maxsize=64)
def holdings(game: Game) -> tuple[Holding, ...]:
    """The variables of a game that hold things, in their order."""
    things = _things(game.program)
    flows = _flows(game.program, things)
    off_board = [
        v for v in game.program.variables if _can_hold(v) and not any(_is_of_board(game.program, k) for k in v.keys)
    ]
    found = (_holding(game.program, v, things, flows) for v in off_board)
    return tuple(h for h in found if h is not None)


def _can_hold(var: n.Var) -> bool:
    slots = 1
    for key in var.keys:
        slots *= key.size
    return var.role == "state" and slots <= MOST_SLOTS


def _things(program: n.Program) -> list[Thing]:
    """The kinds of things, those with components first."""
    rolled = [e.over.type.domain for e in _chances(program) if e.what == "roll" and isinstance(e.over.type, n.SetT)]
    counted = [
        d for d in _drawn_again(program) if any(v.keys and v.keys[-1] == d for v in program.variables if _can_hold(v))
    ]
    dice = [Thing(d, "die") for d in dict.fromkeys((*rolled, *counted)) if d.size <= MOST_FACES]
    held = [v.type.domain for v in program.variables if _can_hold(v) and isinstance(v.type, n.SetT)]
    held += [v.type.inner.domain for v in program.variables if _can_hold(v) and isinstance(v.type, n.StackT)
             and isinstance(v.type.inner, n.ElemT)]  # fmt: skip
    held += _chosen_together(program)
    owned = [d for d in dict.fromkeys(held) if _is_thing(program, d)]
    cards = [
        Thing(d, "card") for d in sorted(owned, key=lambda d: not d.components) if d not in [t.domain for t in dice]
    ]
    return [c for c in cards if not any(c.domain in other.parts for other in cards)] + dice


def _is_thing(program: n.Program, domain: Domain) -> bool:
    """Whether values are things: neither players nor places of a board, and not sets of such places."""
    players = {program.players.name, *(p.players.name for p in program.parts)}
    return 1 < domain.size <= MOST_THINGS and not any(
        d.name in players or _is_of_board(program, d) for d in (domain, *(d for d, _ in domain.components))
    )


def _is_of_board(program: n.Program, domain: Domain) -> bool:
    """Whether values are places or directions of a board, or sets of its places."""
    boards = [p.board for p in program.parts if p.board is not None]
    if isinstance(domain, Family):
        return any(_is_of_board(program, d) for d in (domain.base,))
    return any(domain.name in board.domains for board in boards)


def _chosen_together(program: n.Program) -> list[Domain]:
    """The domains of values that players choose at the same time, such as a throw of the hand."""
    ends = (b.end for b in program.blocks if isinstance(b.end, n.DecideTogether))
    schemas = {program.schemas[alt.schema] for end in ends for alt in end.alternatives}
    params = [p.local.type for s in schemas for p in s.params if len(s.params) == 1]
    return [t.domain for t in params if isinstance(t, n.ElemT) and not _is_numeric(t.domain)]


def _chances(program: n.Program) -> list[n.Chance]:
    return [b.end for b in program.blocks if isinstance(b.end, n.Chance)]


def _drawn_again(program: n.Program) -> list[Domain]:
    """The domains of numbers of which chance picks any, however often."""
    over = (e.over.type for e in _chances(program) if isinstance(e.over, n.Const))
    return [t.domain for t in over if isinstance(t, n.SetT) and _is_numeric(t.domain)]


def _is_numeric(domain: Domain) -> bool:
    return all(name.lstrip("-").isdigit() for name in domain.names)


# -------------------------------------------------------------------------------------- numbers that name things


def _flows(program: n.Program, things: list[Thing]) -> dict[int, Thing]:
    """The variables of numbers that are set to the number of a thing, such as a card that lies on the table."""
    numbered = {t.domain: t for t in things if _is_numeric(t.domain)}
    found = _Numbers(numbered)
    for end in _chances(program):
        if isinstance(end.over.type, n.SetT) and end.over.type.domain in numbered:
            found.variables[end.result.index] = numbered[end.over.type.domain]
    statements = [s for s in all_statements(program) if isinstance(s, n.Assign | n.LetS)]
    for _ in range(4):  # from one to the next
        for s in statements:
            thing = found.carried(s.value)
            if thing is None:
                continue
            if isinstance(s, n.LetS):
                found.locals[s.local.id] = thing
            elif isinstance(s.var.type, n.IntT) and s.var.role == "state":
                found.variables.setdefault(s.var.index, thing)
    return found.variables


class _Numbers:
    """The variables and locals whose numbers name things."""

    def __init__(self, numbered: dict[Domain, Thing]) -> None:
        self.numbered = numbered
        self.variables: dict[int, Thing] = {}
        self.locals: dict[int, Thing] = {}

    def carried(self, e: n.Expr) -> Thing | None:
        """The kind of thing whose number an expression is, if it does not calculate with it."""
        if isinstance(e.type, n.ElemT):
            return self.numbered.get(e.type.domain)
        match e:
            case n.Convert(operand=inner) | n.Op2(op="add" | "sub", left=inner, right=n.Const()):
                return self.carried(inner)
            case n.Get(var=var):
                return self.variables.get(var.index)
            case n.Load(local=local):
                return self.locals.get(local.id)
            case _:
                return None


# ----------------------------------------------------------------------------------------------------- holdings


def _holding(program: n.Program, var: n.Var, things: list[Thing], flows: dict[int, Thing]) -> Holding | None:
    if var.index in flows:
        return Holding(var, flows[var.index], "one")
    match var.type:
        case n.SetT(domain):
            return _of(program, var, domain, things, "set")
        case n.OptT(n.ElemT(domain)) | n.ElemT(domain):
            return _of(program, var, domain, things, "one")
        case n.StackT(n.ElemT(domain)):
            return _of(program, var, domain, things, "pile")
        case n.StackT(n.IntT(low=low, high=high)):
            domains = (d for t in things for d in (t.domain, *t.parts))
            same = (d for d in domains if d.names == tuple(map(str, range(low, high + 1))))
            found = next(same, None)
            return None if found is None else _of(program, var, found, things, "pile")
        case n.IntT(low=0) if var.keys:
            return _counted(var, things)
        case _:
            return None


def _counted(var: n.Var, things: list[Thing]) -> Holding | None:
    thing = next((t for t in things if t.domain == var.keys[-1] and t.kind == "die"), None)
    return None if thing is None else Holding(var, thing, "count")


def _of(program: n.Program, var: n.Var, domain: Domain, things: list[Thing], form: Form) -> Holding | None:
    whole = next((t for t in things if t.domain == domain), None)
    if whole is not None:
        is_listed = form == "set" and whole.kind == "card" and _is_list(program, var, whole)
        return Holding(var, whole, "list" if is_listed else form)
    for thing in things:
        if domain not in thing.parts or len(thing.parts) != 2:
            continue
        part = thing.parts.index(domain)
        if var.keys and var.keys[-1] == thing.parts[1 - part] and form != "one":
            return Holding(var, thing, form, inner=1 - part)
        return Holding(var, thing, form, part=part) if form == "one" else None
    return None


def _is_list(program: n.Program, var: n.Var, thing: Thing) -> bool:
    """Whether a set of each player is empty at first, and nothing ever leaves it or is given to it by chance."""
    drawn = any(e.over.type == n.SetT(thing.domain) for e in _chances(program))
    if not var.keys or any(var.initial) or drawn:
        return False
    changes = [s for s in all_statements(program) if isinstance(s, n.Assign) and s.var == var]
    return bool(changes) and all(isinstance(s.value, n.Op2) and s.value.op == "union" for s in changes)


def has_known_sizes(game: Game, holding: Holding) -> bool:
    """Whether everybody knows how many things lie at the places of a holding, even where they are hidden."""
    is_counted = holding.form != "one" or isinstance(holding.var.type, n.OptT)
    return is_counted and holding.var.index in game.secrets.known_sizes


# ---------------------------------------------------------------------------------------------- what the look says


@lru_cache(maxsize=64)
def shown_holdings(game: Game) -> tuple[tuple[int, ...], ...]:
    """Per part of the program the numbers of its holdings that are shown: those that its rules for lines beside the board
    read, or all, if the part has no look."""
    return tuple(tuple(_shown(game, part)) for part in game.program.parts)


def _shown(game: Game, part: n.Part) -> list[int]:
    read = frozenset[int]()
    for mark in part.looks:
        if mark.kind == "beside":
            read |= _read_by(game, mark)
    own = [(i, h) for i, h in enumerate(holdings(game)) if h.var.part == part.index]
    return [i for i, h in own if not part.looks or h.var.index in read]


def _read_by(game: Game, mark: n.Mark) -> frozenset[int]:
    found = frozenset[int]()
    for e in _asked(mark):
        found |= variables_read(game.program, e)
    return found


@lru_cache(maxsize=64)
def replaced_marks(game: Game, part: int) -> tuple[n.Mark, ...]:
    """The rules of a part's look that say nothing but what its holdings show: they read nothing else, and name things."""
    held = {holdings(game)[i].var.index: holdings(game)[i] for i in shown_holdings(game)[part]}
    return tuple(m for m in game.program.parts[part].looks if m.kind == "beside" and _is_replaced(game, m, held))


def _is_replaced(game: Game, mark: n.Mark, held: dict[int, Holding]) -> bool:
    read = _read_by(game, mark)
    if not read or not read <= held.keys():
        return False
    if isinstance(mark.what, n.Get) or any(held[v].form == "count" for v in read):
        return True
    players, things = [p.players for p in game.program.parts], [held[v].thing for v in read]
    named = [p.type for p in mark.text if isinstance(p, n.Local)]
    is_owned = any(n.ElemT(p) in named for p in players)
    types = [*named, *([] if mark.what is None else [mark.what.type])]
    return all(_names_things(t, players, things, is_owned) for t in types) or _is_drawn(game.program, mark, things)


def _is_drawn(program: n.Program, mark: n.Mark, things: list[Thing]) -> bool:
    """Whether a line says of things that come to lie on a board, which are drawn as they look there, only what rules for that board
    look up, too: it names one of them, and the tables that it looks up are theirs."""
    named = {local.type for local in mark.text if isinstance(local, n.Local)}
    if not any(n.ElemT(thing.domain) in named and _comes_to_lie(program, thing) for thing in things):
        return False
    drawn = frozenset[str]().union(
        *(_looked_up(program, e) for part in program.parts for m in part.looks if m.kind != "beside" for e in _asked(m))
    )
    tables = frozenset[str]().union(*(_looked_up(program, e) for e in _asked(mark)))
    return bool(tables) and tables <= drawn


def _comes_to_lie(program: n.Program, thing: Thing) -> bool:
    """Whether pieces on a board have things of this kind as an attribute."""
    boards = {part.index: part.board for part in program.parts if part.board is not None}
    return any(
        v.part in boards
        and v.keys == (boards[v.part].domains[boards[v.part].place],)
        and v.type == n.OptT(n.ElemT(thing.domain))
        for v in program.variables
    )


def _asked(mark: n.Mark) -> tuple[n.Expr, ...]:
    return (*mark.reads, *(over for _, over in mark.binders))


def _looked_up(program: n.Program, e: n.Expr, called: frozenset[int] = frozenset()) -> frozenset[str]:
    """The tables in which an expression looks something up, in definitions that it uses as well."""
    found = frozenset(x.table.name for x in walk(e) if isinstance(x, n.Lookup))
    for number in {x.function for x in walk(e) if isinstance(x, n.CallF)} - called:
        found |= _looked_up(program, program.functions[number].body, called | {number})
    return found


def _names_things(type: n.ValueT, players: list[Domain], things: list[Thing], is_owned: bool) -> bool:
    """Whether values are things or players; or components of things that somebody has."""
    single = type.inner if isinstance(type, n.OptT) else type
    if not isinstance(single, n.ElemT | n.SetT):
        return False
    known = [*players, *(t.domain for t in things), *(d for t in things for d in t.parts if is_owned)]
    return single.domain in known or (_is_numeric(single.domain) and any(_is_numeric(t.domain) for t in things))
