"""The head of a file with sampled strategies: its game, method and seed, and the number of iterations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gamedsl.engine import play_error
from gamedsl.lab.equilibrium.mccfr import METHODS, Sampling
from gamedsl.lab.explore import Form, read_checkpoint, refused
from gamedsl.language.source import lazy_dataclass

FORMS = {"head": Form("<i8", 1), "rules": Form("|u1", 1)}
MOST_ITERATIONS = 1 << 53
CLOSE = 1e-9  # how near to 1 the probabilities of a set must add up


@lazy_dataclass(frozen=True)
class SamplingHead:
    """The head of a file of sampled strategies.

    ``form``: number of the file format. ``rules``: a digest of the game that the numbers belong to. ``method``,
    ``seed``: of the sampler.
    """

    form: int
    rules: str
    method: Sampling
    seed: int

    def arrays(self, iterations: int) -> dict[str, Any]:
        """The head's arrays for a file."""
        numbers = [self.form, METHODS[self.method], self.seed, iterations]
        return {"head": np.array(numbers, np.int64), "rules": np.frombuffer(self.rules.encode(), np.uint8)}

    def read(self, path: Path, forms: Mapping[str, Form]) -> tuple[int, dict[str, Any]] | None:
        """The iterations and the arrays of a file with this head; None if there is no file.

        Raises ``GameDSLError`` (E0523 for a file that this program cannot have written, E0521 for one of another
        game, method or seed) and ``FileError`` (E0530) for an unreadable one.
        """
        arrays = read_checkpoint(path, {**FORMS, **forms})
        if arrays is None:
            return None
        head = arrays["head"].tolist()
        if len(head) != 4 or head[0] != self.form or not 0 <= head[3] < MOST_ITERATIONS:
            raise refused(path, "another version of gamedsl wrote it, or it is damaged")
        if arrays["rules"].tobytes() != self.rules.encode() or head[1:3] != [METHODS[self.method], self.seed]:
            raise play_error("E0521", f"{path} belongs to other rules, options, another method or another seed")
        return head[3], arrays
