"""``explain``: prints the page of a code or of a word, and everything related to a word."""

from __future__ import annotations

import argparse
import re

from gamedsl.cli.arguments import Subparsers, add_format, command
from gamedsl.cli.output import say_in_pages, say_json
from gamedsl.language.source import ExitCode, UsageError


def add(commands: Subparsers) -> None:
    explain = command(commands, "explain", run_explain)
    explain.add_argument(
        "topics",
        metavar="CODE|WORD",
        nargs="*",
        help="codes such as E0201, words of the language such as turns, or any word, in quotation marks if there are "
        "several (default: lists all codes)",
    )
    add_format(explain)


def run_explain(arguments: argparse.Namespace) -> int:
    from gamedsl.language.source import codes, title

    if not arguments.topics:
        titles = {code: title(code) for code in codes()}
        if arguments.format == "json":
            say_json({"codes": [{"code": code, "title": text} for code, text in titles.items()]})
        else:
            say_in_pages("\n".join(f"{code}  {text}" for code, text in titles.items()))
        return int(ExitCode.FINE)
    pages = [(topic, _page(topic).rstrip("\n")) for topic in arguments.topics]
    if arguments.format == "json":
        say_json({"topics": [{"topic": topic, "page": page} for topic, page in pages]})
    else:
        say_in_pages("\n\n".join(page for _, page in pages))
    return int(ExitCode.FINE)


def _page(asked: str) -> str:
    """The page of a code or of a word. Raises ``UsageError`` if there is none."""
    from gamedsl.language.source import explain, marked

    if re.fullmatch(r"(?i)[EW]?[0-9]+", asked.strip()):
        return marked(explain(asked))
    from gamedsl.language.rules import explain_word, near_words, related

    word = " ".join(asked.lower().split())
    page, found = explain_word(word), related(word)
    if page is None and not found:
        raise UsageError(
            f"nothing is known about {asked[:40]!r}: no code, word or page contains it",
            code="E0007",
            near=near_words(word),
            help="`gamedsl explain` lists the codes; docs/language/spec.md describes the language.",
        )
    return "\n".join([page or f"# {word}\n", *found.lines()])
