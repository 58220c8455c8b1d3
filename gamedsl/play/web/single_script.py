"""The modules of the page as one script without imports, for pages that are a single file."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import \{ ([\w$, ]+) \} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|class (\w+)|const (\w+))", re.MULTILINE)
_NAMES = re.compile(r"^export \{ ([\w$, ]+) \};\n", re.MULTILINE)  # names that are imported or defined above
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def one_script(entry: str, folder: Path = STATIC) -> str:
    """The module ``entry`` (a name without ``.js``) and all that it imports: every module becomes a constant ``$name`` that
    holds its exports. Raises ``ValueError`` for an import or export of another form than the page uses."""
    texts: dict[str, str] = {}
    todo = [entry]
    while todo:
        name = todo.pop()
        if name not in texts:
            texts[name] = (folder / f"{name}.js").read_text(encoding="utf-8")
            todo += _imported(texts[name])
    order = TopologicalSorter({name: _imported(text) for name, text in texts.items()}).static_order()
    return "".join(_constant(name, texts[name]) for name in order)


def _imported(text: str) -> list[str]:
    return [match[2] for match in _IMPORT.finditer(text)]


def _constant(name: str, text: str) -> str:
    names = [next(filter(None, match.groups())) for match in _EXPORT.finditer(text)]
    names += [name for match in _NAMES.finditer(text) for name in match[1].split(", ")]
    text = _NAMES.sub("", text)
    body = _EXPORT.sub("", _IMPORT.sub(lambda m: f"const {{ {m[1]} }} = ${m[2]};\n", text))
    other = _OTHER.search(body)
    if other is not None:
        raise ValueError(f"{name}.js: cannot be put into one script: {other[0]}")
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(names)} }};\n}})();\n"
