"""A table for tests: the reference engine behind the page, several people at one screen, positions as a tree."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from gamedsl.engine import Announcement, Game, Move, Record, Sheet, State, announcements_at
from gamedsl.engine.picture import fallen, scars_of
from gamedsl.language.source import GameDSLError
from gamedsl.play.web import (
    describe_game,
    describe_position,
    describe_preview,
    describe_reasons,
    describe_refusals,
    drawing_of,
    judge_strokes,
)

Json = dict[str, Any]


@dataclass
class Node:
    parent: int | None
    state: State
    move: Move | None
    sheet: Sheet


class DevTable:
    """The methods that ``dev_table.js`` calls by name."""

    def __init__(self, game: Game, seats: tuple[int, ...] | None = None, seed: int = 1, rolls: bool = False) -> None:
        """``rolls``: a person presses a button for chance; else it decides at once."""
        self.game = game
        self.seats = tuple(range(game.num_players)) if seats is None else seats
        self.rng, self.rolls = Random(seed), rolls
        self.made = 0  # moves made by people
        self.told: dict[tuple[int | None, int], list[Announcement]] = {}  # by viewer and node
        self.nodes = [Node(None, game.initial_state(), None, Sheet())]
        self.at = self.tip = 0
        self._let_chance()

    def call(self, method: str, *args: Any) -> Any:
        assert method in {
            "start",
            "play",
            "draw",
            "prepare",
            "judge",
            "why",
            "preview",
            "go",
            "undo",
            "redraw",
            "record",
            "load",
            "roll",
        }
        return getattr(self, f"_{method}")(*args)

    # ----------------------------------------------------------------------------------------------- what is shown

    def _start(self) -> Json:
        return {
            "game": describe_game(self.game),
            "seats": list(self.seats),
            "rolls": self.rolls,
            "update": self.update(),
        }

    @property
    def state(self) -> State:
        return self.nodes[self.at].state

    def viewer(self) -> int | None:
        acting = [s for s in self.state.to_act if s in self.seats] if not self.state.is_terminal else []
        if acting:
            return acting[0]
        return self.seats[0] if self.seats else None

    def path(self) -> list[Node]:
        found, at = [self.nodes[self.at]], self.nodes[self.at].parent
        while at is not None:
            found.append(self.nodes[at])
            at = self.nodes[at].parent
        return found[::-1]

    def update(self) -> Json:
        viewer = self.viewer()
        told = self._told()
        last = told[-1] if told else None
        position = describe_position(
            self.state,
            viewer,
            scars=scars_of(self.nodes[self.at].sheet, self.state),
            last=last.move if last else None,
            last_text=self._said(last.player, last.text) if last else "",
            fallen=fallen(told),
            over=self.state if self.state.is_terminal else None,
        )
        can = {"undo": self.at > 0, "go": not self.game.secrets.hides, "redraw": False, "load": True}
        nodes = self._nodes()
        at, tip = (nodes[-1]["id"],) * 2 if self.game.secrets.hides else (self.at, self.tip)
        return {
            "position": position,
            "tree": {"nodes": nodes, "at": at, "tip": tip},
            "can": can,
            "notice": "",
            "cover": None,
            "clocks": None,
        }

    def _told(self) -> list[Announcement]:
        """What the viewer is told of the plies so far."""
        viewer, path = self.viewer(), self.path()
        steps = [(n.state, n.move) for n in path]
        for at in range(1, len(steps)):
            if (viewer, id(path[at])) not in self.told:
                self.told[viewer, id(path[at])] = announcements_at(steps, at, viewer)
        return [one for node in path[1:] for one in self.told[viewer, id(node)]]

    def _said(self, player: int | None, text: str) -> str:
        return f"{'chance' if player is None else self.game.players[player]}: {text}"

    def _nodes(self) -> list[Json]:
        """The tree; where the rules hide something, one line of what the viewer is told."""
        if self.game.secrets.hides:
            line = [
                {"id": i, "parent": i - 1, "seat": one.player, "text": one.text}
                for i, one in enumerate(self._told(), 1)
            ]
            return [{"id": 0, "parent": None, "seat": None, "text": ""}, *line]
        return [
            {
                "id": i,
                "parent": n.parent,
                "seat": n.move.player if n.move else None,
                "text": "" if n.move is None or n.move.kind == "drawing" else n.move.text,
                **({"said": list(n.sheet.said)} if n.move and n.sheet.said else {}),
            }
            for i, n in enumerate(self.nodes)
        ]

    # ----------------------------------------------------------------------------------------------- what is done

    def _add(self, move: Move) -> Json:
        try:
            after = self.state.apply(move)
        except GameDSLError:
            return {"ok": False, "reasons": describe_refusals(self.state, self.state.why_not(move))}
        for i, node in enumerate(self.nodes):
            if node.parent == self.at and node.move == move:
                self.at = i
                return {"ok": True}
        before = self.nodes[self.at]
        self.nodes.append(Node(self.at, after, move, before.sheet.after(before.state, move, after)))
        self.at = self.tip = len(self.nodes) - 1
        return {"ok": True}

    def _let_chance(self) -> None:
        while self.state.kind == "chance" and not self.rolls:
            self._add(self.state.propose(self.rng))

    def _play(self, action: int, seat: int) -> Json:
        done = self._add(self.game.move(action, self.state, seat))
        self.made += done["ok"]
        self._let_chance()
        return done

    def _roll(self) -> Json:
        return self._add(self.state.propose(self.rng))

    def _draw(self, strokes: list[Any], seat: int) -> Json:
        done = self._add(drawing_of(self.state, strokes, seat))
        self._let_chance()
        return done

    def _prepare(self) -> Json:
        """A drawing by the program."""
        done = self._add(self.state.propose(self.rng))
        self._let_chance()
        return done

    def _judge(self, strokes: list[Any]) -> Json:
        return judge_strokes(self.state, strokes)

    def _why(self, actions: list[int], seat: int) -> list[Json]:
        return describe_reasons(self.state, actions, seat)

    def _preview(self, action: int, seat: int) -> Json | None:
        return describe_preview(self.state, action, seat)

    def _go(self, node: int) -> Json:
        self.at = node
        return {"ok": True}

    def _undo(self) -> Json:
        parent = self.nodes[self.at].parent
        assert parent is not None
        self.at = parent
        return {"ok": True}

    def _redraw(self) -> Json:
        self.nodes[self.at].sheet = self.nodes[self.at].sheet.redrawn()
        return {"ok": True}

    def _record(self) -> str:
        record = Record.begin(self.game, self.game.program.name)
        for node in self.path()[1:]:
            assert node.move is not None
            record = record.plus_move(self.game, node.move)
        return record.text()

    def _load(self, text: str) -> Json:
        try:
            steps = list(Record.parse(text).steps(self.game))
        except GameDSLError as error:
            return {"ok": False, "reasons": [{"message": str(error), "clauses": []}]}
        self.nodes, self.at = [Node(None, steps[0][0], None, Sheet())], 0
        self.told.clear()
        for _, move in steps[1:]:
            assert move is not None
            self._add(move)
        return {"ok": True}
