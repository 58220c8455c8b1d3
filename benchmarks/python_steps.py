"""Steps a second of the loop that a Python program writes: ``python benchmarks/python_steps.py``.

    state = game.initial_state()
    while not state.is_terminal:
        state = state.apply(rng.choice(state.legal_moves()))
    state.returns

For every shipped ruleset: steps per CPU second of the interpreter, of the native backend, and of OpenSpiel's loop
(``legal_actions``, ``apply_action``) where it has the game; the ratios; and microseconds a step in the first and in the last
fifth of the longer plays, which tells whether a step costs more the longer a play lasts. The worst ratio comes first.

    python benchmarks/python_steps.py [--games NAME...] [--seconds S] [--most PLIES] [--json FILE]

A drawing is drawn by the generator, which takes long; its time is left out.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

import gamedsl

RULESETS = Path(__file__).parents[1] / "rulesets"
CHUNK = 16  # plies between two looks at the clock
LONG = 80  # plies of a play that has an early and a late part
PEERS = {
    "amazons": "amazons", "backgammon": "backgammon", "breakthrough": "breakthrough", "chess": "chess",
    "clobber": "clobber", "connect-four": "connect_four", "domineering": "domineering", "english-draughts": "checkers",
    "go": "go(board_size=9)", "havannah": "havannah", "hex": "hex", "gomoku": "gomoku", "nim": "nim",
    "nine-mens-morris": "nine_mens_morris", "oware": "oware", "pentago": "pentago", "pig": "pig",
    "phantom-tic-tac-toe": "phantom_ttt", "reversi": "othello", "tic-tac-toe": "tic_tac_toe",
    "ultimate-tic-tac-toe": "ultimate_tic_tac_toe", "y": "y(board_size=9)", "quoridor": "quoridor",
    "dots-and-boxes": "dots_and_boxes", "kalah": "mancala", "rock-paper-scissors": "matrix_rps",
    "kuhn-poker": "kuhn_poker", "leduc-poker": "leduc_poker", "liars-dice": "liars_dice", "dark-hex": "dark_hex",
    "goofspiel": "goofspiel", "battleship": "battleship",
}  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {"go": {"n": 9}}  # with which a ruleset is measured beside its peer


@dataclass
class Rate:
    """Steps, their CPU seconds, and the seconds of a step early and late in long plays."""

    steps: int = 0
    seconds: float = 0.0
    early: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)

    @property
    def a_second(self) -> float:
        return self.steps / self.seconds if self.seconds else 0.0

    def add(self, chunks: list[tuple[int, float]]) -> None:
        """A play, as steps with their seconds."""
        self.steps += sum(n for n, _ in chunks)
        self.seconds += sum(s for _, s in chunks)
        if sum(n for n, _ in chunks) >= LONG:
            fifth = max(1, len(chunks) // 5)
            self.early.append(_mean(chunks[:fifth]))
            self.late.append(_mean(chunks[-fifth:]))


def _mean(chunks: list[tuple[int, float]]) -> float:
    return sum(s for _, s in chunks) / max(1, sum(n for n, _ in chunks))


def measured(play: Callable[[Random], list[tuple[int, float]]], seconds: float) -> Rate:
    """Plays until the CPU seconds are spent, the first play left out (it fills caches)."""
    rate, begun, seed = Rate(), time.process_time(), 0
    play(Random(0))
    while time.process_time() - begun < seconds or not rate.steps:
        seed += 1
        rate.add(play(Random(seed)))
    return rate


def our_play(game: Any, most: int) -> Callable[[Random], list[tuple[int, float]]]:
    """A play of ours, at most so many plies."""

    def steps(state: Any, rng: Random) -> tuple[Any, int]:
        n = 0
        while n < CHUNK and not state.is_terminal:
            moves = state.legal_moves()
            if not moves:
                break
            state = state.apply(rng.choice(moves))
            n += 1
        return state, n

    def play(rng: Random) -> list[tuple[int, float]]:
        state, chunks, plies = game.initial_state(), [], 0
        while not state.is_terminal and plies < most:
            if state.kind == "drawing":
                state = state.apply(state.propose(rng))
                continue
            begun = time.process_time()
            state, n = steps(state, rng)
            if state.is_terminal:
                _ = state.returns
            chunks.append((n, time.process_time() - begun))
            plies += n
        return chunks

    return play


def peer_play(name: str, most: int) -> Callable[[Random], list[tuple[int, float]]] | None:
    """A play of OpenSpiel's; None where it has not this game."""
    try:
        spiel = import_module("pyspiel")
    except ImportError:
        return None
    if name.partition("(")[0] not in spiel.registered_names():
        return None
    game = spiel.load_game(name)

    def play(rng: Random) -> list[tuple[int, float]]:
        begun, plies = time.process_time(), 0
        state = game.new_initial_state()
        while not state.is_terminal() and plies < most:
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(game.num_players())])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        _ = state.returns()
        return [(plies, time.process_time() - begun)]

    return play


