"""The words that boards add to the language: types, names, families and relations."""

from __future__ import annotations

from functools import cache

from gamedsl.language.boards import Board, Result, Shape, make_board, make_graph


def usual_boards() -> list[tuple[str, Board]]:
    """Returns a small board of every kind that has its own words, each with its title."""
    return [
        ("grid", make_board((Shape("grid", (5, 5), None),), (), None, None)),
        ("hexagonal board", make_board((Shape("hex", (3,), None),), (), None, None)),
        ("track", make_board((Shape("track", (6,), None),), (), None, None)),
        ("graph", make_graph(("a", "b"), (("a", "b"),))),
    ]


@cache
def board_words() -> dict[str, tuple[str, ...]]:
    """Returns the words that boards add, each with a line for every board that has it."""
    found: dict[str, dict[str, None]] = {}
    for title, board in usual_boards():
        for name in board.domains:
            found.setdefault(name, {})[f"on a {title}: a type"] = None
        for name in board.constants:
            found.setdefault(name, {})[f"on a {title}: a name of the board"] = None
        for name, count in board.families:
            call = name if not count else f"{name}({', '.join('k' * count)})"
            found.setdefault(name, {})[f"on a {title}: `{call}`, a set of sets of cells"] = None
        for relation in board.relations.values():
            params = ", ".join(d.name for d in relation.params)
            line = f"on a {title}: `{relation.name}({params})` gives {describe_result(relation.result)}"
            found.setdefault(relation.name, {})[line] = None
    return {name: tuple(lines) for name, lines in found.items()}


def describe_result(result: Result) -> str:
    """Returns what a relation gives, in words."""
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
