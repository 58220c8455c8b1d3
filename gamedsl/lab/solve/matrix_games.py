"""Zero-sum matrix games: the value of a simultaneous choice by two players."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from gamedsl.language.source import lazy_dataclass

Number = TypeVar("Number", Fraction, float)
SLACK = 1e-12  # smaller magnitudes are treated as zero, for floats


@lazy_dataclass(frozen=True)
class MatrixValue(Generic[Number]):
    """The value for the row player, and each player's optimal mixed strategy."""

    value: Number
    rows: tuple[Number, ...]
    columns: tuple[Number, ...]


def matrix_value(payoff: Sequence[Sequence[Number]]) -> MatrixValue[Number]:
    """Solves a matrix game; ``payoff[i][j]`` is the row player's payoff (at least one row and column).

    Exact for fractions. Returns a pure saddle point if there is one; else solves the linear program of Dantzig
    (1951) by the simplex method with Bland's rule: with entries shifted to be positive, maximize sum y under A y
    <= 1, y >= 0. The value is 1 / sum y, the column player's strategy y / sum y, the row player's the dual.
    """
    saddle = _saddle(payoff)
    return saddle if saddle is not None else _by_simplex(payoff)


def _saddle(a: Sequence[Sequence[Number]]) -> MatrixValue[Number] | None:
    worst = [min(row) for row in a]
    best = [max(row[j] for row in a) for j in range(len(a[0]))]
    value = max(worst)
    if value != min(best):
        return None
    row, column = worst.index(value), best.index(value)
    one, none = value - value + 1, value - value
    rows = tuple(one if i == row else none for i in range(len(a)))
    columns = tuple(one if j == column else none for j in range(len(a[0])))
    return MatrixValue(value, rows, columns)


def _by_simplex(a: Sequence[Sequence[Number]]) -> MatrixValue[Number]:
    lift = 1 - min(min(row) for row in a)
    m, n = len(a), len(a[0])
    zero = lift - lift
    table = [
        [x + lift for x in row] + [zero + (1 if k == i else 0) for k in range(m)] + [zero + 1]
        for i, row in enumerate(a)
    ]
    costs = [zero - 1] * n + [zero] * (m + 1)
    basis = list(range(n, n + m))
    nothing = SLACK if isinstance(zero, float) else 0
    while (column := next((j for j in range(n + m) if costs[j] < -nothing), None)) is not None:
        row = _leaving(table, basis, column, nothing)
        _pivot(table, costs, row, column)
        basis[row] = column
    total = costs[-1]
    y = [zero] * (n + m)
    for row, column in enumerate(basis):
        y[column] = table[row][-1]
    value = 1 / total - lift
    return MatrixValue(value, tuple(c / total for c in costs[n : n + m]), tuple(x / total for x in y[:n]))


def _leaving(table: list[list[Number]], basis: list[int], column: int, nothing: float) -> int:
    """Returns the row of the leaving variable: minimum ratio; ties go to the variable with the least number, which
    prevents cycling.
    """
    rows = [i for i, row in enumerate(table) if row[column] > nothing]
    return min(rows, key=lambda i: (table[i][-1] / table[i][column], basis[i]))


def _pivot(table: list[list[Number]], costs: list[Number], row: int, column: int) -> None:
    scale = table[row][column]
    table[row] = [x / scale for x in table[row]]
    for i, other in enumerate(table):
        if i != row:
            _subtract(other, table[row], column)
    _subtract(costs, table[row], column)


def _subtract(other: list[Number], pivot: list[Number], column: int) -> None:
    """Subtracts a multiple of the pivot row from another row to make its entry in the column zero."""
    factor = other[column]
    if factor:
        other[:] = [x - factor * p for x, p in zip(other, pivot, strict=True)]
