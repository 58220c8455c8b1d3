"""Draws the state graph of a small game: DOT for Graphviz, or SVG."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from gamedsl.engine import State, board_rows, codes_of
from gamedsl.lab.explore import Limits, explore
from gamedsl.lab.report.charts import GREY, colour, svg, text
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

STATES = 200  # positions drawn by default
LARGEST_BOARD = 5  # rows and columns of a board shown inside a position
MOST_SLOTS, MOST_VARIABLES = 6, 3  # shown in positions without a board
FEW_EDGES = 80  # edges are labeled with their moves up to this many
ACROSS, DOWN, MARGIN = 26, 60, 20


@lazy_dataclass(frozen=True)
class Node:
    """A position: the lines shown in it, its label, the player to move (-1: nobody), and its depth."""

    lines: tuple[str, ...]
    label: str
    seat: int
    depth: int
    over: bool
    open: bool  # its successors were not generated


@lazy_dataclass(frozen=True)
class StateGraph:
    """The positions up to a limit, and the edges between them as (from, to, move).

    ``whole``: these are all reachable positions.
    """

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[tuple[int, int, str], ...]
    whole: bool


def state_graph(start: State, limit: int = STATES) -> StateGraph:
    """Returns the graph of the positions nearest to a state, at most ``limit``, breadth first.

    Raises ``GameDSLError`` if the rules fail on the way.
    """
    found = explore(start.game, Limits(states=limit), start=start)
    if found.faults:
        raise found.faults[0].error
    kinds = found.kinds()
    nodes = tuple(
        _node(found.state(i), found.depth(i), i >= found.expanded and kinds[i] != 0) for i in range(len(found))
    )
    edges = [
        (i, int(t), str(found.move(i, k))) for i in range(found.expanded) for k, t in enumerate(found.successors(i))
    ]
    return StateGraph(start.game.title, nodes, tuple(edges), found.whole)


def _node(state: State, depth: int, open_: bool) -> Node:
    names = state.game.players
    seat = state.to_act[0] if state.to_act else -1
    label = state.outcome_text if state.is_terminal else names[seat] if seat >= 0 else state.kind
    if state.kind == "together":
        label = " and ".join(names[p] for p in state.to_act)
    shown = _board(state) or _numbers(state)
    return Node((*shown, *((label,) if state.is_terminal else ())), label, seat, depth, state.is_terminal, open_)


def _numbers(state: State) -> tuple[str, ...]:
    """Returns the values of the first small variables, for a position without a board."""
    own = [v for v in state.game.program.variables if v.role in ("state", "count") and v.part == state.part]
    small = [v for v in own if not isinstance(v.type, n.StoredT) and v.slots <= MOST_SLOTS]
    return tuple(f"{v.name} {' '.join(map(str, codes_of(state, v)))}" for v in small[:MOST_VARIABLES])


def _board(state: State) -> tuple[str, ...]:
    """Returns the rows of a small board; () if there is no board or it is too large."""
    rows = board_rows(state)
    if not rows or len(rows) > LARGEST_BOARD or max(map(len, rows)) > LARGEST_BOARD:
        return ()
    return tuple(" ".join(row) for row in rows)


# ------------------------------------------------------------------------------------------------------------- DOT


def as_dot(graph: StateGraph) -> str:
    """Returns the graph in the DOT language of Graphviz."""
    out = [f"digraph {_quoted(graph.title)} {{", '  node [shape=box, fontname="monospace", fontsize=10];']
    for number, node in enumerate(graph.nodes):
        label = "\\n".join(_escaped(line) for line in node.lines or (node.label,))
        style = ', style="dashed"' if node.open else ', style="bold"' if node.over else ""
        out.append(f'  n{number} [label="{label}", tooltip={_quoted(node.label)}, color="{_fill(node)}"{style}];')
    out += [f"  n{a} -> n{b} [label={_quoted(move)}, fontsize=8];" for a, b, move in graph.edges]
    return "\n".join([*out, "}"]) + "\n"


def _escaped(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(words: str) -> str:
    return f'"{_escaped(words)}"'


def _fill(node: Node) -> str:
    return "#222222" if node.over else GREY if node.seat < 0 else colour(node.seat)


# ------------------------------------------------------------------------------------------------------------- SVG


def as_svg(graph: StateGraph) -> str:
    """Returns the graph as SVG: one row per depth, each position as near below its predecessors as the row's order
    allows.
    """
    tall = 14 * max((len(number.lines) for number in graph.nodes), default=1) + 10
    wide = max(ACROSS, 8 * max((len(x) for number in graph.nodes for x in number.lines), default=1) + 8)
    places, width, height = _placed(graph, wide, tall)
    parts = [_edge(places[a], places[b], move, tall, len(graph.edges) <= FEW_EDGES) for a, b, move in graph.edges]
    parts += [_drawn(number, *place, wide, tall) for number, place in zip(graph.nodes, places, strict=True)]
    return svg(width, height, "".join(parts), f"{graph.title}: {len(graph.nodes)} positions")


def _placed(graph: StateGraph, wide: int, tall: int) -> tuple[list[tuple[float, float]], float, float]:
    """Returns the centers of the positions, and the overall width and height."""
    rows: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(graph.nodes):
        rows[node.depth].append(number)
    above: dict[int, list[int]] = defaultdict(list)
    for a, b, _ in graph.edges:
        if graph.nodes[a].depth < graph.nodes[b].depth:
            above[b].append(a)
    step = wide + 10
    width = 2 * MARGIN + step * max(map(len, rows.values()), default=1)
    x: dict[int, float] = {}
    for depth in sorted(rows):
        row = sorted(
            rows[depth], key=lambda count: sum(x[a] for a in above[count]) / len(above[count]) if above[count] else 0.0
        )
        left = (width - step * (len(row) - 1)) / 2
        x |= {count: left + step * k for k, count in enumerate(row)}
    places = [(x[count], MARGIN + tall / 2 + node.depth * (tall + DOWN)) for count, node in enumerate(graph.nodes)]
    return places, width, 2 * MARGIN + tall + (max(rows, default=0)) * (tall + DOWN)


def _edge(start: tuple[float, float], goal: tuple[float, float], move: str, tall: int, named: bool) -> str:
    (x1, y1), (x2, y2) = start, goal
    if y2 > y1:
        y1, y2 = y1 + tall / 2, y2 - tall / 2
        path = f"M{x1:.0f},{y1:.0f} C{x1:.0f},{(y1 + y2) / 2:.0f} {x2:.0f},{(y1 + y2) / 2:.0f} {x2:.0f},{y2:.0f}"
    else:  # backward, or a self-loop: around the side
        away = max(x1, x2) + 40
        path = f"M{x1:.0f},{y1:.0f} C{away:.0f},{y1 + tall:.0f} {away:.0f},{y2 - tall:.0f} {x2:.0f},{y2:.0f}"
    drawn = f'<path d="{path}" fill="none" stroke="#999"><title>{escape(move)}</title></path>'
    label = text((x1 + x2) / 2, (y1 + y2) / 2, move, "middle", "var(--faint, #555)") if named else ""
    return drawn + label


def _drawn(node: Node, x: float, y: float, wide: int, tall: int) -> str:
    dash = ' stroke-dasharray="4 3"' if node.open else ""
    frame = (
        f'<rect x="{x - wide / 2:.0f}" y="{y - tall / 2:.0f}" width="{wide}" height="{tall}" rx="4" '
        f'fill="{"#eee" if node.over else "#fff"}" stroke="{_fill(node)}" stroke-width="{2 if node.over else 1.5}"{dash}>'
        f"<title>{escape(node.label)}</title></rect>"
    )
    first = y - 7 * (len(node.lines) - 1) + 4
    return frame + "".join(
        f'<text x="{x:.0f}" y="{first + 14 * k:.0f}" text-anchor="middle" font-family="monospace" fill="#222">{escape(line)}</text>'
        for k, line in enumerate(node.lines)
    )
