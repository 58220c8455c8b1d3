"""A page as a single HTML file that needs no network: script, style and data are inside, and nothing else is
allowed."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape

from gamedsl.play.web.single_script import STATIC, one_script

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {scripts}; style-src {style}; {workers}base-uri 'none'">
<title>{title}</title>
<style>{css}</style>
</head>
<body>
<div id="page"></div>
{data}
<script>{script}</script>
</body>
</html>
"""

_UNPACK = """
(async () => {
  const bytes = Uint8Array.from(atob(JSON.parse(document.getElementById("script").textContent)), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch((error) => { document.getElementById("page").textContent = `This browser cannot open the game: ${error.message}`; });
"""


def one_file(
    title: str, entry: str, start: str, data: Mapping[str, object], allowed: tuple[str, ...] = (), plays: bool = False
) -> str:
    """The text of the file. ``entry``: the module to start with; its exports are ``$entry``. ``start``: a script that
    runs after it. ``data``: each as JSON in an element with that id. ``allowed``: further sources of scripts for the
    Content-Security-Policy, such as ``'wasm-unsafe-eval'``. ``plays``: its script is packed, because the rest is large,
    and scripts that the page holds may run in workers."""
    script = f'"use strict";\n{one_script(entry)}\n{start}\n'.replace("</script", "<\\/script")
    hashes = [_hash(script)]
    if plays:
        data = {"script": packed(script.encode()), **data}
        script = _UNPACK
        hashes.append(_hash(script))
    css = (STATIC / "page.css").read_text(encoding="utf-8")
    elements = "\n".join(
        f'<script type="application/json" id="{escape(k)}">{_json(v)}</script>' for k, v in data.items()
    )
    return _PAGE.format(
        title=escape(title),
        css=css,
        data=elements,
        script=script,
        style=_hash(css),
        scripts=" ".join((*hashes, *allowed)),
        workers="worker-src blob:; " if plays else "",
    )


@lru_cache(maxsize=8)
def packed(data: bytes) -> str:
    """Bytes compressed by gzip, in base 64. The same bytes give the same text. The last ones are kept: pages share their
    scripts."""
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _json(value: object) -> str:
    """JSON in which no string can end the element that holds it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
