"""A plugin for pytest: every example in a ``*.examples.yaml`` and every claim of a ``*.gdl`` is a test.

Settings (in ``pytest.ini`` or ``[tool.pytest.ini_options]``): ``gamedsl_collect`` (``examples claims`` by default),
``gamedsl_states`` and ``gamedsl_seconds`` (how many positions are explored for claims, and for how long; random
playouts continue for as long again). ``-p no:gamedsl`` disables the plugin.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gamedsl.lab.base import Verdict
    from gamedsl.lab.examples import Bench, Example

EXAMPLES, RULES = ".examples.yaml", ".gdl"
STATES, SECONDS, PLAYS = 20_000, 10, 200


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "gamedsl_collect", "what of gamedsl's files are tests: examples, claims", "args", ["examples", "claims"]
    )
    parser.addini("gamedsl_states", "how many positions are explored for the claims of a ruleset", default=str(STATES))
    parser.addini("gamedsl_seconds", "for how long", default=str(SECONDS))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    wanted = parent.config.getini("gamedsl_collect")
    if file_path.name.endswith(EXAMPLES) and "examples" in wanted:
        return ExamplesFile.from_parent(parent, path=file_path)
    if file_path.suffix == RULES and "claims" in wanted:
        return RulesetFile.from_parent(parent, path=file_path)
    return None


class Failed(Exception):
    """An example or a claim that does not hold; only its message is shown."""


class _Item(pytest.Item):
    """A test at a line of a ruleset or a file of examples."""

    line: int = 0

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str:
        from gamedsl.language.source import GameDSLError, render_all

        match excinfo.value:
            case Failed() as problem:
                return str(problem)
            case GameDSLError() as problem:
                return render_all(problem.diagnostics)
            case _:
                return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.line - 1, self.name


def _refused(problem: Exception) -> pytest.Collector.CollectError:
    """Returns the error that pytest shows for a file that cannot be read."""
    from gamedsl.language.source import GameDSLError, render_all

    assert isinstance(problem, GameDSLError)
    return pytest.Collector.CollectError(render_all(problem.diagnostics))


# -------------------------------------------------------------------------------------------------------- examples


class ExamplesFile(pytest.File):
    """A ``*.examples.yaml`` file beside its ruleset."""

    def collect(self) -> Iterator[pytest.Item]:
        from gamedsl.lab.examples import Bench, both_files, read_examples
        from gamedsl.language.source import GameDSLError

        try:
            ruleset, _ = both_files(str(self.path))
            examples = read_examples(self.path)
        except GameDSLError as problem:
            raise _refused(problem) from None
        bench = Bench(ruleset)
        for example in examples:
            yield ExampleItem.from_parent(self, name=example.name, bench=bench, example=example)


class ExampleItem(_Item):
    def __init__(self, *, bench: Bench, example: Example, **given: Any) -> None:
        super().__init__(**given)
        self.bench, self.example = bench, example
        self.line = example.span.line

    def runtest(self) -> None:
        from gamedsl.lab.examples import run_example

        found = run_example(self.bench, self.example, {})
        if not found.passed:
            raise Failed("\n".join(found.problems))


# ---------------------------------------------------------------------------------------------------------- claims


class RulesetFile(pytest.File):
    """A ``*.gdl`` file: a test for each of its claims, and one for the claims that hold for every ruleset."""

    def collect(self) -> Iterator[pytest.Item]:
        from gamedsl.lab.base import claim_text
        from gamedsl.language.rules import load_program
        from gamedsl.language.source import GameDSLError

        try:
            program = load_program(self.path)
        except GameDSLError as problem:
            raise _refused(problem) from None
        for number, claim in enumerate(program.claims):
            given = f'"{claim.name}"' in claim.span.text
            name = claim.name if given else claim_text(claim)
            yield ClaimItem.from_parent(self, name=name, number=number, line=claim.span.line)
        yield SoundItem.from_parent(self, name="sound")

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The ruleset's own claims in order, then the others."""
        from gamedsl.lab.claims import VerifyConfig, verify
        from gamedsl.lab.explore import Limits
        from gamedsl.lab.search import Budget

        states, seconds = (int(self.config.getini(f"gamedsl_{name}")) for name in ("states", "seconds"))
        limits, budget = Limits(states=states, seconds=seconds), Budget(PLAYS, seconds)
        return verify(self.path, config=VerifyConfig(limits=limits, budget=budget)).verdicts


class ClaimItem(_Item):
    parent: RulesetFile

    def __init__(self, *, number: int, line: int, **given: Any) -> None:
        super().__init__(**given)
        self.number, self.line = number, line

    def runtest(self) -> None:
        verdicts = self.parent.verdicts
        if len(verdicts) <= self.number:
            raise Failed(_told(verdicts[0]))
        _judge(verdicts[self.number])


class SoundItem(_Item):
    """A test of the claims for every ruleset: no rules errors, no positions in which nobody can act, no unused rules
    ...
    """

    parent: RulesetFile

    def runtest(self) -> None:
        from gamedsl.lab.base import Status

        wrong = [v for v in self.parent.verdicts if v.default and v.status == Status.VIOLATED]
        if wrong:
            raise Failed("\n\n".join(map(_told, wrong)))


def _judge(verdict: Verdict) -> None:
    from gamedsl.lab.base import Status

    if verdict.status == Status.VIOLATED:
        raise Failed(_told(verdict))
    if verdict.status == Status.UNKNOWN:
        pytest.skip(f"not known: {verdict.detail}")


def _told(verdict: Verdict) -> str:
    """Returns the claim, the finding, and the game that shows it."""
    lines = [f"{verdict.claim}: {verdict.status}", verdict.detail]
    if verdict.evidence is not None:
        lines.append("play: " + "; ".join(map(str, verdict.evidence.moves)))
    return "\n".join(lines)
