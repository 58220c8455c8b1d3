"""The results of a search in words: ``hint`` and ``eval``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.language.core import greatest_utility
from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.agents import Findings, Row
    from gamedsl.engine import Move, State

SECONDS = 1.0
Writer: TypeAlias = Callable[["Move"], str]  # writes a move
BAR = 20  # characters
MOST_MOVES = 5
_GRADES = ((0.9, "is almost sure to win"), (0.5, "should win"), (0.2, "is better off"), (-0.2, "is about even"),
           (-0.5, "is worse off"), (-0.9, "should lose"))  # fmt: skip
_DRAWN = "drawings cannot be searched, because there are infinitely many (`generate` draws at random)"


def hint_lines(state: State, player: int, ascii: bool = False, text: Writer = str) -> list[str]:
    """A suggested move and its expected result; in a secret choice, the frequency of each option. A message if the
    position cannot be searched."""
    found = _found(state, player)
    if isinstance(found, list):
        return found
    moves = state.legal_moves(player)
    if found.secret:
        return ["hint: choose at random, " + ", ".join(_often(moves, found, text)), expected(state, found)]
    return [f"hint: {text(moves[found.best().action])}", expected(state, found)]


def eval_lines(state: State, player: int, ascii: bool = False, text: Writer = str) -> list[str]:
    """A bar for the expected utility of each player, and the best moves. A message if there is no evaluation."""
    found = _found(state, player)
    if isinstance(found, list):
        return found
    names = state.game.players
    width = max(len(name) for name in names)
    most = greatest_utility(state.game.program)
    pairs = zip(names, found.values, strict=True)
    lines = [f"{name.ljust(width)} {_bar(v, ascii)} {_signed(v * most)}" for name, v in pairs]
    moves = state.legal_moves(player)
    lines.append(expected(state, found))
    if found.secret:
        return [*lines, "choose at random: " + ", ".join(_often(moves, found, text))]
    best = found.best()
    others = sorted((r for r in found.rows if r != best and r.visits), key=lambda r: (-r.share, -r.value, r.action))
    return [*lines, *(_action_line(text(moves[r.action]), r, most) for r in [best, *others][:MOST_MOVES])]


def expected(state: State, found: Findings) -> str:
    """The expected result of the player to move, in a sentence."""
    name, value = state.game.players[found.seat], found.values[found.seat]
    two, most = len(state.game.players) == 2, greatest_utility(state.game.program)
    if most > 1:
        return f"{name} {'gets' if found.exact else 'can expect'} {_signed(value * most)} points{' with best play' * found.exact}"
    if found.exact and value >= 1.0:
        return f"{name} wins by force, within {_plies(found.plies)}"
    if found.exact and two and value <= -1.0:
        return f"{name} loses against best play, after {_plies(found.plies)} at most"
    if found.exact:
        return "a draw with best play" if two and value == 0 else f"{name} gets {_signed(value)} with best play"
    if not two:
        return f"{name} can expect {_signed(value)} (from -1, a loss, to 1, a win)"
    grade = next((text for least, text in _GRADES if value >= least), "is almost sure to lose")
    return f"{name} {grade}: {_signed(value)} expected (from -1, a loss, to 1, a win)"


def why_none(state: State) -> str | None:
    """The reason why the position cannot be searched, if it is known beforehand; None: it can be tried."""
    if state.kind == "drawing":
        return _DRAWN
    return None


def _found(state: State, player: int) -> Findings | list[str]:
    """The findings of a short search, or a message if the position cannot be searched."""
    from gamedsl.agents import Mcts  # start-up: only advice needs the search

    try:
        return Mcts(None, SECONDS).study(state, 0, player)
    except GameDSLError as mistake:
        return ["no evaluation here:", *(d.message for d in mistake.diagnostics)]


def _often(moves: list[Move], found: Findings, text: Writer) -> list[str]:
    rows = sorted((r for r in found.rows if r.share >= 0.005), key=lambda r: -r.share)
    return [f"{text(moves[r.action])} {r.share:.0%}" for r in rows]


def _action_line(move: str, row: Row, most: int) -> str:
    end = f", proven, {_plies(row.plies)} to the end" if row.exact else ""
    return f"  {move} {_signed(row.value * most)}{end}"


def _signed(value: float) -> str:
    return f"{round(value, 2) + 0.0:+.2f}"


def _plies(n: int) -> str:
    return f"{n} {'ply' if n == 1 else 'plies'}"


def _bar(value: float, ascii: bool) -> str:
    full = round((value + 1) / 2 * BAR)
    on, off = ("#", ".") if ascii else ("█", "░")
    return on * full + off * (BAR - full)
