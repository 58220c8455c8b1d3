"""Recent outcomes of chance: dice that were rolled, things that were drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gamedsl.engine import Announcement, Move
from gamedsl.engine.picture.picture import Fallen

_TOLD = {"roll": "rolled", "pick": "picked", "draw": "drawn", "deal": "dealt", "shuffle": "shuffled"}


def participle(what: str) -> str:
    """The participle of what chance does: ``rolled`` for "roll"."""
    return _TOLD.get(what, what)


def fallen(log: Sequence[Announcement]) -> tuple[Fallen, ...]:
    """The latest outcomes of chance, as far as the log's seat may know them; nothing once two players
    have moved since."""
    movers: set[int] = set()
    outcomes: list[Move] = []
    for known in reversed(log):
        if known.player is None:
            outcomes += [known.move] if known.move is not None and known.is_whole else []
        elif outcomes:
            break
        else:
            movers.add(known.player)
            if len(movers) > 1:
                return ()
    return tuple(
        Fallen(participle(what), tuple(m.text.removeprefix(what).strip() for m in moves))
        for what, moves in groupby(reversed(outcomes), key=lambda m: m.name)
    )
