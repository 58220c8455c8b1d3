"""The process that plays, counts and judges rules while they are written. Rules that hang or break it disturb nobody else.

Each line on standard input is a request as JSON (``id``, ``do``, what it is about); each line on standard output belongs to one:
``{"id", "part"}`` any number of times, then ``{"id", "done"}`` or ``{"id", "refused"}``. A newer request ends one that gives parts.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from queue import SimpleQueue
from typing import Any, TypeAlias

from gamedsl.language.rules import ENDINGS, Parsed, parse_source
from gamedsl.language.source import GameDSLError, Source, diagnostic_json, limit_process, missing_library

Json: TypeAlias = dict[str, Any]
STACK = 256 * 1024 * 1024  # deep rules are checked and played by deep calls
MEMORY = 4 << 30  # addresses, not memory in use
NICENESS = 5  # the page and the editor first
Handler: TypeAlias = "Callable[[Worker, Json], Any]"


class Worker:
    """The state of the process: trees of texts, and the board of the last text."""

    def __init__(self) -> None:
        self.waiting: SimpleQueue[Json] = SimpleQueue()
        self.parsed: dict[Source, Parsed] = {}
        self.boards: dict[str, Any] = {}
        self.saved: dict[str, Any] = {}  # the snapshot with which figures are compared, by what they are about

    def trees(self, request: Json) -> Mapping[str, Parsed]:
        """The trees of the texts of a request, by path."""
        sources = [Source(path, text) for path, text in request["texts"].items() if path.endswith(ENDINGS)]
        kept = {s: self.parsed.get(s) or parse_source(s) for s in sources if not s.path.endswith(".examples.yaml")}
        self.parsed = dict(kept)
        return {source.path: tree for source, tree in kept.items()}

    def board(self, request: Json) -> Any:
        """The board of a request's text. Raises ``GameDSLError`` for texts with mistakes."""
        from gamedsl.studio.board_line import Board  # start-up: the process listens first

        key = json.dumps([request["path"], request["options"], request["texts"]], sort_keys=True)
        if key not in self.boards:
            made = Board.of(request["path"], dict(request["options"]), self.trees(request))
            self.boards = {key: made}
        return self.boards[key]

    @property
    def is_wanted(self) -> bool:
        """Whether no newer request waits."""
        return self.waiting.empty()


def _position(worker: Worker, request: Json) -> Json:
    """The position of a line; ``made``: what was done before, as a ply."""
    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    known = request.get("digest") == board.game.digest and request.get("facts") is False
    shown: Json = board.shown(line, request.get("at"), request.get("seen_by"))
    return shown if known else shown | board.facts()


