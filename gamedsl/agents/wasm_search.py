"""Search for WebAssembly: its kernels, and what the page must know to call them.

The page runs the machine code that Python runs, over the same compiled rules, so it finds the same moves for the same
seeds. What it does itself is to make arrays of the same shapes, and to call the same kernels in the same order.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gamedsl.agents import information_nodes as nodes
from gamedsl.agents import information_tree as tree
from gamedsl.agents import position, search_tree
from gamedsl.agents import tree_arrays as arrays
from gamedsl.agents.array_shapes import INFORMED, OPEN, shapes_by_name, zeros
from gamedsl.agents.beliefs import belief_steps as steps
from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.exact_kernels import Layer
from gamedsl.agents.beliefs.observation_points import with_observation_points
from gamedsl.agents.beliefs.observed_ply import MOST_OBSERVED, first_view, play_ply
from gamedsl.agents.beliefs.particle_kernels import Particles
from gamedsl.agents.beliefs.sampling import SILENT, SILENT_AT_FIRST, Evidence, Scratch
from gamedsl.agents.forest import EXPLORE as EXPLORE_OPEN
from gamedsl.agents.forest import EXPLORE_JUDGED, MEMORY, ROOM_FIRST, open_rules
from gamedsl.agents.information_search import EXPLORE, NODES, VARIED
from gamedsl.agents.position import ARENA, PLIES, Rules
from gamedsl.agents.search_tree import run_iterations as run_open_iterations
from gamedsl.compiler import Native, WasmKernels, kernel_text
from gamedsl.language.core import greatest_utility

if TYPE_CHECKING:
    from gamedsl.agents.learned_file import LearnedValue
    from gamedsl.engine import Game

Kernels: TypeAlias = dict[str, tuple[Any, tuple[Any, ...]]]
CONTEXT = 0  # the page writes the address of the context
# of arrays of which the types alone matter
SIZES = dict.fromkeys(
    (
        "rows", "words", "longest", "entries", "blocks", "players", "masked", "shown", "codes", "actors", "events",
        "nodes", "edges", "reals", "segments", "weights",
    ),
    1,
)  # fmt: skip
# phases, indices and a status that the page names
NUMBERED = {
    steps: "EXACT NOTHING_FITS ROWS IS_EXACT FIRST_MARK",
    nodes: "FIRST ACTION_COUNT SEAT TOGETHER TRIES SUM STRATEGY NODES EDGES DONE LACK CLOSED FULL",
}
OPEN_NUMBERED = {
    arrays: "SEED CLOSED NODES EDGES REALS DONE LACK KIND SEAT FIRST ACTION_COUNT VISITS PROVEN FAR TABLE FIELDS",
    search_tree: "PROOF",
    position: "TOGETHER FULL",
}


def search_for_wasm(game: Game, learned: LearnedValue | None = None) -> tuple[WasmKernels | None, dict[str, Any]]:
    """Returns the kernels for a module, and the fact ``search`` for the page; nothing for rules that hide something and
    under which the observations of players cannot be computed. ``learned``: a value for a search that judges positions by it; it is
    for these rules."""
    if not game.secrets.hides:
        kernels = _open_kernels()
        return WasmKernels(tuple(kernels), kernel_text(kernels), arrays.ENTRIES), {"search": _open_facts(game, learned)}
    if hashes.why_unobservable(game) is not None:
        return None, {}
    return _search_kernels(game), {"search": _search_facts(game)}


def all_kernels() -> tuple[Kernels, ...]:
    """Returns the kernels of the search for games that hide nothing, and of the search for others."""
    return _open_kernels(), _kernels()


def _open_kernels() -> Kernels:
    """The kernel of the search for games that hide nothing, with arguments of the right types."""
    rules, grown, descent = (zeros(kind, SIZES) for kind in (arrays.Rules, arrays.Tree, arrays.Descent))
    return {"run_iterations": (run_open_iterations, (rules, grown, descent, 0))}


def _open_facts(game: Game, learned: LearnedValue | None) -> dict[str, Any]:
    """Returns what the page must know to call the kernel (see ``_search_facts``)."""
    native = Native(game.program, game, keep=False)
    rules, entry = Rules(native), [CONTEXT, *range(1, len(arrays.ENTRIES) + 1)]
    judging = {}
    if learned is not None:
        tables = open_rules(rules, entry, 0, learned.learner(native).value)
        judging = {"judging": {"rules": _described(tables), "explore": EXPLORE_JUDGED}}
    tables = open_rules(rules, entry, 0)
    return {
        **judging,
        "shapes": shapes_by_name(OPEN),
        "sizes": {**ROOM_FIRST, "words": rules.words, "players": rules.players},
        "numbers": _numbers(OPEN_NUMBERED),
        "pending": [8 * rules.pending[0], rules.pending[1]],
        "rules": _described(tables),
        "most": float(rules.most),
        "arena": ARENA,
        "plies": PLIES,
        "codes": hashes.CODES,
        "tree": {"memory": MEMORY, "explore": EXPLORE_OPEN},
    }


def _numbers(numbered: dict[Any, str]) -> dict[str, int]:
    return {name: getattr(module, name) for module, names in numbered.items() for name in names.split()}


def _search_kernels(game: Game) -> WasmKernels:
    """Returns the kernels of the search, and the rules that they call."""
    kernels = _kernels()
    second = with_observation_points(game.program).program
    return WasmKernels(tuple(kernels), kernel_text(kernels), hashes.ENTRIES, second, hashes.OBSERVING)


def _kernels() -> Kernels:
    """All kernels that a host calls, with arguments of the right types."""
    rules, buffers, state = zeros(hashes.Rules, SIZES), zeros(hashes.Buffers, SIZES), np.zeros(1, np.int64)
    scratch, evidence, room = zeros(Scratch, SIZES), zeros(Evidence, SIZES), zeros(steps.Room, SIZES)
    layer, last, words = zeros(Layer, SIZES), np.zeros(2, np.uint64), np.zeros(2, np.int64)
    grown, starts, descent = zeros(nodes.Tree, SIZES), zeros(tree.Starts, SIZES), zeros(nodes.Descent, SIZES)
    asked = (rules, buffers)
    return {
        "first_view": (first_view, (*asked, state, 0, last)),
        "play_ply": (play_ply, (*asked, state, words, 0, last, last, words)),
        "take_phase": (steps.take_phase, (*asked, (evidence, evidence), room, (layer, layer, layer), words, scratch)),
        "replay_all": (steps.replay_all, (*asked, evidence, room, scratch)),
        "add_shares": (steps.add_shares, (zeros(Particles, SIZES), descent.result)),
        "prepare_starts": (tree.prepare, (*asked, starts, 0)),
        "measure_widths": (tree.measure_widths, (rules, grown, descent, state, 0, 0.0)),
        "run_iterations": (tree.run_iterations, (*asked, grown, starts, descent, 0)),
        "fill_table": (nodes.fill_table, (grown,)),
    }


def _search_facts(game: Game) -> dict[str, Any]:
    """Returns what the page must know to call the kernels: the shapes of arrays, the tables of the rules, and constants.

    Words are in base 64; an absent table is zero.
    """
    observable = with_observation_points(game.program)
    count = len(hashes.ENTRIES)
    played = _tables(game, Native(game.program, game, keep=False), range(1, count + 1), range(len(game.program.blocks)))
    second = range(count + 1, count + 1 + len(hashes.OBSERVING))
    observed = _tables(game, Native(observable.program, keep=False), second, observable.origin)
    return {
        "shapes": shapes_by_name(INFORMED),
        "sizes": {**hashes.buffer_sizes(played), "players": game.num_players},
        "numbers": _numbers(NUMBERED),
        "pending": [int(played.shape[hashes.PENDING]), int(played.shape[hashes.MOVERS])],
        "played": _described(played),
        "observed": _described(observed),
        "most": float(greatest_utility(game.program)),
        "phases": list(steps.MOST_STEPS),
        "exact": steps.MOST_EXACT,
        "observations": MOST_OBSERVED,
        "longest": [SILENT, SILENT_AT_FIRST],
        "arena": ARENA,
        "plies": PLIES,
        "codes": hashes.CODES,
        "tree": {"nodes": NODES, "memory": MEMORY, "explore": EXPLORE, "varied": VARIED},
    }


def _tables(game: Game, native: Native, called: range, origin: Any) -> hashes.Rules:
    return hashes.rules_of(game, native, [CONTEXT, *called], tuple(origin))


def _described(arrays: Any) -> dict[str, Any]:
    """The shapes of arrays, and their bytes unless all are zero."""
    return {
        name: [array.dtype.str[1:], list(array.shape), b64encode(array.tobytes()).decode() if array.any() else ""]
        for name, array in zip(arrays._fields, arrays, strict=True)
    }
