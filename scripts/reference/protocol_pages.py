"""The protocol of the server, from its code: requests of a socket, refusals, events of the log, limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from scripts.reference.markdown import ROOT, page, table

SERVER = ROOT / "gamedsl" / "play" / "web" / "server"
READERS = {"whole": "a whole number", "text": "a string", "strokes": "strokes"}


def protocol_pages() -> Iterator[tuple[str, str]]:
    """The page, by its path in the docs."""
    lead = (
        "What the code of the server says of its messages. [The server](server.md) explains them and gives the messages of the server; "
        "[the page's data](web.md) has the form of positions."
    )
    requests = table(("`do`", "who", "fields", "what it does", "codes of its own"), _requests())
    yield (
        "reference/protocol.md",
        page(
            "Protocol of the server",
            lead,
            f"## Requests of a socket\n\nEach also has `do` and `id`, a whole number that the answer repeats.\n\n{requests}",
            f"## Refusals\n\n{table(('code', 'messages'), _refusals())}",
            f"## Events of the log\n\n{table(('event', 'fields', 'meaning'), _events())}",
            f"## Limits\n\n{table(('limit', 'value', 'of what'), _limits())}",
        ),
    )


def _tree(name: str) -> ast.Module:
    return ast.parse((SERVER / name).read_text(encoding="utf-8"))


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    return {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}


def handlers() -> dict[str, tuple[bool, ast.expr]]:
    """For every request: whether it needs a seat, and what handles it."""
    found = {}
    for node in _tree("answers.py").body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant) and node.target.id in ("_DOING", "_ASKING"):
                    found[str(key.value)] = (node.target.id == "_DOING", value)
    return found


def _requests() -> Iterator[tuple[str, ...]]:
    answers, deeds = _functions(_tree("answers.py")), _functions(_tree("seat_requests.py"))
    for do, (is_for_seats, handler) in handlers().items():
        names = [
            n.id if isinstance(n, ast.Name) else n.attr
            for n in ast.walk(handler)
            if isinstance(n, ast.Name | ast.Attribute)
        ]
        function = next(
            known[name] for known in (answers, deeds) for name in names if name in known and name != "_simple"
        )
        fields = [
            f"`{c.args[1].value}` ({READERS[c.func.id]})"
            for c in _calls(function, READERS)
            if isinstance(c.args[1], ast.Constant)
        ]  # type: ignore[attr-defined]
        codes = dict.fromkeys(f"`{code}`" for code, _ in _refused(function))
        meaning = (ast.get_docstring(function) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
        yield f"`{do}`", "a seat" if is_for_seats else "anybody", ", ".join(fields), meaning, ", ".join(codes)


def _calls(node: ast.AST, names: Mapping[str, str]) -> Iterator[ast.Call]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names:
            yield call


def _refused(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The codes and messages of all refusals; a gap of a message is ``...``."""
    for call in _calls(node, {"Refused": ""}):
        code, *rest = call.args
        if isinstance(code, ast.Constant):
            yield str(code.value), "".join(map(_message, rest[:1]))


def _message(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(p.value) if isinstance(p, ast.Constant) else "..." for p in node.values)
    return "..."


def _refusals() -> list[tuple[str, str]]:
    found: dict[str, dict[str, None]] = {}
    for path in sorted(SERVER.rglob("*.py")):
        for code, message in _refused(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(code, {})[message] = None
    return [(f"`{code}`", "; ".join(m for m in found[code] if m and m != "...")) for code in sorted(found)]


def _events() -> Iterator[tuple[str, str, str]]:
    classes = {n.name: n for n in _tree("events.py").body if isinstance(n, ast.ClassDef)}
    union = re.search(r"^Event: TypeAlias = (.*)$", (SERVER / "events.py").read_text(encoding="utf-8"), re.M)
    assert union is not None
    for name in union[1].split(" | "):
        body = classes[name].body
        fields = [
            f"`{n.target.id}`: {ast.unparse(n.annotation)}"
            for n in body
            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
        ]
        meaning = (ast.get_docstring(classes[name]) or "").replace("\n", " ").replace("``", "`")
        yield f"`{name}`", ", ".join(fields), meaning


def _limits() -> Iterator[tuple[str, str, str]]:
    for line in (SERVER / "limits.py").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([A-Z_]+) = (\S[^#]*?)  # (.+)$", line):
            yield f"`{found[1]}`", f"`{found[2]}`", found[3]
