"""What the program finds in a file of tests/language/errors, each kind of file in its own way."""

from __future__ import annotations

import random
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from gamedsl.language.source.diagnostic import Diagnostic, GameDSLError
from gamedsl.language.source.text import NOWHERE

MARK = re.compile(r"# ! ([EW][0-9]{4})")
SUFFIXES = (".gdl", ".yaml", ".json", ".sh", ".py", ".draw")


def code_of(path: Path) -> str:
    return path.name.partition(".")[0]


def is_case(path: Path) -> bool:
    """Whether a file is named after a code."""
    return re.fullmatch(r"[EW][0-9]{4}", code_of(path)) is not None


def expected(text: str) -> list[tuple[str, int]]:
    """Codes and lines that the comments of a file announce."""
    return [(m.group(1), n) for n, line in enumerate(text.splitlines(), 1) for m in MARK.finditer(line)]


def findings(path: Path) -> list[Diagnostic]:
    """All diagnostics of a file."""
    try:
        return _findings(path)
    except GameDSLError as mistake:
        return list(mistake.diagnostics)


def _findings(path: Path) -> list[Diagnostic]:
    text = path.read_text(encoding="utf-8", errors="replace")
    match path.suffix:
        case ".sh":
            return _of_commands(text)
        case ".py":
            exec(compile(MARK.sub("", text), str(path), "exec"), {})
            return []
        case ".draw":
            return _of_drawing(text)
    if path.name.endswith(".examples.yaml"):
        from gamedsl.lab.examples.example_reader import read_examples
        from gamedsl.lab.examples.runner import Bench, run_all

        run_all(Bench(path.parent / "game.gdl"), read_examples(path), {})
        return []
    if code_of(path) == "E0613":
        from gamedsl.language.source.text import Source
        from gamedsl.language.syntax.data.yaml_reader import refuse_comments

        refuse_comments(Source(str(path), text))
        return []
    from gamedsl.language.rules import check_file

    return list(check_file(path)[1])


def _of_commands(text: str) -> list[Diagnostic]:
    """Runs `gamedsl ...` lines; what each would show."""
    from gamedsl.cli import check_commands, form_commands, main, replay

    found: list[Diagnostic] = []
    with pytest.MonkeyPatch.context() as patch:
        for module in (main, check_commands, form_commands, replay):
            patch.setattr(module, "show", lambda diagnostics, *_: found.extend(diagnostics))
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["gamedsl"]:
                main.main(words[1:])
    return found


def _of_drawing(text: str) -> list[Diagnostic]:
    """A board that is drawn on, an empty line, and strokes, one a line."""
    from gamedsl.language.boards.drawing import Fault, check_stroke, parse_points
    from gamedsl.language.boards.drawing.random_drawing import generate
    from gamedsl.language.core.nodes import DrawingT
    from gamedsl.language.rules.lower import check_file

    board, _, strokes = text.partition("\n\n")
    names = re.findall(r"^  (\w[\w, ]*):", board, re.M)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "board.gdl"
        path.write_text(f"players X, O\n{board}\nplay\n  X draws {', '.join(names)}\n  draw\n", encoding="utf-8")
        program, found = check_file(path)
    assert program is not None, found
    var = program.parts[0].drawing
    assert var is not None
    assert isinstance(var.type, DrawingT)
    plan, drawing, faults = var.type.plan, (), list[Fault]()
    for line in strokes.splitlines():
        name, _, points = MARK.sub("", line).strip().partition(" ")
        if name == "generate":
            generate(plan, drawing, plan.names, random.Random(7))
            continue
        stroke = parse_points(points)
        faults += check_stroke(plan, drawing, name, stroke)
        drawing = (*drawing, (name, stroke))
    return [Diagnostic(f.code, f.message, NOWHERE) for f in faults]
