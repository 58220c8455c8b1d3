"""Regret minimization: published curves of NashConv, values, and laws of best responses."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.lab.equilibrium import Profile, RegretMinimizer, SequenceForm, sequence_form
from gamedsl.lab.equilibrium.cfr import Order, Variant
from gamedsl.lab.equilibrium.profile import best_response
from tests.lab.equilibrium.test_tree import BOAT, tree_of


@cache
def form_of(name: str, **options: Any) -> SequenceForm:
    return sequence_form(tree_of(name, **options))


ORDERS: tuple[Order, Order] = ("histories", "sequences")
HIDDEN: dict[str, Any] = {"cards": 4, "order": "falling", "bids": "hidden"}


@pytest.mark.parametrize(
    ("name", "variant", "curve"),
    [
        ("kuhn-poker", "cfr", {1: 0.91667, 10: 0.13740, 100: 0.016452, 1000: 0.0018752}),
        ("kuhn-poker", "cfr+", {1: 0.91667, 10: 0.06537, 100: 0.0023888, 1000: 0.00017473}),
        ("leduc-poker", "cfr", {1: 4.74722, 10: 1.77716, 100: 0.19143, 1000: 0.023636}),
        ("leduc-poker", "cfr+", {1: 4.74722, 10: 1.22088, 100: 0.026832, 1000: 0.00051430}),
    ],
)
def test_published_curves(name: str, variant: Variant, curve: dict[int, float]) -> None:
    solver = RegretMinimizer(form_of(name), variant)
    for iterations, published in curve.items():
        solver.run(iterations - solver.iterations)
        assert solver.average.nash_conv == pytest.approx(published, rel=1e-4)


@pytest.mark.parametrize("variant", ["cfr", "cfr+"])
@pytest.mark.parametrize(
    ("name", "options"), [("leduc-poker", {}), ("kuhn-poker", {"players": 3}), ("goofspiel", HIDDEN)]
)
def test_both_orders_of_summing_agree(name: str, options: dict[str, Any], variant: Variant) -> None:
    one, other = (RegretMinimizer(form_of(name, **options), variant, order) for order in ORDERS)
    for _ in range(4):
        one.run(12)
        other.run(12)
        assert np.allclose(one.average.strategy, other.average.strategy, atol=1e-9)


def test_iterations_may_be_run_in_pieces() -> None:
    whole, pieces = (RegretMinimizer(form_of("leduc-poker")) for _ in range(2))
    whole.run(30)
    for n in (1, 0, 17, 12):
        pieces.run(n)
    assert pieces.iterations == 30 and (whole.average.strategy == pieces.average.strategy).all()


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["cfr", "cfr+"])
@pytest.mark.parametrize(
    ("name", "options", "peer", "iterations"),
    [
        ("goofspiel", HIDDEN, "goofspiel(num_cards=4,imp_info=True,points_order=descending)", 1000),
        ("liars-dice", {"dice": 1, "sides": 4}, "liars_dice(numdice=1,dice_sides=4)", 300),
        ("kuhn-poker", {"players": 3}, "kuhn_poker(players=3)", 1000),
    ],
)
def test_curves_beside_open_spiel(name: str, options: Any, peer: str, iterations: int, variant: Variant) -> None:
    pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)")
    theirs = pyspiel.load_game(f"turn_based_simultaneous_game(game={peer})" if "goofspiel" in peer else peer)
    other = (pyspiel.CFRSolver if variant == "cfr" else pyspiel.CFRPlusSolver)(theirs)
    solver = RegretMinimizer(form_of(name, **options), variant)
    solver.run(iterations)
    for _ in range(iterations):
        other.evaluate_and_update_policy()
    assert solver.average.nash_conv == pytest.approx(pyspiel.nash_conv(theirs, other.average_policy()), rel=1e-8)


VALUES: list[Any] = [
    ("kuhn-poker", {}, -1 / 18),
    ("leduc-poker", {}, -0.085606424078),
    ("liars-dice", {"dice": 1, "sides": 3}, 1 / 9),
    ("liars-dice", {"dice": 1, "sides": 4}, 1 / 16),
    ("goofspiel", {"cards": 3, "order": "falling", "bids": "hidden"}, 0),
    ("goofspiel", HIDDEN, 0),
    ("oshi-zumo", {"coins": 5, "size": 1}, 0),
    ("oshi-zumo", {"coins": 5, "size": 2}, 0),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "passes"}, 1 / 2),
    ("dark-hex", {"rows": 2, "columns": 2, "collision": "again"}, 1),
    ("battleship", BOAT, 1 / 8),
]


@pytest.mark.parametrize(("name", "options", "value"), VALUES)
def test_published_values(name: str, options: dict[str, Any], value: float) -> None:
    solver = RegretMinimizer(form_of(name, **options))
    while solver.average.nash_conv > 1e-4 and solver.iterations < 100_000:
        solver.run(500)
    low, high = solver.average.value_bounds
    assert low - 1e-12 <= value <= high + 1e-12 and high - low <= 1e-4
    assert solver.average.values[0] == pytest.approx(value, abs=1e-4)


@pytest.mark.slow
def test_liars_dice_with_six_sides() -> None:
    solver = RegretMinimizer(form_of("liars-dice", dice=1, sides=6))
    solver.run(1000)
    low, high = solver.average.value_bounds
    assert low <= -7 / 258 <= high and high - low < 0.01


@pytest.mark.parametrize(
    ("name", "options", "best"),
    [
        ("goofspiel", HIDDEN | {"cards": 3}, 2 / 3),
        ("goofspiel", HIDDEN, 17 / 24),
        ("oshi-zumo", {"coins": 5, "size": 1}, 0.65),
        ("oshi-zumo", {"coins": 5, "size": 2}, 47 / 60),
    ],
)
def test_published_best_responses_to_uniform(name: str, options: dict[str, Any], best: float) -> None:
    profile = Profile.uniform(form_of(name, **options))
    assert profile.best_responses == pytest.approx((best, best))


# ------------------------------------------------------------------------------------------------------------ laws

SMALL = [("kuhn-poker", {}), ("kuhn-poker", {"players": 3}), ("sealed-bid-auction", {"top": 3}), ("goofspiel", HIDDEN)]


def some_profile(form: SequenceForm, seed: int) -> Profile:
    """Random strategies, some actions never taken."""
    rng = np.random.default_rng(seed)
    strategy = np.ones(form.sequences)
    for first, actions in zip(form.forms.first, form.forms.actions, strict=True):
        weights = rng.random(actions) * (rng.random(actions) < 0.7)
        strategy[first : first + actions] = weights / weights.sum() if weights.any() else 1 / actions
    return Profile(form, strategy)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(SMALL), st.integers(0, 10**6))
def test_values_are_those_of_the_tree(game: Any, seed: int) -> None:
    """Gone through backwards, node by node."""
    form = form_of(game[0], **game[1])
    tree, profile = form.tree, some_profile(form, seed)
    place = {int(number): i for i, number in enumerate(form.order)}
    worth = tree.graph.results[tree.state].copy()
    for node in range(len(tree) - 1, 0, -1):
        parent = int(tree.parent[node])
        if tree.seats[parent] < 0:
            odds = tree.chance[node] / tree.chance[parent]
        else:
            mine = profile.probabilities(place[int(tree.information_set[parent])])
            odds = mine[node - tree.first_child[parent]]
        worth[parent] += odds * worth[node]
    assert profile.values == pytest.approx(tuple(worth[0]), abs=1e-12)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(SMALL), st.integers(0, 10**6), st.integers(0, 10**6))
def test_best_responses_are_best(game: Any, seed: int, other: int) -> None:
    """No other strategy gets more, and the actions found get as much."""
    form = form_of(game[0], **game[1])
    profile, rival = some_profile(form, seed), some_profile(form, other)
    for seat in range(form.players):
        best, actions = best_response(profile, seat)
        mixed, pure = profile.strategy.copy(), profile.strategy.copy()
        own = slice(*form.forms.sequence_first[seat : seat + 2])
        mixed[own], pure[own] = rival.strategy[own], 0.0
        pure[form.forms.first[form.sets_of(seat)] + actions] = 1.0
        assert Profile(form, mixed).values[seat] <= best + 1e-12
        assert Profile(form, pure).values[seat] == pytest.approx(best, abs=1e-12)
        assert profile.gains[seat] == pytest.approx(best - profile.values[seat], abs=1e-12)


def test_three_seats_come_close_to_an_equilibrium() -> None:
    """Nothing is promised there, but Kuhn poker is known to come out well."""
    solver = RegretMinimizer(form_of("kuhn-poker", players=3))
    solver.run(1000)
    assert solver.average.nash_conv < 1e-3
    assert sum(solver.average.values) == pytest.approx(0, abs=1e-12)


def test_a_published_equilibrium_of_the_auction() -> None:
    """Values to 3: bids (0, 1, 1)."""
    form = form_of("sealed-bid-auction", top=3)
    assert not form.is_duel
    strategy = np.ones(form.sequences)
    for i, number in enumerate(form.order):
        bid = min(1, len(form.tree.actions(int(number))) - 1)
        first, actions = form.forms.first[i], form.forms.actions[i]
        strategy[first : first + actions] = np.arange(actions) == bid
    assert Profile(form, strategy).nash_conv == pytest.approx(0, abs=1e-12)
    assert Profile.uniform(form).nash_conv > 0.1
