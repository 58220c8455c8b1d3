"""What a seat may believe: particles of play that it could not tell from the real one, as often as they are likely."""

from __future__ import annotations

import ctypes
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl import Game, State, UsageError
from gamedsl.agents import information_search, parse_agent
from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs import particle_filter as particle_filter_module
from gamedsl.agents.beliefs.observation_points import with_observation_points
from gamedsl.agents.beliefs.observed_ply import ply
from gamedsl.agents.beliefs.particle_filter import Belief, ParticleFilter
from gamedsl.agents.information_search import KEPT_WORKSPACES, workspace
from gamedsl.agents.position import Position, Rules, compiled
from tests.agents.play import own_game
from tests.values import codes_named

QUICK = (
    ("kuhn-poker", {"players": "3"}),
    ("leduc-poker", {}),
    ("liars-dice", {"dice": "1", "sides": "3"}),
    ("goofspiel", {"cards": "4", "bids": "hidden"}),
    ("phantom-tic-tac-toe", {}),
    ("sealed-bid-auction", {"top": "4"}),
)
DEEP = (
    ("stratego", {"army": "small", "rows": "4", "most_turns": "80"}),
    ("phantom-go", {"n": "3"}),
    ("whist", {"ranks": "4"}),
    ("macmahon-dominoes", {}),
    ("tsuro", {}),
    ("dark-chess", {}),
)


def play(game: Game, plies: int, seed: int) -> State:
    """A random play of at most so many decisions, up to one at which no choice is open."""
    state, rng, left = game.initial_state(), Random(seed), plies
    while True:
        decides = state.kind in ("player", "together")
        if decides and left <= 0 and not state.pending:
            return state
        after = state.apply(state.propose(rng) if not decides else rng.choice(state.legal_moves()))
        if after.is_terminal:
            return start_over(state)
        left -= decides
        state = after


def start_over(state: State) -> State:
    """The last state before this one at which a player decides and no choice is open."""
    while state.pending or state.kind not in ("player", "together"):
        assert state.previous is not None
        state = state.previous
    return state


def believed(state: State, seat: int, most: int) -> list[State]:
    """The states that particles of the seat's particles lead to, played on the engine."""
    particle_filter = ParticleFilter(state.game, Rules(compiled(state.game)))
    particles = particle_filter.belief(particle_filter.observed(Position.of(state).played(), seat)).particles
    rows = {particles.histories[i, : particles.counts[i, 0]].tobytes() for i in range(len(particles.states))}
    return [replayed(particle_filter, np.frombuffer(row, np.uint64)) for row in sorted(rows)[:most]]


def replayed(particle_filter: ParticleFilter, history: hashes.Hashes) -> State:
    state, words = particle_filter.of.game.initial_state(), particle_filter.initial.copy()
    last, observed = np.zeros(2, np.uint64), np.zeros(8, np.uint64)
    for code in history:
        n = hashes.actions(particle_filter.observable, particle_filter.buffers, words.ctypes.data, -1)
        k = [hashes.code_hash(particle_filter.observable, particle_filter.buffers, i) for i in range(n)].index(code)
        ply(particle_filter.observable, particle_filter.buffers, words.ctypes.data, k, np.uint64(0), 0, last, observed)
        state = state.apply(state.legal_moves()[k])
    return state


def could_be_any(game: Game, plies: int, seed: int) -> None:
    state = play(game, plies, seed)
    for seat in state.to_act:
        key = state.information_state(seat).key
        found = believed(state, seat, 12)
        assert found and all(s.information_state(seat).key == key for s in found)


@pytest.mark.parametrize(("name", "options"), QUICK)
def test_no_particle_looks_different_to_the_seat(name: str, options: dict[str, str]) -> None:
    game = load(name, options)
    for seed in range(4):
        could_be_any(game, 1 + 2 * seed, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), DEEP)
def test_no_particle_of_a_long_play_looks_different_to_the_seat(name: str, options: dict[str, str]) -> None:
    game = load(name, options)
    for seed in range(2):
        could_be_any(game, 9 + 7 * seed, seed)


def load(name: str, options: dict[str, str]) -> Game:
    given = dict(options)
    players = given.pop("players", None)
    return gamedsl.load(name, **({} if players is None else {"players": int(players)}), **given)


def exact(game: Game, known: State, seat: int) -> dict[State, float]:
    """The probability of every state that a seat may be in, if all others play at random."""
    key, depth = known.information_state(seat).key, len(known.information_state(seat).text.splitlines())
    found: Counter[State] = Counter()
    todo = [(game.initial_state(), 1.0)]
    while todo:
        state, p = todo.pop()
        mine = state.information_state(seat)
        if mine.key == key and seat in state.to_act:
            found[state] += p
            continue
        if (
            state.is_terminal
            or len(mine.text.splitlines()) >= depth
            or not known_text(known, seat).startswith(mine.text)
        ):
            continue
        if state.kind == "chance":
            todo += [(state.apply(m), p * float(q)) for m, q in state.chance_outcomes()]
        else:
            moves = state.legal_moves()
            share = 1.0 if state.to_act[0] == seat else 1.0 / len(moves)
            todo += [(state.apply(m), p * share) for m in moves]
    total = sum(found.values())
    return {s: p / total for s, p in found.items()}


