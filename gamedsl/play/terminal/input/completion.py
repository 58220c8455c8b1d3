"""Completion at the prompt: moves by their notation, and commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from gamedsl.play.terminal.input.commands import COMMANDS

_BEFORE_MOVES = ("? ", "why ", "/? ", "/why ")


class MoveCompleter(Completer):
    """Completes the whole line, because moves contain spaces; after ``why``, a move."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = moves

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor.lstrip()
        head = next((h for h in _BEFORE_MOVES if text.startswith(h)), "")
        begun = text[len(head) :]
        words = list(self.moves) if head else [*self.moves, *(name for name, _, _ in COMMANDS if begun)]
        for word in dict.fromkeys(words):
            if word.casefold().startswith(begun.casefold()) and word != begun:
                yield Completion(word, start_position=-len(begun))
