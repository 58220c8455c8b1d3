"""The declarations of the builtins → ``docs/reference/builtins.md``. Running it as a module writes the file."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from gamedsl.language.boards import Board, Result, Shape, make_board, make_graph
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS

HEAD = """# Builtins

Generated from their declarations by `python -m gamedsl.language.rules.reference`; do not edit.
"""
TARGET = Path(__file__).resolve().parents[3] / "docs" / "reference" / "builtins.md"


def reference() -> str:
    """The text of the page."""
    lines = [HEAD, "## Words", "", "| word | meaning |", "|---|---|"]
    lines += [f"| `{word}` | {text} |" for word, text in LANGUAGE_WORDS.items()]
    lines += ["", "## Functions", "", "| function | meaning | example |", "|---|---|---|"]
    lines += [f"| `{b.signature}` | {b.text} | `{b.example}` |" for b in BUILTINS.values()]
    for title, board in _boards():
        lines += ["", f"## On a {title}", "", *_of_board(board)]
    return "\n".join(lines) + "\n"


def _boards() -> list[tuple[str, Board]]:
    return [
        ("grid", make_board((Shape("grid", (5, 5), None),), (), None, None)),
        ("hexagonal board", make_board((Shape("hex", (3,), None),), (), None, None)),
        ("track", make_board((Shape("track", (6,), None),), (), None, None)),
        ("graph", make_graph(("a", "b"), (("a", "b"),))),
    ]


@cache
def board_words() -> dict[str, tuple[str, ...]]:
    """The words that boards give, each with a line for every board that has it."""
    found: dict[str, dict[str, None]] = {}
    for title, board in _boards():
        for name in board.domains:
            found.setdefault(name, {})[f"on a {title}: a type"] = None
        for name in board.constants:
            found.setdefault(name, {})[f"on a {title}: a name of the board"] = None
        for name, count in board.families:
            call = name if not count else f"{name}({', '.join('k' * count)})"
            found.setdefault(name, {})[f"on a {title}: `{call}`, a set of sets of cells"] = None
        for relation in board.relations.values():
            params = ", ".join(d.name for d in relation.params)
            line = f"on a {title}: `{relation.name}({params})` gives {_gives(relation.result)}"
            found.setdefault(relation.name, {})[line] = None
    return {name: tuple(lines) for name, lines in found.items()}


def _of_board(board: Board) -> list[str]:
    lines = ["Types: " + ", ".join(f"`{n}`" for n in board.domains) + ".", ""]
    if board.constants:
        lines += ["Names: " + ", ".join(f"`{n}`" for n in board.constants) + ".", ""]
    if board.families:
        calls = sorted(
            f"`{n}`" if k == 0 else f"`{n}({', '.join('k' * 1 for _ in range(k))})`" for n, k in board.families
        )
        lines += ["Families: " + ", ".join(calls) + ".", ""]
    lines += ["| relation | gives |", "|---|---|"]
    for relation in sorted(board.relations.values(), key=lambda r: (r.name, len(r.params))):
        params = ", ".join(d.name for d in relation.params)
        lines.append(f"| `{relation.name}({params})` | {_gives(relation.result)} |")
    return lines


def _gives(result: Result) -> str:
    name = result.domain.name if result.domain is not None else ""
    match result.kind:
        case "bool":
            return "yes or no"
        case "int":
            return "a number"
        case "element":
            return f"{_article(name)} {name}"
        case "optional":
            return f"{_article(name)} {name} or none"
        case _:
            return f"a set of {name}"


def _article(name: str) -> str:
    return "an" if name[:1] in ("a", "e", "i", "o", "u") else "a"


def main() -> int:
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"wrote {TARGET.name}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
