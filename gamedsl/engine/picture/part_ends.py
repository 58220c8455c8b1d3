"""The ends of the parts of a game: the last board that is shown, and a sentence for each end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from gamedsl.engine import NotKnown, evaluate_at
from gamedsl.engine.picture import looks
from gamedsl.language.core import nodes as n
from gamedsl.language.core import reached, targets, words

if TYPE_CHECKING:
    from gamedsl.engine import Game, PartEnd, State


def part_shown(program: n.Program, active: n.Part) -> n.Part:
    """The part whose board is drawn while a part is played: that part, or the whole game if only that has a board."""
    whole = program.parts[0]
    return active if has_board(active) or not has_board(whole) else whole


def has_board(part: n.Part) -> bool:
    return part.board is not None or part.drawing is not None


def last_board(state: State) -> PartEnd | None:
    """The end of the part whose last board is shown until the next ply: the newest one with a board, unless the board
    of another part is needed now; None if there is none."""
    program = state.game.program
    ends = [end for end in state.ended if end.part and has_board(program.parts[end.part])]
    here = part_shown(program, program.parts[state.part])
    return ends[-1] if ends and (not has_board(here) or here.index == ends[-1].part) else None


def newest_end(ended: Sequence[PartEnd], part: int) -> int | None:
    """The index of the last end of a part; None if it has not ended."""
    return max((i for i, end in enumerate(ended) if end.part == part), default=None)


def reason_text(block: n.Block) -> str:
    """The reason why a part ends with a block, to be put after the result: `` (three in a row) [2.03c]``."""
    if block.reason is None:
        return ""
    text = f" ({block.reason.text})" if block.reason.text else ""
    return text + (f" [{', '.join(block.reason.clauses)}]" if block.reason.clauses else "")


def outcome_of(state: State) -> str:
    """The outcome of a game and the reason, in words; empty while it is in progress."""
    return state.outcome_text + reason_text(state.game.program.blocks[state.block]) if state.is_terminal else ""


def ends_told(ended: Sequence[PartEnd], all_ended: Sequence[PartEnd]) -> list[str]:
    """A sentence for each of some ends: ``Game 2: X (one) wins (three in a row) [3.1.05]``. ``all_ended``: all ends so
    far, in order, from which games get their numbers. If parts of several kinds are repeated, the title of the part
    follows the number: ``Game 2 (Small Game)``."""
    return [f"{_head(end, all_ended)}: {_result(end)}{reason_text(_block(end))}" for end in ended if end.part]


def _head(end: PartEnd, all_ended: Sequence[PartEnd]) -> str:
    program = end.last.game.program
    part, number = program.parts[end.part], _number(end, all_ended)
    if number and has_board(part) and is_repeated(program, end.last.block):
        return f"Game {number}{kind_of_game(end.last.game, part)}"
    return part.title or words(part.name).capitalize()


def kind_of_game(game: Game, part: n.Part) -> str:
    """`` (Small Game)``: the title of a part, if another part has numbered games too; else empty. Where it has no
    title of its own, its name."""
    program = game.program
    numbered = {program.blocks[i].part for i in game.endings if is_repeated(program, i)} - {0, part.index}
    others = [other for other in map(program.parts.__getitem__, numbered) if has_board(other)]
    if not others:
        return ""
    titled = part.title and part.title not in [other.title for other in others]
    return f" ({part.title if titled else words(part.name)})"


def _number(end: PartEnd, all_ended: Sequence[PartEnd]) -> int:
    """The number of a game among those of its part; 0 if unknown."""
    same = [one for one in all_ended if one.part == end.part]
    return next((i for i, one in enumerate(same, 1) if one is end), 0)


def _block(end: PartEnd) -> n.Block:
    return end.last.game.program.blocks[end.last.block]


def is_repeated(program: n.Program, block: int) -> bool:
    """Whether the part that ends with a block can be played again."""
    part = program.blocks[block].part
    return any(program.blocks[i].part == part for i in reached(program, targets(program.blocks[block].end)))


def _result(end: PartEnd) -> str:
    names = [_named(end, name) for name in end.winners]
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'win'}" if names else "nobody wins"


def _named(end: PartEnd, name: str) -> str:
    """A winner by the name that the player has in the part, followed by the name outside it."""
    part, players = end.last.game.program.parts[end.part], end.last.game.players
    for own, seat in zip(part.players.names, part.seats, strict=True):
        with suppress(NotKnown):
            if players[evaluate_at(end.last, seat)] == name and own != name:
                return f"{words(own)} ({words(name)})"
    return words(name)


def what_follows(state: State, end: PartEnd, all_ended: Sequence[PartEnd]) -> str:
    """A line that says what is played next, while the last board of a part is still shown."""
    active, number = state.game.program.parts[state.part], _number(end, all_ended)
    if state.is_terminal:
        return ""
    if active.index == end.part:
        return f"Next: game {number + 1}, on a new board" if number else "Next: a new board"
    following = active.title if active.index else words(state.phase)
    return f"Next: {following}" if following else ""


def part_over(before: State, after: State, viewer: int | None, all_ended: Sequence[PartEnd]) -> list[str]:
    """The lines for a viewer when a ply has ended parts of the game: how they ended, and what has changed around them.
    ``all_ended``: the ends of all parts so far."""
    part = before.game.program.parts[before.part]
    if before.part == 0 or (after.part == before.part and before.part not in after.entered):
        return []
    known, new = looks.LookResult(), looks.LookResult()
    looks.look(before.seen_by(viewer), before.game.program.parts[0], known, (), beside_only=True)
    looks.look(after.seen_by(viewer), before.game.program.parts[0], new, (), beside_only=True)
    over = ends_told(after.ended, all_ended) or [f"{part.title or part.name} is over"]
    return [*over, *(aside.text for aside in new.asides if aside not in known.asides)]
