"""What a person typed -> a move, several that could be meant, an illegal one with the reasons, or nothing known."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.source import Diagnostic, GameDSLError
from gamedsl.terminal.texts.move_list import matching

if TYPE_CHECKING:
    from gamedsl.engine import Move, Refusal, State


@dataclass(frozen=True)
class Legal:
    """A legal move. ``mistake``: one that is legal by mistake only, and must be confirmed."""

    move: Move
    mistake: bool = False


@dataclass(frozen=True)
class Illegal:
    """A move of the game that the rules forbid here."""

    move: Move
    reasons: tuple[Refusal, ...]


@dataclass(frozen=True)
class Several:
    """The text is no notation, but these legal moves look like it."""

    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Unknown:
    """Nothing that could be a move."""

    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Partial:
    """The text is no notation, but it is part of this one legal move only."""

    move: Move


Reading: TypeAlias = Legal | Illegal | Several | Partial | Unknown


def read_move(state: State, text: str, player: int) -> Reading:
    """What a text means for the player who is to act. Capitals, spaces and punctuation don't matter where no two legal
    moves differ by them only."""
    legal = [] if state.kind == "drawing" else state.legal_moves(player)
    exact = [m for m in legal if m.text == " ".join(text.split())]
    if exact:
        return Legal(exact[0])
    try:
        move = state.game.parse_move(text, state, player)
    except GameDSLError as mistake:
        return _guess(legal, text) or _read_bare(state, text, player) or Unknown(mistake.diagnostics)
    same = [m for m in legal if m == move]
    if same:
        return Legal(same[0])
    reasons = tuple(state.why_not(move))
    if not reasons:
        return Legal(move, mistake=is_mistake(state, move))
    return Illegal(move, reasons)


def _read_bare(state: State, text: str, player: int) -> Reading | None:
    """What an illegal move means that is written with spaces or punctuation of the person's own (``f1 d3``)."""
    bare = _bare(text)
    if bare in ("", text):
        return None
    found = read_move(state, bare, player)
    return found if isinstance(found, Legal | Illegal) else None


def is_mistake(state: State, move: Move) -> bool:
    """Is it a move that nobody is proposed, as it is only made by mistake?"""
    return move.schema is not None and state.game.program.schemas[move.schema].mistake


def mistakes_possible(state: State, player: int) -> bool:
    """Can the player make a move by mistake here?"""
    if not any(s.mistake for s in state.game.program.schemas) or state.kind == "drawing":
        return False
    return any(is_mistake(state, m) for m in state.legal_moves(player, mistakes=True))


def _bare(text: str) -> str:
    """A text without what does not count: capitals, spaces and punctuation. Everything else stays, known or not."""
    folded = unicodedata.normalize("NFC", text).casefold()
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c)[0] != "P")


def _tokens(text: str) -> list[str]:
    """The pieces of a notation: letters with the number behind them, or a number (``e2e4`` -> ``e2``, ``e4``)."""
    return re.findall(r"[^\W\d_]+\d*|\d+", text.casefold())


def _alike(legal: Sequence[Move], text: str) -> Legal | None:
    """The one legal move that differs in capitals, spaces and punctuation only."""
    found = [m for m in legal if _bare(m.text) == _bare(text)]
    return Legal(found[0]) if len(found) == 1 else None


def _is_number_of(wanted: str, move: Move) -> bool:
    """Is it all of a move's notation but the letters in front (``7`` of ``s7``)?"""
    return wanted.isdigit() and re.sub(r"^[^\W\d_]+", "", _bare(move.text)) == wanted


def _is_part(wanted: str, move: Move) -> bool:
    """Does a bare text begin a move's notation, or is it some of its pieces in a row?"""
    if _bare(move.text).startswith(wanted):
        return True
    pieces = _tokens(move.text)
    return any("".join(pieces[i:j]) == wanted for i in range(len(pieces)) for j in range(i + 1, len(pieces) + 1))


def _guess(legal: Sequence[Move], text: str) -> Reading | None:
    """A text that is no notation: the same but for punctuation, the same but for letters in front, or part of moves."""
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
