"""What can be written at a place in a file of examples: keys, names of the ruleset, moves that are legal there, actual values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gamedsl.editor.completions import Candidate, completions
from gamedsl.editor.data_cursor import Cursor, list_at, mapping_at
from gamedsl.editor.schema_completions import key_candidates, word_candidates
from gamedsl.editor.schema_reading import schema
from gamedsl.language.rules import Env, name_meaning, option_values
from gamedsl.language.source import Source, lazy_dataclass

MOVES = ("moves", "then", "legal", "only", "illegal", "move")  # keys whose values are moves
_BEFORE_MOVES = ("opening", "position")  # what comes before the moves of an example, whatever the order of its keys
ACTING = ("chance", "end")  # who is to move, besides players
_MOST_PLACES = 400
STEPS = (*_BEFORE_MOVES, "moves", "random", "set", "then")  # all that leads to the position of an example


@lazy_dataclass(frozen=True)
class Ground:
    """What is known of the ruleset that a file of examples is about."""

    source: Source | None
    env: Env | None
    clauses: Mapping[str, str]


def key_of(cursor: Cursor) -> str:
    """The last key on the way to a place."""
    return next((step for step in reversed(cursor.path) if isinstance(step, str)), "")


def question(cursor: Cursor) -> dict[str, Any] | None:
    """What to ask about the position of an example at a place (see ``position_facts``); None outside of examples."""
    if cursor.path[:1] not in (("examples",), ("tables",)) or len(cursor.path) < 3:
        return None
    whole, key = cursor.document, cursor.path[2]
    example = cursor.around(2)
    if not isinstance(example, dict) or not isinstance(whole, dict):
        return None
    wanted = _BEFORE_MOVES + (("moves",) if key == "moves" else STEPS[2:] if key != "random" else ())
    found = {step: example[step] for step in wanted if example.get(step) is not None}
    if key in ("moves", "then"):  # those before the place
        index = cursor.path[3] if len(cursor.path) > 3 else 0
        found[key] = list_at(example, key)[: index if isinstance(index, int) else 0]
    return question_about(found | {"options": example.get("options")}, whole)


def question_about(example: dict[str, Any], whole: Any) -> dict[str, Any]:
    """What to ask about an example: its keys, with the options and openings that a whole file gives to all its examples."""
    options = mapping_at(whole, "options") | mapping_at(example, "options")
    return {"example": {**example, "options": options}, "openings": mapping_at(whole, "openings")}


def opening_text(cursor: Cursor, name: str) -> str:
    """The moves of an opening that a file names."""
    return "; ".join(map(str, list_at(cursor.document, "openings", name)))


def refused_move(cursor: Cursor) -> str | None:
    """The move whose refusal is described at a place."""
    around = cursor.inside if isinstance(cursor.inside, dict) else None
    move = around.get("move") if around is not None and cursor.path[2:3] == ("illegal",) else None
    return None if move is None else str(move)


def wants_position(cursor: Cursor) -> bool:
    """Whether what can be written at a place depends on the position."""
    if cursor.is_key:
        return False
    return key_of(cursor) in (
        *MOVES,
        "legal_count",
        "to_move",
        "winners",
        "perft",
        "board",
        "scores",
        "clause",
        "says",
    ) or (cursor.path[-2:-1] == ("scores",))


def example_completions(cursor: Cursor, ground: Ground, facts: Mapping[str, Any] | None) -> list[Candidate]:
    """All that can be written at a place, each once. ``facts``: about the position there, if it can be reached."""
    found: dict[str, Candidate] = {}
    for one in _candidates(cursor, ground, facts):
        found.setdefault(one.label, one)
    return list(found.values())


def _candidates(cursor: Cursor, ground: Ground, facts: Mapping[str, Any] | None) -> Iterator[Candidate]:
    root = schema("examples")
    if cursor.is_key:
        yield from _own_keys(cursor, ground)
        yield from key_candidates(root, cursor)
        return
    yield from _values(cursor, ground, facts)
    yield from word_candidates(root, cursor)


def _own_keys(cursor: Cursor, ground: Ground) -> Iterator[Candidate]:
    """Keys that are names of the ruleset: options, players with scores, variables that are set, expressions."""
    env, last = ground.env, cursor.path[-1:]
    if env is None:
        return
    present = cursor.inside if isinstance(cursor.inside, dict) else {}
    if last == ("options",):
        names = [(name, "option") for name, _ in env.options]
    elif last == ("scores",):
        names = [(name, "players") for name in env.players.names]
    elif last == ("set",):
        names = [
            (name, "variable") for name in env.symbols if name_meaning(env, name).startswith(("a variable", "a piece"))
        ]
    else:
        names = []
    for name, kind in names:
        if name not in present:
            yield Candidate(name, kind, name_meaning(env, name), f"{name}: ")
    if last == ("value",) and ground.source is not None:
        yield from _expression(cursor, ground)


def _expression(cursor: Cursor, ground: Ground) -> Iterator[Candidate]:
    """What may follow in an expression of the language: it is completed as if it stood in a claim at the end of the ruleset."""
    assert ground.source is not None
    text = f"{ground.source.text.rstrip()}\n\nclaim always {cursor.text}"
    for one in completions(Source(ground.source.path, text), len(text), ground.env, {}, list):
        if one.kind != "snippet":
            yield one


def _values(cursor: Cursor, ground: Ground, facts: Mapping[str, Any] | None) -> Iterator[Candidate]:
    key, env = key_of(cursor), ground.env
    known: Mapping[str, Any] = facts or {}
    if cursor.path[-2:-1] == ("options",) and env is not None:
        yield from (Candidate(word, "element", said) for word, said in option_values(env, key))
    elif key in ("clauses", "clause"):
        refusing = [c for reason in (known.get("judged") or {}).get("reasons", ()) for c in reason["clauses"]]
        yield from (Candidate(number, "clause", ground.clauses.get(number, "")) for number in refusing)
        yield from (Candidate(number, "clause", text, "", text) for number, text in ground.clauses.items())
    elif key == "opening":
        for name in mapping_at(cursor.document, "openings"):
            yield Candidate(name, "element", opening_text(cursor, name))
    elif key in MOVES:
        yield from _moves(ground, known, key)
    elif key in ("to_move", "winners"):
        yield from _seats(ground, known, key)
    elif key == "says":
        yield from (
            Candidate(r["message"], "clause", "the reason") for r in (known.get("judged") or {}).get("reasons", ())
        )
    elif key == "legal_count" or (key == "perft" and cursor.path[-1] == 0):
        if "count" in known:
            yield Candidate(str(known["count"]), "element", "as the rules are now")
    elif cursor.path[-2:-1] == ("scores",) and key in known.get("scores", {}):
        yield Candidate(str(known["scores"][key]), "element", "as the rules are now")
    elif key == "board" and isinstance(cursor.path[-1], int) and cursor.path[-1] < len(known.get("board", ())):
        yield Candidate(known["board"][cursor.path[-1]], "element", "as the rules are now")


def _moves(ground: Ground, known: Mapping[str, Any], key: str) -> Iterator[Candidate]:
    """The legal moves; for a move that is to be refused, or if nothing is known of the position, places and kinds of moves too."""
    for move in known.get("moves", ()):
        yield Candidate(move["text"], "move", f"{move['kind']}: legal here" if move["kind"] else "legal here")
    env = ground.env
    if env is None or (known.get("moves") and key not in ("illegal", "move")):
        return
    if env.place is not None:
        yield from (Candidate(name, "element", "a place") for name in env.place.names[:_MOST_PLACES])
    yield from (Candidate(move.decl.name.id, "move", name_meaning(env, move.decl.name.id)) for move in env.moves())


def _seats(ground: Ground, known: Mapping[str, Any], key: str) -> Iterator[Candidate]:
    actual = known.get(key) or ()
    yield from (Candidate(name, "players", "as the rules are now") for name in actual)
    names = () if ground.env is None else ground.env.players.names
    yield from (Candidate(name, "players", "a player") for name in names)
    if key == "to_move":
        yield from (Candidate(word, "keyword") for word in ACTING)
