"""Boards: a description -> finite domains, relations, families; drawings -> arrangements (``drawing``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "ADJACENCY",
    "FREEDOMS",
    "IN_ROWS",
    "PLACES",
    "Board",
    "Condition",
    "Coordinates",
    "Domain",
    "Family",
    "FitsNowhere",
    "NodePoint",
    "Outline",
    "Path",
    "Pattern",
    "Plan",
    "Point",
    "Relation",
    "Result",
    "Shape",
    "StrokePlan",
    "bits_of",
    "distance2",
    "elements",
    "from_outline",
    "generate",
    "in_words",
    "make_board",
    "make_graph",
    "nearest_of",
    "places_between",
    "plan_problems",
    "product_domain",
    "read_pattern",
    "ring_points",
    "size_of",
    "snapped_paths",
    "steps_of",
    "table",
    "whole_spots",
]

if TYPE_CHECKING:
    from gamedsl.language.boards.adjacency import ADJACENCY
    from gamedsl.language.boards.domains import (
        IN_ROWS,
        Board,
        Coordinates,
        Domain,
        Family,
        Relation,
        Result,
        bits_of,
        elements,
        in_words,
        product_domain,
    )
    from gamedsl.language.boards.drawing.geometry import Path, distance2, size_of
    from gamedsl.language.boards.drawing.point_text import PLACES
    from gamedsl.language.boards.drawing.random_drawing import generate
    from gamedsl.language.boards.drawing.snap_path import from_outline, nearest_of, snapped_paths
    from gamedsl.language.boards.graph import make_graph
    from gamedsl.language.boards.lattice import Shape
    from gamedsl.language.boards.lattice_board import make_board, table
    from gamedsl.language.boards.lines import steps_of
    from gamedsl.language.boards.node_spots import NodePoint, Outline, places_between, ring_points, whole_spots
    from gamedsl.language.boards.placings import FREEDOMS, FitsNowhere, Pattern, read_pattern
    from gamedsl.language.boards.plan import Condition, Plan, Point, StrokePlan, plan_problems
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "adjacency": "ADJACENCY",
            "domains": "IN_ROWS Board Coordinates Domain Family Relation Result bits_of elements in_words product_domain",
            "drawing.geometry": "Path distance2 size_of",
            "drawing.point_text": "PLACES",
            "drawing.random_drawing": "generate",
            "drawing.snap_path": "from_outline nearest_of snapped_paths",
            "graph": "make_graph",
            "lattice": "Shape",
            "lattice_board": "make_board table",
            "lines": "steps_of",
            "node_spots": "NodePoint Outline places_between ring_points whole_spots",
            "placings": "FREEDOMS FitsNowhere Pattern read_pattern",
            "plan": "Condition Plan Point StrokePlan plan_problems",
        },
    )
