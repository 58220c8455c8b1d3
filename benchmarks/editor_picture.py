"""The picture of an editor in the docs: Neovim in a terminal, with the configuration that is shipped.

    python benchmarks/editor_picture.py [FILE]

It shows a mistake with its fixes, what can be written at the cursor, and what a word means. Needs Neovim, tmux, a system
Chromium and the extra `dev`.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
import time
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.patience import PATIENCE  # noqa: E402
from tests.play.web.browser import browser  # noqa: E402

WIDTH, HEIGHT = 96, 17
RULES = """\
players X, O
board grid 4 by 4
piece mark of player

move place(c: cell) written "{c}"
  when c in empti "that square is taken"
  put mark[me] on c

play
  turns from X
    me plays place
    if some l in lines(3): l within mark[me]
      win me
"""
PARTS = ("A mistake, and its fixes", "What can be written here", "What a word means")
ASKED = {"F2": "code_action", "F3": "hover"}
SETTINGS = (
    "termguicolors number signcolumn=yes laststatus=0 noruler noshowmode shortmess+=FcIW completeopt=menuone,noselect"
)
COLORS = {
    "Normal": "guifg=#22211d guibg=#ffffff",
    "LineNr": "guifg=#a39d8f",
    "SignColumn": "guibg=#ffffff",
    "EndOfBuffer": "guifg=#ffffff",
    "DiagnosticError": "guifg=#b3261e",
    "DiagnosticUnderlineError": "guifg=#b3261e gui=underline",
    "Pmenu": "guifg=#22211d guibg=#dfe8f5",
    "PmenuSel": "guifg=#ffffff guibg=#1d5aa8",
    "NormalFloat": "guifg=#22211d guibg=#ece9df",
    "Title": "guifg=#1d5aa8",
    "Special": "guifg=#6c675c",
    "Identifier": "guifg=#6c675c",
    "markdownListMarker": "guifg=#6c675c",
}
STYLE = """body { width: 860px; margin: 0; padding: 22px; background: #f4f3ee; font: 15px/1.45 "DejaVu Sans", sans-serif }
p { margin: 0 0 6px; color: #6c675c } pre + p { margin-top: 16px }
pre { margin: 0; padding: 12px 16px; background: #fff; border: 1px solid #dedad0; border-radius: 10px; overflow: hidden }
pre { font: 14px/1.4 "DejaVu Sans Mono", monospace; color: #22211d } span { background-clip: padding-box }"""


class Screen:
    """Neovim in a terminal of tmux."""

    def __init__(self, folder: Path) -> None:
        command = folder / "bin" / "gamedsl"
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gamedsl.cli.main "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        self.socket = folder / "tmux"
        look = folder / "look.vim"
        lines = [f"highlight {name} {colors}" for name, colors in COLORS.items()]
        lines += [f"nnoremap <{key}> <cmd>lua vim.lsp.buf.{asked}()<CR>" for key, asked in ASKED.items()]
        look.write_text("\n".join([f"set {SETTINGS}", *lines]), encoding="utf-8")
        words = ["nvim", "-n", "-u", str(ROOT / "editors" / "neovim" / "gamedsl.lua"), "-S", str(look)]
        paths = f"PATH={shlex.quote(str(command.parent))}:$PATH PYTHONPATH={shlex.quote(str(ROOT))} HOME={shlex.quote(str(folder))}"
        size = ["-x", str(WIDTH), "-y", str(HEIGHT)]
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", *size, f"{paths} {shlex.join([*words, str(folder / 'row.gdl')])}"
        )

    def tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", str(self.socket), *words], capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def wait(self, *texts: str) -> str:
        """The screen with its colors, once it shows some texts."""
        end = time.monotonic() + PATIENCE
        while not all(text in self.tmux("capture-pane", "-p") for text in texts):
            if time.monotonic() > end:
                raise SystemExit(f"Neovim does not show {texts}:\n{self.tmux('capture-pane', '-p')}")
            time.sleep(0.05)
        return self.tmux("capture-pane", "-p", "-e")

    def stop(self) -> None:
        self.tmux("kill-server")


def screens(folder: Path) -> list[str]:
    """What the terminal shows, one part after the other."""
    (folder / "row.gdl").write_text(RULES, encoding="utf-8")
    screen = Screen(folder)
    try:
        screen.wait("unknown name `empti`")
        screen.type("6G^3w", "F2")
        found = [screen.wait("Type number")]
        screen.type("1", "Enter")
        screen.wait("when c in empty")
        screen.type("11G$ciw", "C-x", "C-o")
        found.append(screen.wait("place Method"))
        screen.type("place", "Escape", "12G^4w", "F3")
        found.append(screen.wait("on a grid"))
    finally:
        screen.stop()
    return found


def without_end(text: str) -> str:
    """A screen without the rows after the end of the file."""
    lines = text.split("\n")
    while Text.from_ansi(lines[-1]).plain.strip() in ("", "~"):
        lines.pop()
    return "\n".join(lines)


def page_of(texts: list[str]) -> str:
    """HTML of the screens."""
    body = []
    for words, text in zip(PARTS, texts, strict=True):
        console = Console(record=True, file=StringIO(), width=WIDTH, color_system="truecolor", force_terminal=True)
        console.print(Text.from_ansi(without_end(text)), no_wrap=True, crop=True)
        body.append(f"<p>{words}</p>" + console.export_html(inline_styles=True, code_format="<pre>{code}</pre>"))
    return f"<style>{STYLE}</style>{''.join(body)}"


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures" / "editor.png"
    with tempfile.TemporaryDirectory() as folder:
        html = page_of(screens(Path(folder)))
    with browser() as chrome:
        page = chrome.new_context(viewport={"width": 904, "height": 400}, device_scale_factor=1.5).new_page()
        page.set_content(html)
        page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    main()
