"""The recording at the top of the README: a game of its ruleset, with a refused move, as an animated SVG.

    python benchmarks/recording.py docs/pictures/recording.svg

The ruleset is the one that the README shows. The lines at the bottom are what ``gamedsl play`` and ``gamedsl solve`` print; the boards
are drawn by the page. ``tests/docs/test_recording.py`` plays the moves again and compares the lines.

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import gamedsl  # noqa: E402
from gamedsl.play.web import figure, figure_assets  # noqa: E402

RULESET = re.compile(r"^```gdl file=(\S+)\n(.*?)^```$", re.S | re.M)
MOVES = ("c3", "d4", "c4", "b4")  # c4 is refused
WIDTH, HEIGHT, MARGIN, LINE, FONT = 900, 545, 18, 15.5, 12.5
BOARD, TERMINAL = 280, 392  # the size of the board; where the lines at the bottom begin
COLORS = {
    "ground": "#14171f", "panel": "#1c212c", "text": "#d7dce5", "quiet": "#8c96a8", "prompt": "#8ab4f8", "string": "#9ece9a",
    "refused": "#ff9d8a", "band": "#5a2a2a", "paper": "#f6f4ef",
}  # fmt: skip
# The style that the page gives a shape, written into the shape: a picture in a README loads no style sheet.
INLINED = """() => {
  const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "font-weight", "text-anchor",
    "dominant-baseline"];
  const board = document.querySelector(".board-svg");
  for (const shape of board.querySelectorAll("*")) {
    const style = getComputedStyle(shape);
    if (shape.tagName !== "g") shape.setAttribute("style", kept.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    for (const { name } of [...shape.attributes]) if (name.startsWith("data-") || name === "class") shape.removeAttribute(name);
  }
  const defs = [...document.querySelectorAll("svg.fillings defs > *")].map((x) => x.outerHTML);
  return [board.getAttribute("viewBox"), board.innerHTML, defs];
}"""


@dataclass(frozen=True)
class Frame:
    """What is seen for some seconds: plies played, lines at the bottom, and a line of the ruleset that refuses a move."""

    plies: int
    lines: tuple[str, ...]
    seconds: float
    refused_by: int | None = None
    refused: str | None = None  # the cell


def ruleset() -> tuple[str, str]:
    """The name of the README's ruleset, and its text."""
    found = RULESET.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert found is not None
    return found[1], found[2]


def run(words: list[str], text: str, typed: str = "") -> str:
    """What a command prints, in a folder with the ruleset."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / ruleset()[0]).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "gamedsl.cli.main", *words]
        environment = {"PYTHONPATH": str(ROOT), "PATH": "", "HOME": folder, "XDG_DATA_HOME": folder, "PYTHONUTF8": "1"}
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, cwd=folder, env=environment, check=False
        )
        return done.stdout


def answers() -> list[tuple[str, list[str]]]:
    """The prompts of a game in the terminal, each with what is printed below it, without boards."""
    name, text = ruleset()
    printed = run(["play", name, "--plain"], text, "".join(f"{move}\n" for move in (*MOVES, "quit")))
    parts = re.split(r"^(\w+)> \n?", printed, flags=re.M)[1:]
    drawn = re.compile(r"^ +a   b|[┌├└│]")
    return [
        (prompt, [line for line in below.splitlines() if line.strip() and not drawn.search(line)])
        for prompt, below in zip(parts[::2], parts[1::2], strict=True)
    ][: len(MOVES)]


def frames(best: list[str]) -> list[Frame]:
    name, _ = ruleset()
    shown = [f"$ gamedsl play {name}"]
    found, plies = [], 0
    for (prompt, below), move in zip(answers(), MOVES, strict=True):
        found.append(Frame(plies, (*shown, f"{prompt}> "), 0.9))
        typed = f"{prompt}> {move}"
        if place := next((m for line in below if (m := re.search(rf"{name}:(\d+):", line))), None):
            shown += [typed, *below]
            found.append(Frame(plies, tuple(shown), 5, int(place[1]), move))
        else:
            plies += 1
            shown.append(typed)
            found.append(Frame(plies, tuple(shown), 0.9))
    return [*found, Frame(plies, (f"$ gamedsl solve {name}", *best), 4.5)]


def boards() -> tuple[list[tuple[str, str]], list[str]]:
    """The board after each legal move, as the page draws it, and the paints that all of them use."""
    from tests.play.web.browser import browser

    name, text = ruleset()
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / name).write_text(text, encoding="utf-8")
        game = gamedsl.load(file)
    state, states = game.initial_state(), [game.initial_state()]
    for move in MOVES:
        if not state.why_not(parsed := game.parse_move(move, state)):
            state = state.apply(parsed)
            states.append(state)
    drawn, paints = [], []
    with browser() as found:
        for state in states:
            page = found.new_page()
            page.set_content(f"<!doctype html>{figure(state)}{figure_assets()}")
            view, inside, paints = page.evaluate(INLINED)
            drawn.append((view, inside))
    return drawn, paints


def written(x: float, y: float, text: str, color: str, size: float = FONT) -> str:
    text = re.sub(r" {2,}|^ ", lambda m: "\N{NO-BREAK SPACE}" * len(m[0]), text)
    return f'<text x="{x:g}" y="{y:g}" fill="{COLORS[color]}" font-size="{size:g}">{text}</text>'


def source_line(number: int, line: str) -> str:
    y = 66 + LINE * number
    parts = re.split(r'("[^"]*")', escape(line, quote=False))
    colored = "".join(f'<tspan fill="{COLORS["string"]}">{p}</tspan>' if p.startswith('"') else p for p in parts)
    return written(MARGIN + 16, y, colored, "text")


def frame_picture(frame: Frame, drawn: list[tuple[str, str]]) -> str:
    view, inside = drawn[frame.plies]
    x = WIDTH - MARGIN - BOARD - 10
    parts = [
        f'<svg x="{x}" y="{MARGIN + 40}" width="{BOARD}" height="{BOARD}" viewBox="{view}">{inside}{_ring(frame)}</svg>'
    ]
    if frame.refused_by is not None:
        y = 66 + LINE * (frame.refused_by - 1) - 11.5
        band = f'<rect x="{MARGIN + 6}" y="{y:g}" width="{WIDTH - 3 * MARGIN - BOARD - 32}" height="{LINE + 1}" rx="3"'
        parts.append(f'{band} fill="{COLORS["band"]}"/>')
        line = ruleset()[1].splitlines()[frame.refused_by - 1]
        parts.append(source_line(frame.refused_by - 1, line))
    for number, line in enumerate(frame.lines[-6:]):
        color = "prompt" if re.match(r"\$|\w+> ", line) else "refused" if frame.refused and "legal" in line else "text"
        parts.append(written(MARGIN + 16, TERMINAL + 24 + 19.5 * number, escape(line, quote=False), color, 14))
    return "".join(parts)


def _ring(frame: Frame) -> str:
    """A ring around the cell of a refused move. Cells of the page's grids are 100 wide, and begin at 46."""
    if frame.refused is None:
        return ""
    column, row = ord(frame.refused[0]) - ord("a"), int(frame.refused[1:])
    board = re.search(r"board grid (\d+)", ruleset()[1])
    rows = int(board[1]) if board else 0
    x, y = 46 + 100 * column, 46 + 100 * (rows - row)
    ring = f'<rect x="{x + 8}" y="{y + 8}" width="84" height="84" rx="8"'
    return f'{ring} fill="none" stroke="#c0392b" stroke-width="6" stroke-dasharray="14 9"/>'


