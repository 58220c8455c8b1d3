"""``python -m gamedsl.envs NAME [OPTION=VALUE ...]`` prints the facts of a ruleset as an environment."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from gamedsl.engine import InterpretedGame
from gamedsl.envs.environment_facts import facts_text
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError, UsageError, render_all


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the facts; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m gamedsl.envs", description="Prints the facts of a ruleset as an environment."
    )
    parser.add_argument("ruleset", metavar="NAME", help="a shipped ruleset, or a file")
    parser.add_argument("options", metavar="OPTION=VALUE", nargs="*", help="the options of the ruleset")
    given = parser.parse_args(arguments)
    try:
        print(facts_text(InterpretedGame(load_program(given.ruleset, _options(given.options)))))
    except GameDSLError as e:
        print(render_all(e.diagnostics), file=sys.stderr)
        return int(e.exit_code)
    return 0


def _options(given: Iterable[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in given]
    for text, (name, _, value) in zip(given, pairs, strict=True):
        if not name or not value:
            raise UsageError(f"`{text}` is not of the form OPTION=VALUE", code="E0004", help="write `n=12`")
    return {name: value for name, _, value in pairs}


if __name__ == "__main__":
    sys.exit(main())
