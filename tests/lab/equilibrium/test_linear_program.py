"""Equilibria by linear programs: published values, and agreement with regret minimization."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from gamedsl.lab.equilibrium import RegretMinimizer
from gamedsl.lab.equilibrium.linear_program import solve_linear_program
from gamedsl.language.source import ExitCode, GameDSLError, UsageError
from tests.lab.equilibrium.test_cfr import VALUES, form_of


@pytest.mark.parametrize(("name", "options", "value"), VALUES)
def test_published_values(name: str, options: dict[str, Any], value: float) -> None:
    found = solve_linear_program(form_of(name, **options))
    low, high = found.value_bounds
    assert low == pytest.approx(value, abs=1e-9) and high == pytest.approx(value, abs=1e-9)
    assert found.nash_conv < 1e-9


@pytest.mark.slow
def test_liars_dice_with_six_sides() -> None:
    found = solve_linear_program(form_of("liars-dice", dice=1, sides=6))
    assert found.value_bounds == pytest.approx((-7 / 258, -7 / 258), abs=1e-6)


@pytest.mark.slow
def test_dark_hex_on_two_rows_of_three() -> None:
    form = form_of("dark-hex", rows=2, columns=3, collision="passes")
    assert (form.tree.set_counts, len(form.tree), len(form.tree.ends)) == ([4033, 2725], 149_953, 75_578)
    assert solve_linear_program(form).value_bounds == pytest.approx((9 / 11, 9 / 11), abs=1e-6)
    solver = RegretMinimizer(form)
    solver.run(3000)
    assert solver.average.values[0] == pytest.approx(9 / 11, abs=1e-4)


def test_regret_minimization_brackets_it() -> None:
    form = form_of("leduc-poker")
    value = solve_linear_program(form).values[0]
    solver = RegretMinimizer(form, order="sequences")
    for _ in range(4):
        solver.run(100)
        low, high = solver.average.value_bounds
        assert low <= value + 1e-9 and value - 1e-9 <= high
    assert high - low == pytest.approx(solver.average.nash_conv)


@pytest.mark.slow
def test_where_the_simplex_method_stalls() -> None:
    """Dark hex on three rows of two: the simplex method is not done after four minutes. The value was found by the interior-point method
    and confirmed by exact best responses."""
    form = form_of("dark-hex", rows=3, columns=2, collision="passes")
    assert solve_linear_program(form).value_bounds == pytest.approx((-1 / 8, -1 / 8), abs=1e-9)


def test_the_time_reaches_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def linprog(*_: Any, **program: Any) -> Any:
        given.append(program["options"]["time_limit"])
        return SimpleNamespace(status=1)  # the limit was reached

    monkeypatch.setattr("scipy.optimize.linprog", linprog)
    with pytest.raises(GameDSLError, match="within 40 seconds") as error:
        solve_linear_program(form_of("kuhn-poker"), 40)
    assert 0 < given[0] <= 40 and error.value.exit_code == ExitCode.BOUND


def test_the_simplex_method_where_the_first_one_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy.optimize import linprog as solver

    def linprog(*rest: Any, method: str, **program: Any) -> Any:
        return SimpleNamespace(status=4) if method == "highs-ipm" else solver(*rest, method=method, **program)

    monkeypatch.setattr("scipy.optimize.linprog", linprog)
    assert solve_linear_program(form_of("kuhn-poker")).values[0] == pytest.approx(-1 / 18)


def test_only_duels() -> None:
    for options in ({"players": 3}, None):
        form = form_of("kuhn-poker", **options) if options else form_of("sealed-bid-auction", top=3)
        with pytest.raises(UsageError, match="two players whose results always have the same sum"):
            solve_linear_program(form)


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(UsageError, match="SciPy is not installed"):
        solve_linear_program(form_of("kuhn-poker"))
