"""Alpha-beta: values that are published or counted by looking at every position, and rules it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl import UsageError
from gamedsl.agents import captures_kernel, parse_agent
from gamedsl.agents.alphabeta import AlphaBeta
from gamedsl.agents.alphabeta_memory import CAPTURES, GRAIN, MILLION, SELECTIVE
from gamedsl.agents.captures import captures_of
from gamedsl.agents.deepening import Search
from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.leaf_value import LeafValue, leaf_value
from gamedsl.agents.position import Position, Rules, compiled, once
from gamedsl.agents.search_findings import Findings
from gamedsl.engine import State
from gamedsl.language.core import nodes as n
from tests.agents.play import after, own_game, wins_at_once
from tests.games.classics.solving import value
from tests.values import codes_named

LEAST = -(1 << 60)


def solved(name: str, seed: int = 1, **options: str) -> Findings:
    game = gamedsl.load(name, **options)
    found = AlphaBeta(100, None).find(Position.of(game.initial_state()), seed)
    assert found.exact
    return found


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("tic-tac-toe", {}, 0.0),
        # van den Herik, Uiterwijk and van Rijswijck, "Games solved: now and in the future" (2002)
        ("m-n-k", {"m": "4", "n": "3", "k": "3"}, 1.0),
        ("m-n-k", {"m": "5", "n": "5", "k": "3"}, 1.0),
        pytest.param("m-n-k", {"m": "4", "n": "4", "k": "4"}, 0.0, marks=pytest.mark.slow),
        # Gardner 1959: the first player draws by playing to the centre and then opposite
        ("misere-tic-tac-toe", {}, 0.0),
        # Tromp, "John's Connect Four Playground": 4 by 4 is a draw, 4 columns of 5 too
        ("connect-four", {"rows": "4", "columns": "4"}, 0.0),
        ("connect-four", {"rows": "5", "columns": "4"}, 0.0),
        # Bouton 1901: 3, 4, 5 is won by the first player, 1, 2, 3 by the second
        ("nim", {}, 1.0),
        ("nim", {"a": "1", "b": "2", "c": "3"}, -1.0),
        # Breuker, Uiterwijk and van den Herik, "Solving 8 by 8 Domineering" (2000): 4 by 4 the first, 5 by 5 the second
        ("domineering", {"rows": "4", "columns": "4"}, 1.0),
        ("domineering", {"rows": "5", "columns": "5"}, -1.0),
        # on 4 by 4 squares the second player wins
        ("reversi", {"size": "2"}, -1.0),
        # Nash 1949: the first player wins Hex on every board
        ("hex", {"n": "3"}, 1.0),
    ],
    ids=str,
)  # fmt: skip
def test_published_values(name: str, options: dict[str, str], expected: float) -> None:
    found = solved(name, **options)
    assert found.values == (expected, -expected)


@pytest.mark.slow
def test_six_columns_five_rows_four_in_a_line() -> None:
    """First player (van den Herik et al. 2002); about a minute and a half."""
    assert solved("m-n-k", m="6", n="5", k="4").values == (1.0, -1.0)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("m-n-k", {"m": "3", "n": "3", "k": "3", "misere": "yes"}),
        ("m-n-k", {"m": "3", "n": "2", "k": "2", "misere": "yes"}),
        ("nim", {"a": "2", "b": "2", "c": "1", "misere": "yes"}),
        ("kalah", {"houses": "2", "seeds_each": "2"}),
        ("clobber", {"rows": "3", "columns": "3"}),
        ("dots-and-boxes", {"rows": "2", "columns": "2"}),
    ],
    ids=str,
)
def test_small_boards_against_a_look_at_every_position(name: str, options: dict[str, str]) -> None:
    game = gamedsl.load(name, **options)
    found = solved(name, **options)
    sign = (found.values[0] > 0) - (found.values[0] < 0)
    assert sign == value(game.initial_state())


def test_distances() -> None:
    game = gamedsl.load("tic-tac-toe")
    one = after(game, "a1", "a3", "b1", "b3")
    three = after(game, "a1", "b1", "a3", "a2")
    assert AlphaBeta(9, None).study(one).plies == 1
    assert AlphaBeta(9, None).study(three).plies == 3
    assert str(parse_agent("ab:d5").choose(one, 1)) == "c1"
    behind = three.apply(parse_agent("ab:d5").choose(three, 1))
    assert all(wins_at_once(behind.apply(reply)) for reply in behind.legal_moves())


def test_wins_of_nim_move_to_balanced_heaps() -> None:
    """Bouton: a move wins exactly if the heaps it leaves have the binary sum 0."""
    game = gamedsl.load("nim", a="1", b="2", c="5")
    state = game.initial_state()
    for row in parse_agent("ab:d9").analyse(state):
        a, b, c, _ = codes_named(state.apply(row.move), "size")
        assert (row.value == 1.0) == (a ^ b ^ c == 0)


def test_the_horizon_is_judged_the_same_every_time() -> None:
    state = gamedsl.load("breakthrough").initial_state()
    agent = parse_agent("ab:d2")
    assert agent.analyse(state, 3) == agent.analyse(state, 3)
    assert agent.choose(state, 3) == agent.choose(state, 3)


def test_rules_that_count_repetitions() -> None:
    """There the table only orders moves and the noted positions are given back: the fool's mate is found."""
    state = after(gamedsl.load("chess"), "f2f3", "e7e5", "g2g4")
    found = AlphaBeta(2, None).study(state)
    assert str(parse_agent("ab:d1").choose(state, 1)) == "d8h4"
    assert found.exact and found.values == (-1.0, 1.0) and found.plies == 1


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("pig", {}, "cannot handle chance"),
        ("rock-paper-scissors", {}, "cannot handle simultaneous choices"),
        ("phantom-tic-tac-toe", {}, "hidden from players"),
        ("pig", {"players": "3"}, "two players, and there are 3"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(name: str, options: dict[str, str], reason: str) -> None:
    game = gamedsl.load(name, **options)
    with pytest.raises(UsageError, match=reason):
        parse_agent("ab:d3").choose(game.initial_state(), 1)


def test_ends_that_are_not_zero_sum_are_refused(tmp_path: Path) -> None:
    game = own_game(
        tmp_path,
        """game "Both gain"
players one, two
state
  points: player -> 0..2
move take_it written "take"
  set points[me] to 2
move leave_it written "leave"
play
  turns from one, 2 times
    me plays take_it | leave_it
  score by points
""",
    )
    with pytest.raises(UsageError, match="zero-sum"):
        parse_agent("ab:d3").choose(game.initial_state(), 1)
    assert str(parse_agent("mcts:200").choose(game.initial_state(), 1)) == "take"


def judged(state: State, seat: int, value: LeafValue) -> int:
    """The score of a position at the horizon, from its definition."""
    rules = once(state.game, "rules of a test", lambda: Rules(compiled(state.game)))
    with rules.context.temporary():
        block = np.frombuffer(bytes(rules.native.pack(state, rules.context)), dtype=np.int64).reshape(1, -1)
    found = linear(value.segments, value.weights, block, 0)
    score = (MILLION - MILLION // 1000) * found // (abs(found) + ONE) * GRAIN
    return score if seat == 0 else -score


def minimax(
    state: State, left: int, value: LeafValue, calm: bool, plies: int = 0, low: int = LEAST, high: int = -LEAST
) -> int:
    """The score for the player to act, by looking at every position. ``calm``: captures are followed to their end,
    unless the player would rather stop; this has too many courses to look at all, so it uses bounds."""
    seat = state.current_player
    best = judged(state, seat, value) if left <= 0 else LEAST
    if left <= 0 and not calm:
        return best
    later = [state.apply(move) for move in state.legal_moves()]
    if left <= 0:
        takes = [child for child in later if men(child, 1 - seat) < men(state, 1 - seat)]
        best = LEAST if takes and len(takes) == len(later) else best
        later = takes
    for child in later:
        if calm and max(low, best) >= high:
            break
        if child.is_terminal:
            won = child.returns[seat]
            score = round(won * MILLION) * GRAIN - (plies + 1) * (1 if won > 0 else -1 if won < 0 else 0)
        else:
            same = child.current_player == seat
            window = (max(low, best), high) if same else (-high, -max(low, best))
            score = minimax(child, left - 1, value, calm, plies + 1, *(window if calm else (LEAST, -LEAST)))
            score = score if same else -score
        best = max(best, score)
    return best


def men(state: State, seat: int) -> int:
    """The number of elements that a player has in all sets that each player has one of."""
    total, slot = 0, 0
    for var in state.game.program.variables:
        if isinstance(var.type, n.SetT) and var.keys == (state.game.program.players,) and var.slots == 2:
            total += state.slots[slot + seat].bit_count()
        slot += var.slots
    return total


def middles(name: str, number: int, most: int) -> Iterator[State]:
    """Positions of random games."""
    rng = Random(name)
    for _ in range(number):
        state = gamedsl.load(name).initial_state()
        for _ in range(rng.randrange(most)):
            after = state.apply(state.propose(rng))
            state = state if after.is_terminal else after
        yield state


@pytest.mark.parametrize(
    ("name", "depth", "calm"),
    [
        ("connect-four", 2, False), ("kalah", 2, False), ("breakthrough-6x6", 2, False), ("english-draughts", 2, False),
        ("breakthrough-6x6", 1, True), ("english-draughts", 2, True),
    ],
)  # fmt: skip
def test_scores_are_those_of_looking_at_every_position(name: str, depth: int, calm: bool) -> None:
    """With every action searched to the full depth: the table, the order and the windows only save time."""
    value = leaf_value(compiled(gamedsl.load(name)))
    assert value is not None
    for state in middles(name, 2, 40):
        search = Search(Position.of(state), 1, None, value)
        search.memory.rules.shape[SELECTIVE] = 0
        if not calm:
            search.memory.rules.shape[CAPTURES] = captures_kernel.NEVER
        for level in range(1, depth + 1):
            got = search.level(level, False)
            search.sort_best_first(got, False)
        assert search.actions.scores[0] == minimax(state, depth, value, calm), str(state)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("chess", captures_kernel.BY_NAME),  # a move names the square on which it takes
        ("english-draughts", captures_kernel.ALL_OR_NONE),  # whoever can take must
        ("reversi", captures_kernel.NEVER),  # every move turns discs
        ("connect-four", captures_kernel.NEVER),
    ],
)
def test_how_captures_are_recognized(name: str, how: int) -> None:
    assert captures_of(compiled(gamedsl.load(name))).how == how
