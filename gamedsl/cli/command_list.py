"""All commands: the module of this package that implements each, and its line in ``gamedsl --help``."""

from __future__ import annotations

from typing import NamedTuple


class Command(NamedTuple):
    module: str
    help: str


COMMANDS = {
    "play": Command("engine_commands", "play a ruleset at the terminal"),
    "replay": Command("engine_commands", "go through a recorded play"),
    "list": Command("about_commands", "the shipped rulesets"),
    "rules": Command("about_commands", "a ruleset's rulebook text"),
    "check": Command("check_commands", "say everything that is wrong with rulesets"),
    "explain": Command("about_commands", "the page of an error code, with a broken and a mended example"),
    "fmt": Command("form_commands", "write rulesets in their one canonical form"),
    "export": Command("form_commands", "print a ruleset in another form"),
    "test": Command("check_commands", "run the examples of rulesets"),
    "clauses": Command("check_commands", "which line of a ruleset stands for which clause of its document"),
    "verify": Command("verify", "judge the claims of a ruleset, and those made of every ruleset"),
    "solve": Command("solve", "tell the exact value of a position: who wins with best play, and how"),
    "coverage": Command("coverage", "print a ruleset with how often each line was used"),
    "simulate": Command("simulate", "play many times and count what comes of it"),
    "tournament": Command("agent_commands", "let agents play each other and rate them"),
    "report": Command("report", "write a page about a ruleset: rules, random plays, coverage, value"),
    "position": Command("engine_commands", "print a position as text that can be edited and given back"),
    "perft": Command("engine_commands", "count the sequences of choices and chance of an exact length"),
    "compile": Command(
        "compile_command", "tell what the compiler makes of a ruleset: sizes, times, what each pass did"
    ),
    "core": Command("about_commands", "what a ruleset means, in the small language that is run"),
}
