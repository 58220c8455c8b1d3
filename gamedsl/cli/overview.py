"""The one-screen overview that ``gamedsl`` prints without arguments: shipped games by family, opponents, next steps;
and the full list of games.
"""

from __future__ import annotations

import shutil
import textwrap

from gamedsl.language.source import Entry, read_index

_NARROWEST, _WIDEST = 50, 100
_WIDEST_NAME = 0.4  # columns of a line; a longer name gets a line of its own

_FAMILY = 28  # columns of a family's name; a longer one gets a line of its own
_NEXT = """\
Opponents: people at one terminal (the default), or programs:
--seats human,mcts:2s (tree search, two seconds a move), human,ab:d6

gamedsl list               what each game is; --players 3 picks games
gamedsl play               choose a game, and play it
gamedsl play GAME          play; `?` lists the moves, `help` the commands
gamedsl rules GAME         the rulebook of a game
gamedsl new mine           rules of your own; docs/tutorial/README.md shows how
gamedsl help               all commands"""


def overview() -> str:
    """The games by family, as many names as fit on a line, the opponents, and the next steps."""
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    lines = [line for family, games in read_index().items() for line in _family_lines(family, games, width)]
    return "\n".join([*lines, "", _NEXT])


def _family_lines(family: str, games: tuple[Entry, ...], width: int) -> list[str]:
    names = [game.name for game in games]
    shown = len(names)
    while shown > 1 and _FAMILY + len(_some(names, shown)) > width:
        shown -= 1
    text = _some(names, shown)
    if len(family) > _FAMILY - 2:
        return [family, " " * _FAMILY + text]
    return [family.ljust(_FAMILY) + text]


def _some(names: list[str], shown: int) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more else "")


def games_by_family(families: dict[str, tuple[Entry, ...]]) -> str:
    """Every game with its summary, by family."""
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    names = [len(game.name) for games in families.values() for game in games]
    column = max(n for n in names if n <= _WIDEST_NAME * width) + 4
    return "\n\n".join("\n".join([family, *_lines(games, width, column)]) for family, games in families.items())


def _lines(games: tuple[Entry, ...], width: int, column: int) -> list[str]:
    shown: set[str] = set()
    lines: list[str] = []
    for game in games:
        # a variant shares its original's sentence, so its title says more
        text = game.title if game.about in shown or not game.about else game.about
        shown.add(game.about)
        indent = " " * column
        name = f"  {game.name}  ".ljust(column)
        if len(name) > column:
            lines.append(name.rstrip())
            name = indent
        lines += textwrap.wrap(text, width, initial_indent=name, subsequent_indent=indent, break_on_hyphens=False)
    return lines
