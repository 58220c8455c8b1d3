"""The figures of the studies in `docs/studies`: `python benchmarks/studies.py [--write] [NAME ...]`.

Every study is measured by the commands that its page shows, which are run here; the tables between the marks of the page are
written with `--write`, and compared without it (exit code 1 if they differ). All have seeds, so every machine makes the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "studies"
BEGIN, END = "<!-- made by `python benchmarks/studies.py --write {}` -->", "<!-- end -->"


@dataclass(frozen=True)
class Case:
    """A row of a table: what it is called, the ruleset, and the options."""

    name: str
    game: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """``random``, ``searched``: games of each case by random players, and by the agent. ``ladder``: options of `depth`,
    for those with a column of levels.
    """

    title: str
    cases: tuple[Case, ...]
    random: int = 0
    searched: int = 0
    agent: str = ""
    ladder: tuple[str, ...] = ()


LADDER = ("--first", "8", "--rungs", "9", "--pairs", "60", "--difference", "100")
TTIC = "t-tic-t-tac-toe-game"
STUDIES: dict[str, tuple[Table, ...]] = {
    "t-tic-t-tac-toe": (
        Table(
            "Versions",
            (
                Case("1.0", TTIC, ("edition=v1",)),
                Case("2.0", TTIC),
                Case("2.0, no super on the first ply", TTIC, ("super_on_first_ply=never",)),
                Case("2.0 without the rescue", "docs/studies/no-rescue.gdl"),
            ),
            10_000, 30, "mcts:60",
        ),
        Table(
            "Levels", (Case("1.0", TTIC, ("edition=v1",)), Case("2.0", TTIC)),
            ladder=("--first", "4", "--rungs", "7", "--pairs", "30", "--difference", "150"),
        ),
    ),
    "x-s-and-lines": (
        Table("Sizes", tuple(Case(f"n = {n}", "x-s-and-lines", (f"n={n}",)) for n in range(3, 11)), 10_000, 40, "mcts:60"),
    ),
    "horn-tiles": (
        Table(
            "Options",
            (
                Case("as printed", "horn-tiles"),
                Case("without diagonals", "horn-tiles", ("diagonals=no",)),
                Case("orientation from the opening tile", "horn-tiles", ("orientation_from=opening_tile",)),
                *(Case(f"{k} symbols make a line score", "horn-tiles", (f"six={k}",)) for k in (5, 4, 3)),
                *(Case(f"{k} tiles", "horn-tiles", (f"tiles={k}",)) for k in (30, 15)),
                *(Case(f"{k} squares a side", "horn-tiles", (f"size={k}", f"tiles={k * k // 2 - 5}")) for k in (8, 6)),
            ),
            3000, 8, "mcts:20",
        ),
    ),
    "atreso": (
        Table(
            "Adjacencies",
            tuple(Case(a, "docs/studies/atreso-white-first.gdl", (f"adjacency={a}",)) for a in ("side", "any")),
            4000,
        ),
    ),
    "yavalath": (
        Table(
            "Lines",
            (
                Case("both rules", "yavalath"),
                Case("without the four that wins", "docs/studies/yavalath-without-four.gdl"),
                Case("without the three that loses", "docs/studies/yavalath-without-three.gdl"),
                Case("both rules, with the swap", "yavalath", ("swap=yes",)),
            ),
            20_000, 60, "mcts:150", LADDER,
        ),
    ),
}  # fmt: skip


def main(arguments: list[str]) -> int:
    names = [a for a in arguments if a != "--write"] or [*STUDIES, "abs-trac-toe"]
    stale = False
    for name in names:
        began = time.process_time() + _children()
        text = "\n\n".join(crossings() if name == "abs-trac-toe" else map(measured, STUDIES[name]))
        page = FOLDER / f"{name}.md"
        begin = BEGIN.format(name)
        new = f"{begin}\n\n{text}\n\n{END}"
        if "--write" in arguments:
            old = page.read_text(encoding="utf-8") if page.exists() else f"{begin}{END}\n"
            before, _, after = old.partition(begin)
            page.write_text(before + new + after.partition(END)[2], encoding="utf-8")
        elif new not in page.read_text(encoding="utf-8"):
            stale = True
            sys.stdout.write(f"{page.relative_to(ROOT)} is not up to date:\n{text}\n")
        sys.stdout.write(f"{name}: {time.process_time() + _children() - began:.0f} CPU seconds\n")
        sys.stdout.flush()
    return int(stale)


def measured(table: Table) -> str:
    """Measures a table, and returns it as Markdown with its commands."""
    parts = []
    for kind, games in (("random", table.random), (table.agent, table.searched)):
        if games:
            rows = [_row(case, kind, games) for case in table.cases]
            head = ("", "first wins", "drawn", "second wins", "plies", "choices")
            command = f"gamedsl simulate GAME -n {games} --seats {kind} --seed 1"
            who = "random players" if kind == "random" else f"`{kind}`"
            parts.append(f"{table.title}, {games:,} games of {who} each (`{command}`):\n\n{_markdown(head, rows)}")
    if table.ladder:
        rows = [_levels(case, table.ladder) for case in table.cases]
        columns = ("", "levels", "Elo from the lowest to the highest")
        parts.append(f"Levels of play (`gamedsl depth GAME {' '.join(table.ladder)}`):\n\n{_markdown(columns, rows)}")
    return "\n\n".join(parts)


def _row(case: Case, kind: str, games: int) -> list[str]:
    told = run("simulate", case, "-n", str(games), "--seats", kind, "--seed", "1")
    first, second = told["seats"][:2]
    shares = (first["win_share"], first["draw_share"], second["win_share"])
    length = told["lengths"]["mean"]
    plies = (
        f"{length['value']:.1f} ({length['low']:.1f} to {length['high']:.1f})"
        if length["low"] is not None
        else f"{length['value']:.1f}"
    )
    return [case.name, *map(_percent, shares), plies, f"{told['branching']['mean']:.1f}"]


def _levels(case: Case, options: Sequence[str]) -> list[str]:
    told = run("depth", case, *options, "--seed", "1")
    more = " or more" if told["end"] == "rungs" else ""
    return [case.name, f"{told['levels']}{more}", "-" if told["elo_in_all"] is None else f"{told['elo_in_all']:.0f}"]


def _percent(share: dict[str, float]) -> str:
    return f"{100 * share['value']:.1f}% ({100 * share['low']:.1f} to {100 * share['high']:.1f})"


def run(command: str, case: Case, *words: str) -> dict[str, Any]:
    """Returns what a command prints as JSON. Raises ``SystemExit`` if it fails."""
    options = [word for option in case.options for word in ("--set", option)]
    line = ["gamedsl", command, case.game, *words, *options, "--format", "json", "-q"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        raise SystemExit(f"{' '.join(line)}: exit code {done.returncode}\n{done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows))


def _children() -> float:
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# -------------------------------------------------------------------------------------- Abs-Trac-Toe, by crossings

DRAWN_GAMES = 300
GROUPS = ((0, 4), (5, 9), (10, 14), (15, 19), (20, 99))


def crossings() -> Iterator[str]:
    """Yields the table of random games of Abs-Trac-Toe, grouped by how often the bending line crosses the straight ones."""
    games = list(drawn_games(DRAWN_GAMES, 1))
    rows = []
    for low, high in GROUPS:
        points = [p for crossed, p in games if low <= crossed <= high]
        if points:
            shares = [sum(check(p) for p in points) for check in CHECKS]
            name = f"{low}" if low == high else f"{low} or more" if high == 99 else f"{low} to {high}"
            rows.append([name, f"{len(points)}", *(_percent(wilson(hits, len(points))) for hits in shares)])
    head = ("crossings", "games", "first wins", "drawn", "second wins")
    lead = f"{DRAWN_GAMES} random games, by the number of crossings (`python benchmarks/studies.py abs-trac-toe`):"
    yield f"{lead}\n\n{_markdown(head, rows)}"


CHECKS: tuple[Callable[[tuple[float, ...]], bool], ...] = (
    lambda p: p[0] > p[1], lambda p: p[0] == p[1], lambda p: p[0] < p[1],
)  # fmt: skip


def drawn_games(games: int, seed: int) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Yields the number of crossings and the utilities of random games. The straight lines make nine spaces, and a line
    from edge to edge makes one more, and another one for every crossing. Every space is claimed in one turn.
    """
    from random import Random

    import gamedsl

    game = gamedsl.load("abs-trac-toe")
    for number in range(games):
        state, rng, claims = game.initial_state(), Random(f"{seed} {number}"), 0
        while not state.is_terminal:
            claims += state.kind == "player"
            state = state.apply(state.propose(rng))
        yield claims - 10, tuple(float(u) for u in state.returns)


def wilson(hits: int, games: int) -> dict[str, float]:
    """A share with its interval, as `simulate` prints it."""
    from gamedsl.lab.statistics import wilson as interval

    found = interval(hits, games)
    assert found is not None and found.low is not None and found.high is not None
    return {"value": found.value, "low": found.low, "high": found.high}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
