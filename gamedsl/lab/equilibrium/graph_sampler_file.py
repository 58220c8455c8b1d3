"""A ``GraphSampler`` in a file, from which it can be resumed.

A file is untrusted input. It names the positions that were expanded, in their order; they are expanded again by the
rules. The form of its trie, sets and numbers is checked. The numbers may be false, as strategies may be bad, but
nothing is reported as proved because of them.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.equilibrium.graph_sampler import CLASSES, SEQUENCES, SETS, GraphSampler
from gamedsl.lab.equilibrium.kernels import sample_log as k
from gamedsl.lab.equilibrium.kernels.unfold import fill
from gamedsl.lab.equilibrium.sampling_head import CLOSE, SamplingHead
from gamedsl.lab.explore import Form, refused, write_checkpoint

FORMAT = 101  # a file of ``sampling_file`` has another number
FORMS = {
    "order": Form("<i8", 1),
    "parent": Form("<i4", 1),
    "fact": Form("<i4", 1),
    "known": Form("<i4", 1),
    "actions": Form("<i4", 1),
    "state": Form("<i4", 1),
    "strategy": Form("<f8", 1),
    "regret": Form("<f8", 1),
    "total": Form("<f8", 1),
}


def write_graph_sampler(sampler: GraphSampler, path: Path) -> None:
    """Writes the state of a sampler, atomically. Raises ``FileError`` (E0530)."""
    c, m, n = (int(x) for x in sampler.sets.totals)
    arrays: dict[str, Any] = {
        **_head(sampler).arrays(sampler.iterations),
        "order": np.array(sampler.graph.order, np.int64),
        "parent": sampler.classes.parent[:c],
        "fact": sampler.classes.fact[:c],
        "known": sampler.sets.known[:m],
        "actions": sampler.sets.actions[:m],
        "state": sampler.sets.state[:m],
        "strategy": sampler.sums.strategy[:n],
        "regret": sampler.sums.regret[:n],
        "total": sampler.sums.total[:n],
    }
    write_checkpoint(path, arrays)


def resume_graph_sampler(sampler: GraphSampler, path: Path) -> bool:
    """Restores a new sampler from a file; False if there is no file.

    Raises the errors of ``SamplingHead.read``, and E0523 for positions and numbers that do not fit.
    """
    found = _head(sampler).read(path, FORMS)
    if found is None:
        return False
    iterations, arrays = found
    wrong = _expand(sampler, arrays["order"].tolist()) or _misfit(sampler, arrays)
    if wrong:
        raise refused(path, wrong)
    _put(sampler, iterations, arrays)
    sampler.resumed = path
    return True


def _head(sampler: GraphSampler) -> SamplingHead:
    return SamplingHead(FORMAT, _rules(sampler), sampler.method, sampler.seed)


def _rules(sampler: GraphSampler) -> str:
    """A digest of the game, its start, and the kind of utilities."""
    start = f"{sampler.game.digest} {sampler.start.bits} {sampler.graph.states.results.__name__}"
    return blake2b(start.encode(), digest_size=16).hexdigest()


def _expand(sampler: GraphSampler, order: list[int]) -> str:
    """Expands the positions of a file again. Returns the error in them; empty if there is none."""
    waiting = sampler.graph.states.waiting
    for number in order:
        if number not in waiting:
            return "it names positions that do not follow"
        sampler.graph.expand(number)
    return ""


def _misfit(sampler: GraphSampler, arrays: dict[str, Any]) -> str:
    """The error in the numbers of a file; empty if there is none."""
    return _strange_classes(sampler, arrays) or _strange_sets(sampler, arrays) or _strange_numbers(arrays)


def _strange_classes(sampler: GraphSampler, arrays: dict[str, Any]) -> str:
    begun, first = int(sampler.sets.totals[CLASSES]), sampler.game.num_players + 1
    parent, fact, facts = arrays["parent"], arrays["fact"], len(sampler.graph.states.facts.noticed)
    if not begun <= len(parent) == len(fact) or (parent[first:] < 1).any():
        return "its classes of what players know are inconsistent"
    own = sampler.classes
    if (parent[:begun] != own.parent[:begun]).any() or (fact[:begun] != own.fact[:begun]).any():
        return "what players know at the start differs"
    if (parent[first:] >= np.arange(first, len(parent))).any() or (fact < 0).any() or (fact >= max(1, facts)).any():
        return "its classes are not in the order in which they were found"
    pairs = parent[first:].astype(np.int64) * facts + fact[first:]
    return "it names a class twice" if len(np.unique(pairs)) != len(pairs) else ""


def _strange_sets(sampler: GraphSampler, arrays: dict[str, Any]) -> str:
    known, actions, state, world = arrays["known"], arrays["actions"], arrays["state"], sampler.graph.world
    if not len(known) == len(actions) == len(state) or len(np.unique(known)) != len(known):
        return "its information sets are inconsistent"
    if (known < 1).any() or (known >= len(arrays["parent"])).any():
        return "its information sets belong to no player"
    if (state < 0).any() or (state >= len(sampler.graph)).any() or (world.seat[state] < 0).any():
        return "its information sets are at positions where no player acts"
    return "its information sets have other actions" if (world.degree[state] != actions).any() else ""


def _strange_numbers(arrays: dict[str, Any]) -> str:
    actions = arrays["actions"]
    n, numbers = int(actions.sum(dtype=np.int64)), [arrays[name] for name in ("regret", "strategy", "total")]
    if any(len(a) != n for a in numbers):
        return "its number of actions is not that of this game"
    if not all(np.isfinite(a).all() for a in numbers) or any((a < 0).any() for a in numbers[1:]):
        return "it holds numbers that are not finite, or probabilities below 0"
    sums = np.add.reduceat(arrays["strategy"], _firsts(actions)) if n else np.ones(0)
    return "the probabilities of an information set do not add up to 1" if (np.abs(sums - 1) > CLOSE).any() else ""


def _firsts(actions: Numbers) -> Ints:
    """The first sequence of every set."""
    ends = np.cumsum(actions, dtype=np.int64)
    return ends - actions


def _put(sampler: GraphSampler, iterations: int, arrays: dict[str, Any]) -> None:
    """Copies a file's arrays into the sampler. All sets count as changed, so that all are matched when the next batch
    begins.
    """
    c, m, n = len(arrays["parent"]), len(arrays["known"]), len(arrays["regret"])
    sampler.make_room(c, m, n)
    classes, sets, sums = sampler.classes, sampler.sets, sampler.sums
    classes.parent[:c], classes.fact[:c] = arrays["parent"], arrays["fact"]
    classes.table[:] = 0
    fill(classes, sampler.game.num_players + 1, c)
    classes.information_set[arrays["known"]] = np.arange(m)
    sets.known[:m], sets.actions[:m], sets.state[:m] = arrays["known"], arrays["actions"], arrays["state"]
    sets.seat[:m], sets.first[:m] = sampler.graph.world.seat[arrays["state"]], _firsts(arrays["actions"])
    sets.totals[CLASSES], sets.totals[SETS], sets.totals[SEQUENCES] = c, m, n
    sums.regret[:n], sums.strategy[:n], sums.total[:n] = arrays["regret"], arrays["strategy"], arrays["total"]
    sums.changed[:m], sums.mark[:m], sums.changes[0] = np.arange(m), 1, m
    sums.clock[:] = iterations, *k.batch_of(iterations)
