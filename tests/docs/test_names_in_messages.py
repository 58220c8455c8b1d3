"""A message names only commands, options and words of the language that exist.

An option must be one of every command that prints the message, unless the message names another command. ``PRINTED_BY`` has
the commands of the files that no command alone owns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.program_parser import parser_with
from gamedsl.language.boards import FREEDOMS
from gamedsl.language.rules.board_words import board_words
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS
from gamedsl.language.rules.messages import RULE_MESSAGES
from gamedsl.language.syntax.foreign_words import FOREIGN_STATEMENTS
from gamedsl.language.syntax.parse.language import FOREIGN, language
from gamedsl.language.syntax.parse.messages import SYNTAX_MESSAGES
from tests.docs.test_wording import lines_of_pages, strings_of_the_package

NAMED = re.compile(r"(?:`|^|\bsee |: )gamedsl ([a-z]+)((?: [^`\n]*)?)", re.M)  # a command, and what follows it
BARE = re.compile(r"(?<![-\w])--[a-z][a-z-]*")
HEAD = re.compile(r"gamedsl \w+( \d+)?\s*")  # all of a string: the first line of a file, such as `gamedsl state 1`

BEGINNING = ("depth", "perft", "position", "simulate", "solve", "tournament", "verify")  # have --from and --position
POSITIONS = ("perft", "play", "position", "simulate", "solve", "tournament", "verify")
PRINTED_BY: dict[str, tuple[str, ...]] = {
    "command_parser.py": ("check", "play", "verify"),  # and all others with --set
    "arguments.py": ("check", "play", "verify"),
    "starting_position.py": BEGINNING,
    "counted_games.py": ("verify",),
    "owned_states.py": ("verify", "solve"),
    "mutants_command.py": ("test",),
    "playable_exports.py": ("export",),
    "replay.py": ("replay",),
    "explorations.py": ("replay",),
    "solve_by_samples.py": ("solve",),
    # the engine
    "notations.py": ("position",),
    "reading.py": POSITIONS,
    "record.py": ("replay",),
    # the lab
    "verification.py": ("verify",),
    "directed.py": ("coverage",),
    "expansion.py": ("solve",),
    "linear_program.py": ("solve",),
    "depth_compiled.py": ("solve",),
    "depth_search.py": ("solve",),
    "proof_number.py": ("solve",),
    "game_graph.py": ("solve",),
    "solver.py": ("solve",),
    "mutation_report.py": ("test",),
    # the terminal
    "commands.py": ("play",),
    "play.py": ("play",),
    "seats.py": ("play",),
    "play_arguments.py": ("play",),
    "named_numbers.py": ("sweep",),
    "local_processes.py": ("simulate", "tournament", "metrics", "depth", "ablate"),
    "sharding.py": ("simulate", "tournament", "metrics", "depth", "ablate"),
}
OF_ONE: dict[str, str] = {  # in modules of several commands
    "arguments.py: --checkpoint {}": "verify",  # and others that have it
    "arguments.py: Name a file, which is written and read again.": "verify",
    "check_commands.py: with --fix: apply those too that a person should look at": "check",
    "check_commands.py: `--unsafe` goes with `--fix`": "check",
    "engine_commands.py: write a page to this file (.html), to step through the game in a browser;": "replay",
    "engine_commands.py: show these moves of --game, joined by": "replay",
    "engine_commands.py: a record and `--moves` are given": "replay",
    "engine_commands.py: `--step` does not go with": "replay",
    "engine_commands.py: Use `--backend interpreter`.": "perft",
    "engine_commands.py: Omit `--position` or `--resume`.": "play",
    "equilibrium_commands.py: Use `--method cfr+`.": "solve",
    "equilibrium_commands.py: Solve the whole game, without `--from` and `--position`.": "solve",
    "form_commands.py: Write `--to html`, or omit `--seats`.": "export",
    "form_commands.py: Write `--to html`, or omit `--from`.": "export",
    "form_commands.py: Write `--to html`, or omit `--net`.": "export",
    "commands_page.py: # Commands": "check",  # of all commands with --format
    "overview.py: Opponents:": "play",
    "program_parser.py: A ruleset, a record, a position or data is invalid; `fmt --check`": "fmt",
    "program_parser.py: A claim is violated, an example fails, or `--at-least`": "test",
    "tested_play.py:  --set {}={}": "replay",
    "form_commands.py: Omit `--set`. The options' defaults can be set in a variant.": "export",
}


@cache
def options() -> dict[str, set[str]]:
    """All options of every command, short ones too."""
    found = parser_with(list(COMMANDS), lists_others=False).commands.choices
    return {name: {o for action in parser._actions for o in action.option_strings} for name, parser in found.items()}


def commands_of(place: str, text: str) -> tuple[str, ...]:
    """The commands that print a text of a file."""
    file = place.partition(":")[0]
    one = next((name for start, name in OF_ONE.items() if f"{file}: {text}".startswith(start)), None)
    if one is not None:
        return (one,)
    return PRINTED_BY.get(file) or tuple(name for name, c in COMMANDS.items() if f"{c.module}.py" == file)


def faults_of(place: str, text: str, printed_by: Sequence[str]) -> Iterator[str]:
    rest = text
    for named in NAMED.finditer(text):
        command, following = named[1], named[2]
        rest = rest.replace(named[0], " ")
        if command not in COMMANDS:
            yield f"{place}: there is no command {command}: {text}"
            continue
        for option in re.findall(r"(?<![-\w])--?[a-z][a-z-]*", following):
            if option not in options()[command]:
                yield f"{place}: {command} has no {option}: {text}"
    for option in BARE.findall(rest):
        if not printed_by:
            yield f"{place}: which command prints this? Add the file to PRINTED_BY: {text}"
        for command in printed_by:
            if option not in options()[command]:
                yield f"{place}: {command} has no {option}: {text}"


def test_options_and_commands_in_messages_exist() -> None:
    found = [
        fault
        for place, text in strings_of_the_package()
        if not place.startswith("command_examples") and "--no-{}" not in text and not HEAD.fullmatch(text)
        for fault in faults_of(place, text, commands_of(place, text))
    ]
    assert found == []


def test_options_and_commands_on_pages_of_codes_exist() -> None:
    every = {option for found in options().values() for option in found}
    pages: dict[str, list[str]] = {}
    for code, line in lines_of_pages():
        pages.setdefault(code, []).append(line)
    found = []
    for code, lines in pages.items():
        text = " ".join(lines)
        found += [f for f in faults_of(code, text, ()) if "PRINTED_BY" not in f]
        found += [f"{code}: no command has {option}" for option in BARE.findall(text) if option not in every]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "see `gamedsl fix FILE`",
        "write `gamedsl check FILE --unsave`",
        "use `--unsave`",
        "`--fix` is for another command",
    ],
)
def test_names_that_do_not_exist_are_found(text: str) -> None:
    assert len(list(faults_of("", text, ("play",)))) == 1
    assert list(faults_of("", "write `gamedsl check FILE --fix`, or `--seed 1`", ("play", "verify"))) == []


# ----------------------------------------------------------------------------------------------------- the language

BY_NAME = {"moves", "player", "sum", "this", "waiting", "side", "corner"}  # not reserved: the rules know them by name
EXAMPLES = {  # names of pieces, players, moves and variables
    "ell", "grey", "hand", "left", "lift", "man", "mark", "one", "place", "right", "round", "settle", "two",
}  # fmt: skip


@cache
def words() -> frozenset[str]:
    """The words of the grammar, of the language and of boards."""
    known = {*language().keywords, *BUILTINS, *LANGUAGE_WORDS, *board_words(), *FREEDOMS, *BY_NAME}
    return frozenset(word for phrase in known for word in re.findall(r"\w+", phrase))


def messages_of_rules() -> Iterator[tuple[str, str]]:
    for code, pair in (SYNTAX_MESSAGES | RULE_MESSAGES).items():
        for text in pair:
            yield code, text
    for name, text in (FOREIGN_STATEMENTS | FOREIGN).items():
        yield name, text


def words_of(text: str) -> Iterator[str]:
    """The lowercase words in the snippets of a message, without its gaps, strings and comments."""
    for snippet in re.findall(r"`([^`]+)`", text):
        plain = re.sub(r"\{+\w+\}+|\"[^\"]*\"|#.*", " ", snippet)
        yield from re.findall(r"(?<![\w.])[a-z_]{2,}(?!\w)", plain)


def test_words_in_messages_are_words_of_the_grammar() -> None:
    found = {f"{code}: {word}" for code, text in messages_of_rules() for word in words_of(text)}
    assert sorted(one for one in found if one.partition(": ")[2] not in words() | EXAMPLES) == []


def test_no_example_name_is_left_over() -> None:
    used = {word for _, text in messages_of_rules() for word in words_of(text)}
    assert (EXAMPLES | BY_NAME) - used == set() and not EXAMPLES & words()
