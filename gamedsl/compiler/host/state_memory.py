"""What the memory of states needs of compiled rules: its layout, and the places of noted positions and drawings."""

from __future__ import annotations

from typing import Any, Protocol

from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.language.core import nodes as n


class KeepsNotes(Protocol):
    """Rules that may note positions and have drawings, as a context needs them."""

    @property
    def has_history(self) -> bool:
        """Whether positions are noted."""

    @property
    def drawings(self) -> Any:
        """The records of the drawings, as words."""


class KeepsStates(KeepsNotes, Protocol):
    """Rules whose states are blocks of bytes."""

    @property
    def program(self) -> n.Program:
        """The rules."""

    @property
    def frame(self) -> Frame:
        """The layout of a block."""

    @property
    def noted_types(self) -> dict[int, tuple[n.VarT, ...]]:
        """For each history, by the index of its variable, the types of the values in its positions."""

    @property
    def known_positions(self) -> dict[int, dict[tuple[int, ...], tuple[int, ...]]]:
        """By history: the words of positions that have been read, and their values."""

    @property
    def known_entries(self) -> dict[int, dict[tuple[int, ...], list[int]]]:
        """By history: positions that have been written, and their entries without the number of the one before."""

    @property
    def pool(self) -> Any:
        """The drawings by their handles."""
