"""What players observe of a position, and the recorded playouts along which mutants are compared."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import cycle
from random import Random
from typing import TypeAlias

from gamedsl.compiler import NativeState
from gamedsl.engine import Move, State
from gamedsl.language.source import GameDSLError, lazy_dataclass

DRAWN = 1000  # moves that are listed in the time that a drawing takes
LENGTHS = (6, 25, 100, 400)  # moves of the recorded playouts, cyclically

Options: TypeAlias = tuple[tuple[str, str | int | bool], ...]
Label: TypeAlias = str | Move  # a move's notation where it is made; drawings have no notation and represent themselves


@lazy_dataclass(frozen=True, slots=True)
class Observation:
    """What players can observe of a position: who must act, the available actions, and the result.

    ``moves`` are the notations of the available actions, with the player in a simultaneous choice.
    """

    kind: str
    acting: tuple[str, ...] = ()
    moves: frozenset[str] = frozenset()
    odds: frozenset[tuple[str, Fraction]] = frozenset()
    winners: tuple[str, ...] = ()
    returns: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


@lazy_dataclass(frozen=True)
class Node:
    """A position, its observation, and its moves by notation."""

    state: State
    sight: Observation
    moves: Mapping[str, Move]

    @staticmethod
    def of(state: State) -> Node:
        """Returns the node of a state. Raises ``GameDSLError`` if the rules fail while the moves are listed."""
        names = state.game.players
        acting = tuple(names[p] for p in state.to_act)
        moves: dict[str, Move] = {}
        match state.kind:
            case "end":
                winners = tuple(names[p] for p in sorted(state.winners))
                return Node(
                    state, Observation("end", (), winners=winners, returns=state.returns, scores=state.scores), moves
                )
            case "chance":
                outcomes = state.chance_outcomes()
                odds = frozenset((str(m), p) for m, p in outcomes)
                moves = {str(m): m for m, _ in outcomes}
                return Node(state, Observation("chance", (), frozenset(moves), odds), moves)
            case "together":
                moves = {f"{names[p]}: {m}": m for p in state.to_act for m in state.legal_moves(p, mistakes=True)}
            case "player":
                moves = {str(m): m for m in state.legal_moves(mistakes=True)}
        return Node(state, Observation(state.kind, acting, frozenset(moves)), moves)

    @property
    def listed(self) -> int:
        """The number of its moves; for a drawing, as many as take about the time to draw one and to judge it."""
        return DRAWN if self.sight.kind == "drawing" else len(self.moves)

    def then(self, label: Label) -> Node:
        """Returns the position after a move. Raises ``GameDSLError`` if it is refused or the rules fail."""
        return Node.of(self.after(label))

    def after(self, label: Label) -> State:
        """Returns the state after a move; its moves are not listed. Raises as ``then``."""
        return self.state.apply(label if isinstance(label, Move) else self.moves[label])

    def can(self, label: Label) -> bool:
        if isinstance(label, Move):
            return self.sight.kind == "drawing" and not self.state.why_not(label)
        return label in self.moves

    def labels(self, rng: Random, drawings: int = 3) -> list[Label]:
        """Returns all moves in a fixed order; of drawings, which are infinitely many, only some."""
        if self.sight.kind == "drawing":
            return [self.state.propose(rng) for _ in range(drawings)]
        return [*sorted(self.moves)]


def key_of(state: State) -> Hashable:
    """Returns what is equal for equal states of one game: of compiled ones their bytes, which need not be read."""
    if isinstance(state, NativeState) and not state.game.has_history:
        return state.compared
    return state


class Nodes:
    """The positions of a game; the moves of each are listed once, however it is reached."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Node] = {}

    def then(self, node: Node, label: Label) -> Node:
        """Returns the position after a move. Raises ``GameDSLError`` if it is refused or the rules fail."""
        state = node.after(label)
        key = key_of(state)
        if key not in self._known:
            self._known[key] = Node.of(state)
        return self._known[key]


@lazy_dataclass(frozen=True)
class Start:
    """Where games begin: the options, and the example that defines the position (None: the start of the game)."""

    options: Options
    example: str | None = None


@lazy_dataclass(frozen=True)
class Recorded:
    """A playout of the original rules: ``nodes`` has one element more than ``labels``."""

    start: Start
    nodes: tuple[Node, ...]
    labels: tuple[Label, ...]


class Recording:
    """Playouts of the original from one position.

    They are generated on demand and cached, so that all mutants are compared along the same playouts.
    """

    def __init__(self, start: Start, node: Node, seed: int) -> None:
        self._plays: list[Recorded] = []
        rng = Random(f"{seed} {start}")
        self._made = (_random_play(start, node, length, rng) for length in cycle(LENGTHS))

    def play(self, number: int) -> Recorded:
        """Returns the playout with this number, from 0."""
        while len(self._plays) <= number:
            self._plays.append(next(self._made))
        return self._plays[number]


def _random_play(start: Start, first: Node, length: int, rng: Random) -> Recorded:
    """Makes at most this many random moves; stops early if the rules fail."""
    nodes, labels = [first], list[Label]()
    while len(labels) < length and nodes[-1].sight.kind != "end":
        try:
            label = _chosen(nodes[-1], rng)
            nodes.append(nodes[-1].then(label))
        except GameDSLError:
            break
        labels.append(label)
    return Recorded(start, tuple(nodes), tuple(labels))


def _chosen(node: Node, rng: Random) -> Label:
    if node.sight.kind in ("chance", "drawing"):
        move = node.state.propose(rng)
        return move if node.sight.kind == "drawing" else str(move)
    return rng.choice(sorted(node.moves))
