"""A position as plain data: the rules of the look evaluated for what one seat may know, before any character or shape
is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "BARE",
    "BORDER",
    "CLEAN",
    "FIGURES",
    "REACH",
    "SHEET",
    "Aside",
    "Entry",
    "Fallen",
    "Glyph",
    "Held",
    "Holding",
    "Line",
    "LineEnd",
    "NodePlaces",
    "PastBoard",
    "PenMark",
    "Picture",
    "PieceChange",
    "PieceChanges",
    "Place",
    "Scars",
    "Seat",
    "Sketch",
    "SketchSpace",
    "Spot",
    "Thing",
    "Trail",
    "arcs",
    "base_of",
    "board_kind",
    "cell_style",
    "chooses_marks",
    "cited",
    "covered_change",
    "covered_places",
    "ends_told",
    "fallen",
    "fault_of_marks",
    "figure",
    "filled",
    "grid_of_spots",
    "has_known_sizes",
    "holdings",
    "inside",
    "is_owned",
    "is_repeated",
    "is_score",
    "kind_of_game",
    "last_board",
    "lattice",
    "links",
    "lookalikes",
    "marks_at",
    "moved_lines",
    "of_mark",
    "onto_outline",
    "outcome_of",
    "outside",
    "owner_locals",
    "part_over",
    "part_shown",
    "participle",
    "piece_changes",
    "piece_labels",
    "place_domain",
    "place_names",
    "placed",
    "reach",
    "reason_text",
    "refused_characters",
    "replaced_marks",
    "said",
    "scars_of",
    "shown_holdings",
    "sketch_of",
    "span_of",
    "stacks_on_board",
    "text_width",
    "threats_at",
    "tint_name",
    "unset_by_block",
    "unset_reads",
    "view",
    "with_marks",
    "without_variants",
]

if TYPE_CHECKING:
    from gamedsl.engine.picture.board_stacks import stacks_on_board
    from gamedsl.engine.picture.board_view import board_kind, cell_style, place_domain, place_names
    from gamedsl.engine.picture.chance_view import fallen, participle
    from gamedsl.engine.picture.covered import covered_places
    from gamedsl.engine.picture.defaults import piece_labels
    from gamedsl.engine.picture.drawn_traces import scars_of
    from gamedsl.engine.picture.effects_on_pieces import (
        PieceChange,
        PieceChanges,
        base_of,
        covered_change,
        piece_changes,
    )
    from gamedsl.engine.picture.explained import BORDER, cited, is_score, owner_locals, span_of
    from gamedsl.engine.picture.freehand import FIGURES, REACH, figure, moved_lines, onto_outline, reach
    from gamedsl.engine.picture.legend import of_mark, tint_name
    from gamedsl.engine.picture.mark_rules import (
        chooses_marks,
        fault_of_marks,
        lookalikes,
        refused_characters,
        without_variants,
    )
    from gamedsl.engine.picture.marks import marks_at, with_marks
    from gamedsl.engine.picture.node_places import NodePlaces, arcs, grid_of_spots, lattice, links, placed
    from gamedsl.engine.picture.part_ends import (
        ends_told,
        is_repeated,
        kind_of_game,
        last_board,
        outcome_of,
        part_over,
        part_shown,
        reason_text,
    )
    from gamedsl.engine.picture.picture import (
        BARE,
        CLEAN,
        SHEET,
        Aside,
        Entry,
        Fallen,
        Glyph,
        Held,
        Line,
        LineEnd,
        PastBoard,
        PenMark,
        Picture,
        Place,
        Scars,
        Seat,
        Spot,
        Trail,
    )
    from gamedsl.engine.picture.position_view import view
    from gamedsl.engine.picture.sides import outside
    from gamedsl.engine.picture.sketch import Sketch, SketchSpace, sketch_of
    from gamedsl.engine.picture.text_columns import text_width
    from gamedsl.engine.picture.thing_holdings import (
        Holding,
        Thing,
        has_known_sizes,
        holdings,
        replaced_marks,
        shown_holdings,
    )
    from gamedsl.engine.picture.threats import is_owned, threats_at
    from gamedsl.engine.picture.unset_values import unset_by_block, unset_reads
    from gamedsl.engine.picture.value_words import filled, inside, said
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "board_view": "board_kind cell_style place_domain place_names",
            "chance_view": "fallen participle",
            "covered": "covered_places",
            "effects_on_pieces": "PieceChange PieceChanges base_of covered_change piece_changes",
            "defaults": "piece_labels",
            "explained": "BORDER cited is_score owner_locals span_of",
            "freehand": "FIGURES REACH figure moved_lines onto_outline reach",
            "text_columns": "text_width",
            "thing_holdings": "Holding Thing has_known_sizes holdings replaced_marks shown_holdings",
            "legend": "of_mark tint_name",
            "mark_rules": "chooses_marks fault_of_marks lookalikes refused_characters without_variants",
            "marks": "marks_at with_marks",
            "node_places": "NodePlaces arcs grid_of_spots lattice links placed",
            "picture": (
                "BARE CLEAN SHEET Aside Entry Fallen Glyph Held Line LineEnd PastBoard PenMark Picture Place  Scars  Seat Spot  Trail"
            ),
            "part_ends": "ends_told is_repeated kind_of_game last_board outcome_of part_over part_shown reason_text",
            "position_view": "view",
            "drawn_traces": "scars_of",
            "sides": "outside",
            "sketch": "Sketch SketchSpace sketch_of",
            "board_stacks": "stacks_on_board",
            "threats": "is_owned threats_at",
            "unset_values": "unset_by_block unset_reads",
            "value_words": "filled inside said",
        },
    )
