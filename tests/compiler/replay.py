"""Random plays as compiled rules make them, worked out again: by the engine with the same draws, or by their shares."""

from __future__ import annotations

import ctypes
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

from gamedsl.compiler.emit.random_numbers import INCREMENT, MULTIPLIER
from gamedsl.compiler.host.result_tally import read
from gamedsl.compiler.playouts.results import BINS, UNKNOWN, tally_size
from gamedsl.engine.state import Game, State
from gamedsl.language.source.diagnostic import GameDSLError

from .agree import Walker, ways
from .first_moves import most_chi_square

MASK = (1 << 64) - 1
ERROR, UNFINISHED = -1, -2
Outcome = tuple[int, tuple[float, ...]]  # plies, or a status; utilities


class Draws:
    """The numbers of one play, as ``native/playouts/generic.py`` says."""

    def __init__(self, seed: int, index: int) -> None:
        x = (seed * MULTIPLIER + (index + 1) * INCREMENT) & MASK
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            x = ((x ^ x >> shift) * factor) & MASK
        self.x = x ^ x >> 31

    def below(self, n: int) -> int:
        self.x = (self.x * MULTIPLIER + INCREMENT) & MASK
        return (self.x >> 32) * n >> 32


def replayed(game: Game, seed: int, index: int, plies: int, start: State | None = None) -> Outcome:
    """The play by the engine."""
    draws = Draws(seed, index)
    try:
        state = start or game.initial_state()
        for n in range(plies + 1):
            if state.is_terminal:
                return n, tuple(float(r) for r in state.returns)
            if n == plies:
                break
            state = state.apply(_drawn(state, draws))
    except GameDSLError:
        return ERROR, ()
    return UNFINISHED, ()


def _drawn(state: State, draws: Draws) -> Any:
    found = ways(state)
    k = draws.below(sum(w for _, _, w in found))
    for _, move, weight in found:
        k -= weight
        if k < 0:
            return move
    raise AssertionError("weights sum to what was drawn below")


def played(native: Any, seed: int, index: int, plies: int, start: State | None = None) -> Outcome:
    """The play by the entry point "playout"."""
    context = native.context(plies=plies)
    block = native.initial(context) if start is None else native.pack(start, context)
    out = (ctypes.c_double * native.num_players)()
    status = native.entry("playout")(context.pointer, ctypes.addressof(block), seed, index, ctypes.addressof(out))
    if status == ERROR:
        native.error(context)
    return status, tuple(out) if status >= 0 else ()


# ------------------------------------------------------------------------------------------------ the three forms


def one_by_one(native: Any, plays: int, seed: int, plies: int, start: State | None = None) -> Counter[Outcome]:
    """How often each end came, by "playout"."""
    context = native.context(plies=plies)
    block = native.initial(context) if start is None else native.pack(start, context)
    out = (ctypes.c_double * native.num_players)()
    found: Counter[Outcome] = Counter()
    playout = native.entry("playout")
    for index in range(plays):
        status = playout(context.pointer, ctypes.addressof(block), seed, index, ctypes.addressof(out))
        if status == ERROR:
            native.entry("error")(context.pointer, 0)  # a context keeps an error until it is asked for
        found[status, tuple(out) if status >= 0 else ()] += 1
    return found


def in_a_batch(native: Any, form: str, plays: int, seed: int, plies: int, start: State | None = None) -> Any:
    """The tally of as many plays by "batch" or "quick" (by "batch" from states that it does not know); None after a rules
    error."""
    context = native.context(plies=plies)
    block = native.initial(context) if start is None else native.pack(start, context)
    out = (ctypes.c_int64 * tally_size(native.num_players))()
    args = (context.pointer, ctypes.addressof(block), plays, seed, 0, ctypes.addressof(out))
    status = native.entry(form)(*args)
    if status == UNKNOWN:
        return in_a_batch(native, "batch", plays, seed, plies, start)
    if status < 0:
        native.error(context)
        return None
    return read([list(out)], native.num_players)


