"""Formats the value of a position in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gamedsl.lab.solve.solver import ActionValue, Solved


def outcome(found: Solved) -> str:
    """Describes the result of best play."""
    if not found.known:
        return f"not known; {_between(found)}"
    names, value = found.game.players, found.bounds[0][0]
    if found.by == "score":
        return ahead(found, value)
    if _is_result(found, value):
        return _result(found, value, found.plies)
    if found.opposed and found.payoffs <= {-1, 1}:
        return f"{names[0]} wins with probability {number((1 + value) / 2)}{_nearly(value)}"
    parts = [f"{n} gets {number(low)}" for n, (low, _) in zip(names, found.bounds, strict=True)]
    return ", ".join(parts) + _nearly(value)


def _is_result(found: Solved, value: Any) -> bool:
    """Whether this is a certain win, loss or tie, rather than a chance of either."""
    return found.plain and not isinstance(value, float) and (value in (-1, 1) or (value == 0 and not found.chancy))


def _result(found: Solved, value: Any, plies: int | None) -> str:
    if value == 0:
        return "a draw"
    soon = "" if not plies else f" in {plies} {'ply' if plies == 1 else 'plies'}"
    return f"{found.game.players[0 if value > 0 else 1]} wins{soon}"


def ahead(found: Solved, value: Any) -> str:
    """Describes which player is ahead by how many points."""
    if value == 0:
        return "equal scores"
    return f"{found.game.players[0 if value > 0 else 1]} is {number(abs(value))} ahead{_nearly(value)}"


def _between(found: Solved) -> str:
    if found.plain or (found.by == "result" and found.opposed and not found.payoffs):
        names = {-1: f"{found.game.players[1]} wins", 0: "a draw", 1: f"{found.game.players[0]} wins"}
        low, high = found.bounds[0]
        possible = [names[v] for v in (1, 0, -1) if low <= v <= high]
        return " or ".join(possible) if len(possible) < 3 else "anything is possible"
    parts = [
        f"{n} between {_limit(low)} and {_limit(high)}"
        for n, (low, high) in zip(found.game.players, found.bounds, strict=True)
    ]
    return ", ".join(parts)


def _limit(value: Any) -> str:
    return "?" if abs(value) >= 10**9 else number(value)


def action_text(found: Solved, action: ActionValue) -> str:
    chance = "" if action.share is None else f"probability {number(action.share)}, "
    if action.high - action.low > 1e-9:
        return chance + "not known"
    value = action.low if not action.seat else -action.low
    if found.by == "score":
        return chance + ahead(found, value)
    if _is_result(found, value):
        return chance + _result(found, value, action.plies)
    return f"{chance}{found.game.players[action.seat or 0]} gets {number(action.low)}"


def number(value: Any) -> str:
    """Formats a number as ``3``, ``1/3``, or with seven decimals."""
    if isinstance(value, float):
        return f"{value:.7f}"
    exact = Fraction(value)
    return str(exact) if exact.denominator <= 10**6 else f"{float(exact):.7f}"


def _nearly(value: Any) -> str:
    return " (to 1e-9)" if isinstance(value, float) else ""
