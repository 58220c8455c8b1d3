"""The signs that a look lets players choose, and those that it shows until they do."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.core import nodes as n
from gamedsl.language.core.appearance import constant_bindings, filled_sign, owner_of, words


def chosen_signs(part: n.Part) -> tuple[str, ...]:
    """Returns, by player of the part, the sign that the look shows until the player chooses another; empty for a
    player whose sign is fixed.
    """
    found = {owner: sign for mark in part.looks if mark.chosen for owner, sign in signs_left_to(mark) if owner and sign}
    return tuple(found.get(words(name), "") for name in part.players.names)


def signs_left_to(mark: n.Mark) -> Iterator[tuple[str, str]]:
    """Yields the owner of the pieces that a rule shows, and their sign, for all values of its loops; empty strings
    where there is not exactly one.
    """
    for bound in constant_bindings(mark):
        owner = owner_of(mark, bound)
        yield ("" if owner is None else owner[0]), filled_sign(mark.text, bound) or ""


def fixed_signs(part: n.Part) -> frozenset[str]:
    """Returns the signs that the look shows on the board and that players cannot change."""
    shown = (mark for mark in part.looks if mark.kind in ("show", "border") and not mark.chosen)
    found = {filled_sign(mark.text, bound) for mark in shown for bound in constant_bindings(mark)}
    found |= {filled_sign(leaving.text, {}) for leaving in part.leavings if leaving.on and not leaving.is_path}
    return frozenset(sign for sign in found if sign)
