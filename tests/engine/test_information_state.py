"""What a seat has seen and done: counted in whole trees, and compared with what it observes and is told."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl import Game, State
from gamedsl.engine import announcements_at
from gamedsl.engine.play.history import steps
from tests.random_states import random_states
from tests.shipped_sample import small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
SMALL = {
    "kuhn-poker": {},
    "liars-dice": {"dice": 1, "sides": 3},
    "goofspiel": {"cards": 3, "order": "falling", "bids": "hidden"},
    "sealed-bid-auction": {},
    "rock-paper-scissors": {},
    "tic-tac-toe": {},
    "phantom-tic-tac-toe": {},
}


@cache
def game(name: str, backend: Any = "interpreter") -> Game:
    return gamedsl.load(name, backend=backend, **SMALL.get(name, small(name)))


# ------------------------------------------------------------------------------------------------- whole trees


def decisions(state: State) -> Iterator[State]:
    """Every history in which players decide, one after the other."""
    if state.kind != "chance" and not state.is_terminal:
        yield state
    for action in state.legal_actions():
        yield from decisions(state.apply_action(action))


def counted(mine: Game) -> list[int]:
    """How many information states every seat has where it acts; all histories of one have the same actions."""
    found: list[dict[str, list[int]]] = [{} for _ in range(mine.num_players)]
    for state in decisions(mine.initial_state()):
        seat = state.to_act[0]
        key, actions = state.information_state(seat).key, state.legal_actions()
        assert found[seat].setdefault(key, actions) == actions
    return [len(sets) for sets in found]


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize(
    ("name", "options", "sets"),
    [
        ("kuhn-poker", {}, [6, 6]),
        ("kuhn-poker", {"players": 3}, [16, 16, 16]),
        ("liars-dice", {"dice": 1, "sides": 3}, [96, 96]),
        ("goofspiel", {"cards": 4, "order": "falling", "bids": "hidden"}, [81, 81]),
        ("goofspiel", {"cards": 4, "order": "falling", "bids": "open"}, [161, 161]),
        ("sealed-bid-auction", {"top": 3}, [3, 3]),
    ],
)
def test_published_numbers(name: str, options: dict[str, Any], sets: list[int], backend: Any) -> None:
    assert counted(gamedsl.load(name, backend=backend, **options)) == sets


def test_leduc_poker() -> None:
    assert counted(game("leduc-poker", "native")) == [468, 468]


@pytest.mark.slow
def test_liars_dice_with_more_sides() -> None:
    assert counted(gamedsl.load("liars-dice", backend="native", dice=1, sides=4)) == [512, 512]
    assert counted(gamedsl.load("liars-dice", backend="native", dice=1, sides=6)) == [12288, 12288]


# --------------------------------------------------------------------------------------------------------- laws


def noticed(state: State, seat: int) -> str:
    """What a seat observed and did, by its observations alone: without what did not change."""
    found: list[str] = []
    last = ""
    for at, move in steps(state):
        if move is not None and move.player == seat:
            found.append(f"own {move}")
        now = at.observation(seat)
        if at.game.secrets.hides and seat in at.to_act and at.kind != "drawing":
            now["legal"] = at.legal_actions(seat)
        if not at.game.secrets.hides:
            now["told"] = [str(m) for _, m in steps(at)[: len(steps(at)) - len(at.pending)]]
        text = json.dumps(now)
        if text != last:
            found.append(text)
        last = text
    return json.dumps(found)


@pytest.mark.parametrize("name", SMALL)
def test_equal_exactly_when_nothing_could_be_noticed(name: str) -> None:
    by_key: dict[tuple[int, str], str] = {}
    by_view: dict[tuple[int, str], str] = {}
    for state in random_states(game(name), 1, 25, 8):
        for seat in range(state.game.num_players):
            key, view = state.information_state(seat).key, noticed(state, seat)
            assert by_key.setdefault((seat, key), view) == view
            assert by_view.setdefault((seat, view), key) == key


def check_told(mine: Game, plays: int, most: int) -> None:
    """An information state determines the text, what the seat was told, its own moves and its last observation."""
    known: dict[tuple[int, str], object] = {}
    told: list[list[str]] = []
    for state in random_states(mine, 1, plays, most):
        if state.past is None:
            told = [[] for _ in range(mine.num_players)]
        for seat, lines in enumerate(told):
            if state.past is not None:
                lines += [a.text for a in announcements_at(steps(state), len(state.history), seat)]
            now = state.information_state(seat)
            own = [str(m) for m in state.history if m.player == seat]
            all_of_it = now.text, list(lines), own, json.dumps(state.observation(seat))
            assert known.setdefault((seat, now.key), all_of_it) == all_of_it


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "leduc-poker", "t-tic-t-tac-toe", "backgammon"])
def test_it_determines_what_the_seat_was_told(name: str) -> None:
    check_told(game(name), 6, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SHIPPED if n != "dark-chess"])  # what is told there takes minutes
def test_every_ruleset(name: str) -> None:
    check_told(game(name), 2, 6)


@pytest.mark.parametrize("name", ["phantom-tic-tac-toe", "goofspiel", "backgammon"])
def test_both_backends_agree(name: str) -> None:
    pairs = zip(random_states(game(name), 1, 3, 10), random_states(game(name, "native"), 1, 3, 10), strict=True)
    for plain, compiled in pairs:
        for seat in (0, 1, None):
            assert plain.information_state(seat) == compiled.information_state(seat)
            assert plain.information_state(seat).text == compiled.information_state(seat).text


def test_a_failed_try_of_the_other_is_not_noticed() -> None:
    """O does not learn how often X tried a taken cell."""
    state = game("phantom-tic-tac-toe").initial_state().apply_action(4)
    once = state.apply_action(4)  # O tries the cell that X has
    assert once.to_act == (1,)
    assert once.information_state(0) == state.information_state(0)
    assert once.information_state(1) != state.information_state(1)
    assert "you: " in once.information_state(1).text


def test_the_order_of_simultaneous_choices_is_not_noticed() -> None:
    throw = game("rock-paper-scissors").initial_state()
    one, other = throw.apply_action(0, 0).apply_action(1, 1), throw.apply_action(1, 1).apply_action(0, 0)
    assert one.information_state(0) == other.information_state(0)
    assert throw.apply_action(1, 1).information_state(0) == throw.information_state(0)
    assert throw.apply_action(1, 1).information_state(1) != throw.information_state(1)


# ------------------------------------------------------------------------------------------------------ history


@pytest.mark.parametrize("backend", ["interpreter", "native"])
@pytest.mark.parametrize("name", ["backgammon", "rock-paper-scissors", "go", "phantom-tic-tac-toe"])
def test_history(name: str, backend: str) -> None:
    state, rng, moves = game(name, backend).initial_state(), random.Random(3), []
    for _ in range(8):
        if state.is_terminal:
            break
        moves.append(state.propose(rng))
        state = state.apply(moves[-1])
    assert state.history == tuple(moves)
    assert state.first_state == state.game.initial_state()
    again = pickle.loads(pickle.dumps(state))
    for _ in range(2):
        assert again == state and again.history == state.history and again.first_state == state.first_state
        assert again.information_state(0) == state.information_state(0)
        again = pickle.loads(pickle.dumps(again))
    saved = state.game.deserialize(state.serialize())
    assert saved == state and saved.history == () and saved.first_state == saved


def test_history_of_numbers() -> None:
    """Actions given by number are in the history as moves."""
    state = game("tic-tac-toe", "native").initial_state().apply_action(4).apply_action(0)
    assert [str(m) for m in state.history] == ["b2", state.game.action_text(0)]
    assert [m.player for m in state.history] == [0, 1]


def test_a_forged_history_is_refused() -> None:
    state, other = (game("tic-tac-toe").initial_state().apply_action(a) for a in (4, 0))
    make, (kind, saved, entered, _) = state.__reduce__()
    past = other.__reduce__()[1][3]
    again = make(kind, saved, entered, past)
    with pytest.raises(gamedsl.GameDSLError, match="E0520"):
        again.information_state(0)


def test_very_long_histories() -> None:
    """Forgetting a play needs no recursion."""
    state = game("pig", "native").initial_state()
    for _ in range(5_000):
        actions = state.legal_actions()
        if not actions:
            break
        state = state.apply_action(actions[0])
    assert len(state.history) > 1000
    del state


def test_facts() -> None:
    assert game("backgammon").max_chance_outcomes == 6 and game("leduc-poker").max_chance_outcomes == 6
    assert game("tic-tac-toe").max_chance_outcomes == 0
    assert (game("tic-tac-toe").min_utility, game("tic-tac-toe").max_utility) == (-1, 1)
