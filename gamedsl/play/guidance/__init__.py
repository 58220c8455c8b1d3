"""Guidance for a person who chooses a move: a sentence that says what to do now, the same in the browser and the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "COVERED",
    "IN_THE_PAGE",
    "IN_THE_TERMINAL",
    "Choice",
    "instruction",
    "words_of_kinds",
]

if TYPE_CHECKING:
    from gamedsl.play.guidance.kind_words import words_of_kinds
    from gamedsl.play.guidance.sentence import COVERED, IN_THE_PAGE, IN_THE_TERMINAL, Choice, instruction
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "kind_words": "words_of_kinds",
            "sentence": "COVERED IN_THE_PAGE IN_THE_TERMINAL Choice instruction",
        },
    )
