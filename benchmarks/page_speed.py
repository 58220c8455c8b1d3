"""Files of pages, and how long a browser takes for them: `python benchmarks/page_speed.py [NAME ...]` prints a table, and
`--write` puts it into docs/reference/page-speed.md.

The size of the file; processor milliseconds of the page's main thread until the first position is drawn, and until a move is drawn
(the median and the most of some random moves). Clocks do not count: a busy machine would tell more about itself. The window is that
of a phone.

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import gamedsl  # noqa: E402
from gamedsl.language.rules import shipped  # noqa: E402
from gamedsl.play.web import playable_page  # noqa: E402
from tests.play.web.browser import SIZES, browser, wait_until  # noqa: E402

PAGE = ROOT / "docs/reference/page-speed.md"
MOVES, WANTED = 8, 50  # milliseconds
READY = "(({ actions, outcome, kind }) => actions.length || outcome || kind === 'drawing')(shown.update.position.turn)"
MADE = "shown.update.tree.nodes.filter(({ seat }) => seat !== null).length"
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
HEAD = """# How large and how fast pages are

Written by `python benchmarks/page_speed.py --write`; do not edit. A page is one file, made by `gamedsl export --to html`. *First* is what
the page's main thread computes until the first position is drawn, *move* what it computes until a random move is drawn: the median and
the most of eight; where something is hidden, the others reply, and the mean of the moves until the next turn counts. Processor
milliseconds of a Chromium at 390 pixels, on two cores of a server; a phone takes longer. Wanted are less than 600 kB, 500 ms and 50 ms;
the last line has the worst of each.

| ruleset | kB | first | move | most |
|---|---:|---:|---:|---:|
"""


@dataclass(frozen=True)
class Measured:
    """One page: its kilobytes, and the milliseconds until its first position and its moves were drawn."""

    name: str
    size: float
    first: float
    moves: tuple[float, ...]

    @property
    def row(self) -> str:
        middle, most = (statistics.median(self.moves), max(self.moves)) if self.moves else (0.0, 0.0)
        return f"| {self.name} | {self.size:.0f} | {self.first:.0f} | {middle:.0f} | {most:.0f} |"


def measure(found: Any, name: str, folder: Path) -> Measured:
    """Opens the page of a ruleset, and plays some random moves in it."""
    game = gamedsl.load(name)
    players = ["human"] + ["random" if game.secrets.hides else "human"] * (game.num_players - 1)
    file = folder / f"{name}.html"
    file.write_text(playable_page(game, players), encoding="utf-8")
    context = found.new_context(offline=True, viewport=SIZES["phone"], has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(120_000)
    session = context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri())
    wait_until(page, "globalThis.shown")
    page.evaluate(DRAWN)
    first = _worked(session)
    moves: list[float] = []
    rng = Random(1)
    while len(moves) < MOVES:
        wait_until(page, READY)
        if page.evaluate("shown.update.position.turn.kind === 'drawing'"):
            page.evaluate("shown.table.tools.find(({ label }) => label === 'Draw for me').run()")
            continue
        actions = page.evaluate("shown.update.position.turn.outcome ? [] : shown.update.position.turn.actions")
        if not actions:
            break
        before, shown = _worked(session), page.evaluate(MADE)
        page.evaluate(f"shown.play({rng.choice(actions)[0]}).then(() => {DRAWN})")
        wait_until(page, READY)  # where something is hidden, others have moved, too
        page.evaluate(DRAWN)
        moves.append((_worked(session) - before) / max(1, page.evaluate(MADE) - shown))
    context.close()
    return Measured(name, file.stat().st_size / 1000, first, tuple(moves))


def _worked(session: Any) -> float:
    """Milliseconds of work of the page's main thread until now."""
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(metrics["TaskDuration"])


def table(all_measured: Iterable[Measured]) -> str:
    """The rows, and the worst of every column."""
    rows = list(all_measured)
    worst = max(r.size for r in rows), max(r.first for r in rows)
    slowest = max(statistics.median(r.moves) for r in rows if r.moves), max(max(r.moves) for r in rows if r.moves)
    last = f"| **worst** | {worst[0]:.0f} | {worst[1]:.0f} | {slowest[0]:.0f} | {slowest[1]:.0f} |"
    slow = [r.name for r in rows if r.moves and max(r.moves) >= WANTED]
    said = f"\nA single move took {WANTED} ms or more in: {', '.join(slow)}." if slow else ""
    return "\n".join([*(r.row for r in rows), last, *([said] if said else [])]) + "\n"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args(words)
    names = args.names or sorted(shipped())
    rows = []
    with tempfile.TemporaryDirectory() as folder, browser() as found:
        for name in names:
            rows.append(measure(found, name, Path(folder)))
            print(rows[-1].row, flush=True)
    if args.write:
        PAGE.write_text(HEAD + table(rows), encoding="utf-8")
    else:
        print(table(rows))


if __name__ == "__main__":
    main()
