"""The default claim about redrawing the board: a game is the same with and without redraws."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamedsl.engine import Move, PaperMark, Record, Sheet, State
from gamedsl.lab.base import Clock, Evidence, Status, Verdict
from gamedsl.language.source import lazy_dataclass

REDRAWN = "redrawing the board changes nothing"
PLAYS = 8
LONGEST = 40  # plies per playout
REFUSED = 0.1  # share of the positions in which an illegal attempt is made


@lazy_dataclass()
class Redrawing:
    """A game that is redrawn whenever possible. ``redraws``: their number; ``wrong``: what one of them broke."""

    moves: list[Move]
    redraws: int = 0
    wrong: str = ""


def check_redraws(start: State, clock: Clock | None = None, seed: int = 0) -> Iterator[Verdict]:
    """Yields one verdict for rulesets with marks that last until redrawn, based on some playouts from the first
    position.
    """
    program = start.game.program
    if not any(rule.until_redrawn for part in program.parts for rule in part.leavings):
        return
    if start != start.game.initial_state():
        return
    clock = clock or Clock()
    clock.check()
    plays = []
    for number in range(PLAYS):
        if not clock.is_over:
            plays.append(_redrawing(start, Random(f"paper {seed}/{number}"), clock))
    wrong = next((p for p in plays if p.wrong), None)
    redraws = sum(p.redraws for p in plays)
    if wrong is not None:
        evidence = Evidence(start, tuple(wrong.moves))
        yield Verdict(REDRAWN, Status.VIOLATED, wrong.wrong, evidence, default=True)
    elif redraws:
        detail = (
            f"{redraws} redraws in {len(plays)} random games left positions, marks that last, and records as they were"
        )
        yield Verdict(REDRAWN, Status.NOTED, detail, default=True)
    else:
        yield Verdict(REDRAWN, Status.UNKNOWN, f"in {len(plays)} random games none was offered", default=True)


def _redrawing(start: State, rng: Random, clock: Clock) -> Redrawing:
    """Runs a playout and keeps it on two sheets, one of which is redrawn whenever possible."""
    play, record = Redrawing([]), Record.begin(start.game, start.game.program.name)
    plain = anew = Sheet()
    state = start
    while not state.is_terminal and len(play.moves) < LONGEST and not play.wrong and not clock.is_over:
        if rng.random() < REFUSED:
            plain, anew = plain.refused(state), anew.refused(state)
        move = state.propose(rng)
        after = state.apply(move)
        plain, anew = plain.after(state, move, after), anew.after(state, move, after)
        record = record.plus_move(start.game, move)
        play.moves.append(move)
        state = after
        if anew.may_redraw:
            anew, record = anew.redrawn(), record.plus_redraw()
            play.redraws += 1
            play.wrong = _wrong(plain, anew)
    if not play.wrong and Record.parse(record.text()).replay(start.game)[-1] != state:
        play.wrong = "the record with the redraws leads to another position"
    return play


def _wrong(plain: Sheet, anew: Sheet) -> str:
    """Describes what a redraw has broken, compared with a sheet without redraws; empty if nothing."""
    if anew.may_redraw or any(x.until_redrawn for x in anew.left):
        return "something is left to redraw"
    if _lasting(plain) != _lasting(anew):
        return "a mark that lasts has changed"
    return ""


def _lasting(sheet: Sheet) -> list[PaperMark]:
    return [x for x in sheet.left if not x.until_redrawn]
