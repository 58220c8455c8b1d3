"""Finds and applies the symmetries of a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "COPY",
    "ELEMENT",
    "Canonicalizer",
    "Found",
    "Permutation",
    "ScoreOffsets",
    "Symmetry",
    "SymmetryAction",
    "SymmetrySteps",
    "acts_on_compiled_states",
    "canonicalize_owners",
    "canonicalize_scores",
    "exchanges",
    "find",
    "kept_seats",
    "score_offsets_of",
    "slots_moved",
    "symmetry_steps",
]

if TYPE_CHECKING:
    from gamedsl.lab.symmetry.canonical_states import Canonicalizer, SymmetryAction, slots_moved
    from gamedsl.lab.symmetry.compiled_symmetry import (
        COPY,
        ELEMENT,
        SymmetrySteps,
        acts_on_compiled_states,
        kept_seats,
        symmetry_steps,
    )
    from gamedsl.lab.symmetry.interchangeable_sets import canonicalize_owners, exchanges
    from gamedsl.lab.symmetry.score_offsets import ScoreOffsets, canonicalize_scores, score_offsets_of
    from gamedsl.lab.symmetry.symmetries import Found, Permutation, Symmetry, find
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "canonical_states": "Canonicalizer SymmetryAction slots_moved",
            "compiled_symmetry": "COPY ELEMENT SymmetrySteps acts_on_compiled_states kept_seats symmetry_steps",
            "interchangeable_sets": "canonicalize_owners exchanges",
            "score_offsets": "ScoreOffsets canonicalize_scores score_offsets_of",
            "symmetries": "Found Permutation Symmetry find",
        },
    )