@dataclass
class Row:
    """The figures of a game: steps a second, and the native backend's microseconds a step early and late."""

    name: str
    interpreter: float
    native: float
    peer: float | None
    early: float | None
    late: float | None

    @property
    def over_interpreter(self) -> float:
        return self.native / self.interpreter

    @property
    def over_peer(self) -> float | None:
        return self.native / self.peer if self.peer else None

    @property
    def growth(self) -> float | None:
        return self.late / self.early if self.early and self.late else None

    @property
    def worst(self) -> float:
        """How far the game is above what is wanted: 5 times the interpreter, a quarter of OpenSpiel."""
        return min(self.over_interpreter / 5, (self.over_peer or 1e9) * 4)


def row(path: Path, seconds: float, most: int) -> Row:
    """The figures of a ruleset."""
    slow = measured(our_play(gamedsl.load(path, **OPTIONS.get(path.stem, {})), most), seconds)
    fast = measured(our_play(gamedsl.load(path, backend="native", **OPTIONS.get(path.stem, {})), most), seconds)
    peer = peer_play(PEERS[path.stem], most) if path.stem in PEERS else None
    theirs = measured(peer, seconds).a_second if peer is not None else None
    early, late = (1e6 * sum(x) / len(x) if x else None for x in (fast.early, fast.late))
    return Row(path.stem, slow.a_second, fast.a_second, theirs, early, late)


def rulesets(names: list[str]) -> Iterator[Path]:
    for path in sorted(RULESETS.rglob("*.gdl")):
        if "library" not in path.parts and (not names or path.stem in names):
            yield path


def _text(x: float | None, digits: int) -> str:
    return "-" if x is None else f"{x:,.{digits}f}"


def show(rows: list[Row]) -> None:
    columns = (
        "game", "interpreter", "native", "OpenSpiel", "native / interpreter", "native / OpenSpiel", "early µs", "late µs",
        "late / early",
    )  # fmt: skip
    table = Table(*columns, title="Steps per CPU second of a Python loop")
    for r in sorted(rows, key=lambda r: r.worst):
        figures = ((r.interpreter, 0), (r.native, 0), (r.peer, 0), (r.over_interpreter, 2), (r.over_peer, 2))
        costs = ((r.early, 1), (r.late, 1), (r.growth, 2))
        table.add_row(r.name, *(_text(x, digits) for x, digits in (*figures, *costs)))
    Console(width=150).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a game and contestant")
    parser.add_argument("--most", type=int, default=400, help="plies of a play")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows = []
    for path in rulesets(args.games):
        try:
            rows.append(row(path, args.seconds, args.most))
        except gamedsl.GameDSLError as error:
            print(f"{path.stem}: {error}")
    show(rows)
    if args.json is not None:
        args.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
