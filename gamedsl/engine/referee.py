"""Queries and updates of a state. ``State`` is data: its methods go through ``Game.referee``, so the modules that
implement them can import ``State``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamedsl.engine.beginning import copy_beginning
from gamedsl.engine.information.observation import observation
from gamedsl.engine.play.actions import apply, chance_outcomes, count_moves, legal_moves, propose, to_act
from gamedsl.engine.play.history import action_history, first_state, history, saved_past, unpickled
from gamedsl.engine.records.save import changed_values, save_state
from gamedsl.engine.why_not import why_not

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gamedsl.engine.beginning import Beginning
    from gamedsl.engine.information.information_state import InformationState
    from gamedsl.engine.information.observation_layout import ObservedPart
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State


class Referee:
    """The reference implementation of every question to a state."""

    to_act = staticmethod(to_act)
    legal_moves = staticmethod(legal_moves)
    count_moves = staticmethod(count_moves)
    chance_outcomes = staticmethod(chance_outcomes)
    why_not = staticmethod(why_not)
    apply = staticmethod(apply)
    propose = staticmethod(propose)
    history = staticmethod(history)
    action_history = staticmethod(action_history)
    first_state = staticmethod(first_state)
    saved_past = staticmethod(saved_past)
    unpickled = staticmethod(unpickled)
    observation = staticmethod(observation)
    save_state = staticmethod(save_state)
    changed_values = staticmethod(changed_values)
    copy_beginning = staticmethod(copy_beginning)

    @staticmethod
    def legal_actions(state: State, player: int | None) -> list[int]:
        # start-up: people play without numbers, and numpy takes long to import
        from gamedsl.engine.action_space.legal import legal_actions

        return legal_actions(state, player)

    @staticmethod
    def action_mask(state: State, player: int | None) -> NDArray[np.bool_]:
        # start-up
        from gamedsl.engine.action_space.legal import action_mask

        return action_mask(state, player)

    @staticmethod
    def part_mask(state: State, chosen: tuple[int, ...], player: int | None) -> NDArray[np.bool_]:
        # start-up
        from gamedsl.engine.action_space.legal import part_mask

        return part_mask(state, chosen, player)

    @staticmethod
    def observation_tensor(state: State, player: int | None, part: ObservedPart) -> NDArray[np.float32]:
        # start-up: numpy takes long to import
        from gamedsl.engine.information.observation_tensor import observation_tensor

        return observation_tensor(state, player, part)

    @staticmethod
    def observation_text(state: State, player: int | None, part: ObservedPart) -> str:
        # start-up
        from gamedsl.engine.information.observation_tensor import observation_text

        return observation_text(state, player, part)

    @staticmethod
    def information_state(state: State, player: int | None) -> InformationState:
        # start-up: people remember what they saw themselves
        from gamedsl.engine.information.information_state import information_state

        return information_state(state, player)

    @staticmethod
    def information_state_tensor(state: State, player: int | None, length: int | None) -> NDArray[np.float32]:
        # start-up: numpy takes long to import
        from gamedsl.engine.information.information_tensor import information_state_tensor

        return information_state_tensor(state, player, length)

    @staticmethod
    def answer(state: State, text: str, player: int | None) -> Any:
        # start-up: people do not ask in expressions
        from gamedsl.engine.positions.questions import answer

        return answer(state, text, player)

    @staticmethod
    def value_named(state: State, name: str) -> Any:
        # start-up
        from gamedsl.engine.positions.questions import value_named

        return value_named(state, name)

    @staticmethod
    def position_text(state: State, seat: int | None, one_line: bool, to: str | None) -> str:
        # start-up: few programs write positions
        from gamedsl.engine.positions.notations import notation_named, written
        from gamedsl.engine.positions.writing import position_line, position_text

        if to is not None:
            return written(state, notation_named(state.game, to))
        return (position_line if one_line else position_text)(state, seat)

    @staticmethod
    def beginning_here(state: State) -> Beginning:
        # start-up: few notations count turns
        from gamedsl.engine.positions.turn_counts import beginning_here

        return beginning_here(state)

    @staticmethod
    def move_text(state: State, move: Move, to: str) -> str:
        # start-up: most programs write moves in the usual way
        from gamedsl.engine.positions.move_notations import move_text

        return move_text(state, move, to)

    @staticmethod
    def read_in(state: State, text: str, player: int | None, notation: str | None) -> list[Move]:
        # start-up: few rulesets declare notations
        from gamedsl.engine.positions.move_notations import read_in

        return read_in(state, text, player, notation)

    @staticmethod
    def read_joined(state: State, text: str, player: int) -> tuple[Move, ...]:
        # start-up: few turns are several plies
        from gamedsl.engine.positions.joined_plies import read_joined

        return read_joined(state, text, player)


REFEREE = Referee()
