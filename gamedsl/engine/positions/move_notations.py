"""Moves in the notations that rulesets declare.

A written move has two parts. Its *body* says which move it is; if other legal moves have the same body, a text that
tells them apart is inserted. Its *ending* says something about the state after the move, and may be left out by the
reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError, play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import tidy
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.positions.notations import Known, field_text, item_texts, notation_named, notations
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.state import State


def move_text(state: State, move: Move, name: str) -> str:
    """A move at a state in the notation of this name; its usual notation if the declared one has no rule for such
    moves.

    Raises ``GameDSLError`` if there is no such notation (E0658), or it writes no moves (E0659)."""
    return _texts(state, move_notation(state, name), move.player).text(move)


def read_in(state: State, text: str, player: int | None, name: str | None = None) -> list[Move]:
    """The legal moves that a text may stand for in a notation (``name`` None: in the first one in which it means
    something)."""
    found = [move_notation(state, name)] if name is not None else notations(state.game.program).values()
    for notation in found:
        if notation.moves:
            moves = _texts(state, notation, player).read(tidy(text))
            if moves:
                return moves
    return []


def spellings(state: State, move: Move) -> Iterator[str]:
    """The ways to write a legal move, without endings: the usual one, and one in each declared notation."""
    yield str(move)
    for notation in notations(state.game.program).values():
        if notation.moves:
            yield _texts(state, notation, move.player).body(move)


def move_notation(state: State, name: str) -> n.PublicNotation:
    """The notation of this name. Raises ``GameDSLError`` (E0658, E0659) if there is none, or it does not write
    moves."""
    notation = notation_named(state.game, name)
    if not notation.moves:
        others = [one.name for one in notations(state.game.program).values() if one.moves]
        listed = f"{', '.join(others)} writes moves" if others else "the ruleset declares none that does"
        raise play_error("E0659", f"the notation {name} writes no moves", help=listed)
    return notation


def _texts(state: State, notation: n.PublicNotation, player: int | None) -> _Texts:
    key = ("notation", notation.name, player)
    if key not in state.cache:
        state.cache[key] = _Texts(state, notation, player)
    found: _Texts = state.cache[key]
    return found


class _Texts:
    """A player's legal moves at a state, written in one notation."""

    def __init__(self, state: State, notation: n.PublicNotation, player: int | None) -> None:
        self.state = state
        self.notation = notation
        self.rules = {rule.schema: rule for rule in notation.moves}
        self.me = None if player is None else mover_of(state, player)
        self.legal = [] if state.kind in ("chance", "end", "drawing") else state.legal_moves(player)
        self.alike: dict[str, list[Move]] = {}
        self.spellings: dict[Move, list[str]] = {}
        for move in self.legal:
            self.alike.setdefault(self.spelled(move)[0], []).append(move)

    def text(self, move: Move) -> str:
        return self.body(move) + self.ending(move)

    def body(self, move: Move) -> str:
        """The body of a move: the first spelling that no other legal move shares, else the last one."""
        first, *others = self.spelled(move)
        rivals = [m for m in self.alike.get(first, ()) if m != move]
        if not rivals or not others:
            return first
        for number, text in enumerate(others, 1):
            if all(_spelling(self.spelled(m), number) != text for m in rivals):
                return text
        return others[-1]

    def spelled(self, move: Move) -> list[str]:
        """The spellings of a move: first without a distinguishing text, then with each such text."""
        if move not in self.spellings:
            rule = None if move.schema is None else self.rules.get(move.schema)
            self.spellings[move] = [str(move)] if rule is None else list(self._bodies(rule, move))
        return self.spellings[move]

    def _bodies(self, rule: n.MoveNotation, move: Move) -> Iterator[str]:
        known = dict(zip((p.id for p in rule.params), move.args, strict=True))
        if self.me is not None:
            known[rule.me.id] = self.me
        texts = [self._field(field, known) for field in rule.fields]
        yield "".join(found[0] for found in texts)
        for number in range(1, max((len(found) for found in texts), default=1)):
            yield "".join(_spelling(found, number) for found in texts)

    def _field(self, field: n.NotationField, known: Known) -> list[str]:
        if field.kind == "apart":
            return ["", *item_texts(self.state, field, known)]
        return [field_text(self.state, field, known)]

    def ending(self, move: Move) -> str:
        """The ending of a move, about the state after it; empty if the move is not legal, or the notation does not
        write it."""
        if move.schema not in self.rules or not self.notation.endings or move not in self.legal:
            return ""
        try:
            after = self.state.apply(move)
        except RulesError:  # it is reported when the move is made
            return ""
        known = {} if self.me is None else {self.notation.me.id: self.me}
        won = sum(1 << p for p in after.winners) if after.is_terminal else 0
        return "".join(
            field_text(after, e.field, {**known, e.over.id: int(after.is_terminal), e.winners.id: won})
            for e in self.notation.endings
        )

    def read(self, text: str) -> list[Move]:
        """The legal moves that a text stands for: those whose body it is, else those with this spelling, with or
        without an ending. Moves that match in the exact case come first."""
        bare = _without(text, self._endings())
        for change in (_same, str.casefold):
            for wanted in dict.fromkeys((change(text), change(bare))):
                for texts in (self._body_alone, self.spelled):
                    found = [m for m in self.legal if m.schema in self.rules and wanted in map(change, texts(m))]
                    if found:
                        return found
        return []

    def _body_alone(self, move: Move) -> list[str]:
        return [self.body(move)]

    def _endings(self) -> list[str]:
        """The endings that may follow moves."""
        templates = (template for e in self.notation.endings for template, _ in e.field.items)
        return ["".join(t) for t in templates if all(isinstance(p, str) for p in t)]  # type: ignore[arg-type]


def _same(text: str) -> str:
    return text


def _spelling(spelled: list[str], number: int) -> str:
    """The spelling with this number; the last one if there are fewer."""
    return spelled[min(number, len(spelled) - 1)]


def _without(text: str, endings: Iterable[str]) -> str:
    """The text without the endings it has."""
    for ending in sorted(endings, key=len, reverse=True):
        text = text.removesuffix(ending) if ending else text
    return text.strip()
