"""All commands: the module of this package that implements each, its group and line in ``gamedsl --help``; and those of other
packages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gamedsl.language.source import Registry

PLAY = "Play"
WRITE = "Write rules"
CHECK = "Check rules"
ANALYZE = "Analyze a game"
CONVERT = "Convert and publish"
INSIDE = "Look inside"
HELP = "Help"


class Command(NamedTuple):
    module: str
    group: str
    help: str


COMMANDS = {
    "play": Command("engine_commands", PLAY, "play a game at the terminal"),
    "list": Command("list_command", PLAY, "list the shipped games"),
    "rules": Command("about_commands", PLAY, "show the rulebook of a game"),
    "replay": Command("engine_commands", PLAY, "step through a recorded game"),
    "serve": Command("serve_command", PLAY, "let people in different places play in their browsers"),
    "new": Command("new_command", WRITE, "start a game of your own: a ruleset, examples and claims"),
    "studio": Command("studio_command", WRITE, "write a ruleset beside its board and its figures, in the browser"),
    "watch": Command("watch_command", WRITE, "on every save, show mistakes, failing examples and what changed"),
    "fmt": Command("form_commands", WRITE, "rewrite rulesets in the canonical form"),
    "lsp": Command("lsp_command", WRITE, "serve editors: mistakes, fixes, completion, names (language server)"),
    "mcp": Command(
        "mcp_command", WRITE, "serve programs that write rules: check, play, verify (Model Context Protocol)"
    ),
    "explain": Command("explain_command", WRITE, "explain an error code or a word of the language"),
    "check": Command("check_commands", CHECK, "report all mistakes in rulesets"),
    "test": Command("check_commands", CHECK, "run the examples of rulesets"),
    "verify": Command("verify_command", CHECK, "check the claims of a ruleset, and those made of every ruleset"),
    "coverage": Command("coverage_command", CHECK, "show how often each line of a ruleset was used"),
    "clauses": Command(
        "check_commands", CHECK, "show which lines of a ruleset implement which clauses of its document"
    ),
    "simulate": Command("simulate_command", ANALYZE, "play many games and collect statistics"),
    "tournament": Command("agent_commands", ANALYZE, "let agents play each other and rate them"),
    "train": Command(
        "train_command", ANALYZE, "learn the value of positions by self-play, for an agent that plays well"
    ),
    "solve": Command("solve_command", ANALYZE, "find out who wins with best play, and how"),
    "exploitability": Command(
        "equilibrium_commands", ANALYZE, "show what an agent loses to the best responses, in small games"
    ),
    "depth": Command("depth_command", ANALYZE, "measure how many levels of play a game has, by a ladder of players"),
    "metrics": Command("metrics_command", ANALYZE, "measure a game: lengths, choices, balance, tension, sizes"),
    "compare": Command("compare_command", ANALYZE, "show what distinguishes two versions of a game"),
    "ablate": Command("ablate_command", ANALYZE, "show what each line of a ruleset does to the game"),
    "sweep": Command("sweep_command", ANALYZE, "measure a game for many values of its options"),
    "search-rules": Command("search_rules_command", ANALYZE, "search the variants of a game for fair and deep ones"),
    "report": Command("report_command", ANALYZE, "write a page about a ruleset: rules, statistics, coverage, value"),
    "export": Command("form_commands", CONVERT, "write a ruleset as data, a page that plays, or WebAssembly"),
    "position": Command("engine_commands", CONVERT, "print a position as text that can be edited and read again"),
    "site": Command("site_command", CONVERT, "build a static site of games and documents"),
    "actions": Command(
        "actions_command", INSIDE, "list the kinds of actions with their numbers, for learning programs"
    ),
    "perft": Command("engine_commands", INSIDE, "count the sequences of moves and chance of an exact length"),
    "compile": Command(
        "compile_command", INSIDE, "show what the compiler makes of a ruleset: sizes, times, what each pass did"
    ),
    "core": Command("about_commands", INSIDE, "print the meaning of a ruleset in the core language"),
    "help": Command("help_command", HELP, "show the help of a command"),
    "completions": Command("completions_command", HELP, "print a script with which a shell completes command lines"),
}

# A command is a function that adds its parser to the subparsers it is given.
REGISTRY: Registry[Callable[[Any], None]] = Registry(
    "gamedsl.commands", "command", None, {name: f"gamedsl.cli.{c.module}:add" for name, c in COMMANDS.items()}
)
