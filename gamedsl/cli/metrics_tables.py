"""The metrics of a game as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gamedsl.lab.metrics import Figure, GameMetrics, PlayerFigures
    from gamedsl.lab.statistics import Estimate

PERCENT = {
    "forced": "decisions with one choice", "first_mover": "advantage of the first mover", "drawishness": "drawn games",
    "uncertainty": "uncertainty", "drama": "drama", "winner_trails": "the winner trails",
    "decided_at": "decided after", "decisions_that_matter": "decisions that matter", "narrowness": "promising moves",
}  # fmt: skip
PLAIN = {
    "length": "plies", "branching": "choices of a decision", "lead_changes": "lead changes",
    "blunder_cost": "cost of a random move",
}  # fmt: skip
ORDER = (
    "length", "branching", "forced", "first_mover", "drawishness", "decided_at", "lead_changes", "drama",
    "winner_trails", "uncertainty", "blunder_cost", "decisions_that_matter", "narrowness",
)  # fmt: skip
NAMED = 28  # width of the column of names


def metrics_text(found: GameMetrics, command: str) -> Iterator[str]:
    """Yields the lines."""
    game = found.plan.game
    yield f"{game.title}: seed {found.plan.seed}, {found.plan.games} games recorded for each player"
    yield f"  {command}"
    yield ""
    yield from _exact(found)
    for player in found.players:
        yield ""
        yield from _player(found, player)


def _exact(found: GameMetrics) -> Iterator[str]:
    exact, names = found.exact, found.plan.game.players
    if exact.why:
        yield f"not solved: {exact.why}"
    elif exact.is_solved:
        values = ", ".join(f"{n} {low:+g}" for n, (low, _) in zip(names, exact.value, strict=True))
        yield f"solved: {values}" + ("" if exact.plies is None else f", after {exact.plies} plies")
    else:
        yield f"not solved within {found.plan.limit:,} positions"
    if not exact.why:
        more = "" if exact.complete else "at least "
        yield f"positions: {more}{exact.positions:,}, at most 2^{found.bits}"
    else:
        yield f"positions: at most 2^{found.bits}"
    if exact.random is not None:
        yield from _counted(found)
    if found.strata is not None:
        yield f"different games (strata): 10^{_interval(found.strata.log10, 1)}"
    yield f"symmetries: {f'unknown ({found.asymmetry})' if found.symmetries is None else found.symmetries}"
    if found.hidden:
        yield f"values hidden from somebody: {found.hidden}"


def _counted(found: GameMetrics) -> Iterator[str]:
    counts, names = found.exact.random, found.plan.game.players
    assert counts is not None
    yield f"different games: {counts.games:,}"
    results = "; ".join(
        f"{name} wins {row[0]:.2%}, draws {row[1]:.2%}" for name, row in zip(names, counts.results, strict=True)
    )
    yield f"random games, exactly: {results}; {counts.length:.3f} plies"
    if counts.branching is not None and counts.forced is not None:
        yield f"  {counts.branching:.3f} choices of a decision, {counts.forced:.2%} with one"
    shortest = [f"{n} {'never' if k is None else k}" for n, k in zip(names, counts.shortest, strict=True)]
    yield f"shortest wins, in plies: {', '.join(shortest)}"
    if found.exact.blunder_cost is not None:
        yield f"cost of a random move against best play: {found.exact.blunder_cost:.3f}"


def _player(found: GameMetrics, player: PlayerFigures) -> Iterator[str]:
    names = found.plan.game.players
    more = f", of {player.counted:,} counted games" if player.counted > player.games else ""
    yield f"{player.player}: {player.games} games{more}"
    if player.unfinished:
        yield f"  {player.unfinished} games were cut off after {found.plan.most} plies and outcomes of chance"
    for name, row in zip(names, player.results, strict=bool(player.results)):
        yield _row(f"{name} wins", _percent(row["wins"]))
    for key in ORDER:
        if key in player.figures:
            figure = player.figures[key]
            yield _row((PERCENT | PLAIN)[key], _percent(figure) if key in PERCENT else _plain(figure))
    for place, figure in player.coverage.items():
        yield _row(f"{place}s touched", _percent(figure))
    if player.tree is not None and found.exact.random is None:
        yield _row("different games (probes)", f"10^{_interval(player.tree.log10, 1)}")
    for kind, share in player.kinds.items():
        yield _row(f"moves: {kind}", f"{share:7.1%}")
    if found.exact.random is None and player.shortest:
        shortest = [f"{n} {k or 'none'}" for n, k in zip(names, player.shortest, strict=True)]
        yield _row("shortest wins seen", ", ".join(shortest))
    yield from _profiles(player)
    for name, figure in player.restricted.items():
        yield _row(f"{name} (score)", _percent(figure, "+"))
    for name, figure in player.mirrored.items():
        short = name if len(name) <= 60 else name[:57] + "..."
        yield _row("mirroring (score)", f"{_percent(figure, '+')}  {short}")


def _profiles(player: PlayerFigures) -> Iterator[str]:
    for title, tenths in (("uncertainty by tenths", player.uncertainty), ("hidden by tenths", player.hidden)):
        if any(t is not None for t in tenths):
            yield _row(title, " ".join("-" if t is None else f"{t:.0%}" for t in tenths))
    if player.costs:
        costs = " ".join(f"{cost:.2f}" for _, cost, _ in player.costs[:12])
        yield _row("cost by ply", costs + (" ..." if len(player.costs) > 12 else ""))


def _row(name: str, text: str) -> str:
    return f"  {name:<{NAMED}} {text}"


def _percent(figure: Figure, sign: str = "") -> str:
    e = figure.estimate
    text = f"{e.value:{sign}7.1%}"
    return text if e.low is None or e.high is None else f"{text}  ({e.low:{sign}.1%} to {e.high:{sign}.1%})"


def _plain(figure: Figure) -> str:
    e = figure.estimate
    text = f"{e.value:7.2f}"
    return text if e.low is None or e.high is None else f"{text}  ({e.low:.2f} to {e.high:.2f})"


def _interval(e: Estimate, digits: int) -> str:
    text = f"{e.value:.{digits}f}"
    return text if e.low is None or e.high is None else f"{text} ({e.low:.{digits}f} to {e.high:.{digits}f})"
