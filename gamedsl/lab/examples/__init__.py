"""Reads, runs and updates examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Bench",
    "Example",
    "ExampleResult",
    "OptionValue",
    "both_files",
    "examples_in",
    "position",
    "problems",
    "random_plies",
    "read_examples",
    "read_move",
    "report",
    "run_example",
    "run_examples",
    "update_examples",
]

if TYPE_CHECKING:
    from gamedsl.lab.examples.example_reader import Example, OptionValue, examples_in, read_examples
    from gamedsl.lab.examples.positions import random_plies, read_move
    from gamedsl.lab.examples.runner import (
        Bench,
        ExampleResult,
        both_files,
        position,
        problems,
        report,
        run_example,
        run_examples,
    )
    from gamedsl.lab.examples.update import update_examples
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "example_reader": "Example OptionValue examples_in read_examples",
            "positions": "random_plies read_move",
            "runner": "Bench ExampleResult both_files position problems report run_example run_examples",
            "update": "update_examples",
        },
    )
