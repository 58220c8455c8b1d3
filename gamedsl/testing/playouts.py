"""Playouts that together use as many lines of a ruleset as possible, which the generated games follow.

``covering_playouts`` plays at random with instrumented rules, and keeps the playouts that used rarely used lines (test
suite reduction by greedy novelty). ``directed_playouts`` searches with compiled rules for lines that random playouts
rarely reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from random import Random

from gamedsl.engine import Game, Move, State
from gamedsl.lab.coverage import InstrumentedGame, covering_nodes, replay_counting
from gamedsl.lab.search import GoalProgram, GuidedSearch, Walker
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, UsageError, lazy_dataclass
from gamedsl.testing.tested_play import Play

MOST_PLAYOUTS = 10_000
MOST_PLIES = 40_000  # of all playouts together; the last playout is finished
MOST_IDLE = 1_000  # consecutive playouts that use nothing new
DRAWN = 200  # times fewer if players draw, because such rules are not compiled
LONGEST = 3_000  # plies of one playout
PER_LINE = 2  # playouts kept for every line
CANDIDATES = 8  # candidate playouts for every line
WALKS = 400  # of a directed search


def covering_playouts(game: Game, start: State | None = None) -> tuple[Play, ...]:
    """Returns a few random playouts that use every line that thousands of them use, rarely used lines twice if
    possible.

    They are the same on every machine, and are kept as long as the game. A playout ends early where a rule fails;
    generating it again reports that.
    """
    # stored with the game: the playouts refer to it, so a table of weak references would keep it forever
    known: dict[State, tuple[Play, ...]] = vars(game).setdefault("covering_playouts", {})
    begun = start if start is not None else game.initial_state()
    if begun not in known:
        known[begun] = _covering(game, begun)
    return known[begun]


@lazy_dataclass(frozen=True)
class _Playout:
    """The number of plies of a playout, the lines and answers that it used, and a function that returns it as a
    ``Play``.
    """

    plies: int
    used: frozenset[int]
    play: Callable[[], Play]


def _covering(game: Game, start: State) -> tuple[Play, ...]:
    if draws(game):
        playouts, share = _drawn(InstrumentedGame(game.program), start), DRAWN
    else:
        playouts, share = _compiled(Walker(GoalProgram(game.program), start), start), 1
    found, rarity = _candidates(playouts, share)
    wanted = {line: min(PER_LINE, times) for line, times in rarity.items()}
    kept: list[Play] = []
    while found and any(wanted.values()):
        best = max(found, key=lambda c: (sum(wanted[line] > 0 for line in c.used), -c.plies))
        found.remove(best)
        for line in best.used:
            wanted[line] = max(0, wanted[line] - 1)
        kept.append(best.play())
    return tuple(kept)


def draws(game: Game) -> bool:
    """Returns whether players draw in this game, whose rules then are not compiled."""
    return any(isinstance(block.end, n.DecideDrawing) for block in game.program.blocks)


def _candidates(playouts: Iterator[_Playout], share: int) -> tuple[list[_Playout], Counter[int]]:
    """Returns the playouts that used lines that few earlier ones had used, and the number of playouts that used each
    line.
    """
    found: list[_Playout] = []
    rarity: Counter[int] = Counter()
    plies = idle = 0
    for _, playout in zip(range(MOST_PLAYOUTS // share), playouts, strict=False):
        idle = 0 if any(not rarity[line] for line in playout.used) else idle + 1
        if any(rarity[line] < CANDIDATES for line in playout.used):
            found.append(playout)
        rarity.update(playout.used)
        plies += playout.plies
        if plies >= MOST_PLIES // share or idle >= MOST_IDLE // share:
            break
    return found, rarity


def _compiled(walker: Walker, start: State) -> Iterator[_Playout]:
    """Yields random playouts with compiled rules. Every action has the same weight, even for chance."""
    for number in range(MOST_PLAYOUTS):
        rng = Random(f"covering {number}")
        walker.context.forget()
        node, actions = walker.start(), list[int]()
        used = {line for line, met in enumerate(walker.first_met) if met}
        while not walker.is_over(node) and len(actions) < LONGEST:
            action = int(rng.random() * walker.num_actions(node))
            after = walker.after(node, action)
            if after is None:
                break
            node = replace(after, before=None)
            actions.append(action)
            used |= walker.used(node)
        yield _Playout(len(actions), frozenset(used), partial(_walked, walker, start, actions))


def _walked(walker: Walker, start: State, actions: Sequence[int]) -> Play:
    """Returns the game of these actions of compiled rules."""
    walker.context.forget()
    node, states, moves = walker.start(), [start], list[Move]()
    for action in actions:
        moves.append(walker.move(node, action, states[-1]))
        states.append(states[-1].apply(moves[-1]))
        after = walker.after(node, action)
        assert after is not None, "it was possible before"
        node = replace(after, before=None)
    return Play(tuple(states), tuple(moves))


def _drawn(probed: InstrumentedGame, start: State) -> Iterator[_Playout]:
    """Yields random playouts with instrumented rules of the reference engine."""
    for number in range(MOST_PLAYOUTS):
        rng = Random(f"covering {number}")
        before = list(probed.counts.hits)
        state = probed.game.make_state(start.block, start.slots, start.pending)
        moves: list[Move] = []
        while not state.is_terminal and len(moves) < LONGEST:
            move = state.propose(rng)
            try:
                state = state.apply(move)
            except GameDSLError:
                break
            moves.append(move)
        hits = enumerate(zip(before, probed.counts.hits, strict=True))
        used = frozenset(line for line, (old, new) in hits if new > old)
        yield _Playout(len(moves), used, partial(Play.of, start, moves))


def directed_playouts(game: Game, walks: int = WALKS, seed: int = 0) -> tuple[Play, ...]:
    """Returns playouts that a search with compiled rules finds for goals that random playouts rarely reach: every
    line, both answers of every condition, every guard as the only reason against a move (see
    ``gamedsl coverage --method search``).

    ``walks``: the number of walks of the search; the result is the same on every machine. Needs the compiler. Raises
    ``UsageError`` (E0001) if players draw.
    """
    if draws(game):
        raise UsageError("a directed search is not possible where players draw: use `covering_playouts`", code="E0001")
    goals = GoalProgram(game.program)
    guided = GuidedSearch(goals, Walker(goals), seed)
    guided.run(inf, walks)
    probed = InstrumentedGame(game.program)
    start = game.initial_state()
    return tuple(Play.of(start, replay_counting(guided.walker, node, probed)) for node in covering_nodes(guided))
