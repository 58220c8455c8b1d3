"""Arguments of environments: accepted as the libraries define them, or refused with a reason."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import index
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamedsl.language.source import UsageError


def whole(value: object, what: str, least: int | None = None) -> int:
    """Returns the value as an int. Raises ``UsageError`` if it is not a whole number, or less than ``least``."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{what} must be a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise UsageError(f"{what} must be at least {least}, not {number}")
    return number


def action_of(action: SupportsIndex) -> int:
    """Returns the number of an action. Raises ``UsageError`` for anything else."""
    return whole(action, "an action")


def whole_numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> NDArray[np.int64]:
    """Returns an array of whole numbers of this shape, int64. Raises ``UsageError`` for other values, without
    rounding.
    """
    try:
        found = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{what}: {error}") from None
    if found.shape != shape:
        raise UsageError(f"{what} the shape {shape}, not {found.shape}")
    if found.dtype.kind not in "iu":
        raise UsageError(f"{what} whole numbers, not values of type {found.dtype}")
    return found.astype(np.int64, copy=False)


def no_options(options: Mapping[str, Any] | None, known: Collection[str] = ()) -> None:
    """Raises ``UsageError`` for unknown options of ``reset``."""
    unknown = sorted(set(options or {}) - set(known))
    if unknown:
        have = f"the options are {', '.join(known)}" if known else "there are none"
        raise UsageError(
            f"`reset` has no option `{unknown[0]}`: {have}", help="options of the rules belong to the game"
        )


def lanes_of(mask: ArrayLike | None, lanes: int) -> NDArray[np.bool_]:
    """Returns the lanes to restart, as bools; all by default. Raises ``UsageError`` for a wrong or empty mask."""
    if mask is None:
        return np.ones(lanes, np.bool_)
    found = np.asarray(mask)
    if found.dtype != np.bool_ or found.shape != (lanes,):
        raise UsageError(f"the mask has {lanes} bools, not the shape {found.shape} and the type {found.dtype}")
    if not found.any():
        raise UsageError("the mask chooses no lane")
    return found


def seeds_of(seed: int | Sequence[int], lanes: int) -> list[int]:
    """Returns a seed for every lane, or a single one. Raises ``UsageError`` for anything else."""
    if not isinstance(seed, Sequence | np.ndarray):
        return [whole(seed, "a seed")]
    if len(seed) != lanes or isinstance(seed, str):
        raise UsageError(f"there are {lanes} lanes, and {len(seed)} seeds")
    return [whole(s, "a seed") for s in seed]
