"""The picture of the tools for programs in the docs: real calls of `gamedsl mcp`, and what it answers, as a client shows them.

    python benchmarks/programs_picture.py [FILE]

Needs a system Chromium and the extra `dev`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from html import escape
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from mcp.client.client import Client  # noqa: E402

from gamedsl.mcp_server import make_tool_server  # noqa: E402
from gamedsl.studio import template_files  # noqa: E402
from tests.play.web.browser import browser  # noqa: E402

RULES = template_files("row", "tic-tac-toe")["row.gdl"]
MISTAKE = RULES.replace("me plays place", "me plays plase")
CALLS: list[tuple[str, dict[str, Any], str]] = [
    ("check", {"game": MISTAKE}, "a ruleset with a slip"),
    ("legal_moves", {"game": RULES, "moves": ["b2", "c3", "a1"], "why": ["a1"]}, "the moves b2, c3, a1, and why not a1 once more?"),
    ("verify", {"game": f"{RULES}\nclaim never count(mark[X]) = 2\n", "seconds": 10}, "the claims, with one that is wrong"),
]  # fmt: skip
MONO = '"DejaVu Sans Mono", monospace'
STYLE = f"""body {{ font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; background: #f4f3ee; color: #22211d }}
body {{ width: 860px; margin: 0; padding: 22px }}
p {{ margin: 14px 0 6px; color: #6c675c }} b {{ color: #1d5aa8; font-family: {MONO}; margin-right: 8px }}
pre {{ margin: 0; padding: 12px 16px; background: #fff; border: 1px solid #dedad0; border-radius: 10px }}
pre {{ font: 13px/1.45 {MONO}; white-space: pre-wrap }}"""


async def answers() -> list[str]:
    async with Client(make_tool_server(None)) as client:
        found = [await client.call_tool(tool, words) for tool, words, _ in CALLS]
    return ["".join(part.text for part in one.content) for one in found]


def shown(tool: str, text: str) -> str:
    """The part of an answer that matters here."""
    data = json.loads(text)
    if tool == "check":
        (one,) = data["files"][0]["diagnostics"]
        kept: Any = {name: one[name] for name in ("code", "message", "help")} | {"line": one["place"]["line"]}
        kept["fixes"] = [fix["title"] for fix in one["fixes"]]
    elif tool == "legal_moves":
        return data["board"] + "\n\n" + json.dumps({"to_act": data["to_act"], "why": data["why"]}, indent=2)
    else:
        kept = [
            {k: v[k] for k in ("claim", "status", "detail", "play") if k in v}
            for v in data["verdicts"]
            if not v["default"]
        ]
    return json.dumps(kept, indent=2, ensure_ascii=False)


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures" / "programs.png"
    texts = asyncio.run(answers())
    body = "".join(
        f"<p><b>{tool}</b>{escape(words)}</p><pre>{escape(shown(tool, text))}</pre>"
        for (tool, _, words), text in zip(CALLS, texts, strict=True)
    )
    with browser() as chrome:
        page = chrome.new_context(viewport={"width": 904, "height": 400}, device_scale_factor=1.5).new_page()
        page.set_content(f"<style>{STYLE}</style>{body}")
        page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    main()
