"""``ablate``: what each line of a ruleset does to the game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import Subparsers, add_file, command, read_options
from gamedsl.cli.compare_command import add_plan, comparison_as_json, version_plan
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import complain, say, say_json, tell_progress
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.language.source import STANDARD_INPUT, ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.variants import Effect

SHOWN = 30  # changes in the text


def add(commands: Subparsers) -> None:
    ablate = command(commands, "ablate", run_ablate)
    add_file(ablate)
    add_plan(ablate, games=2000, limit=2000, number="the largest number of random games of each version")
    add_sharding(ablate)
    ablate.add_argument("--deletions", action="store_true", help="only omit lines, change none")
    ablate.add_argument("--all-changes", action="store_true", help=f"show all changes, not just the first {SHOWN}")


def run_ablate(arguments: argparse.Namespace) -> int:
    from gamedsl.engine import InterpretedGame
    from gamedsl.lab.variants import Ablation, ablate, ranked
    from gamedsl.language.rules import load_program

    if arguments.file == STANDARD_INPUT and (arguments.jobs > 1 or arguments.ray is not None):
        raise UsageError(
            "other processes cannot read standard input", help="Name a file, or omit `-j` and `--ray`.", code="E0004"
        )
    options = read_options(arguments.settings)
    game = InterpretedGame(load_program(arguments.file, options))
    plan = version_plan(arguments, game)
    question = Ablation(arguments.file, options, plan, arguments.deletions)
    effects: list[Effect] = []
    total = len(question.wanted)
    with interruptible() as interruption, shard_runner(arguments) as runner:
        for effect in ablate(question, interruption.stop.is_set, runner):
            effects.append(effect)
            interruption.begun.set()
            tell_progress(f"{len(effects)} of {total} changes")
    tell_progress()
    effects = ranked(effects)
    if arguments.format == "json":
        head = {"game": game.program.name, "digest": game.digest, "seed": arguments.seed, "games": arguments.games}
        say_json(head | {"changes": total, "effects": [effect_as_json(e, game.players) for e in effects]})
    else:
        for line in _ablation_text(effects, total, game, arguments):
            say(line)
    if len(effects) < total:
        complain(f"interrupted after {len(effects)} of {total} changes")
    return interruption.code or int(ExitCode.FINE)


def effect_as_json(effect: Effect, players: tuple[str, ...]) -> dict[str, Any]:
    """Returns an effect as plain data; docs/reference/metrics.md describes it."""
    mutant = effect.mutant
    return {
        "line": mutant.line, "operator": mutant.operator, "change": mutant.text, "before": mutant.before,
        "sentence": effect.sentence(players), "effect": effect.size, "invalid": effect.invalid or None,
        "never_matters": effect.has_none,
        "comparison": None if effect.comparison is None else comparison_as_json(effect.comparison),
    }  # fmt: skip


def _ablation_text(effects: list[Effect], total: int, game: Game, arguments: argparse.Namespace) -> Iterator[str]:
    valid = [e for e in effects if not e.invalid]
    yield f"{game.title}: {len(valid)} changes of {total} are rulesets; up to {arguments.games:,} random games of each"
    shown = valid if arguments.all_changes else valid[:SHOWN]
    for effect in [*shown, *(e for e in valid[len(shown) :] if e.has_none and e.is_deletion)]:
        yield f"  line {effect.mutant.line}: {effect.mutant.text}"
        yield f"      {effect.sentence(game.players)}"
        comparison = effect.comparison
        if comparison is not None and comparison.line and comparison.old_value != comparison.new_value:
            yield f"      best play then: {'; '.join(comparison.line)}"
        elif comparison is not None and comparison.difference is not None:
            yield f"      {comparison.difference.text}"
    if len(shown) < len(valid):
        yield f"`--all-changes` also shows {len(valid) - len(shown)} changes with smaller effects."
