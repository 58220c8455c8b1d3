"""All commands: the module of this package that implements each, and its line in ``gamedsl --help``; and those of other packages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gamedsl.language.source import Registry


class Command(NamedTuple):
    module: str
    help: str


COMMANDS = {
    "new": Command("new_command", "begin a game of your own: a ruleset, examples, claims"),
    "play": Command("engine_commands", "play a ruleset at the terminal"),
    "replay": Command("engine_commands", "step through a recorded play"),
    "serve": Command("serve_command", "open tables for people far apart, in the browser"),
    "site": Command("site_command", "build a static site of games and documents"),
    "list": Command("about_commands", "list the shipped rulesets"),
    "rules": Command("about_commands", "show the rulebook text of a ruleset"),
    "check": Command("check_commands", "report all errors in rulesets"),
    "explain": Command("about_commands", "explain an error code or a word of the language, with examples"),
    "watch": Command("watch_command", "on every save: errors, examples, claims, random plays, and what changed"),
    "fmt": Command("form_commands", "rewrite rulesets in the canonical form"),
    "export": Command("form_commands", "print a ruleset in another form"),
    "test": Command("check_commands", "run the examples of rulesets"),
    "clauses": Command("check_commands", "show which lines of a ruleset implement which clauses of its document"),
    "verify": Command("verify_command", "check the claims of a ruleset, and those made of every ruleset"),
    "solve": Command("solve_command", "find the exact value of a position: who wins with best play, and how"),
    "exploitability": Command(
        "equilibrium_commands", "what an agent loses to the best responses, in games small enough to hold"
    ),
    "coverage": Command("coverage_command", "print a ruleset with how often each line was used"),
    "simulate": Command("simulate_command", "play many times and collect statistics"),
    "tournament": Command("agent_commands", "let agents play each other and rate them"),
    "depth": Command("depth_command", "measure how many levels of play a game has, by a ladder of players"),
    "report": Command("report_command", "write a page about a ruleset: rules, random plays, coverage, value"),
    "position": Command("engine_commands", "print a position as text that can be edited and given back"),
    "actions": Command("actions_command", "list the kinds of actions with their numbers, for learning programs"),
    "perft": Command("engine_commands", "count the sequences of choices and chance of an exact length"),
    "compile": Command(
        "compile_command", "show what the compiler makes of a ruleset: sizes, times, what each pass did"
    ),
    "completions": Command("completions_command", "print the script with which a shell completes commands and names"),
    "core": Command("about_commands", "print the meaning of a ruleset in the core language"),
}

# A command is a function that adds its parser to the subparsers it is given.
REGISTRY: Registry[Callable[[Any], None]] = Registry(
    "gamedsl.commands", "command", None, {name: f"gamedsl.cli.{c.module}:add" for name, c in COMMANDS.items()}
)
