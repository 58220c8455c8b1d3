"""The default claim about secret parameters: nobody but the mover can infer them from what they see."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamedsl.engine import Move, State, secrets_concluded
from gamedsl.lab.base import Clock, Evidence, Status, Verdict

PRIVATE = "what only the mover learns stays with the mover"
PLAYS = 8
LONGEST = 60  # plies per playout


def check_secret_parameters(start: State, clock: Clock | None = None, seed: int = 0) -> Iterator[Verdict]:
    """Yields one verdict for rulesets with moves that have secret parameters, based on some playouts."""
    if not any(p.secret for schema in start.game.program.schemas for p in schema.params):
        return
    clock = clock or Clock()
    asked = 0
    for number in range(PLAYS):
        rng, state, moves = Random(f"secrets {seed}/{number}"), start, list[Move]()
        while not state.is_terminal and len(moves) < LONGEST and not clock.is_over:
            move = state.propose(rng)
            moves.append(move)
            found = _found(state, move)
            if found is not None:
                evidence = Evidence(start, tuple(moves))
                yield Verdict(PRIVATE, Status.VIOLATED, found, evidence, default=True)
                return
            asked += 1
            state = state.apply(move)
    detail = f"in {asked:,} positions of random games nobody else could conclude it"
    yield Verdict(PRIVATE, Status.HOLDS if asked else Status.UNKNOWN, detail, default=True)


def _found(state: State, move: Move) -> str | None:
    """Returns, as a sentence, what another player can infer about a move's secret parameters; None if nothing."""
    game = state.game
    for seat in range(game.num_players):
        names = secrets_concluded(state, move, seat)
        if names:
            return f"{game.players[seat]} can conclude `{names[0]}` of `{move}` from what it sees"
    return None
