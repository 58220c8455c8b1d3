"""Reads a typed move: the result is a legal move, several candidates, an illegal move with the reasons, or unknown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.engine.picture import marks_at
from gamedsl.language.source import Diagnostic, GameDSLError, lazy_dataclass
from gamedsl.play.terminal.texts.choice_texts import split_choice
from gamedsl.play.terminal.texts.move_list import matching

if TYPE_CHECKING:
    from gamedsl.engine import Move, Refusal, State
    from gamedsl.play.terminal.session.session import Session


@lazy_dataclass(frozen=True)
class Legal:
    """A legal move. ``mistake``: it is only legal by mistake and must be confirmed."""

    move: Move
    mistake: bool = False


@lazy_dataclass(frozen=True)
class Illegal:
    """A move of the game that the rules forbid here."""

    move: Move
    reasons: tuple[Refusal, ...]


@lazy_dataclass(frozen=True)
class Several:
    """Text that is not a notation, but resembles these legal moves."""

    moves: tuple[Move, ...]


@lazy_dataclass(frozen=True)
class Unknown:
    """Text that cannot be a move."""

    diagnostics: tuple[Diagnostic, ...]


@lazy_dataclass(frozen=True)
class Partial:
    """Text that is not a notation, but part of exactly one legal move."""

    move: Move


Reading: TypeAlias = Legal | Illegal | Several | Partial | Unknown


def read_move(state: State, text: str, player: int, notation: str | None = None) -> Reading:
    """Interprets typed text for the player to act. Capitals, spaces and punctuation are ignored unless two legal moves
    differ only in them. ``notation``: a declared notation to try first."""
    legal = [] if state.kind == "drawing" else state.legal_moves(player)
    exact = _exact(legal, " ".join(text.split()))
    if exact and notation is None:
        return Legal(exact[0])
    try:
        move = state.game.parse_move(text, state, player, notation)
    except GameDSLError as mistake:
        return _guess(legal, text) or _read_bare(state, text, player) or Unknown(mistake.diagnostics)
    same = [m for m in legal if m == move]
    if same:
        return Legal(same[0])
    reasons = tuple(state.why_not(move))
    if not reasons:
        return Legal(move, mistake=is_mistake(state, move))
    return Illegal(move, reasons)


def _exact(legal: Sequence[Move], text: str) -> list[Move]:
    """The legal moves with this notation, or with this value as the prompt names it."""
    found = [m for m in legal if m.text == text]
    if found or any(m.kind != "choose" for m in legal):
        return found
    _, values = split_choice([m.text for m in legal])
    return [m for m, value in zip(legal, values, strict=True) if value == text]


def read_typed(session: Session, text: str, player: int) -> Reading:
    """Interprets text typed by the player to act, in which the marks chosen by players stand for their names."""
    meant = marks_at(session.state, session.marks).typed(text)
    found = read_move(session.state, meant, player, session.notation)
    if isinstance(found, Unknown) and meant != text:
        return read_move(session.state, text, player, session.notation)
    return found


def _read_bare(state: State, text: str, player: int) -> Reading | None:
    """Interprets an illegal move written with unusual spaces or punctuation (``f1 d3``)."""
    bare = _bare(text)
    if bare in ("", text):
        return None
    found = read_move(state, bare, player)
    return found if isinstance(found, Legal | Illegal) else None


def is_mistake(state: State, move: Move) -> bool:
    """Whether a move is never proposed because players make it only by mistake."""
    return move.schema is not None and state.game.program.schemas[move.schema].mistake


def mistakes_possible(state: State, player: int) -> bool:
    """Whether the player can make a move by mistake here."""
    if not any(s.mistake for s in state.game.program.schemas) or state.kind == "drawing":
        return False
    return any(is_mistake(state, m) for m in state.legal_moves(player, mistakes=True))


def _bare(text: str) -> str:
    """The text without capitals, spaces and punctuation. Everything else is kept, known or not."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c)[0] != "P")


def _tokens(text: str) -> list[str]:
    """The pieces of a notation: letters followed by a number, or a number (``e2e4`` -> ``e2``, ``e4``)."""
    return re.findall(r"[^\W\d_]+\d*|\d+", text.casefold())


def _alike(legal: Sequence[Move], text: str) -> Legal | None:
    """The only legal move that differs just in capitals, spaces and punctuation, or None."""
    found = [m for m in legal if _bare(m.text) == _bare(text)]
    return Legal(found[0]) if len(found) == 1 else None


def _is_number_of(wanted: str, move: Move) -> bool:
    """Whether stripped text is the notation of a move without its leading letters (``7`` of ``s7``)."""
    return wanted.isdigit() and re.sub(r"^[^\W\d_]+", "", _bare(move.text)) == wanted


def _is_part(wanted: str, move: Move) -> bool:
    """Whether a stripped text is the beginning of a notation, or some consecutive pieces of it."""
    if _bare(move.text).startswith(wanted):
        return True
    pieces = _tokens(move.text)
    return any("".join(pieces[i:j]) == wanted for i in range(len(pieces)) for j in range(i + 1, len(pieces) + 1))


def _guess(legal: Sequence[Move], text: str) -> Reading | None:
    """Guesses the meaning of text that is not a notation: the same except for punctuation or leading letters, or part
    of moves."""
    wanted = _bare(text)
    if not wanted:
        return None
    alike = _alike(legal, text)
    if alike is not None:
        return alike
    for rule in (_is_number_of, _is_part):
        parts = [m for m in legal if rule(wanted, m)]
        if len(parts) == 1:
            return Partial(parts[0])
    found = parts or matching(legal, text)
    return Several(tuple(found)) if found else None
