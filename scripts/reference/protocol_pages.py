"""The protocol of the server, from its code: addresses, requests and messages of a socket, refusals, events of the log, limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from scripts.reference.markdown import ROOT, page, table

SERVER = ROOT / "gamedsl" / "play" / "web" / "server"
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
READERS = {
    "whole": "a whole number",
    "text": "a string",
    "read_line": "a line of text",
    "line": "a list of plies",
    "lines": "a list of lines, each a list of plies",
    "strokes": "a list of pairs: a name, and a list of points `[x, y]`",
}
_REQUESTS = (
    "JSON objects in the text frames of a WebSocket. The first is `hello`. "
    "All others have `id`, a whole number that the answer repeats."
)
_FRAMES = "JSON objects in text frames. Each has its `kind`."
FRAMES = {  # the functions that make the frames of a kind
    "welcome": (("sockets.py", "welcome"),),
    "update": (("views.py", "view_of"), ("sockets.py", "update")),
    "messages": (("sockets.py", "messages"),),
    "answer": (("connections.py", "_answer"),),
    "error": (("sockets.py", "close_with"),),
}


def protocol_pages() -> Iterator[tuple[str, str]]:
    """The page, by its path in the docs."""
    lead = (
        "Every message between a page and the server. [The server](server.md) explains the course of a connection; "
        "[the page's data](web.md) has the form of positions."
    )
    requests = table(("`do`", "who", "fields", "what it does", "the answer has", "codes of its own"), _requests())
    fields = table(("`kind`", "field", "meaning"), _frames())
    yield (
        "reference/protocol.md",
        page(
            "Protocol of the server",
            lead,
            f"## Addresses\n\n{table(('method', 'address', 'meaning'), _addresses())}",
            f"## Messages of a page to the server\n\n{_REQUESTS}\n\n{requests}",
            f"## Messages of the server to a page\n\n{_FRAMES}\n\n{_meanings()}\n\n{fields}",
            f"## Refusals\n\n{table(('code', 'messages'), _refusals())}",
            f"## Events of the log\n\n{table(('event', 'fields', 'meaning'), _events())}",
            f"## Limits\n\n{table(('limit', 'value', 'of what'), _limits())}",
        ),
    )


def _tree(name: str) -> ast.Module:
    return ast.parse((SERVER / name).read_text(encoding="utf-8"))


def _functions(tree: ast.Module) -> dict[str, Function]:
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
    yield "`hello`", "anybody", *_of_request(_functions(_tree("connections.py"))["_greeted"])
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
        yield f"`{do}`", "a seat" if is_for_seats else "anybody", *_of_request(function)


def _of_request(function: Function) -> tuple[str, str, str, str]:
    """The fields of a request, what it does, the fields of its answer, and the codes of its own."""
    fields = [
        f"`{c.args[1].value}` ({READERS[c.func.id]})"
        for c in _calls(function, READERS)
        if isinstance(c.func, ast.Name) and isinstance(c.args[1], ast.Constant)
    ]
    returned = [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and isinstance(n.value, ast.Dict)]
    answer = [f"`{key}`" for found in returned for key in _keys(found) if key != "ok"]
    codes = dict.fromkeys(f"`{code}`" for code, _ in _refused(function))
    return ", ".join(fields), _docstring(function), ", ".join(answer), ", ".join(codes)


def _docstring(node: Function | ast.ClassDef) -> str:
    return " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()).replace("``", "`")


def _keys(found: ast.Dict) -> list[str]:
    return [str(key.value) for key in found.keys if isinstance(key, ast.Constant)]


def _function(file: str, name: str) -> Function:
    found = [
        n for n in ast.walk(_tree(file)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) and n.name == name
    ]
    assert len(found) == 1, (file, name)
    return found[0]


def _frames() -> Iterator[tuple[str, str, str]]:
    """Every field of every frame. Its meaning is the comment at the end of the field's line."""
    for kind, makers in FRAMES.items():
        for file, name in makers:
            lines = (SERVER / file).read_text(encoding="utf-8").splitlines()
            for found in (n for n in ast.walk(_function(file, name)) if isinstance(n, ast.Dict) and len(n.keys) > 2):
                for key, value in zip(found.keys, found.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value != "kind" and key.lineno > found.lineno:
                        comment = lines[(value.end_lineno or key.lineno) - 1].partition("  # ")[2]
                        inner = _keys(value) if isinstance(value, ast.Dict) else []
                        parts = ", ".join(f"`{k}`" for k in inner)
                        yield f"`{kind}`", f"`{key.value}`", ": ".join(t for t in (parts, comment) if t)


def _meanings() -> str:
    """When the server sends each kind."""
    whens = ((kind, _docstring(_function(*makers[-1]))) for kind, makers in FRAMES.items())
    return table(("`kind`", "when"), ((f"`{kind}`", when) for kind, when in whens))


def _addresses() -> Iterator[tuple[str, str, str]]:
    """The routes of the application; a handler's docstring, or a comment, has the meaning."""
    lines = (SERVER / "app.py").read_text(encoding="utf-8").splitlines()
    for call in _calls(_function("app.py", "make_app"), {"Route": "", "WebSocketRoute": "", "Mount": ""}):
        assert isinstance(call.func, ast.Name) and isinstance(call.args[0], ast.Constant)
        handlers = [n.attr for n in ast.walk(call) if isinstance(n, ast.Attribute)]
        methods = [k.value.elts[0] for k in call.keywords if k.arg == "methods" and isinstance(k.value, ast.List)]
        meaning = (
            _docstring(_function("app.py", handlers[0])) if handlers else lines[call.lineno - 1].partition("  # ")[2]
        )
        method = methods[0].value if methods and isinstance(methods[0], ast.Constant) else "GET"
        yield "WebSocket" if call.func.id == "WebSocketRoute" else str(method), f"`{call.args[0].value}`", meaning


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
    if isinstance(node, ast.Name):
        return _named().get(node.id, "...")
    if isinstance(node, ast.JoinedStr):
        return "".join(str(p.value) if isinstance(p, ast.Constant) else "..." for p in node.values)
    return "..."


def _named() -> dict[str, str]:
    """The messages that have names."""
    return {
        n.targets[0].id: n.value.value
        for n in _tree("refusals.py").body
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and isinstance(n.value, ast.Constant)
    }


def _refusals() -> list[tuple[str, str]]:
    found: dict[str, dict[str, None]] = {}
    for path in sorted(SERVER.rglob("*.py")):
        for code, message in _refused(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(code, {})[message] = None
    return [(f"`{code}`", "; ".join(m for m in found[code] if m and m != "...")) for code in sorted(found)]


def _events() -> Iterator[tuple[str, str, str]]:
    classes = {n.name: n for n in _tree("events.py").body if isinstance(n, ast.ClassDef)}
    union = re.search(r"^Event: TypeAlias = \(?([\w\s|]+)", (SERVER / "events.py").read_text(encoding="utf-8"), re.M)
    assert union is not None
    for name in re.findall(r"\w+", union[1].partition("\n_")[0]):
        body = classes[name].body
        fields = [
            f"`{n.target.id}`: {ast.unparse(n.annotation)}"
            for n in body
            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
        ]
        yield f"`{name}`", ", ".join(fields), _docstring(classes[name])


def _limits() -> Iterator[tuple[str, str, str]]:
    for line in (SERVER / "limits.py").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"([A-Z_]+) = (\S[^#]*?)  # (.+)$", line):
            yield f"`{found[1]}`", f"`{found[2]}`", found[3]
