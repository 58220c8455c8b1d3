"""The command line `gamedsl`: parses arguments, calls the packages below, prints the results, and returns an exit
code.

It exports the names that commands in other packages need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Subparsers",
    "add_file",
    "add_files",
    "add_format",
    "add_options",
    "add_output",
    "command",
    "read_options",
    "say",
    "say_json",
    "write_output",
]

if TYPE_CHECKING:
    from gamedsl.cli.arguments import (
        Subparsers,
        add_file,
        add_files,
        add_format,
        add_options,
        add_output,
        command,
        read_options,
    )
    from gamedsl.cli.output import say, say_json, write_output
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "arguments": "Subparsers add_file add_files add_format add_options add_output command read_options",
            "output": "say say_json write_output",
        },
    )
