"""Games of chance and hidden cards as whole trees, ours and OpenSpiel's gone through side by side.

At every node the same seat is to act, or chance with the same odds; the ways on are the same ones, by their keys or by their
order; a play ends at the same node with the same utilities. What a seat knows where it decides is its information state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gamedsl import State

Key = Callable[[str], str]


@dataclass
class Tree:
    """What is counted on the way, and which information sets stand for which."""

    decisions: int = 0
    chances: int = 0
    ends: int = 0
    ours: list[dict[str, set[str]]] = field(default_factory=list)  # by seat: key of our set -> the peer's
    theirs: list[dict[str, set[str]]] = field(default_factory=list)  # by seat: the peer's set -> keys of ours

    @property
    def histories(self) -> int:
        """All nodes."""
        return self.decisions + self.chances + self.ends

    @property
    def sets(self) -> list[int]:
        """How many of our information sets each seat has."""
        return [len(found) for found in self.ours]

    @property
    def is_one_to_one(self) -> bool:
        """Whether each of our information sets is one of the peer's, and the other way round."""
        return all(len(found) == 1 for side in (self.ours, self.theirs) for seat in side for found in seat.values())

    @property
    def tells_no_less(self) -> bool:
        """Whether each of our information sets lies in one of the peer's."""
        return all(len(found) == 1 for seat in self.ours for found in seat.values())


def utilities(state: State) -> list[float]:
    """What each seat gets."""
    return [float(r) for r in state.returns]


class Walk:
    """Goes through both trees. ``ours`` makes the key of a move from its text, ``theirs`` from the name of the peer's action;
    ``worth`` is what is held against the peer's utilities at the end.
    """

    def __init__(self, ours: Key, theirs: Key, worth: Callable[[State], list[float]]) -> None:
        self.ours, self.theirs, self.worth = ours, theirs, worth
        self.tree = Tree()

    def through(self, state: State, peer: Any) -> Tree:
        """The whole tree below two states that are the same one."""
        seats = range(state.game.num_players)
        self.tree = Tree(ours=[{} for _ in seats], theirs=[{} for _ in seats])
        self._go(state, peer)
        return self.tree

    def _go(self, state: State, peer: Any) -> None:
        tree = self.tree
        if peer.is_terminal():
            assert state.is_terminal
            assert self.worth(state) == list(peer.returns()), str(peer)
            tree.ends += 1
            return
        assert not state.is_terminal, str(peer)
        if peer.is_chance_node():
            self._chance(state, peer)
        else:
            self._decision(state, peer)

    def _chance(self, state: State, peer: Any) -> None:
        self.tree.chances += 1
        assert state.kind == "chance", str(peer)
        here, there = state.chance_outcomes(), peer.chance_outcomes()
        assert len(here) == len(there), (str(peer), here)
        for (move, odds), (action, weight) in zip(here, there, strict=True):
            assert abs(float(odds) - weight) < 1e-12
            self._go(state.apply(move), peer.child(action))

    def _decision(self, state: State, peer: Any) -> None:
        tree, seat = self.tree, peer.current_player()
        assert state.to_act and state.to_act[0] == seat, str(peer)
        tree.decisions += 1
        name, key = peer.information_state_string(seat), state.information_state(seat).key
        tree.ours[seat].setdefault(key, set()).add(name)
        tree.theirs[seat].setdefault(name, set()).add(key)
        there = {self.theirs(peer.action_to_string(seat, a)): a for a in peer.legal_actions()}
        moves = {self.ours(str(m)): m for m in state.legal_moves(seat)}
        assert moves.keys() == there.keys(), str(peer)
        for name, move in moves.items():
            self._go(state.apply(move), peer.child(there[name]))


def whole_tree(
    state: State, peer: Any, ours: Key = str, theirs: Key = str, worth: Callable[[State], list[float]] = utilities
) -> Tree:
    """Both trees, gone through side by side."""
    return Walk(ours, theirs, worth).through(state, peer)
