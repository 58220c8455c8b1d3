"""The reference engine: Core → games, states, moves, reasons, records. Its results define what the rules mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "KEPT",
    "MOST_BYTES",
    "MOST_MASKED",
    "MOVE_CACHE_SIZE",
    "PASS",
    "ActionKind",
    "ActionSpace",
    "Announcement",
    "Branch",
    "Broken",
    "Choice",
    "Entry",
    "Exploration",
    "Feature",
    "Gain",
    "Game",
    "HiddenRead",
    "HiddenReads",
    "History",
    "InterpretedGame",
    "LogEntry",
    "Logged",
    "Move",
    "MoveKind",
    "NotKnown",
    "Notation",
    "Noticed",
    "ObservationLayout",
    "ObservedPart",
    "Origin",
    "PaperMark",
    "PaperNote",
    "PartEnd",
    "Ply",
    "Record",
    "RecordFormat",
    "ReferenceState",
    "Refusal",
    "RulesError",
    "SchemaCode",
    "SeatLog",
    "Secrets",
    "Setting",
    "Sheet",
    "State",
    "Taking",
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
    "copy_beginning",
    "count_leaves",
    "count_turns",
    "differences",
    "drawing_move",
    "evaluate_at",
    "find_variable",
    "first_entries",
    "first_value",
    "full_announcement",
    "helpers_read",
    "hidden_reasons",
    "is_exploration",
    "is_in_digits",
    "is_legal",
    "key_after",
    "knows_moves",
    "link",
    "look_at",
    "look_of",
    "make_move",
    "move_notation",
    "mover_of",
    "new_entries",
    "open_movers",
    "own_choices",
    "pass_move",
    "perft",
    "piece_kinds",
    "places",
    "play_error",
    "player_to_move",
    "position_data",
    "position_from",
    "position_notations",
    "read_exploration",
    "record_error",
    "rules_texts",
    "same_value",
    "secrets_concluded",
    "seen_in_passing",
    "slot_offsets",
    "source_line",
    "stop_kinds",
    "tick",
    "translate_closed",
    "translate_program",
    "turns",
    "value_text",
    "weights",
    "with_mistakes",
    "write_atomically",
    "yaml_of_position",
]

if TYPE_CHECKING:
    from gamedsl.engine.beginning import copy_beginning
    from gamedsl.engine.errors import RulesError, play_error
    from gamedsl.engine.facts.action_kinds import ActionKind
    from gamedsl.engine.facts.action_space import ActionSpace
    from gamedsl.engine.facts.move_making import MOVE_CACHE_SIZE, chance_move, choice_move, make_move, pass_move
    from gamedsl.engine.facts.observation_layout import (
        Feature,
        ObservationLayout,
        ObservedPart,
        is_in_digits,
        places,
        stop_kinds,
    )
    from gamedsl.engine.facts.score_variables import added_number
    from gamedsl.engine.facts.secrets import Secrets
    from gamedsl.engine.facts.translated_rules import Origin
    from gamedsl.engine.facts.unnoticed_ways import look_at, look_of
    from gamedsl.engine.information.announcements import (
        Announcement,
        announced_plies,
        announcement_bounds,
        announcements_at,
        full_announcement,
        secrets_concluded,
    )
    from gamedsl.engine.information.bindings import bindings
    from gamedsl.engine.information.consistent_moves import helpers_read
    from gamedsl.engine.information.gains import Gain
    from gamedsl.engine.information.hidden_reads import HiddenRead, HiddenReads
    from gamedsl.engine.information.information_state import first_entries, key_after, new_entries
    from gamedsl.engine.information.observation import own_choices
    from gamedsl.engine.information.paper import PaperMark, Sheet
    from gamedsl.engine.information.plies import seen_in_passing
    from gamedsl.engine.information.seat_log import LogEntry, Logged, PaperNote, Ply, SeatLog
    from gamedsl.engine.information.seat_view import knows_moves
    from gamedsl.engine.information.takings import Taking, piece_kinds
    from gamedsl.engine.information.unknown_values import NotKnown, Unknown
    from gamedsl.engine.interpreted_game import InterpretedGame
    from gamedsl.engine.interpreted_state import ReferenceState
    from gamedsl.engine.moves import Move, MoveKind, Refusal
    from gamedsl.engine.notation import PASS, Notation, chance_text
    from gamedsl.engine.noticed import Noticed
    from gamedsl.engine.past import KEPT, link
    from gamedsl.engine.perft_counts import branches, count_leaves, count_turns, perft, turns
    from gamedsl.engine.play.actions import alternative, carry_out, is_legal, mover_of, open_movers, tick, with_mistakes
    from gamedsl.engine.play.advance import advance, weights
    from gamedsl.engine.play.drawing_moves import drawing_move
    from gamedsl.engine.play.legal_actions import MOST_MASKED
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
    from gamedsl.engine.records.exploration import (
        Branch,
        Exploration,
        differences,
        is_exploration,
        read_exploration,
        rules_texts,
    )
    from gamedsl.engine.records.formats import RecordFormat
    from gamedsl.engine.records.record import MOST_BYTES, Record, write_atomically
    from gamedsl.engine.state import Choice, Game, PartEnd, State
    from gamedsl.engine.stop import codes_of, evaluate_at
    from gamedsl.engine.translate.arrangements import arranged
    from gamedsl.engine.translate.module_builder import slot_offsets
    from gamedsl.engine.translate.program import SchemaCode, translate_closed, translate_program
    from gamedsl.engine.values import History, Value, first_value
    from gamedsl.engine.why_not import hidden_reasons, source_line
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "beginning": "copy_beginning",
            "errors": "RulesError play_error",
            "facts.action_kinds": "ActionKind",
            "facts.action_space": "ActionSpace",
            "facts.unnoticed_ways": "look_at look_of",
            "facts.move_making": "MOVE_CACHE_SIZE chance_move choice_move make_move pass_move",
            "facts.observation_layout": "Feature ObservationLayout ObservedPart is_in_digits places stop_kinds",
            "facts.score_variables": "added_number",
            "facts.secrets": "Secrets",
            "facts.translated_rules": "Origin",
            "information.announcements": (
                "Announcement announced_plies announcement_bounds announcements_at full_announcement secrets_concluded"
            ),
            "information.bindings": "bindings",
            "information.consistent_moves": "helpers_read",
            "information.gains": "Gain",
            "information.hidden_reads": "HiddenRead HiddenReads",
            "information.information_state": "first_entries key_after new_entries",
            "information.observation": "own_choices",
            "information.paper": "PaperMark Sheet",
            "information.plies": "seen_in_passing",
            "information.seat_log": "LogEntry Logged PaperNote Ply SeatLog",
            "information.seat_view": "knows_moves",
            "information.takings": "Taking piece_kinds",
            "information.unknown_values": "NotKnown Unknown",
            "interpreted_game": "InterpretedGame",
            "interpreted_state": "ReferenceState",
            "moves": "Move MoveKind Refusal",
            "notation": "PASS Notation chance_text",
            "noticed": "Noticed",
            "past": "KEPT link",
            "perft_counts": "branches count_leaves count_turns perft turns",
            "play.actions": "alternative carry_out is_legal mover_of open_movers tick with_mistakes",
            "play.advance": "advance weights",
            "play.drawing_moves": "drawing_move",
            "play.legal_actions": "MOST_MASKED",
            "positions.board_text": "board_rows",
            "positions.move_notations": "move_notation",
            "positions.names": "find_variable",
            "positions.notations": "position_notations",
            "positions.plain_values": "same_value value_text",
            "positions.questions": "player_to_move",
            "positions.reading": "position_from",
            "positions.refused": "Broken",
            "positions.setting": "Setting",
            "positions.writing": "position_data yaml_of_position",
            "records.entries": "Entry record_error",
            "records.exploration": "Branch Exploration differences is_exploration read_exploration rules_texts",
            "records.formats": "RecordFormat",
            "records.record": "MOST_BYTES Record write_atomically",
            "state": "Choice Game PartEnd State",
            "stop": "codes_of evaluate_at",
            "translate.arrangements": "arranged",
            "translate.module_builder": "slot_offsets",
            "translate.program": "SchemaCode translate_closed translate_program",
            "values": "History Value first_value",
            "why_not": "hidden_reasons source_line",
        },
    )