def known_text(state: State, seat: int) -> str:
    return state.information_state(seat).text


def believed_shares(state: State, seat: int) -> tuple[Belief, dict[State, float]]:
    """What a seat believes, and the probabilities of the states in it."""
    game, native = state.game, compiled(state.game)
    particle_filter = ParticleFilter(game, Rules(native))
    belief = particle_filter.belief(particle_filter.observed(Position.of(state).played(), seat))
    found: Counter[State] = Counter()
    for row, share in zip(belief.particles.states, belief.shares, strict=True):
        found[native.unpack(row.tobytes()[: native.state_size], native.context(), game)] += share
    return belief, found


def distance(found: dict[State, float], wanted: dict[State, float]) -> float:
    """Total variation distance."""
    assert set(found) <= set(wanted)
    return sum(abs(found.get(s, 0.0) - p) for s, p in wanted.items()) / 2


@pytest.mark.parametrize("seed", range(3))
def test_particles_are_drawn_as_often_as_they_are_likely(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries that were refused weigh what they are worth: phantom tic-tac-toe against the sum over all games."""
    monkeypatch.setattr(particle_filter_module, "MOST_STEPS", (-1, -1, *particle_filter_module.MOST_STEPS[2:]))
    state = play(gamedsl.load("phantom-tic-tac-toe"), 4, seed)
    belief, found = believed_shares(state, state.to_act[0])
    assert not belief.is_exact
    assert distance(found, exact(state.game, state, state.to_act[0])) < 0.15


@pytest.mark.parametrize(("name", "options"), QUICK)
@pytest.mark.parametrize("seed", range(2))
def test_few_positions_are_enumerated_with_their_probabilities(name: str, options: dict[str, str], seed: int) -> None:
    state = play(load(name, options), 3, seed)
    for seat in state.to_act:
        belief, found = believed_shares(state, seat)
        assert belief.is_exact and len(found) == len(belief.particles.states)
        assert distance(found, exact(state.game, state, seat)) < 1e-9


def test_cards_of_the_rival_in_leduc_poker() -> None:
    """Counted by hand: each of the five other cards, then each of the four that are not on the table, equally often."""
    state = gamedsl.load("leduc-poker").initial_state()
    for text in ("deal queen of hearts", "deal king of spades"):
        state = state.apply(state.game.parse_move(text, state))
    for cards in (5, 4):
        belief, found = believed_shares(state, 0)
        rivals = {codes_named(s, "hand")[1]: p for s, p in found.items()}
        assert belief.is_exact and len(rivals) == cards and all(abs(p - 1 / cards) < 1e-12 for p in rivals.values())
        for text in ("raise", "call", "deal jack of hearts") if cards == 5 else ():
            state = state.apply(state.game.parse_move(text, state))


def test_a_bet_that_was_seen_is_weighed(tmp_path: Path) -> None:
    """Two cards, and a player who shows 1 where the card is 1, and may show 1 or 2 where it is 2. After a 1 it is a 1 with
    probability 2/3 (Bayes)."""
    game = own_game(tmp_path, SIGNAL)
    state = game.initial_state()
    for text in ("2", "1"):
        state = state.apply(next(m for m in state.legal_moves() if m.text.endswith(text)))
    belief, found = believed_shares(state, 1)
    assert belief.is_exact
    assert {codes_named(s, "hand")[0]: round(p, 12) for s, p in found.items()} == {
        1: round(2 / 3, 12),
        2: round(1 / 3, 12),
    }


@pytest.mark.parametrize(("name", "options"), [*QUICK, ("dark-hex", {}), ("liars-dice", {})])
def test_a_belief_that_is_carried_on_is_the_one_made_at_once(name: str, options: dict[str, str]) -> None:
    """From decision to decision, for both seats in turn and after taking moves back, as for the last decision alone."""
    state = play(load(name, options), 5, 3)
    states = [s for s in so_far(state) if s.kind in ("player", "together") and not s.pending]
    carried = ParticleFilter(state.game, Rules(compiled(state.game)))
    for s in [*states, *reversed(states)]:
        alone = load(name, options)
        whole = ParticleFilter(alone, Rules(compiled(alone)))
        seat, past = s.to_act[0], Position.of(s).played()
        known, again = carried.observed(past, seat), whole.observed(past, seat)
        assert known.choices == again.choices and (known.events == again.events).all()
        belief, fresh = carried.belief(known), whole.belief(again)
        assert belief.is_exact == fresh.is_exact
        assert (belief.particles.states == fresh.particles.states).all() and (belief.shares == fresh.shares).all()


def so_far(state: State) -> list[State]:
    """The states up to this one."""
    found = [state]
    while found[-1].previous is not None:
        found.append(found[-1].previous)
    return found[::-1]


def test_what_is_hidden_makes_no_difference() -> None:
    """The same information state and seed give the same move, whatever the other player really holds."""
    for name, options in QUICK:
        game = load(name, options)
        state = play(game, 3, 5)
        seat, agent = state.to_act[0], parse_agent("mcts:60")
        found = {str(agent.choose(s, 7, seat)) for s in [state, *believed(state, seat, 5)]}
        assert len(found) == 1


def test_a_search_from_a_set_up_position_is_refused() -> None:
    game = gamedsl.load("phantom-tic-tac-toe")
    state = play(game, 2, 1)
    elsewhere = game.deserialize(state.serialize())
    with pytest.raises(UsageError, match="what a player has seen is not known"):
        parse_agent("mcts:50").choose(elsewhere, 1)


def test_particles_that_were_drawn_in_a_hurry_serve_no_search_that_is_not_timed() -> None:
    """A time that is over leaves few particles, and what is found without a time is the same as before."""
    state = play(gamedsl.load("phantom-tic-tac-toe"), 4, 2)
    seat = state.to_act[0]

    def drawn(game: Game, deadlines: tuple[float | None, ...]) -> list[set[bytes]]:
        particle_filter = ParticleFilter(game, Rules(compiled(game)))
        known = particle_filter.observed(Position.of(state).played(), seat)
        found = [particle_filter.belief(known, deadline).particles for deadline in deadlines]
        return [{row.tobytes() for row in particles.states} for particles in found]

    (whole,) = drawn(gamedsl.load("phantom-tic-tac-toe"), (None,))
    hurried, after = drawn(gamedsl.load("phantom-tic-tac-toe"), (0.0, None))
    assert 0 < len(hurried) < len(whole) and after == whole


SIGNAL = """game "A signal"

players one, two

type card = 1..2

state
  hand: player -> 0..2, seen by owner
  shown: 0..2

move show(c: card) written "{c}"
  when c <= hand[me] "too high"
  set shown to c

move go_on written "go on"
  set shown to 0

play
  pick at random from card -> c
  set hand[one] to c
  one plays show
  two plays go_on
  win two
"""

GLANCE = """game "A glance"

players one, two

type card = 1..4

state
  hand: player -> 0..4, seen by owner
  shown: 0..4
  guessed: 0..4

move show written "show"
  set shown to hand[me]

move guess(c: card) written "{c}"
  set guessed to c

play
  pick at random from card -> c
  set hand[one] to c
  one plays show
  set shown to 0
  two plays guess
  if guessed = hand[one]
    win two
  win one
"""


def test_what_lay_open_for_a_moment_is_remembered(tmp_path: Path) -> None:
    """The card is covered again before the second player may act. Whoever has seen it knows it."""
    game = own_game(tmp_path, GLANCE)
    for seed in range(4):
        state = play(game, 1, seed)
        assert len({codes_named(s, "hand")[0] for s in believed(state, 1, 50)}) == 1
        assert parse_agent("mcts:200").choose(state, 1).text == str(codes_named(state, "hand")[0])


@pytest.mark.parametrize(("name", "options"), QUICK)
def test_pauses_change_nothing_else(name: str, options: dict[str, str]) -> None:
    """The program with observation points has the same stops and the same blocks of memory."""
    game = load(name, options)
    observable = with_observation_points(game.program)
    native = compiled(game)
    particle_filter = ParticleFilter(game, Rules(native))
    state, rng = game.initial_state(), Random(3)
    words, last, observed = particle_filter.initial.copy(), np.zeros(2, np.uint64), np.zeros(8, np.uint64)
    assert len(observable.origin) == len(observable.program.blocks) and observable.origin[
        : len(game.program.blocks)
    ] == tuple(range(len(game.program.blocks)))
    while not state.is_terminal:
        moves = state.legal_moves()
        k = rng.randrange(len(moves))
        state = state.apply(moves[k])
        ply(particle_filter.observable, particle_filter.buffers, words.ctypes.data, k, np.uint64(0), 0, last, observed)
        assert (
            ctypes.string_at(words.ctypes.data, native.value_size)
            == bytes(native.pack(state, native.context()))[: native.value_size]
        )


def test_a_search_leaves_nothing_to_the_next() -> None:
    """Memory that is kept from search to search changes no finding, with one thread or two."""
    state = play(gamedsl.load("leduc-poker"), 1, 4)
    later = play(state.game, 3, 4)
    for text in ("mcts:300", "mcts:300:threads=2"):
        alone = parse_agent(text).analyse(state, 5)
        parse_agent("mcts:9000").analyse(later, 6)
        assert parse_agent(text).analyse(state, 5) == alone


def test_memory_is_kept_for_few_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a large search needed is given back, and many searches at once leave few workspaces."""
    game = gamedsl.load("leduc-poker")
    state = play(game, 1, 4)
    parse_agent("mcts:20:threads=7").analyse(state, 1)
    spaces = vars(game)["workspaces"]
    assert len(spaces) == KEPT_WORKSPACES
    monkeypatch.setattr(information_search, "KEPT_BYTES", 0)
    tree = spaces[-1].tree
    with workspace(game) as space:
        assert space.tree is not tree and len(space.tree.node) == 1024
