"""Zensical, which turns Markdown into the pages of the site: its configuration, and the call that runs it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from posixpath import relpath
from typing import TYPE_CHECKING

from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

SHIM = "assets/javascripts/iframe-worker.js"
_REMOTE_SHIM = "https://unpkg.com/iframe-worker/shim"  # lets the search run on pages that are opened from a disk
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_CONFIGURATION = """[project]
site_name = {title}
docs_dir = "docs"
site_dir = "site"
use_directory_urls = false
extra_css = ["site.css"]
extra_javascript = ["site.js"]

[project.plugins.awesome-nav]
[project.plugins.offline]
[project.plugins.search]

[project.theme]
font = false
language = "en"
features = [
  "content.code.copy", "navigation.footer", "navigation.indexes", "navigation.path", "navigation.prune", "navigation.tabs",
  "navigation.top", "search.highlight", "toc.follow",
]

[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"

[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"

[project.extra]
generator = false

[project.markdown_extensions]
abbr = {{}}
admonition = {{}}
attr_list = {{}}
footnotes = {{}}
md_in_html = {{}}
tables = {{}}
toc.permalink = true
toc.slugify = {{ object = "pymdownx.slugs.slugify", kwds = {{ case = "lower" }} }}
pymdownx.highlight.pygments_lang_class = true
pymdownx.inlinehilite = {{}}
pymdownx.superfences = {{}}
"""


def render_site(work: Path, title: str, sources: Mapping[str, str | bytes]) -> Path:
    """Writes the sources, by their paths, to the folder ``work`` and renders them; returns the folder of the site.

    Raises ``UsageError`` with what the renderer reports, ``OSError``."""
    for path, content in sources.items():
        target = work / "docs" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    configuration = (work / "zensical.toml").absolute()  # the renderer runs in another folder
    configuration.write_text(_CONFIGURATION.format(title=json.dumps(title)), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", str(configuration)]
    done = subprocess.run(
        command, cwd=work, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        raise UsageError(f"the documents cannot be rendered: {_first_problem(done.stdout)}")
    (work / "site" / "404.html").unlink(missing_ok=True)  # its links work only at the root of a host
    _make_local(work / "site")
    return work / "site"


def _first_problem(report: str) -> str:
    """The first problem of a report as one sentence, with its place if it has one."""
    report = _COLOR.sub("", report).partition("Traceback")[0]
    found = re.search(r"(?:Warning|Error): (.+)\n[^\[\n]*\[ (\S+) \]", report)
    if found is not None:
        return f"{found[2]}: {found[1]}"
    lines = [line.strip() for line in report.splitlines() if line.strip() and not line.startswith("Build started")]
    return lines[0] if lines else "Zensical gives no reason"


def _make_local(site: Path) -> None:
    """Makes the pages load from the site the one script that Zensical leaves on the network."""
    shutil.copyfile(Path(__file__).parent / "vendor" / "iframe-worker.js", site / SHIM)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        if _REMOTE_SHIM in text:
            here = page.relative_to(site).parent.as_posix()
            page.write_text(text.replace(_REMOTE_SHIM, relpath(SHIM, here)), encoding="utf-8")
