"""Compares a mutant with the original along games, and shortens a game that distinguishes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from itertools import count
from random import Random
from typing import Any, TypeAlias

from gamedsl.compiler import Native
from gamedsl.engine import Game, Move, State
from gamedsl.lab.mutation.compiled_mutants import MOST_PLIES, CompiledPlays, can_compile, label_of
from gamedsl.lab.mutation.difference import Difference, told
from gamedsl.lab.mutation.effort import Effort, TimedEffort
from gamedsl.lab.mutation.limited_time import Overtime, time_limit
from gamedsl.lab.mutation.plays import Label, Node, Nodes, Recorded, Recording, Start, key_of
from gamedsl.lab.simulate import Plan, moves_of
from gamedsl.language.source import GameDSLError, lazy_dataclass

STEP_SECONDS = 5.0  # for one move of a mutant; beyond that a rule counts as nonterminating
FEW_PAIRS, MOST_PAIRS = (
    100,
    20_000,
)  # positions compared breadth first: in games too large to compare completely, and in others
WHOLE_STATES = 6000  # of a game that is compared completely
ALONG_SHARE = 1 / 3  # share of the time for playouts compared move by move, if compiled ones follow
FOLLOWED_SECONDS = 2.0  # along a game of compiled rules that differs
SHORTER_SECONDS, SHORTEN_SECONDS = 1.0, 2.0  # to find other games that show a difference sooner; to remove moves

Begin: TypeAlias = Callable[[Start], State]


@lazy_dataclass(frozen=True)
class Comparison:
    """A difference, or none in this many playouts. ``proved``: there is none in any game."""

    difference: Difference | None = None
    proved: bool = False
    plays: int = 0


@lazy_dataclass(frozen=True)
class Played:
    """Random games of compiled rules, by the same seed, which were made of both versions from the only start. ``number``:
    that of a game that differs; None if there is none. ``every``: see ``Plan``."""

    number: int | None
    every: int = 1


class Comparer:
    """Holds the original's positions and playouts, which serve all mutants. ``seconds``: of playouts, in terms of
    ``effort``. ``large``: starts of games that are known to have too many positions to compare them all. ``shortening``: a
    share of the usual effort to shorten games. ``code_of``: see ``CompiledPlays``."""

    def __init__(
        self, begin: Begin, starts: Sequence[Start], seed: int, seconds: float, effort: Effort | None = None,
        large: Collection[Start] = (), shortening: float = 1.0, code_of: Callable[[Game], Native] | None = None,
    ) -> None:  # fmt: skip
        self.seconds = seconds
        self.effort = effort or TimedEffort()
        self.seed = seed
        self.starts: dict[Start, Node] = {}
        for start in starts:
            try:
                self.starts[start] = Node.of(begin(start))
            except GameDSLError:
                continue  # the original rules fail there
        self.shortening = shortening
        self._large = set(large)
        self._whole: dict[Start, bool] = dict.fromkeys(large, False)
        self._probing = self.effort.whole
        self._recordings = {start: Recording(start, node, seed) for start, node in self.starts.items()}
        self.compiled = CompiledPlays(seed, self.effort, code_of)
        self._ways: dict[Hashable, dict[Label, Node | None]] = {}
        self._nodes = Nodes()

    def compare(self, begin: Begin, starts: Sequence[Start], played: Played | None = None) -> Comparison:
        """Compares a mutant; ``begin`` returns its state for each of the ``starts``. ``played``: the games of compiled
        rules, if they were made already."""
        pairs: dict[Start, Node] = {}
        for start in (s for s in starts if s in self.starts):
            node = _guarded(lambda start=start: Node.of(begin(start)))  # type: ignore[misc]
            what = told(self.starts[start].sight, node)
            if what is not None:
                return Comparison(_difference(start, (), what))
            assert isinstance(node, Node)
            pairs[start] = node
        proved = True
        for start in (s for s in pairs if s.example is None):
            found, whole = self._breadth_first(start, pairs[start])
            if found is not None:
                return Comparison(found)
            proved = proved and whole
        if proved:
            return Comparison(proved=True)
        if played is not None and played.number is not None:
            (start,) = pairs
            found = self._in_game(start, pairs[start], played.number, played.every)
            if found is not None:
                return Comparison(found)
        compilable = all(can_compile(node.state.game) for node in pairs.values())
        found_along = self._along_plays(pairs, self.seconds * (ALONG_SHARE if compilable else 1.0))
        is_tried = played is not None and (played.number is None or self._large.issuperset(pairs))
        if found_along.difference is not None or is_tried:
            return found_along
        return self._by_compiled(pairs, found_along.plays)

    # ----------------------------------------------------------------------------------------------- breadth first

    def _breadth_first(self, start: Start, mutant: Node) -> tuple[Difference | None, bool]:
        """Returns the nearest difference within the bound, and whether all positions of the game were compared."""
        most = MOST_PAIRS if self._is_small(start) else FEW_PAIRS
        whole, rng = True, Random(self.seed)
        is_bounded = start in self._large or (self.shortening < 1 and most == FEW_PAIRS)
        until = self.effort.now() + self.seconds
        seen, others = {(key_of(self.starts[start].state), key_of(mutant.state))}, Nodes()
        todo: deque[tuple[Node, Node, tuple[Label, ...]]] = deque([(self.starts[start], mutant, ())])
        while todo:
            original, mutant, labels = todo.popleft()
            whole = whole and original.sight.kind != "drawing"
            for label in original.labels(rng):
                after = self._after(original, label)
                if after is None:
                    continue
                other = _guarded(lambda node=mutant, label=label: others.then(node, label))  # type: ignore[misc]
                what = told(after.sight, other)
                if what is not None:
                    return _difference(start, (*labels, label), what), False
                assert isinstance(other, Node)
                pair = key_of(after.state), key_of(other.state)
                if pair in seen:
                    continue
                if is_bounded:
                    self.effort.count(2, after.listed + other.listed)
                if len(seen) >= most or (is_bounded and self.effort.now() > until):
                    return None, False
                seen.add(pair)
                todo.append((after, other, (*labels, label)))
        return None, whole

    def _after(self, node: Node, label: Label) -> Node | None:
        """Returns the original's position after a move, cached; None if its rules fail."""
        known = self._ways.setdefault(key_of(node.state), {})
        if label not in known:
            try:
                known[label] = self._nodes.then(node, label)
            except GameDSLError:
                known[label] = None
        return known[label]

    def _is_small(self, start: Start) -> bool:
        """Whether the game has few enough positions to compare them all."""
        if start not in self._whole:
            began = self.effort.now()
            seen, todo, rng = {key_of(self.starts[start].state)}, [self.starts[start]], Random(self.seed)
            for node in todo:
                if (
                    len(seen) > WHOLE_STATES
                    or self.effort.now() - began > self._probing
                    or node.sight.kind == "drawing"
                ):
                    break
                for label in node.labels(rng):
                    after = self._after(node, label)
                    self.effort.count(1, 0 if after is None else after.listed)
                    if after is not None and key_of(after.state) not in seen:
                        seen.add(key_of(after.state))
                        todo.append(after)
            else:
                self._whole[start] = True
            self._probing -= self.effort.now() - began
            if not self._whole.setdefault(start, False):
                self._ways.clear()
                self._nodes = Nodes()
        return self._whole[start]

    # ----------------------------------------------------------------------------------------------- random plays

    def _along_plays(self, pairs: Mapping[Start, Node], seconds: float) -> Comparison:
        """Compares along playouts of the original, as many as time allows.

        They are generated once for all mutants; time to generate and time to compare are limited separately.
        """
        plays, spent, made = 0, 0.0, 0.0
        for number in count():
            for start, mutant in pairs.items():
                began = self.effort.now()
                play = self._recordings[start].play(number)
                self._count(play)
                ready = self.effort.now()
                found = _along(play, mutant, self.seed + number)
                self._count(play)
                if found is not None:
                    return Comparison(self._shortened(*self._shorter(pairs, play, *found)))
                plays += 1
                made += ready - began
                spent += self.effort.now() - ready
                if spent > seconds or made > seconds:
                    return Comparison(plays=plays)
        raise AssertionError("counting does not end")

    def _count(self, play: Recorded, most: int | None = None) -> None:
        """Notes a playout whose positions were made or compared. One from an end counts too."""
        nodes = play.nodes if most is None else play.nodes[: most + 1]
        self.effort.count(len(nodes), sum(node.listed for node in nodes))

    def _by_compiled(self, pairs: Mapping[Start, Node], plays: int) -> Comparison:
        """Compares along many more playouts on compiled rules; ``plays``: how many were compared already."""
        play, more = self.compiled.differing(self.starts, pairs, self.seconds)
        found = None if play is None else self._in_play(play, pairs[play.start])
        return Comparison(plays=plays + more) if found is None else Comparison(found)

    def _in_play(self, play: Recorded, mutant: Node) -> Difference | None:
        """Returns the difference that a playout shows, as short as possible; None if it shows none."""
        found = _along(play, mutant, self.seed)
        self._count(play, found[0] if found is not None else None)
        return None if found is None else self._shortened(play, mutant, *found)

    def _in_game(self, start: Start, mutant: Node, number: int, every: int) -> Difference | None:
        """Returns the difference that a random game shows, as short as possible; None if it shows none, or not within
        ``FOLLOWED_SECONDS``."""
        original, until = self.starts[start], self.effort.now() + FOLLOWED_SECONDS
        labels: list[Label] = []
        found: list[str] = []

        def suffices(moves: Sequence[Move]) -> bool:
            nonlocal original, mutant
            if moves:
                labels.append(label_of(moves[-1], original))
                after = _guarded(lambda: original.then(labels[-1]))
                if not isinstance(after, Node):  # the original rules fail there
                    return True
                other = _guarded(lambda: mutant.then(labels[-1]))
                what = told(after.sight, other)
                found.extend([] if what is None else [what])
                if what is not None:
                    return True
                original, mutant = after, other
            self.effort.count(3, 3 * original.listed)
            return self.effort.now() > until

        first = mutant
        plan = Plan.of(original.state.game, start=original.state, seed=self.seed, most=MOST_PLIES, every=every)
        moves_of(plan, number, suffices)
        if not found:
            return None
        return self._shortened(Recorded(start, (), tuple(labels)), first, len(labels), found[0])

    def _shorter(
        self, pairs: Mapping[Start, Node], play: Recorded, length: int, what: str
    ) -> tuple[Recorded, Node, int, str]:
        """Returns the recorded playout that shows a difference soonest, with the mutant's start, its length and the
        difference.
        """
        best, until = (play, pairs[play.start], length, what), self.effort.now() + self.shortening * SHORTER_SECONDS
        for number in count():
            for start, mutant in pairs.items():
                other = self._recordings[start].play(number)
                found = _along(other, mutant, self.seed + number, best[2] - 1)
                self._count(other, best[2] - 1)
                if found is not None:
                    best = other, mutant, *found
                if self.effort.now() > until or best[2] <= 1:
                    return best
        raise AssertionError("counting does not end")

    def _shortened(self, play: Recorded, mutant: Node, length: int, what: str) -> Difference:
        """Returns the difference after the first ``length`` moves of a playout, minimized by removing moves (delta
        debugging).
        """
        best, until = list(play.labels[:length]), self.effort.now() + self.shortening * SHORTEN_SECONDS
        size = max(1, len(best) // 2)
        while best and self.effort.now() < until:
            at = 0
            while at < len(best) and self.effort.now() < until:
                found = self._replayed(self.starts[play.start], mutant, best[:at] + best[at + size :], until)
                if found is None or len(found[0]) >= len(best):
                    at += size
                else:
                    best, what = list(found[0]), found[1]
            if size == 1:
                break
            size //= 2
        return _difference(play.start, best, what)

    def _replayed(
        self, original: Node, mutant: Node, labels: Sequence[Label], until: float
    ) -> tuple[tuple[Label, ...], str] | None:
        """Replays moves, skipping illegal ones, up to the first difference; None if there is none."""
        done: list[Label] = []
        for label in labels:
            if self.effort.now() > until:
                return None
            self.effort.count(1)
            if not original.can(label):
                continue
            try:
                original = original.then(label)
            except GameDSLError:
                return None
            done.append(label)
            self.effort.count(1, original.listed)
            other = _guarded(lambda node=mutant, label=label: _then(node, label))  # type: ignore[misc]
            what = told(original.sight, other)
            if what is not None:
                return tuple(done), what
            assert isinstance(other, Node)
            mutant = other
        return None


def _along(play: Recorded, mutant: Node, seed: int, most: int | None = None) -> tuple[int, str] | None:
    """Returns the number of moves, at most ``most``, after which the mutant differs, and the difference."""
    steps = zip(play.labels[:most], play.nodes, play.nodes[1:], strict=False)
    for number, (label, before, after) in enumerate(steps, 1):
        if before.sight.kind == "drawing":
            refused = _drawing_refused(before, mutant, seed)
            if refused is not None:
                return number - 1, refused
        other = _guarded(lambda node=mutant, label=label: _then(node, label))  # type: ignore[misc]
        what = told(after.sight, other)
        if what is not None:
            return number, what
        assert isinstance(other, Node)
        mutant = other
    return None


def _drawing_refused(original: Node, mutant: Node, seed: int) -> str | None:
    """Returns the original's objection to a drawing that the mutant's generator proposes; None if it is legal there."""
    drawn = _guarded(lambda: mutant.state.propose(Random(seed)))
    if isinstance(drawn, str):
        return drawn
    reasons = original.state.why_not(drawn)
    return f"a drawing is accepted that was refused ({reasons[0].message})" if reasons else None


# ------------------------------------------------------------------------------------------------------ the mutant


def _then(mutant: Node, label: Label) -> Node:
    return mutant.then(label)


def _guarded(do: Callable[[], Any]) -> Any:
    """Returns the mutant's result, or a sentence if its rules fail or do not terminate."""
    try:
        with time_limit(STEP_SECONDS):
            return do()
    except GameDSLError as problem:
        return f"the rules go wrong: {problem.diagnostics[0].message}"
    except Overtime:
        return "the rules do not terminate"


def _difference(start: Start, labels: Sequence[Label], what: str) -> Difference:
    return Difference(start.options, start.example, tuple(map(str, labels)), what)
