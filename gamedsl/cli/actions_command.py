"""``actions``: the numbered actions of a ruleset, by kind."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import Subparsers, add_file, add_format, add_options, command, load_game
from gamedsl.cli.output import say, say_json
from gamedsl.language.source import ExitCode

if TYPE_CHECKING:
    from gamedsl.engine import ActionKind, Game

HEADINGS = ("first", "size", "kind", "parameters")


def add(commands: Subparsers) -> None:
    actions = command(commands, "actions", run_actions)
    add_file(actions)
    actions.add_argument("--list", action="store_true", help="print every action with its number")
    actions.add_argument(
        "--symmetries", action="store_true", help="also print what each symmetry of the rules exchanges"
    )
    add_format(actions)
    add_options(actions)


def run_actions(arguments: argparse.Namespace) -> int:

    game = load_game(arguments)
    if arguments.format == "json":
        say_json(_data(game, arguments.list) | (_turned(game) if arguments.symmetries else {}))
    elif arguments.list:
        for number in range(game.num_actions):
            say(f"{number} {game.action_text(number)}")
    else:
        for line in _table(game):
            say(line)
    if arguments.symmetries and arguments.format == "text":
        for line in _symmetries(game):
            say(line)
    return int(ExitCode.FINE)


def _table(game: Game) -> Iterator[str]:
    """The kinds as rows, and the totals."""
    rows = [HEADINGS, *(_row(k) for k in game.action_kinds)]
    first, size, name = (max(len(row[i]) for row in rows) for i in range(3))
    for row in rows if game.action_kinds else []:
        yield f"{row[0]:>{first}}  {row[1]:>{size}}  {row[2]:<{name}}  {row[3]}".rstrip()
    players = game.num_player_actions
    chance = (
        f" ({players:,} of players, {game.num_actions - players:,} of chance)" if players < game.num_actions else ""
    )
    yield f"{game.num_actions:,} action{'s' * (game.num_actions != 1)}{chance}"
    if len(game.action_factors) > 1:
        yield f"in parts: {' x '.join(f'{n:,}' for n in game.action_factors)}"
    if "drawing" in game.kinds:
        yield "drawings have no numbers: there are infinitely many"


def _symmetries(game: Game) -> Iterator[str]:
    from gamedsl.envs import symmetries, why_no_symmetries

    found = symmetries(game)
    why = "" if found else why_no_symmetries(game)
    count = f"{len(found) + 1:,} symmetries with the identity" if found else "no symmetries but the identity"
    yield f"{count}{f': {why}' if why else ''}"
    for turn in found:
        moved = int((turn.actions != range(game.num_actions)).sum())
        yield f"  {turn}: moves {moved:,} action{'s' * (moved != 1)}"


def _turned(game: Game) -> dict[str, Any]:
    from gamedsl.envs import symmetries

    found = [
        {"exchanges": str(s), "actions": s.actions.tolist(), "seats": s.seats, "observation": s.sources.tolist()}
        for s in symmetries(game)
    ]
    return {"symmetries": found}


def _row(kind: ActionKind) -> tuple[str, str, str, str]:
    name = f"chance: {kind.name}" if kind.kind == "chance" else kind.name
    return f"{kind.first:,}", f"{kind.size:,}", name, ", ".join(f"{p.name} {p.size:,}" for p in kind.parameters)


def _data(game: Game, whole: bool) -> dict[str, Any]:
    kinds = [
        {
            "kind": k.kind,
            "name": k.name,
            "first": k.first,
            "size": k.size,
            "parameters": [{"name": p.name, "size": p.size, "values": p.names} for p in k.parameters],
        }
        for k in game.action_kinds
    ]
    data = {
        "game": game.program.name,
        "options": game.options,
        "digest": game.digest,
        "actions": game.num_actions,
        "player_actions": game.num_player_actions,
        "factors": game.action_factors,
        "has_drawings": "drawing" in game.kinds,
        "kinds": kinds,
    }
    return data | ({"texts": list(map(game.action_text, range(game.num_actions)))} if whole else {})
