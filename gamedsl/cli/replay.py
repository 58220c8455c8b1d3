"""Replays a record ply by ply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.findings import from_diagnostics, say_findings
from gamedsl.cli.output import complain, remark, say, say_json, show
from gamedsl.cli.streams import ask
from gamedsl.language.source import ExitCode, GameDSLError, UsageError, diagnostic_json, lazy_dataclass
from gamedsl.play.terminal import counted, position_lines

if TYPE_CHECKING:
    from gamedsl.engine import Announcement, Game, Move, Record, State

CHANCE = "chance"


@lazy_dataclass(frozen=True)
class Shown:
    """The parts of a record to show. With ``step``, the position is printed after every ply, and Enter continues; at
    most ``limit`` plies are shown. ``notation``: the declared notation for moves. ``seat``: show only what this player
    may know; ``output``: the file for a page (.html), or for a record of what this player may know; ``form``: that of
    ``--format``."""

    step: bool = False
    limit: int | None = None
    notation: str | None = None
    seat: str | None = None
    output: Path | None = None
    form: str = "text"


def replay(
    path: str | None,
    *,
    moves: str | None = None,
    game: str | None = None,
    options: Mapping[str, str] | None = None,
    shown: Shown | None = None,
) -> int:
    """Prints the plies of a record and the position they lead to.

    ``path`` may be a number from ``list_saved_games``. ``moves``: moves in place of a record, joined by ``;`` or one a line.
    ``game`` and ``options`` apply to lists of moves that do not name their own. A damaged record is shown up to the
    damage, which is then reported.
    """
    from gamedsl.engine import Record, is_exploration, read_exploration, write_atomically
    from gamedsl.play.terminal import numbered_play, without_strokes

    shown = shown or Shown()
    seat, output, notation = shown.seat, shown.output, shown.notation
    if path is None:
        kept, record, fault = None, _listed(moves or ""), None
    else:
        kept = numbered_play(path)
        record, fault = Record.read_good_part(kept or path)
        if record.source is not None and is_exploration(record.source.text):
            from gamedsl.cli.explorations import show_exploration  # start-up: most records have one line

            if shown.seat is not None or shown.step or shown.limit is not None or shown.notation is not None:
                raise UsageError(
                    "an exploration is shown as a whole",
                    help="Omit `--seat`, `--step`, `--limit` and `--notation`, or write a page with `-o NAME.html`.",
                )
            return show_exploration(read_exploration(record.source), game, options or {}, shown.form, output)
    if record.seat:
        return _show_one_sided(record, seat, shown.form)
    played = game_of(record, game, options or {})
    viewer = None if seat is None else _seat_number(played, seat)
    if output is not None and viewer is None and output.suffix != ".html":
        raise UsageError(
            f"`-o {output}` would write the record of one player's view, and no player is named",
            help="Name the player with `--seat NAME`. A page is written by `-o NAME.html`.",
        )
    record, bad_ply = without_strokes(record).good_part(played)
    if kept is not None and viewer is None and played.secrets.hides and not record.replay(played)[-1].is_terminal:
        raise UsageError(
            f"game {path} is not finished, and parts of it are hidden from its players",
            help=f"Show one player's view with `gamedsl replay {path} --seat NAME`, or everything with `gamedsl replay {kept}`.",
        )
    if notation is not None and viewer is not None and played.secrets.hides:
        raise UsageError("a notation shows everything, even what a player may not know", help="Omit `--seat`.")
    fault = bad_ply or fault
    if shown.form == "text":
        _show(record, played, shown, viewer)
    elif shown.form == "json":
        say_json(_as_json(record, played, shown, viewer) | _fault_json(fault))
    else:
        say_findings(shown.form, from_diagnostics(fault.diagnostics, str(kept or path or "")) if fault else ())
    if output is not None and output.suffix == ".html":
        from gamedsl.play.web import recorded_page  # start-up: most replays make no page

        write_atomically(output, recorded_page(played, record, viewer))
        _report_written(output, shown.form)
    elif output is not None:
        record.write(output, played, viewer)
        _report_written(output, shown.form)
    if fault is None:
        return int(ExitCode.FINE)
    show(fault.diagnostics)
    return int(fault.exit_code)


def _report_written(output: Path, form: str) -> None:
    """Reports a written file; on standard error if the output is data."""
    if form == "text":
        remark(f"written: {output}")
    else:
        complain(f"written: {output}")


def _listed(moves: str) -> Record:
    """The record of a list of moves. A drawing contains ``;``, so lists with drawings have one move per line."""
    from gamedsl.engine import Record

    lines = moves if "\n" in moves else "\n".join(m.strip() for m in moves.split(";"))
    return Record.parse(lines) if lines.strip() else Record()


def _seat_number(game: Game, name: str) -> int:
    if name not in game.players:
        raise UsageError(f"there is no player `{name}`", help=f"The players are {', '.join(game.players)}.")
    return game.players.index(name)


def _show(record: Record, played: Game, shown: Shown, viewer: int | None) -> None:
    notation, limit = shown.notation, shown.limit
    steps = list(record.steps(played))
    plies = _plies(steps, None if notation is not None else viewer)
    most = len(plies) if limit is None else min(limit, len(plies))
    wait = _waiter() if shown.step else None
    say(f"{played.title}, {counted(len(plies))}{_seats(record)}")
    state = steps[0][0]
    for number, (at, told) in enumerate(plies[:most], 1):
        if wait is not None:
            show_position(state, viewer)
            if not wait():
                return
        say(
            f"{number}. {played.players[told.player] if told.player is not None else CHANCE}: {_text(steps, at, told, notation)}"
        )
        for words in _said(steps, at, told, viewer):
            say(f'   "{words}"')
        state = steps[at][0]
    show_position(state if most < len(plies) else steps[-1][0], viewer)
    if most < len(plies):
        say(f"{counted(len(plies) - most)} to come")


def _as_json(record: Record, played: Game, shown: Shown, viewer: int | None) -> dict[str, Any]:
    """The record as plain data, as far as the viewer may know it."""
    steps = list(record.steps(played))
    plies = _plies(steps, None if shown.notation is not None else viewer)
    most = len(plies) if shown.limit is None else min(shown.limit, len(plies))
    state = steps[plies[most - 1][0] if most else 0][0] if most < len(plies) else steps[-1][0]
    return {
        "game": played.program.name,
        "title": played.title,
        "options": dict(played.options),
        "seats": list(record.seats),
        "plies": [
            {
                "number": number,
                "player": None if told.player is None else played.players[told.player],
                "text": _text(steps, at, told, shown.notation),
                "said": list(_said(steps, at, told, viewer)),
            }
            for number, (at, told) in enumerate(plies[:most], 1)
        ],
        "to_come": len(plies) - most,
        "position": list(position_lines(state, viewer)),
        "over": state.is_terminal,
        "winners": [played.players[seat] for seat in sorted(state.winners)],
        "returns": list(state.returns),
    }


def _fault_json(fault: GameDSLError | None) -> dict[str, Any]:
    if fault is None:
        return {"diagnostics": [], "exit_code": int(ExitCode.FINE)}
    return {"diagnostics": [diagnostic_json(d) for d in fault.diagnostics], "exit_code": int(fault.exit_code)}


def _text(steps: list[tuple[State, Move | None]], at: int, told: Announcement, notation: str | None) -> str:
    """The displayed text of a ply."""
    move = steps[at][1] if notation is not None else None
    if move is None or notation is None or at == 0:
        return told.text
    return steps[at - 1][0].move_text(move, notation)


def _said(steps: list[tuple[State, Move | None]], at: int, told: Announcement, viewer: int | None) -> tuple[str, ...]:
    """The messages of the rules after a ply, as far as the viewer may know them."""
    from gamedsl.engine import Sheet

    if told.move is None or at == 0:
        return ()
    before, after = (steps[i][0] if viewer is None else steps[i][0].seen_by(viewer) for i in (at - 1, at))
    return Sheet().after(before, told.move, after).said


def _plies(steps: list[tuple[State, Move | None]], viewer: int | None) -> list[tuple[int, Announcement]]:
    """The plies to show, each with the number of the step after which it is known: all of them, or those announced to
    a seat."""
    from gamedsl.engine import announced_plies, full_announcement

    if viewer is not None:
        return list(announced_plies(steps, viewer))
    return [(at, full_announcement(move)) for at, (_, move) in enumerate(steps) if move is not None]


def _show_one_sided(record: Record, seat: str | None, form: str) -> int:
    """Shows a record made for one seat, without positions."""
    if seat not in (None, record.seat):
        raise UsageError(
            f"the record was made for {record.seat}, and shows nothing to {seat}",
            help=f"Write `--seat {record.seat}`, or omit it.",
        )
    if form == "json":
        plies = [{"number": i, "player": ply.who or None, "text": ply.text} for i, ply in enumerate(record.plies, 1)]
        say_json(
            {"game": record.game, "options": dict(record.options), "seat": record.seat, "seats": list(record.seats)}
            | {"plies": plies}
            | _fault_json(None)
        )
        return int(ExitCode.FINE)
    if form != "text":
        say_findings(form, ())
        return int(ExitCode.FINE)
    say(f"{record.game}, {counted(len(record.plies))}, as seen by {record.seat}{_seats(record)}")
    for number, ply in enumerate(record.plies, 1):
        say(f"{number}. {ply.who or CHANCE}: {ply.text}")
    return int(ExitCode.FINE)


def game_of(record: Record, game: str | None, options: Mapping[str, str]) -> Game:
    """The game to which a record belongs."""
    from gamedsl.engine import InterpretedGame
    from gamedsl.language.rules import load_program

    name = game or record.game
    if not name:
        raise UsageError("the record does not name its game", help="Name it with `--game GAME`.")
    return InterpretedGame(load_program(name, {**record.options, **options} if not game else options or record.options))


def _seats(record: Record) -> str:
    return f" ({', '.join(record.seats)})" if record.seats else ""


def show_position(state: State, viewer: int | None = None) -> None:
    """Prints the board as a seat sees it (None: including everything hidden), and the result if the game is over."""
    for line in position_lines(state, viewer):
        say(line)


def _waiter() -> Callable[[], bool]:
    """A function that waits for the Enter key. It returns False to stop (`q`, or the end of the input)."""

    def wait() -> bool:
        answer = ask("Enter continues, q quits: ")
        return answer is not None and not answer.lower().startswith("q")

    return wait
