"""Sampled regret minimization in a file, from which it can be resumed.

A file is untrusted input. Its form, its game and its numbers are checked. The value of the strategies is computed
from the tree, whatever the file claims.
"""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from gamedsl.compiler import Reals
from gamedsl.lab.equilibrium.kernels import sample_log as k
from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer
from gamedsl.lab.equilibrium.sampling_head import CLOSE, SamplingHead
from gamedsl.lab.explore import Form, refused, write_checkpoint

FORMAT = 1
FORMS = {
    "regret": Form("<f8", 1),
    "strategy": Form("<f8", 1),
    "total": Form("<f8", 1),
}


def write_sampling(solver: SampledRegretMinimizer, path: Path) -> None:
    """Writes the state of a solver, atomically. Raises ``FileError`` (E0530)."""
    sums = solver.sums
    arrays: dict[str, Any] = {
        **_head(solver).arrays(solver.iterations),
        "regret": sums.regret,
        "strategy": sums.strategy,
        "total": sums.total,
    }
    write_checkpoint(path, arrays)


def resume_sampling(solver: SampledRegretMinimizer, path: Path) -> bool:
    """Restores a new solver from a file; False if there is no file.

    Raises the errors of ``SamplingHead.read``, and E0523 for numbers that do not fit.
    """
    found = _head(solver).read(path, FORMS)
    if found is None:
        return False
    iterations, arrays = found
    wrong = _misfit(solver, arrays["regret"], arrays["strategy"], arrays["total"])
    if wrong:
        raise refused(path, wrong)
    _put(solver, iterations, arrays)
    return True


def _head(solver: SampledRegretMinimizer) -> SamplingHead:
    return SamplingHead(FORMAT, _rules(solver), solver.method, solver.seed)


def _rules(solver: SampledRegretMinimizer) -> str:
    """A digest of the game, of the tree with its utilities, and of its numbering."""
    tree = solver.form.tree
    digest = blake2b(tree.game.digest.encode(), digest_size=16)
    for array in solver.paths:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _misfit(solver: SampledRegretMinimizer, regret: Reals, strategy: Reals, total: Reals) -> str:
    """The error in the numbers of a file; empty if there is none."""
    forms, n = solver.form.forms, solver.form.sequences
    if not len(regret) == len(strategy) == len(total) == n:
        return "its number of actions is not that of this game"
    if not all(np.isfinite(a).all() for a in (regret, strategy, total)):
        return "it holds numbers that are not finite"
    if (strategy < 0).any() or (total < 0).any():
        return "it holds probabilities below 0"
    ends = forms.first + forms.actions
    sums = np.concatenate([[0.0], np.cumsum(strategy)])
    if (np.abs(sums[ends] - sums[forms.first] - 1) > CLOSE * (1 + np.abs(sums[ends]))).any():
        return "the probabilities of an information set do not add up to 1"
    return ""


def _put(solver: SampledRegretMinimizer, iterations: int, arrays: dict[str, Any]) -> None:
    """Copies a file's arrays into the solver. All sets count as changed, so that all are matched when the next batch
    begins.
    """
    sums = solver.sums
    sums.regret[:], sums.strategy[:], sums.total[:] = arrays["regret"], arrays["strategy"], arrays["total"]
    sums.changed[:], sums.mark[:], sums.changes[0] = np.arange(len(sums.changed)), 1, len(sums.changed)
    sums.clock[:] = iterations, *k.batch_of(iterations)
