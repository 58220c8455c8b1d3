"""The reference engine: Core → games, states, moves, reasons, records. What it computes is what the rules mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "KEPT",
    "MOST_BYTES",
    "MOST_MASKED",
    "MOVE_CACHE_SIZE",
    "OUTSIDE",
    "PASS",
    "UNTOLD",
    "ActionKind",
    "ActionParameter",
    "ActionSpace",
    "Announcement",
    "Broken",
    "Choice",
    "Entry",
    "Feature",
    "Gain",
    "Game",
    "HiddenRead",
    "HiddenReads",
    "History",
    "InformationState",
    "Move",
    "MoveKind",
    "NotKnown",
    "Notation",
    "Noticed",
    "ObservationLayout",
    "ObservedPart",
    "Origin",
    "PaperMark",
    "PartEnd",
    "Record",
    "RecordFormat",
    "Refusal",
    "RulesError",
    "SchemaCode",
    "Secrets",
    "Setting",
    "Sheet",
    "State",
    "Unknown",
    "Value",
    "added_number",
    "advance",
    "alternative",
    "announced_plies",
    "announcement_bounds",
    "announcements_at",
    "arranged",
    "bindings",
    "board_rows",
    "branches",
    "carry_out",
    "chance_move",
    "chance_text",
    "choice_move",
    "codes_of",
    "count_leaves",
    "count_turns",
    "drawing_move",
    "evaluate_at",
    "find_variable",
    "first_entries",
    "full_announcement",
    "hidden_reasons",
    "is_in_digits",
    "is_legal",
    "key_after",
    "knows_moves",
    "link",
    "look_of",
    "make_move",
    "move_notation",
    "mover_of",
    "new_entries",
    "open_movers",
    "own_choices",
    "pass_move",
    "perft",
    "places",
    "play_error",
    "player_to_move",
    "position_data",
    "position_from",
    "position_notations",
    "record_error",
    "same_value",
    "secrets_concluded",
    "seen_by",
    "seen_in_passing",
    "slot_offsets",
    "source_line",
    "stop_kinds",
    "tick",
    "translate_program",
    "turns",
    "value_text",
    "weights",
    "write_atomically",
    "yaml_of_position",
]

if TYPE_CHECKING:
    from gamedsl.engine.action_space.kinds import ActionKind, ActionParameter
    from gamedsl.engine.action_space.legal import MOST_MASKED
    from gamedsl.engine.action_space.space import ActionSpace
    from gamedsl.engine.errors import RulesError, play_error
    from gamedsl.engine.game import Game, Origin
    from gamedsl.engine.information.announcements import (
        Announcement,
        announced_plies,
        announcement_bounds,
        announcements_at,
        full_announcement,
        secrets_concluded,
    )
    from gamedsl.engine.information.bindings import bindings
    from gamedsl.engine.information.gains import Gain
    from gamedsl.engine.information.helper_flow import look_of
    from gamedsl.engine.information.hidden_reads import HiddenRead, HiddenReads
    from gamedsl.engine.information.information_state import (
        InformationState,
        Noticed,
        first_entries,
        key_after,
        new_entries,
    )
    from gamedsl.engine.information.observation import own_choices
    from gamedsl.engine.information.observation_layout import (
        Feature,
        ObservationLayout,
        ObservedPart,
        is_in_digits,
        places,
        stop_kinds,
    )
    from gamedsl.engine.information.paper import PaperMark, Sheet
    from gamedsl.engine.information.plies import seen_in_passing
    from gamedsl.engine.information.score_variables import added_number
    from gamedsl.engine.information.seat_view import knows_moves, seen_by
    from gamedsl.engine.information.secrets import Secrets
    from gamedsl.engine.information.unknown_values import NotKnown, Unknown
    from gamedsl.engine.moves import Move, MoveKind, Refusal
    from gamedsl.engine.notation import PASS, Notation, chance_text
    from gamedsl.engine.past import KEPT, link
    from gamedsl.engine.perft_counts import branches, count_leaves, count_turns, perft, turns
    from gamedsl.engine.play.actions import (
        MOVE_CACHE_SIZE,
        alternative,
        carry_out,
        chance_move,
        choice_move,
        is_legal,
        make_move,
        mover_of,
        open_movers,
        pass_move,
        tick,
    )
    from gamedsl.engine.play.advance import advance, weights
    from gamedsl.engine.play.drawing_moves import arranged, drawing_move
    from gamedsl.engine.positions.board_text import board_rows
    from gamedsl.engine.positions.move_notations import move_notation
    from gamedsl.engine.positions.names import find_variable
    from gamedsl.engine.positions.notations import position_notations
    from gamedsl.engine.positions.plain_values import same_value, value_text
    from gamedsl.engine.positions.questions import player_to_move
    from gamedsl.engine.positions.reading import position_from
    from gamedsl.engine.positions.refused import Broken
    from gamedsl.engine.positions.setting import Setting
    from gamedsl.engine.positions.writing import position_data, yaml_of_position
    from gamedsl.engine.records.entries import Entry, record_error
    from gamedsl.engine.records.formats import RecordFormat
    from gamedsl.engine.records.record import MOST_BYTES, Record, write_atomically
    from gamedsl.engine.state import PartEnd, State
    from gamedsl.engine.stop import Choice, codes_of, evaluate_at
    from gamedsl.engine.translate.module_builder import slot_offsets
    from gamedsl.engine.translate.program import SchemaCode, translate_program
    from gamedsl.engine.values import History, Value
    from gamedsl.engine.why_not import OUTSIDE, UNTOLD, hidden_reasons, source_line
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "action_space.kinds": "ActionKind ActionParameter",
            "action_space.legal": "MOST_MASKED",
            "action_space.space": "ActionSpace",
            "errors": "RulesError play_error",
            "game": "Game Origin",
            "information.gains": "Gain",
            "information.score_variables": "added_number",
            "information.announcements": (
                "Announcement secrets_concluded announcements_at announced_plies announcement_bounds full_announcement"
            ),
            "information.plies": "seen_in_passing",
            "information.bindings": "bindings",
            "information.helper_flow": "look_of",
            "information.hidden_reads": "HiddenRead HiddenReads",
            "information.information_state": "InformationState Noticed first_entries key_after new_entries",
            "information.observation": "own_choices",
            "information.observation_layout": "Feature ObservationLayout ObservedPart is_in_digits places stop_kinds",
            "information.paper": "PaperMark Sheet",
            "information.seat_view": "knows_moves seen_by",
            "information.secrets": "Secrets",
            "information.unknown_values": "NotKnown Unknown",
            "moves": "Move MoveKind Refusal",
            "notation": "Notation PASS chance_text",
            "past": "KEPT link",
            "perft_counts": "branches count_leaves count_turns perft turns",
            "play.actions": (
                "MOVE_CACHE_SIZE alternative carry_out chance_move choice_move is_legal make_move mover_of "
                "open_movers pass_move tick"
            ),
            "play.advance": "advance weights",
            "play.drawing_moves": "arranged drawing_move",
            "positions.board_text": "board_rows",
            "positions.move_notations": "move_notation",
            "positions.names": "find_variable",
            "positions.notations": "position_notations",
            "positions.plain_values": "same_value value_text",
            "positions.reading": "position_from",
            "positions.refused": "Broken",
            "positions.questions": "player_to_move",
            "positions.setting": "Setting",
            "positions.writing": "position_data yaml_of_position",
            "records.entries": "Entry record_error",
            "records.formats": "RecordFormat",
            "records.record": "MOST_BYTES Record write_atomically",
            "state": "PartEnd State",
            "stop": "Choice codes_of evaluate_at",
            "translate.module_builder": "slot_offsets",
            "translate.program": "SchemaCode translate_program",
            "values": "History Value",
            "why_not": "OUTSIDE UNTOLD hidden_reasons source_line",
        },
    )
