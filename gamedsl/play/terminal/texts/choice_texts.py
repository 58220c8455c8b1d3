"""A choice between few values in words: the question of the prompt, and the short forms that may be typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Move, State

MOST_VALUES = 6  # the most values that a prompt names
MOST_LETTERS = 52


def choice_question(state: State, moves: Sequence[Move], texts: Sequence[str]) -> str:
    """A question such as ``choose a version: 1.0 or 2.0``; empty if there are places or many values.
    ``texts``: the moves as they are shown."""
    if not 1 < len(moves) <= MOST_VALUES or any(m.args or m.kind not in ("choose", "move", "pass") for m in moves):
        return ""
    is_value = all(m.kind == "choose" for m in moves)
    subject, values = split_choice(texts) if is_value else ("", list(texts))
    if is_value and not subject and isinstance(state.terminator, n.Choose):
        subject = state.terminator.var.name.replace("_", " ")
    *first, last = values
    listed = f"{', '.join(first)} or {last}"
    question = f"choose {'an' if subject[0].lower() in 'aeiou' else 'a'} {subject}: {listed}" if subject else listed
    return question if len(question) <= MOST_LETTERS else ""


def split_choice(texts: Sequence[str]) -> tuple[str, list[str]]:
    """The first word that all values share (empty: none), and the values without it: ``version 1.0`` becomes ``1.0``."""
    parts = [text.partition(" ") for text in texts]
    subjects = {subject for subject, _, _ in parts}
    if len(subjects) == 1 and all(value for _, _, value in parts):
        return subjects.pop(), [value for _, _, value in parts]
    return "", list(texts)
