"""What property tests find of planted faults: ``python benchmarks/property_mutation.py [RULESET ...] [--faults 200]``.

    --faults N    seeded mutants of each ruleset (200)
    --seconds S   CPU seconds that each of laws, claims, verify and examples has for one fault (60)
    --checks A,B  only these of laws, claims, verify and examples; the others have empty columns
    --seed N      which mutants (0)

A row for each ruleset. *Faults*: mutants that are valid rules and mean something else than the original. Then how many of
them each check finds: the default laws (``gamedsl.testing.laws``), the author's claims (``gamedsl.testing.claims``), the two
together, ``gamedsl verify``, and the author's examples. Laws and claims have Hypothesis' own 100 examples, derandomized. A
check that is out of time has found nothing. Laws can find what no game may do, not that a game has become another one: a
mutant that exchanges two directions is sound.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import Flaky

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.lab.examples import run_examples
from gamedsl.lab.explore import Limits
from gamedsl.lab.mutation.limited_time import Overtime, time_limit
from gamedsl.lab.mutation.mutants import Mutant, list_mutants, vocabulary
from gamedsl.lab.search import Budget
from gamedsl.language.core import digest
from gamedsl.language.rules import Lowered, load_lowered, shipped
from gamedsl.language.source import ExitCode, GameDSLError, UsageError
from gamedsl.language.syntax.print.printer import format_ruleset
from gamedsl.testing import claims, laws

TEN = (
    "tic-tac-toe", "t-tic-t-tac-toe-game", "x-s-and-lines", "horn-tiles", "connect-four", "nim", "pig", "breakthrough-6x6",
    "kuhn-poker", "oware",
)  # fmt: skip
EXAMPLES = settings(
    deadline=None, database=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
WARM_UP = 10.0  # CPU seconds
CHECKS = ("laws", "claims", "verify", "examples")


def planted(rules: Lowered, path: Path, number: int, seed: int) -> list[tuple[Mutant, str]]:
    """Some mutants of a ruleset, with their texts."""
    tree = rules.builder.files.parsed[str(path.resolve())].tree
    found = list_mutants(tree, vocabulary(rules, str(path)))
    chosen = Random(seed).sample(found, min(number, len(found)))
    return [(mutant, format_ruleset(mutant.tree(tree))) for mutant in chosen]


def finds(check: Callable[[], bool], seconds: float) -> bool:
    """Whether a check fails within its time."""
    try:
        with time_limit(seconds):
            return check()
    except (Overtime, Flaky):  # Hypothesis repeats the example in which the time was up, and finds nothing there
        return False


def fails(test: Callable[[], None]) -> bool:
    try:
        test()
    except Flaky:
        raise
    except (AssertionError, GameDSLError, ExceptionGroup):
        return True
    return False


def claims_fail(game: Game) -> bool:
    try:
        test = claims(game, settings=EXAMPLES)
    except UsageError:
        return False
    return fails(test)


def examples_fail(path: Path) -> bool:
    try:
        return not all(result.passed for result in run_examples(path))
    except GameDSLError:
        return True


def found_by(path: Path, game: Game, seconds: float, only: Sequence[str] = CHECKS) -> set[str]:
    """The checks that find the fault in this file, among those named."""
    half = seconds / 2
    checks: dict[str, Callable[[], bool]] = {
        "laws": lambda: fails(laws(game, settings=EXAMPLES)),
        "claims": lambda: claims_fail(game),
        "verify": lambda: (
            verify(path, config=VerifyConfig(limits=Limits(seconds=half), budget=Budget(seconds=half))).exit_code
            == ExitCode.FAILED
        ),
        "examples": lambda: examples_fail(path),
    }
    return {name for name, check in checks.items() if name in only and finds(check, seconds)}


def row(name: str, faults: int, seconds: float, seed: int, only: Sequence[str] = CHECKS) -> str:
    """The line of a ruleset."""
    counts, tried = dict.fromkeys((*CHECKS, "both"), 0), 0
    with TemporaryDirectory() as folder:
        shutil.copytree(shipped()["tic-tac-toe"].parent, folder, dirs_exist_ok=True)
        (path,) = Path(folder).rglob(f"{name}.gdl")
        rules = load_lowered(path)
        original = digest(rules.program)
        found_by(path, InterpretedGame(rules.program), WARM_UP, only)  # compiled once, not on the first fault's clock
        for _mutant, text in planted(rules, path, faults, seed):
            path.write_text(text, encoding="utf-8")
            try:
                with time_limit(seconds):
                    program = load_lowered(path).program
            except (GameDSLError, Overtime, RecursionError):
                continue
            if digest(program) == original:
                continue
            tried += 1
            found = found_by(path, InterpretedGame(program), seconds, only)
            for check in found:
                counts[check] += 1
            counts["both"] += bool(found & {"laws", "claims"})
    share = {check: f"{n} ({100 * n / max(1, tried):.0f} %)" for check, n in counts.items()}
    share |= dict.fromkeys(set(CHECKS) - set(only), "")
    cells = " | ".join(share[check] for check in ("laws", "claims", "both", "verify", "examples"))
    return f"| `{name}` | {tried} | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="RULESET", default=list(TEN))
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--checks", type=lambda text: text.split(","), default=list(CHECKS))
    given = parser.parse_args()
    print(
        "| Ruleset | Faults | Laws | Claims | Laws or claims | `verify` | Examples |\n|---|---:|---:|---:|---:|---:|---:|"
    )
    for name in given.names:
        print(row(name, given.faults, given.seconds, given.seed, given.checks), flush=True)


if __name__ == "__main__":
    main()