def _panel(x: int, y: int, width: int, height: int, color: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="8" fill="{COLORS[color]}"/>'


def picture(found: list[Frame], drawn: list[tuple[str, str]], paints: list[str]) -> str:
    name, text = ruleset()
    total, begin = sum(f.seconds for f in found), 0.0
    style, groups = [], []
    for number, frame in enumerate(found):
        a, b = 100 * begin / total, 100 * (begin + frame.seconds) / total
        hidden = f"0%,{a:.3f}%{{visibility:hidden}}" if number else ""
        after = f"{b:.3f}%,100%{{visibility:hidden}}" if number + 1 < len(found) else ""
        style.append(
            f"@keyframes k{number}{{{hidden}{a + 0.001:.3f}%,{b - 0.001:.3f}%{{visibility:visible}}{after}}}"
            f".f{number}{{animation:k{number} {total:g}s linear infinite}}"
        )
        begin += frame.seconds
        still = " still" if frame.refused is not None else ""
        groups.append(f'<g class="frame f{number}{still}">{frame_picture(frame, drawn)}</g>')
    left = WIDTH - 3 * MARGIN - BOARD - 20
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'role="img" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace">',
            f"<title>A game of {escape(name)}: the move c4 is refused, and the rule that refuses it is marked</title>",
            f"<style>.frame{{visibility:hidden}}.still{{visibility:visible}}{''.join(style)}"
            "@media (prefers-reduced-motion: reduce){.frame{animation:none}}</style>",
            f"<defs>{''.join(paints)}</defs>",
            _panel(0, 0, WIDTH, HEIGHT, "ground"),
            _panel(MARGIN, MARGIN, left, TERMINAL - MARGIN - 12, "panel"),
            _panel(2 * MARGIN + left, MARGIN, BOARD + 20, TERMINAL - MARGIN - 12, "paper"),
            _panel(MARGIN, TERMINAL, WIDTH - 2 * MARGIN, HEIGHT - TERMINAL - MARGIN, "panel"),
            written(MARGIN + 16, 42, name, "quiet"),
            *(source_line(number, line) for number, line in enumerate(text.splitlines())),
            *groups,
            "</svg>\n",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    args = parser.parse_args()
    name, text = ruleset()
    best = run(["solve", name], text).splitlines()[:3]
    drawn, paints = boards()
    args.file.write_text(picture(frames(best), drawn, paints), encoding="utf-8")


if __name__ == "__main__":
    main()
