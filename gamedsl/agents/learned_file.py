"""Learned values in files: JSON with the rules' digest and the weights. A file is untrusted input."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from gamedsl.engine import play_error, write_atomically
from gamedsl.language.source import STANDARD_INPUT, GameDSLError, lazy_dataclass, read_file, reason

if TYPE_CHECKING:
    from gamedsl.agents.learning import Learner
    from gamedsl.compiler import Native
    from gamedsl.engine import Game

FORMAT = "gamedsl value 1"
ENDING = ".net"
MOST_BYTES = 1 << 20
LARGEST = 1e6  # of a weight, as in ``learning``
MOST_SEED = (1 << 63) - 1  # as on the command line
MOST_GENERATIONS = 1 << 26  # so that the number of a game has 32 bits


@lazy_dataclass(frozen=True)
class LearnedValue:
    """A value read from a file. ``digest``: that of the rules; ``weights``: the constant first; ``generations``: those
    that it was learned from, with this ``seed``; ``options``: names and values under which the rules are to be loaded."""

    path: str
    digest: str
    seed: int
    generations: int
    weights: tuple[float, ...]
    options: tuple[tuple[str, str], ...] = ()

    @property
    def content(self) -> str:
        """A digest of what it plays by, which changes as learning goes on."""
        return sha256(f"{self.digest} {self.weights!r}".encode()).hexdigest()

    def check(self, game: Game) -> None:
        """Raises ``GameDSLError`` (E0527) if it is for other rules or options."""
        if not game.has_digest(self.digest):
            raise refused(
                self.path, f"it is for other rules or options than {game.title or game.program.name} has here"
            )

    def learner(self, native: Native) -> Learner:
        """Returns the learner as it was when the file was written. Raises ``GameDSLError`` (E0527) if the weights do
        not fit."""
        # imported here for a quick start: checking a file needs no numba
        from gamedsl.agents.learning import Learner

        found = Learner(native, self.seed, np.array(self.weights), self.generations)
        if len(self.weights) != 1 + found.features.width:
            raise refused(self.path, f"it has {len(self.weights)} weights, and not {1 + found.features.width}")
        return found


def value_file(ruleset: str) -> Path:
    """Returns the file of the value that ``train`` learns for a ruleset, given as for ``load_program``: beside its file, or, for
    a shipped one, in the present folder."""
    path = Path("game" if ruleset == STANDARD_INPUT else ruleset)
    return path.with_suffix(ENDING) if path.is_file() else Path(f"{path.stem}{ENDING}")


def refused(path: str, why: str) -> GameDSLError:
    """Returns the error for a value that cannot be used."""
    return play_error("E0527", f"the learned value in {path} cannot be used: {why}")


def write_learned(learner: Learner, game: Game, path: Path) -> None:
    """Writes a value, atomically. Raises ``FileError`` (E0530)."""
    data = {
        "format": FORMAT,
        "game": game.program.name,
        "options": game.options,
        "digest": game.digest,
        "seed": learner.seed,
        "generations": learner.generations,
        "games": learner.games,
        "weights": learner.weights.tolist(),
    }
    write_atomically(path, json.dumps(data) + "\n")


def read_learned(path: str | Path) -> LearnedValue:
    """Reads a value. Raises ``GameDSLError`` (E0527) with the reason if the file does not contain one."""
    name = str(path)
    try:
        data = json.loads(read_file(path, MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise refused(name, reason(error)) from None
    except (ValueError, RecursionError):
        raise refused(name, "it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise refused(name, f"it has no `format` entry with the string `{FORMAT}`")
    digest, weights = data.get("digest"), data.get("weights")
    if not isinstance(digest, str) or not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise refused(name, "it does not say for which game it is")
    if not isinstance(weights, list) or not weights or not all(_is_weight(w) for w in weights):
        raise refused(name, "`weights` is not a list of numbers")
    seed, generations = data.get("seed"), data.get("generations")
    if not _is_count(seed, MOST_SEED) or not _is_count(generations, MOST_GENERATIONS):
        raise refused(name, "`seed` and `generations` are not whole numbers")
    options = data.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        raise refused(name, "`options` does not give a string for every name")
    return LearnedValue(name, digest, seed, generations, tuple(map(float, weights)), tuple(options.items()))


def _is_weight(value: Any) -> bool:
    # not a number (NaN) is not between any two; a whole number may be too large for a float, but can be compared
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _is_count(value: Any, most: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
