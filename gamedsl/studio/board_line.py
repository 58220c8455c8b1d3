"""A ruleset as it is being written, and a line of plies on its board: what remains of the line, the position, what is legal there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from math import prod
from random import Random
from typing import Any, TypeAlias

from gamedsl.engine import InterpretedGame, Move, Record, State
from gamedsl.language.rules import Lowered, Parsed, load_lowered
from gamedsl.language.source import GameDSLError, has_place, lazy_dataclass
from gamedsl.language.syntax import ast
from gamedsl.play.web import (
    describe_game,
    describe_preview,
    describe_reasons,
    describe_refusals,
    describe_step,
    describe_turn,
    drawing_of,
    judge_strokes,
)

Json: TypeAlias = dict[str, Any]
Ply: TypeAlias = tuple[int | None, str]  # the seat (None: chance, or not known), and the move in notation
MOST_PLIES = 2_000
MOST_ASKED = 1_000  # actions of a kind, of a question which of them a rule refuses


@lazy_dataclass()
class Line:
    """The plies that exist under the rules, each with the position after it. ``parted``: the first that does not exist."""

    steps: list[tuple[State, Move | None]]
    parted: Json | None = None

    @property
    def state(self) -> State:
        return self.steps[-1][0]

    @property
    def plies(self) -> list[Ply]:
        return [(move.player, move.text) for _, move in self.steps if move is not None]


@lazy_dataclass()
class Board:
    """The game of one text with one choice of options."""

    lowered: Lowered
    game: InterpretedGame
    known: dict[tuple[Ply, ...], Line] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, options: Mapping[str, str], parsed: Mapping[str, Parsed]) -> Board:
        """Raises ``GameDSLError`` for a text with mistakes, and for options that it does not have."""
        lowered = load_lowered(path, options, parsed)
        return cls(lowered, InterpretedGame(lowered.program))

    def line(self, plies: Sequence[Ply], seed: int) -> Line:
        """Play a line as far as it exists; then chance decides what it has to. The same seed gives the same chance."""
        key = tuple(plies)
        if key not in self.known:
            while len(self.known) > 50:
                del self.known[next(iter(self.known))]
            self.known[key] = self._played(key)
        found = self.known[key]
        if found.parted is None:
            self._let_chance(found, seed)
        return found

    def _played(self, plies: tuple[Ply, ...]) -> Line:
        before = self.known.get(plies[:-1])
        if plies and before is not None and before.parted is None and len(before.steps) == len(plies):
            line, rest = Line(list(before.steps)), plies[-1:]
        else:
            line, rest = Line([(self.game.initial_state(), None)]), plies
        for number, (seat, text) in enumerate(rest, len(plies) - len(rest)):
            try:
                steps = self.game.play_text(text, line.state, seat)
            except GameDSLError as mistake:
                line.parted = {"ply": number, "seat": seat, "text": text} | _why(line.state, seat, text, mistake)
                break
            line.steps += [(after, move) for move, after in steps]
        return line

    @staticmethod
    def _let_chance(line: Line, seed: int) -> None:
        while line.state.kind == "chance" and len(line.steps) < MOST_PLIES:
            move = line.state.propose(Random(f"{seed}/{len(line.steps)}"))
            line.steps.append((line.state.apply(move), move))

    # ------------------------------------------------------------------------------------------------- what is shown

    def shown(self, line: Line, at: int | None, seen_by: int | None) -> Json:
        """The data of the page for a line, at one of its positions. ``seen_by``: a seat; None: whoever sees everything."""
        here = len(line.steps) - 1 if at is None else min(at, len(line.steps) - 1)
        state = line.steps[here][0]
        position = describe_step(line.steps[: here + 1], seen_by)
        acting = state.to_act[0] if not state.is_terminal and state.to_act else None
        position["turn"] = describe_turn(state, acting)
        return {"plies": line.plies, "at": here, "position": position, "parted": line.parted}

    def facts(self) -> Json:
        """What no position changes: the game, and its options with their values."""
        return {"game": describe_game(self.game), "options": self._options()}

    def _options(self) -> list[Json]:
        program, env = self.game.program, self.lowered.builder.envs[0]
        declared = {d.name.id: d for d in env.decls if isinstance(d, ast.OptionDecl)}
        found = []
        for name, value in program.options:
            decl = declared.get(name)
            span = None if decl is None else decl.type.span
            kind = "" if span is None or not has_place(span) else span.source.text[span.start : span.end]
            found.append({"name": name, "value": value, "type": kind, "text": "" if decl is None else decl.text or ""})
        return found

    # ------------------------------------------------------------------------------------------------- what is done

    def make(self, line: Line, action: int, seat: int) -> Ply | list[Json]:
        """The ply of an action of a seat, or the reasons why it is illegal."""
        move = self.game.move(action, line.state, seat)
        refusals = line.state.why_not(move)
        return describe_refusals(line.state, refusals) if refusals else (move.player, move.text)

    def draw(self, line: Line, strokes: Any, seat: int) -> Ply | list[Json]:
        """The ply that draws these strokes, or what is wrong with them."""
        try:
            move = drawing_of(line.state, strokes, seat)
        except ValueError as error:
            return [{"message": str(error), "clauses": []}]
        refusals = line.state.why_not(move)
        return describe_refusals(line.state, refusals) if refusals else (move.player, move.text)

    def judge(self, line: Line, strokes: Any) -> Json:
        try:
            return judge_strokes(line.state, strokes)
        except ValueError:  # not the strokes that are due
            return {"strokes": [], "done": False}

    def why(self, line: Line, actions: Sequence[int], seat: int) -> list[Json]:
        return describe_reasons(line.state, actions, seat)

    def refusals(self, line: Line, actions: Sequence[int], seat: int | None) -> list[tuple[str, str]]:
        """The moves among some actions that are refused, each with the reason in words."""
        if seat is None:
            return []
        moves = [self.game.move(action, line.state, seat) for action in actions]
        found = [(move.text, line.state.why_not(move)) for move in moves]
        return [(text, reasons[0].message) for text, reasons in found if reasons]

    def refused_at(self, line: Line, at: int | None, number: int, path: str) -> list[list[Any]]:
        """The actions that the rule at a line of a file refuses in a position: number, kind, indices of the values."""
        state = line.steps[len(line.steps) - 1 if at is None else min(at, len(line.steps) - 1)][0]
        if state.kind not in ("player", "together") or not state.to_act:
            return []
        seat, found = state.to_act[0], []
        for action in self._offered(state):
            for refusal in state.why_not(self.game.move(action, state, seat)):
                span = refusal.span
                if span is not None and has_place(span) and (span.line, span.source.path) == (number, path):
                    kind, *indices = self.game.action_parts(action)
                    found.append([action, kind, indices])
        return found

    def _offered(self, state: State) -> Iterator[int]:
        """The actions of the kinds that are offered, legal or not, as far as they are few enough to be asked about."""
        kinds = describe_turn(state, state.to_act[0])["kinds"]
        for kind in (self.game.action_kinds[k] for k in kinds):
            size = prod(len(parameter.names) for parameter in kind.parameters)
            yield from range(kind.first, kind.first + min(size, MOST_ASKED))

    def preview(self, line: Line, action: int, seat: int) -> Json | None:
        return describe_preview(line.state, action, seat)

    def record(self, line: Line, name: str) -> str:
        found = Record.begin(self.game, name)
        for _, move in line.steps[1:]:
            assert move is not None
            found = found.plus_move(self.game, move)
        return found.text()

    def loaded(self, text: str) -> list[Ply]:
        """The plies of a record. Raises ``GameDSLError``."""
        steps = list(Record.parse(text).steps(self.game))
        return [(move.player, move.text) for _, move in steps if move is not None]


def _why(state: State, seat: int | None, text: str, mistake: GameDSLError) -> Json:
    """Why a ply does not exist: the rules that forbid it, else the message."""
    try:
        refusals = state.why_not(state.game.parse_move(text, state, seat))
    except GameDSLError:
        refusals = []
    if refusals:
        return {"reasons": describe_refusals(state, refusals)}
    return {"reasons": [{"message": d.message, "clauses": [], "rule": ""} for d in mistake.diagnostics[:1]]}
