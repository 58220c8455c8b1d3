"""A move: one choice by one player, or one outcome of chance."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from gamedsl.engine.values import Stroke
from gamedsl.language.source import Span, lazy_dataclass

MoveKind = Literal["move", "pass", "choose", "chance", "drawing"]
Writer = Callable[[int, tuple[int, ...]], str]  # writes a schema and its arguments in notation


class Move:
    """A move. ``str(move)`` is its notation: unique among all moves of the game, read back by ``Game.parse_move`` in
    every state.

    ``schema`` and ``args`` are the number of its schema and the codes of its arguments (kind "move" only; a chosen
    value and a chance outcome are known by their texts). ``player`` is the seat, None for chance. Moves are immutable;
    the notation is computed when first needed.
    """

    __slots__ = ("_text", "args", "code", "drawing", "kind", "name", "player", "schema")

    kind: MoveKind
    schema: int | None
    name: str
    player: int | None
    args: tuple[int, ...]
    drawing: tuple[Stroke, ...]
    code: Any  # private to the engine that made the move
    _text: str | Writer

    def __init__(
        self,
        kind: MoveKind,
        schema: int | None,
        name: str,
        player: int | None,
        args: tuple[int, ...],
        text: str | Writer,
        drawing: tuple[Stroke, ...] = (),
        code: Any = None,
    ) -> None:
        values = (("kind", kind), ("schema", schema), ("name", name), ("player", player), ("args", args))
        for key, value in (*values, ("_text", text), ("drawing", drawing), ("code", code)):
            object.__setattr__(self, key, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move never changes: its {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move never changes: its {name} cannot be deleted")

    @property
    def text(self) -> str:
        """The notation."""
        if not isinstance(self._text, str):
            assert self.schema is not None
            object.__setattr__(self, "_text", self._text(self.schema, self.args))
        assert isinstance(self._text, str)
        return self._text

    def by(self, player: int | None) -> Move:
        """The same move, made by another player."""
        return Move(self.kind, self.schema, self.name, player, self.args, self._text, self.drawing)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return (
            f"Move(kind={self.kind!r}, schema={self.schema!r}, name={self.name!r}, player={self.player!r}, "
            f"args={self.args!r}, text={self.text!r})"
        )

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Prints the notation, in IPython and in the failing examples of Hypothesis."""
        printer.text(repr(self.text))

    @property
    def _identity(self) -> tuple[Any, ...]:
        return (self.kind, self.schema, self.name, self.player, self.args, self.drawing)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Move):
            return NotImplemented
        return self._identity == other._identity and (self._text == other._text or self.text == other.text)

    def __hash__(self) -> int:
        return hash((self._identity, None if self.kind == "move" else self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.kind, self.schema, self.name, self.player, self.args, self.text, self.drawing)

    def __copy__(self) -> Move:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Move:
        return self


@lazy_dataclass(frozen=True)
class Refusal:
    """One reason why a move is illegal: the message for the player, the clauses, and the place of the rule.
    ``look_ahead``: the reason was found by trying what comes after the move.
    """

    message: str
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    look_ahead: bool = False
