"""A specialized program, played by the reference engine beside the original."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from random import Random
from typing import Any

from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.compiler.transform.sequential_choices import sequential_choices
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import DecideDrawing, Local, Program, TableData, Var
from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.text import Span

LEAVES = (int, str, bool, float, type(None), Domain, TableData, Var, Span)


class Relabelled:
    """The program with local names numbered from 1 on, as the engine's translation wants them."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}

    def of(self, x: Any) -> Any:
        if isinstance(x, LEAVES):
            return x
        if isinstance(x, Local):
            return replace(x, id=self.numbers.setdefault(x.id, len(self.numbers) + 1))
        if isinstance(x, tuple):
            return tuple(self.of(item) for item in x)
        if is_dataclass(x) and not isinstance(x, type):
            changed = {f.name: self.of(getattr(x, f.name)) for f in fields(x) if f.name not in ("type", "span")}
            return replace(x, **{k: v for k, v in changed.items() if v is not getattr(x, k)})
        return x


def specialized_program(program: Program) -> Game | None:
    """The game of the program that random play uses, if it has one."""
    found = specialize_for_playouts(program)
    return None if found is None else relabelled(found.program)


def one_by_one(game: Game) -> Game:
    """The game in which choices at once are choices one after another, as in random play; the same game if it has none."""
    program = sequential_choices(game.program)
    return game if program is game.program else relabelled(program)


def relabelled(program: Program) -> Game:
    """The game of a program that passes have made."""
    relabel = Relabelled()
    return InterpretedGame(
        replace(
            program,
            blocks=relabel.of(program.blocks),
            schemas=relabel.of(program.schemas),
            functions=relabel.of(program.functions),
        )
    )


def ways_on(state: State) -> list[tuple[tuple[Any, ...], Any]]:
    """What can be done, each with its move, without the kinds' names (a kind of the whole program may be several here) and
    without who does it (which random play does not ask). Sorted: random play may go through parameters in another order."""
    if state.kind == "chance":
        return [((str(move), p), move) for move, p in state.chance_outcomes()]
    moves = [((m.kind, m.args, m.text if m.kind in ("choose", "pass") else ""), m) for m in state.legal_moves()]
    return sorted(moves, key=lambda way: way[0])


def first_difference(whole: Game, special: Game, seed: int, plies: int) -> str:
    """Plays one random play with both; where they part, or nothing."""
    rng, past = Random(seed), list[str]()
    pair = [_or_error(g.initial_state) for g in (whole, special)]
    for _ in range(plies):
        a, b = pair
        if a is None or b is None:
            return "" if a is b else f"an error in {'the whole' if a is None else 'the special'} only, after {past}"
        if a.kind != b.kind or a.returns != b.returns:
            return f"{a.kind} {a.returns} and {b.kind} {b.returns} after {past}"
        if a.is_terminal:
            return ""
        if isinstance(a.terminator, DecideDrawing):
            move = a.propose(rng)
            past.append(str(move))
            pair = [_or_error(lambda s=s, m=move: s.apply(m)) for s in (a, b)]
            continue
        ways = [_or_error(lambda s=s: ways_on(s)) for s in (a, b)]
        told = [None if w is None else [way for way, _ in w] for w in ways]
        if told[0] != told[1]:
            return f"{told[0]} and {told[1]} after {past}"
        if ways[0] is None or ways[1] is None:
            return ""
        k = rng.randrange(len(ways[0]))
        past.append(str(ways[0][k][1]))
        pair = [_or_error(lambda s=s, m=w[k][1]: s.apply(m)) for s, w in zip((a, b), ways, strict=True)]
    return ""


def _or_error(do: Any) -> Any:
    try:
        return do()
    except GameDSLError:
        return None
