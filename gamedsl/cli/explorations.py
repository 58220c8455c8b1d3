"""Shows an exploration: its variations, comments and marks, and what differs from these rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from gamedsl.cli.output import complain, say, say_json
from gamedsl.language.source import ExitCode, FileError, UsageError
from gamedsl.play.terminal import counted, position_lines

if TYPE_CHECKING:
    from gamedsl.engine import Branch, Exploration, Game, State

INDENT, MOST_INDENTED = "    ", 10
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}\.(?:gdl|json|yaml)")


def show_exploration(
    found: Exploration, name: str | None, options: Mapping[str, str], form: str, output: Path | None
) -> int:
    """Replays an exploration, and prints it or writes its page. ``name``: the ruleset (None: that of the file)."""
    from gamedsl import __version__
    from gamedsl.engine import differences, write_atomically

    if form not in ("text", "json"):
        raise UsageError(f"an exploration is not written as {form}", help="Write `--format text` or `json`.")
    if output is not None and output.suffix != ".html":
        raise UsageError("an exploration is written as a page", help="Write `-o NAME.html`.")
    game = _game_of(found, name, options)
    steps = found.steps(game)
    told = list(differences(game, __version__, found, steps))
    if form == "json":
        say_json(_as_json(found, told))
    else:
        _say(found, game.title, told, steps[found.at][0])
    if output is not None:
        from gamedsl.play.web import explored_page  # start-up: most replays make no page

        write_atomically(output, explored_page(game, found, steps))
        complain(f"written: {output}")
    return int(ExitCode.FINE)


def _game_of(found: Exploration, name: str | None, options: Mapping[str, str]) -> Game:
    """The game of the name, or of the file: by the rules that are here, or else by those that it holds."""
    from gamedsl.engine import InterpretedGame
    from gamedsl.language.rules import load_program

    chosen = {**found.options, **options} if name is None else options or found.options
    if name is not None or _is_here(found.game):
        return InterpretedGame(load_program(name or found.game, chosen))
    if not found.rules or not all(map(_FILE.fullmatch, found.rules)):
        raise UsageError(
            f"there is no ruleset `{found.game}` here, and the file does not hold it",
            help="Name a ruleset with `--game GAME`.",
        )
    complain(f"there is no ruleset `{found.game}` here; the rules in the file are used")
    with TemporaryDirectory() as folder:
        for file, text in found.rules.items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        main = next((file for file in found.rules if Path(file).stem == found.game), next(iter(found.rules)))
        return InterpretedGame(load_program(str(Path(folder) / main), chosen))


def _is_here(ruleset: str) -> bool:
    from gamedsl.language.rules import find_ruleset

    try:
        find_ruleset(ruleset)
    except (FileError, UsageError):
        return False
    return True


def _say(found: Exploration, title: str, told: Sequence[str], state: State) -> None:
    say(f"{title}, an exploration of {counted(len(found.branches) - 1)}")
    for sentence in told:
        say(sentence)
    for line in _tree(found):
        say(line)
    shown = found.line(found.at)
    say(f"The position after {', '.join(one.text for one in shown)}:" if shown else "The first position:")
    for line in position_lines(state, None):
        say(line)


def _tree(found: Exploration) -> Iterator[str]:
    """The plies line by line. Variations follow the ply that they replace, indented."""
    yield from _notes(found.branches[0], "")
    waiting = [(0, 0, 0, True)]  # a branch, its ply, its depth, and whether it has been printed
    while waiting:
        number, ply, depth, is_printed = waiting.pop()
        if not is_printed:
            yield from _line(found.branches[number], ply, depth)
        following = found.children[number]
        if following:
            yield from _line(found.branches[following[0]], ply + 1, depth)
            waiting.append((following[0], ply + 1, depth, True))
            waiting += [(other, ply + 1, depth + 1, False) for other in reversed(following[1:])]


def _line(branch: Branch, ply: int, depth: int) -> Iterator[str]:
    indent = INDENT * min(depth, MOST_INDENTED)
    yield f"{indent}{ply}. {branch.who}: {branch.text}"
    yield from _notes(branch, indent)


def _notes(branch: Branch, indent: str) -> Iterator[str]:
    for line in branch.comment.splitlines():
        yield f"{indent}   “{line.strip()}”"
    marks = [name for _, name in branch.circles] + [f"{a} → {b}" for (_, a), (_, b) in branch.arrows]
    if marks:
        yield f"{indent}   marks: {', '.join(marks)}"
    if branch.end is not None:
        yield f"{indent}   the end: {' and '.join(branch.end) + ' won' if branch.end else 'nobody won'}"


def _as_json(found: Exploration, told: Sequence[str]) -> dict[str, Any]:
    return {
        "game": found.game,
        "options": dict(found.options),
        "engine": found.engine,
        "differences": list(told),
        "at": found.at,
        "branches": [
            {
                "parent": branch.parent,
                "player": branch.who or None,
                "text": branch.text,
                "comment": branch.comment,
                "circles": [list(one) for one in branch.circles],
                "arrows": [[*a, *b] for a, b in branch.arrows],
                "end": None if branch.end is None else list(branch.end),
            }
            for branch in found.branches
        ],
    }