def _play(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    if line.state.is_terminal:
        return {"reasons": [{"message": "the game is over", "clauses": []}]}
    if "strokes" in request:
        made = board.draw(line, request["strokes"], request["seat"])
    else:
        made = board.make(line, request["action"], request["seat"])
    return {"reasons": made} if isinstance(made, list) else {"plies": [*line.plies, made]}


def _why(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    return {"reasons": board.why(board.line(_plies(request), request["seed"]), request["actions"], request["seat"])}


def _refused_at(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    return {"actions": board.refused_at(line, request.get("at"), request["line"], request["path"])}


def _preview(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    return {"preview": board.preview(line, request["action"], request["seat"])}


def _judge(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    return {"judged": board.judge(board.line(_plies(request), request["seed"]), request["strokes"])}


def _record(worker: Worker, request: Json) -> Json:
    board = worker.board(request)
    return {"record": board.record(board.line(_plies(request), request["seed"]), request["name"])}


def _load(worker: Worker, request: Json) -> Json:
    return {"plies": worker.board(request).loaded(request["record"])}


def _choose(worker: Worker, request: Json) -> Json:
    """The ply of a program."""
    from gamedsl.agents import parse_agent  # start-up: most requests need no search

    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    seat = request["seat"]
    if line.state.kind == "drawing" or request["agent"] == "random":
        from random import SystemRandom

        move = line.state.propose(SystemRandom())
    else:
        move = parse_agent(request["agent"]).choose(line.state, len(line.steps), seat)
    return {"plies": [*line.plies, (seat, move.text)]}


def _warm(worker: Worker, request: Json) -> Json:
    """Load what this process will need."""
    import_module("gamedsl.studio.board_line" if request["role"] == "board" else "gamedsl.studio.figures_run")
    return {}


def _figures(worker: Worker, request: Json) -> Iterator[Json]:
    """The figures about a text, compared with those of the text that was ``saved`` last: first known ones, else made at the end."""
    from gamedsl.studio.figures_run import compare, figures  # start-up: needs the lab

    board, path = worker.board(request), request["path"]
    text, saved = request["texts"][path], request.get("saved")
    examples = request["texts"].get(path.removesuffix(".gdl") + ".examples.yaml")
    subject = json.dumps([path, request["options"], saved])
    before, now = worker.saved.get(subject), None
    for part in figures(board, path, worker.trees(request), examples, before, lambda: worker.is_wanted):
        now = part.pop("snapshot", None)
        if now is not None and text == saved:
            worker.saved = {subject: now}
            part["changes"] = []
        yield part
    if now is None or before is not None or text == saved:
        return
    old = request | {"texts": request["texts"] | {path: saved or ""}}
    try:
        for part in figures(worker.board(old), path, worker.trees(old), examples, None, lambda: worker.is_wanted):
            if (before := part.get("snapshot")) is not None:
                worker.saved = {subject: before}
                yield compare(before, now)
    except GameDSLError:
        yield {"compared_with": "The saved text has mistakes: there is nothing to compare with."}


def _example(worker: Worker, request: Json) -> Json:
    """The file of examples with the game of the request as one more."""
    from gamedsl.studio.example_text import example_text, with_example  # start-up: needs the lab

    board = worker.board(request)
    line = board.line(_plies(request), request["seed"])
    refused = board.refusals(line, request.get("refused", []), request.get("seat"))
    example = example_text(board, line, request["options"], refused)
    examples = request["texts"].get(request["path"].removesuffix(".gdl") + ".examples.yaml")
    return {"text": with_example(examples or "", example), "example": example}


def _export(worker: Worker, request: Json) -> Json:
    """The game as one file that plays by itself."""
    from gamedsl.compiler import NativeError  # start-up: needs the compiler
    from gamedsl.language.source import UsageError
    from gamedsl.play.web import playable_page

    board = worker.board(request)
    try:
        return {"page": playable_page(board.game), "title": board.game.title}
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}") from problem


HANDLERS: dict[str, Handler] = {
    "warm": _warm,
    "figures": _figures,
    "example": _example,
    "export": _export,
    "stop": lambda worker, request: {},
    "position": _position,
    "play": _play,
    "why": _why,
    "hover": _why,  # nobody waits for it
    "refused_at": _refused_at,
    "preview": _preview,
    "judge": _judge,
    "record": _record,
    "load": _load,
    "choose": _choose,
}


def _plies(request: Json) -> list[tuple[int | None, str]]:
    return [(seat, text) for seat, text in request["plies"]]


def answers(worker: Worker, request: Json) -> Iterator[Json]:
    """The lines that answer a request."""
    number = request["id"]
    try:
        found = HANDLERS[request["do"]](worker, request)
        if isinstance(found, Iterator):
            for part in found:
                yield {"id": number, "part": part}
            found = {}
        yield {"id": number, "done": found}
    except GameDSLError as mistake:
        yield {"id": number, "refused": [diagnostic_json(d) for d in mistake.diagnostics]}
    except ImportError as error:
        missing = missing_library(error)
        if missing is None:
            raise
        yield {"id": number, "refused": [diagnostic_json(d) for d in missing.diagnostics]}
    except (
        Exception
    ) as bug:  # of a request without the form that it needs, or of ours: the next one is answered all the same
        traceback.print_exc()
        yield {"id": number, "refused": [{"message": f"this request could not be answered ({type(bug).__name__})"}]}


def _read(worker: Worker) -> None:
    for line in sys.stdin:
        worker.waiting.put(json.loads(line))
    os._exit(0)  # whoever asked is gone, and nobody reads an answer


def _serve(worker: Worker, out: Any) -> None:
    while True:
        for line in answers(worker, worker.waiting.get()):
            out.write(json.dumps(line, separators=(",", ":")) + "\n")
            out.flush()


def main() -> None:
    """Serve until standard input ends. Nothing else that is printed reaches standard output."""
    out, sys.stdout = sys.stdout, sys.stderr
    limit_process(MEMORY, niceness=NICENESS)
    worker = Worker()
    threading.Thread(target=_read, args=(worker,), daemon=True).start()
    threading.stack_size(STACK)
    serving = threading.Thread(target=_serve, args=(worker, out))
    serving.start()
    serving.join()


if __name__ == "__main__":
    main()
