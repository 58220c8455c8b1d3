"""The overview that ``gamedsl`` alone prints: shipped games by family, opponents, and what to do next."""

from __future__ import annotations

import shutil
import textwrap

from gamedsl.source import Entry, read_index

_NARROWEST, _WIDEST = 50, 100
_WIDEST_NAME = 0.4  # of a line: a longer name gets a line of its own

_OPPONENTS = """\
people at one terminal (the default), or programs:
  --seats human,mcts:2s     a tree search that thinks two seconds a move
  --seats human,ab:d6       alpha-beta, six plies deep
  --seats human,random      any legal move"""

_NEXT = """\
gamedsl play GAME          play; `?` lists the moves, `help` the commands
gamedsl rules GAME         the rulebook of a game
gamedsl play mine.gdl      your own rules; docs/tutorial.md shows how to write them
gamedsl check mine.gdl     what is wrong with them
gamedsl --help             all commands"""


def overview() -> str:
    """The games by family with a sentence each, the opponents, and what to do next."""
    sections = [f"Opponents\n{textwrap.indent(_OPPONENTS, '  ')}", f"Next steps\n{textwrap.indent(_NEXT, '  ')}"]
    return "\n\n".join([games_by_family(), *sections])


def games_by_family() -> str:
    """Every shipped game with a sentence, by family."""
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    families = read_index()
    names = [len(game.name) for games in families.values() for game in games]
    column = max(n for n in names if n <= _WIDEST_NAME * width) + 4
    return "\n\n".join("\n".join([family, *_lines(games, width, column)]) for family, games in families.items())


def _lines(games: tuple[Entry, ...], width: int, column: int) -> list[str]:
    told: set[str] = set()
    lines: list[str] = []
    for game in games:
        # a variant shares its original's sentence, so its title says more
        text = game.title if game.about in told or not game.about else game.about
        told.add(game.about)
        indent = " " * column
        name = f"  {game.name}  ".ljust(column)
        if len(name) > column:
            lines.append(name.rstrip())
            name = indent
        lines += textwrap.wrap(text, width, initial_indent=name, subsequent_indent=indent, break_on_hyphens=False)
    return lines
