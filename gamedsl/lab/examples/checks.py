"""Checks the expectations of an example against the rules; each check yields the problems it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeAlias

from gamedsl.engine import State, board_rows, evaluate_at, perft, player_to_move, same_value, value_text
from gamedsl.lab.examples.example_reader import Example, Refused
from gamedsl.lab.examples.positions import read_move
from gamedsl.language.rules import Lowered
from gamedsl.language.source import GameDSLError

Problems: TypeAlias = Iterator[str]

NO_MOVE = "E0501"  # a string that does not denote a move, legal or not


def _legal(state: State, example: Example, rules: Lowered) -> Problems:
    for text in example.legal:
        try:
            reasons = [r.message for r in state.why_not(read_move(state, text))]
        except GameDSLError as problem:
            reasons = [d.message for d in problem.diagnostics]
        if reasons:
            yield f"{text} should be legal, but: {'; '.join(reasons)}"


def _only(state: State, example: Example, rules: Lowered) -> Problems:
    if example.only is None:
        return
    found = {str(m) for m in state.legal_moves()}
    wanted = {str(read_move(state, text)) for text in example.only}
    if found - wanted:
        yield f"legal beyond those listed: {_some(found - wanted)}"
    if wanted - found:
        yield f"listed but not legal: {_some(wanted - found)}"


def _illegal(state: State, example: Example, rules: Lowered) -> Problems:
    for refused in example.illegal:
        try:
            reasons = [(r.message, r.clauses) for r in state.why_not(read_move(state, refused.move))]
        except GameDSLError as problem:
            (found, *_) = problem.diagnostics
            if found.code == NO_MOVE and refused.says is None:
                yield _no_move(refused.move, found.near)
                continue
            reasons = [(d.message, ()) for d in problem.diagnostics]
        yield from _refusal(refused, reasons)


def _no_move(move: str, near: tuple[str, ...]) -> str:
    """Returns the problem of a move that no rule knows: it is more likely a typo than a move to be refused."""
    nearest = f" (near it: {', '.join(near)})" if near else ""
    return f"{move} is not a move of this game{nearest}; if that is the expected reason, add `says: not a move`"


def _refusal(refused: Refused, reasons: list[tuple[str, tuple[str, ...]]]) -> Problems:
    if not reasons:
        yield f"{refused.move} should be refused, but is legal"
        return
    told = "; ".join(f"{message} [{' '.join(clauses)}]" for message, clauses in reasons)
    if refused.clause is not None and all(refused.clause not in clauses for _, clauses in reasons):
        yield f"{refused.move} should be refused by {refused.clause}, but the reason is: {told}"
    if refused.says is not None and all(refused.says not in message for message, _ in reasons):
        yield f"{refused.move} should be refused with {refused.says!r}, but the reason is: {told}"


def _legal_count(state: State, example: Example, rules: Lowered) -> Problems:
    found = len(state.legal_moves())
    if example.legal_count is not None and found != example.legal_count:
        yield f"{found} {'move is' if found == 1 else 'moves are'} legal, not {example.legal_count}"


def _to_move(state: State, example: Example, rules: Lowered) -> Problems:
    acting = tuple(state.game.players[p] for p in state.to_act)
    found = {"chance": ("chance",), "end": ("end",)}.get(state.kind, acting)
    if example.to_move is not None and set(found) != set(example.to_move):
        yield f"to move: {', '.join(found)}, not {', '.join(example.to_move)}"
        yield from _unknown(example.to_move, (*state.game.players, "chance", "end"))


def _result(state: State, example: Example, rules: Lowered) -> Problems:
    if example.winners is None and example.scores is None:
        return
    if not state.is_terminal:
        yield "the game is not over"
        return
    names = state.game.players
    winners = {names[p] for p in state.winners}
    if example.winners is not None and winners != set(example.winners):
        yield f"winners: {_some(winners)}, not {_some(set(example.winners))}"
        yield from _unknown(example.winners, names)
    scores = dict(zip(names, state.scores, strict=False))
    if example.scores is not None and scores != dict(example.scores):
        yield f"scores: {_scores(scores)}, not {_scores(example.scores)}"
        yield from _unknown(example.scores, names)


def _unknown(told: Iterable[str], known: Sequence[str]) -> Problems:
    """Yields a problem for each name in an example that does not exist."""
    for name in told:
        if name not in known:
            by_letters = {k.lower(): k for k in known}
            near = [by_letters[k] for k in get_close_matches(name.lower(), by_letters, n=1)]
            yield f"{name} is none of {', '.join(known)}" + (f"; did you mean {near[0]}?" if near else "")


def _scores(scores: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {points}" for name, points in scores.items()) or "none"


def _value(state: State, example: Example, rules: Lowered) -> Problems:
    for text, wanted in example.value.items():
        found = value_of(state, rules, text)
        if not same_value(found, wanted):
            now, then = _shown(found), _shown(wanted)
            cure = " (a set is written as a list: [a1, b2], or [])" if isinstance(found, list) else ""
            yield f"{text} is {now}, not {then}" if now != then else f'{text} is {now}, not the string "{then}"{cure}'


def value_of(state: State, rules: Lowered, text: str) -> Any:
    """Evaluates an expression, with the names of the part being played, or else with those of the top level.

    ``me`` is the player to move. Raises ``GameDSLError`` if the expression is wrong or its evaluation fails.
    """
    try:
        expr = rules.expression(text, state.part, player_to_move(state))
    except GameDSLError:
        if state.part == 0:
            raise
        expr = rules.expression(text, 0)
    return value_text(expr.type, evaluate_at(state, expr))


def _perft(state: State, example: Example, rules: Lowered) -> Problems:
    for depth, wanted in enumerate(example.perft, 1):
        found = perft(state, depth)
        if found != wanted:
            yield f"{found} sequences of length {depth}, not {wanted}"


def _board(state: State, example: Example, rules: Lowered) -> Problems:
    wanted = [row.split() for row in example.board]
    if not wanted:
        return
    found = board_rows(state)
    if found != wanted:
        yield "the board is\n" + "\n".join("    " + " ".join(row) for row in found)


CHECKS: tuple[Callable[[State, Example, Lowered], Problems], ...] = (
    _to_move, _legal, _only, _illegal, _legal_count, _result, _value, _board, _perft,
)  # fmt: skip


def _some(names: set[str], most: int = 12) -> str:
    listed = sorted(names)
    return (", ".join(listed[:most]) + (", ..." if len(listed) > most else "")) or "nobody"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return "{" + ", ".join(map(str, value)) + "}"
        case _:
            return str(value)
