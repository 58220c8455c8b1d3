"""Guidance for a person who chooses a move: a sentence that says what to do now, the same in the browser and the terminal."""

from __future__ import annotations

from gamedsl.play.guidance.covered_places import covered_places
from gamedsl.play.guidance.instruction import COVERED, IN_THE_PAGE, IN_THE_TERMINAL, Choice, Phrases, instruction
from gamedsl.play.guidance.kind_words import KindWords, StepWords, words_of_kinds

__all__ = [
    "COVERED",
    "IN_THE_PAGE",
    "IN_THE_TERMINAL",
    "Choice",
    "KindWords",
    "Phrases",
    "StepWords",
    "covered_places",
    "instruction",
    "words_of_kinds",
]