@dataclass(frozen=True)
class Ends:
    """Lengths by number of plies (the last: or more), and per player how often the utility was above, at, below 0."""

    unfinished: int
    lengths: tuple[int, ...]
    signs: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, single: Counter[Outcome], players: int, plies: int) -> Ends:
        lengths, signs = [0] * BINS, [[0, 0, 0] for _ in range(players)]
        for (status, utilities), n in single.items():
            lengths[min(plies if status < 0 else status, BINS - 1)] += n
            for p in range(players):
                u = utilities[p] if status >= 0 else 0.0
                signs[p][0 if u > 0 else 1 if u == 0 else 2] += n
        return cls(single[UNFINISHED, ()], tuple(lengths), tuple((a, b, c) for a, b, c in signs))

    @classmethod
    def told(cls, tally: Any) -> Ends:
        return cls(tally.unfinished, tally.lengths, tuple(zip(tally.wins, tally.draws, tally.losses, strict=True)))


def forms_differ(native: Any, plays: int, seed: int, plies: int, start: State | None = None) -> str:
    """Whether "playout", "batch" and "quick" end the same plays in another way; empty when they don't."""
    single = one_by_one(native, plays, seed, plies, start)
    for form in ("batch", "quick"):
        tally = in_a_batch(native, form, plays, seed, plies, start)
        if (tally is None) != (single[ERROR, ()] > 0):
            return f"{form}: an error in {single[ERROR, ()]} of the single plays, tally {tally is not None}"
        if tally is None:
            continue
        ours, theirs = Ends.of(single, native.num_players, plies), Ends.told(tally)
        if ours != theirs:
            return f"{form}: {short(ours)} and {short(theirs)}"
    return ""


def short(ends: Ends) -> str:
    some = {n: k for n, k in enumerate(ends.lengths) if k}
    return f"unfinished {ends.unfinished}, lengths {dict(list(some.items())[:20])}, signs {ends.signs}"


# ----------------------------------------------------------------------------------------------------------- shares


def stepped(native: Any, plays: int, seed: int, plies: int, start: State | None = None) -> Counter[Outcome]:
    """Random plays by "count" and "step", which are compared with the engine elsewhere."""
    walker, rng, found = Walker(native), Random(seed), Counter[Outcome]()
    first = native.initial(walker.context) if start is None else native.pack(start, walker.context)
    used = walker.context.used
    for _ in range(plays):
        ctypes.memmove(walker.at, first, native.state_size)
        walker.context.used = used
        found[_one_play(walker, rng, plies)] += 1
    return found


def _one_play(walker: Walker, rng: Random, plies: int) -> Outcome:
    for n in range(plies + 1):
        kind = walker.kind()
        if kind == 0:
            return n, tuple(walker.returns()[1])
        count = walker.count()
        k = rng.randrange(count) if count > 0 else 0
        if kind == 3:
            k = rng.choices(range(count), [walker.weight(i) for i in range(count)])[0]
        if n < plies and walker.step(k) < 0:
            walker.wrong()
            return ERROR, ()
    return UNFINISHED, ()


def far_apart(a: list[int], b: list[int], deviations: float = 5.5) -> bool:
    """Whether two samples of the same size are from different distributions; rare classes are put together."""
    pairs, rest = [], [0, 0]
    for x, y in zip(a, b, strict=True):
        if x + y >= 20:
            pairs.append((x, y))
        else:
            rest = [rest[0] + x, rest[1] + y]
    if sum(rest):
        pairs.append((rest[0], rest[1]))
    found = sum((x - y) ** 2 / (x + y) for x, y in pairs)
    return found > most_chi_square(max(2, len(pairs)), deviations)


def shares_differ(native: Any, plays: int, seed: int, plies: int, start: State | None = None) -> str:
    """In what plays by "playout" and plays by steps differ by more than chance; empty when in nothing."""
    singles = [f(native, plays, seed, plies, start) for f in (one_by_one, stepped)]
    wrong = [single[ERROR, ()] for single in singles]
    if far_apart(*([n, plays - n] for n in wrong)):
        return f"errors: {wrong}"
    if any(wrong):
        return ""
    a, b = (Ends.of(single, native.num_players, plies) for single in singles)
    if far_apart([a.unfinished, plays - a.unfinished], [b.unfinished, plays - b.unfinished]):
        return f"unfinished: {short(a)} and {short(b)}"
    if far_apart(list(a.lengths), list(b.lengths)):
        return f"lengths: {short(a)} and {short(b)}"
    for x, y in zip(a.signs, b.signs, strict=True):
        if far_apart(list(x), list(y)):
            return f"utilities: {short(a)} and {short(b)}"
    return ""
