"""Real editors with the configurations that are shipped: they show mistakes, apply fixes, complete and rename."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

pytest.importorskip("pygls")

ROOT = Path(__file__).resolve().parents[2]
EDITORS = ROOT / "editors"
PAGE = ROOT / "docs" / "guide" / "editor.md"
GAME = """\
players X, O
board grid 3 by 3
piece mark of player

move place(c: cell)
  when c in empti
  put mark[me] on c

play
  turns from X
    me plays place
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a ruleset and, first on the PATH, the command of this tree."""
    (tmp_path / "mine.gdl").write_text(GAME, encoding="utf-8")
    command = tmp_path / "bin" / "gamedsl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m gamedsl.cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    return tmp_path


def run(folder: Path, words: list[str], program: str) -> Any:
    """What a program of the editor's own leaves in a file."""
    script = folder / ("script" + (".lua" if words[0] == "nvim" else ".el"))
    script.write_text(program.replace("RESULT", str(folder / "result.json")), encoding="utf-8")
    paths = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    homes = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    found = subprocess.run(
        [word.replace("SCRIPT", str(script)) for word in words],
        env=os.environ | paths | homes,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    result = folder / "result.json"
    assert result.exists(), found.stdout + found.stderr
    return json.loads(result.read_text(encoding="utf-8"))


NVIM = f"""
vim.cmd("edit mine.gdl")
local buffer = vim.api.nvim_get_current_buf()
local found = {{ filetype = vim.bo.filetype }}
assert(found.filetype == "gamedsl")
local function wait(what) return vim.wait({PATIENCE * 1000:.0f}, what, 20) end
local function line(n) return vim.api.nvim_buf_get_lines(buffer, n - 1, n, true)[1] end
wait(function() return #vim.diagnostic.get(buffer) > 0 end)
found.mistakes = vim.tbl_map(function(d) return {{ d.code or d.user_data.lsp.code, d.lnum, d.message }} end, vim.diagnostic.get(buffer))

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, {PATIENCE * 1000:.0f})
  local _, answer = next(answers)
  return answer.result
end
vim.api.nvim_win_set_cursor(0, {{ 6, 14 }})
local params = vim.lsp.util.make_range_params()
params.context = {{ diagnostics = {{}} }}
local actions = ask("textDocument/codeAction", params)
found.fixes = vim.tbl_map(function(a) return a.title end, actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
found.fixed = line(6)
found.clean = wait(function() return #vim.diagnostic.get(buffer) == 0 end)

vim.api.nvim_win_set_cursor(0, {{ 11, 13 }})
local items = ask("textDocument/completion", vim.lsp.util.make_position_params())
found.completed = vim.tbl_map(function(i) return i.label end, items.items)
vim.api.nvim_win_set_cursor(0, {{ 5, 6 }})
local rename = vim.lsp.util.make_position_params()
rename.newName = "drop"
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", rename), "utf-16")
found.renamed = {{ line(5), line(11) }}
local file = io.open("RESULT", "w")
file:write(vim.fn.json_encode(found))
file:close()
"""


@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim(folder: Path) -> None:
    words = ["nvim", "--headless", "-u", str(EDITORS / "neovim" / "gamedsl.lua")]
    words += ["-c", "luafile SCRIPT", "-c", "qall!"]
    found = run(folder, words, NVIM)
    assert found["filetype"] == "gamedsl"
    ((code, line, message),) = found["mistakes"]
    assert (code, line) == ("E0201", 5) and "empti" in message
    assert "`empty`" in found["fixes"][0]
    assert found["fixed"] == "  when c in empty" and found["clean"]
    assert "place" in found["completed"]
    assert found["renamed"] == ["move drop(c: cell)", "    me plays drop"]


EMACS = f"""
(setq eglot-sync-connect {PATIENCE:.0f} eglot-connect-timeout {PATIENCE:.0f} eglot-autoshutdown t eglot-confirm-server-initiated-edits nil)
(defvar found nil)
(defun note (name value) (push (cons name value) found))
(defun row (n) (save-excursion (goto-char (point-min)) (forward-line (1- n)) (buffer-substring (point) (line-end-position))))
(defun at (text) (goto-char (point-min)) (search-forward text))
(defun ask (method) (eglot--signal-textDocument/didChange)
  (jsonrpc-request (eglot--current-server-or-lose) method (eglot--TextDocumentPositionParams)))
(defun wait-for (what)
  (let ((end (time-add nil {PATIENCE:.0f})))
    (while (and (not (funcall what)) (time-less-p nil end)) (accept-process-output nil 0.1))))
(find-file "mine.gdl")
(call-interactively #'eglot)
(note 'mode (symbol-name major-mode))
(defvar said nil)
(add-hook 'flymake-diagnostic-functions #'eglot-flymake-backend nil t)
(eglot-flymake-backend (lambda (all &rest _) (setq said (or all said))))
(wait-for (lambda () said))
(note 'texts (vconcat (mapcar #'flymake-diagnostic-text said)))
(at "empt")
(let ((actions (eglot-code-actions (point) (point) nil)))
  (note 'fixes (vconcat (mapcar (lambda (one) (plist-get one :title)) actions)))
  (eglot--apply-workspace-edit (plist-get (elt actions 0) :edit)))
(note 'fixed (row 6))
(at "plays ")
(note 'completed
      (vconcat (mapcar #'substring-no-properties (all-completions "" (nth 2 (eglot-completion-at-point))))))
(at "mark[m")
(search-backward "mark")
(note 'hover (plist-get (plist-get (ask :textDocument/hover) :contents) :value))
(at "plac")
(eglot-rename "drop")
(note 'renamed (vector (row 5) (row 11)))
(at "mark[me] on")
(insert "    ")
(eglot-format-buffer)
(note 'formatted (row 7))
(goto-char (point-max))
(insert "# a note")
(note 'comment (if (nth 4 (syntax-ppss)) t :json-false))
(with-temp-file "RESULT" (insert (json-encode found)))
(set-buffer-modified-p nil)
(kill-emacs)
"""


@pytest.mark.skipif(shutil.which("emacs") is None, reason="needs Emacs")
def test_emacs(folder: Path) -> None:
    mode = EDITORS / "emacs" / "gamedsl-mode.el"
    start = ["emacs", "--batch", "-f", "package-initialize", "--eval", "(require 'eglot nil t)"]
    probe = subprocess.run([*start[:4], "--eval", "(kill-emacs (if (require 'eglot nil t) 0 1))"], check=False)
    if probe.returncode:
        pytest.skip("needs eglot")
    found = run(folder, [*start, "-l", str(mode), "-l", "SCRIPT"], EMACS)
    assert found["mode"] == "gamedsl-mode" and found["comment"]
    assert len(found["texts"]) == 1 and "empti" in found["texts"][0]
    assert "`empty`" in found["fixes"][0] and found["fixed"] == "  when c in empty"
    assert "place" in found["completed"]
    assert "**mark**" in found["hover"]
    assert found["renamed"] == ["move drop(c: cell)", "    me plays drop"]
    assert found["formatted"] == "  put mark[me] on c"


class Screen:
    """Helix in a terminal of tmux."""

    def __init__(self, folder: Path, command: str) -> None:
        self.socket = folder / "tmux"
        paths = f"PATH={shlex.quote(str(folder / 'bin'))}:$PATH PYTHONPATH={shlex.quote(str(ROOT))} HOME={shlex.quote(str(folder))}"
        terminal = "TERM=xterm-256color COLORTERM=truecolor"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", f"{paths} {terminal} {command}")

    def tmux(self, *words: str) -> str:
        done = subprocess.run(["tmux", "-S", str(self.socket), *words], capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, *keys: str) -> None:
        """Sends keys by their names; a key that begins with a space is text."""
        for key in keys:
            self.tmux("send-keys", *(["-l", "--", key[1:]] if key.startswith(" ") else [key]))

    def write(self, text: str) -> None:
        """Types a text quickly, in insert mode. (Helix 25.01 sends the changes in any order.)"""
        self.wait(" INS ")
        self.type(f" {text}")
        self.wait(text)

    def leave(self) -> None:
        """Back to normal mode. (A key too soon after Escape would be another key.)"""
        self.type("Escape")
        self.wait(" NOR ")

    def wait(self, *texts: str, without: str = "\0", line: str = "") -> str:
        """The screen, once it shows some texts, and one no longer; ``line``: a pattern that a line begins with. (What is
        typed may stand in a list of completions before it stands in the text.)"""
        end = time.monotonic() + PATIENCE
        shown = ""
        while not all(text in shown for text in texts) or without in shown or not re.search(f"(?m)^{line}", shown):
            assert time.monotonic() < end, f"Helix does not show {texts}, {line}:\n{shown}"
            time.sleep(0.05)
            shown = self.tmux("capture-pane", "-p")
        return shown

    def colors(self) -> dict[str, str]:
        """The color of each word; of one that is there twice, that of the last."""
        found = re.findall(r"\x1b\[38;2;([\d;]+)m(\w+)", self.tmux("capture-pane", "-p", "-e"))
        return {word: color for color, word in found}


def helix() -> str:
    """The command of Helix, on the PATH or where `.ci/debian-tools` puts it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = shutil.which("hx", path=f"{os.environ['PATH']}:{cache / 'gamedsl-tools' / 'bin'}")
    if not found or not shutil.which("tmux") or not shutil.which("cc"):
        pytest.skip("needs Helix (`.ci/debian-tools` fetches it), tmux and a C compiler")
    return found


def configured(folder: Path) -> tuple[str, str]:
    """The command of Helix, which has taken the steps of the page in a home of its own, and what these print."""
    command = helix()
    (steps,) = re.findall(r"(?ms)^### Helix\n.*?^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"))
    homes = {"HOME": str(folder), "PATH": f"{Path(command).parent}:{folder / 'bin'}:{os.environ['PATH']}"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")} | homes
    (folder / ".config" / "helix").mkdir(parents=True)
    shipped = (EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8")
    patient = shipped.replace(
        'args = ["lsp"]\n', f'args = ["lsp"]\ntimeout = {PATIENCE:.0f}\n'
    )  # for a server on a busy machine
    (folder / ".config" / "helix" / "languages.toml").write_text(patient, encoding="utf-8")
    done = subprocess.run(
        ["sh", "-e"], input=steps, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return shlex.quote(command), done.stdout


def test_helix(folder: Path) -> None:
    command, health = configured(folder)
    assert re.findall("✓|✘|None", health)[-4:] == ["✓"] * 4, "grammar, colors, text objects, indentation"
    screen = Screen(folder, f"{command} {folder / 'mine.gdl'}")
    try:
        screen.wait("me plays place")
        screen.type("6gg", "gl")
        screen.wait("unknown name `empti`", "E0201")
        screen.type("Space", "a")
        screen.wait("Change `empti` to `empty`")
        screen.type("Enter")
        screen.wait("when c in empty")
        screen.type("3gg")
        screen.wait(" 3:1")
        colors = screen.colors()
        assert colors["move"] == colors["when"] == colors["plays"] and colors["3"] != colors["move"]
        assert len({colors["move"], colors["place"], colors["empty"], colors["c"]}) == 4
        assert colors["cell"] not in (colors["c"], colors["move"])
        screen.type("7gg", "f", "m", "Space", "k")
        screen.wait("mark: a piece, of player")
        screen.type("Escape")
        screen.wait(" 7:7", without="a piece, of")
        screen.type("11gg", "gl", "gd")
        screen.wait(" 5:6")
        screen.type("Space", "r")
        screen.wait("rename-to:place")
        screen.type("C-u", " drop", "Enter")
        screen.wait("move drop(c: cell)", "me plays drop")
        screen.type("6gg", "A")
        screen.write(" and " + "abcdefgh" * 6)
        screen.leave()
        screen.type("gl")
        screen.wait("unknown name", f"`{'abcdefgh' * 6}`")
        screen.type("u")
        screen.wait("when c in empty", without="abcdefgh")
        screen.type("6gg", "A")
        screen.write(" and em")
        screen.type("C-x")
        screen.wait("attempts")
        screen.leave()
        screen.type("u")
        screen.type("7gg", "gl", "i")
        screen.write("   ")
        screen.wait("on    c")
        screen.leave()
        screen.type(" :format", "Enter")
        screen.wait("put mark[me] on c")
        for line, columns in ((7, 2), (5, 2), (9, 2), (11, 4)):  # a new line after these
            screen.type(f"{line}gg", "o", " skip")
            screen.wait(line=rf".{{2}}{line + 1:>3}  {' ' * columns}skip")
            screen.leave()
            screen.type("u")
            screen.wait(" NOR ", without="skip")
        screen.type(" :write", "Enter")
        screen.wait("written")
    finally:
        screen.tmux("kill-server")
    assert (folder / "mine.gdl").read_text(encoding="utf-8") == GAME.replace("empti", "empty").replace("place", "drop")


def test_helix_with_examples_and_clauses(folder: Path) -> None:
    command, _ = configured(folder)
    (folder / "clauses").mkdir()
    (folder / "clauses" / "mine.yaml").write_text('- number: "1"\n  text: A mark is put.\n', encoding="utf-8")
    rules = 'game "Mine"\n  clauses "clauses/mine.yaml"\n' + GAME.replace("c in empti", "c in empty @1")
    (folder / "mine.gdl").write_text(rules, encoding="utf-8")
    examples = folder / "mine.examples.yaml"
    examples.write_text("examples:\n  - name: first\n    legal_count: 9\n    to_mov: X\n", encoding="utf-8")
    screen = Screen(folder, f"{command} {examples}")
    try:
        screen.wait("legal_count")
        screen.type("4gg", "gs")
        screen.wait("unknown key to_mov", "E0640")
        screen.type("x", "c")
        screen.write("    to_mov")
        screen.type("C-x")
        screen.wait("to_move")
        screen.write("e: Y")
        screen.leave()
        screen.wait("no player Y", "E0643")
        screen.type("i", "BSpace", " X")
        screen.leave()
        screen.wait("to_move: X", without="no player")
        screen.type(f" :open {folder}/clauses/mine.yaml", "Enter")
        screen.wait("A mark is put.")
        screen.type("2gg", "o", "C-u")
        screen.write('- number: "1"')
        screen.leave()
        screen.type("gl")
        screen.wait("the key `text` is missing", "E0641")
    finally:
        screen.tmux("kill-server")


@pytest.mark.parametrize("name", ["neovim/gamedsl.lua", "helix/languages.toml", "emacs/gamedsl-mode.el"])
def test_the_page_shows_the_configurations_as_they_are(name: str) -> None:
    text = (EDITORS / name).read_text(encoding="utf-8")
    assert text in PAGE.read_text(encoding="utf-8")
    if name.endswith(".toml"):
        tomllib.loads(text)


def test_the_keys_for_helix_are_those_that_it_documents() -> None:
    """From `book/src/languages.md` of helix-editor/helix, as of 2026."""
    known = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert set(known) == {"language", "language-server"}
    keys = "name language-id scope injection-regex file-types shebangs roots auto-format comment-token comment-tokens indent"
    for language in known["language"]:
        assert set(language) <= {*keys.split(), "language-servers", "grammar", "formatter"}
        assert set(language["indent"]) == {"tab-width", "unit"}
        assert language["language-servers"] == list(known["language-server"])
    (server,) = known["language-server"].values()
    assert set(server) <= {"command", "args", "config", "timeout", "environment", "required-root-patterns"}
