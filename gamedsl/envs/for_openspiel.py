"""Games of OpenSpiel."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gamedsl.engine import Game, InterpretedGame, ObservationLayout, ObservedPart, State
from gamedsl.envs.environment_play import game_of, legal_actions, listed
from gamedsl.envs.fits import check_fits, why_not_adapted
from gamedsl.envs.lane_arguments import whole
from gamedsl.language.core import is_zero_sum
from gamedsl.language.rules import load_program, shipped
from gamedsl.language.source import GameDSLError, UsageError, missing_library

try:
    import pyspiel
except ImportError as error:
    raise (missing_library(error) or error) from None

from gamedsl.envs.openspiel_bots import PREFIX, keep_the_lock

HORIZON = 1000  # decisions of a game without a known bound
MOST_RECENT = 16  # pickled states that are cached
MOST_ENTRIES = 1 << 20  # of an information state's tensor, if its rows are not given
Params = dict[str, Any]


def recall_layout(game: Game, rows: int) -> ObservationLayout | None:
    """Returns the layout of information states with this many rows; for 0, with as many as any game needs, or None if
    that is not proved or too large. Raises ``GameDSLError`` (E0544) if the given number of rows is too large.
    """
    if rows:
        return game.information_state_layout_of(rows)
    try:
        layout = game.information_state_layout
    except GameDSLError:
        return None
    return layout if layout.size <= MOST_ENTRIES else None


def game_type(game: Game, short_name: str, specification: Params, zero_sum: bool, rows: int = 0) -> Any:
    """Returns OpenSpiel's description of a game."""
    kinds, types = set(game.kinds), pyspiel.GameType
    return types(
        short_name=short_name,
        long_name=game.title,
        dynamics=types.Dynamics.SIMULTANEOUS if "together" in kinds else types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if "chance" in kinds else types.ChanceMode.DETERMINISTIC,
        information=types.Information.IMPERFECT_INFORMATION
        if game.secrets.hides
        else types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.num_players,
        min_num_players=game.num_players,
        provides_information_state_string=True,
        provides_information_state_tensor=recall_layout(game, rows) is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=specification,
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel with the rules of ``rules``.

    ``horizon``: the number of decisions after which a game ends with utilities of 0; None if a bound is proved.
    """

    def __init__(self, rules: Game, short_name: str, specification: Params, zero_sum: bool, params: Params) -> None:
        bound = rules.max_game_length
        horizon = whole(params.get("horizon", HORIZON), "`horizon`", 1) if bound is None else None
        rows = whole(params.get("recall_rows", 0), "`recall_rows`", 0)
        super().__init__(
            game_type(rules, short_name, specification, zero_sum, rows),
            pyspiel.GameInfo(
                num_distinct_actions=rules.num_player_actions,
                max_chance_outcomes=rules.num_actions - rules.num_player_actions,
                num_players=rules.num_players,
                min_utility=min(0.0, rules.min_utility) if horizon else rules.min_utility,
                max_utility=max(0.0, rules.max_utility) if horizon else rules.max_utility,
                utility_sum=0.0 if zero_sum else None,
                max_game_length=horizon if bound is None else bound,
            ),
            params,
        )
        self.rules, self.horizon, self.rows = rules, horizon, rows
        self.first = rules.initial_state()

    def new_initial_state(self, text: str | None = None) -> OpenSpielState:
        """Returns the initial state, or the state of a position as text (see ``State.position_text``)."""
        made = OpenSpielState(self)
        if text is not None:
            made.held = Held(self.rules.position(text))
        return made

    def make_py_observer(self, iig_obs_type: Any = None, params: Params | None = None) -> Observer:
        """Returns an observer of this kind. Raises ``ValueError`` for kinds that do not exist."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.rules, kind, self.rows, params)


class Held:
    """A state of the rules as an attribute of OpenSpiel's state, which OpenSpiel deep-copies and pickles.

    It is pickled as the game so far: its first state, and the numbers of the actions. These are replayed, unless the
    state was recently pickled in this process. So a test that saves and loads every state of a game takes linear time.
    """

    def __init__(self, state: State) -> None:
        self.state = state

    @cached_property
    def text(self) -> str:
        """The position as text."""
        return self.state.position_text()

    def __deepcopy__(self, memo: dict[int, Any]) -> Held:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        state, first = self.state, self.state.first_state
        usual, start = state.game.initial_state(), None
        if first is not usual and first.serialize() != usual.serialize():
            start = first.serialize()
        saved = state.game.digest, start, array("q", state.action_history).tobytes()
        _RECENT[saved] = self
        while len(_RECENT) > MOST_RECENT:
            _RECENT.pop(next(iter(_RECENT)), None)
        return _held, saved


Saved: TypeAlias = (
    "tuple[str, str | None, bytes]"  # the digest of the rules, the first state if not the initial, actions
)
_GAMES: dict[str, Game] = {}  # by digest, for pickles of states
_RECENT: dict[Saved, Held] = {}  # pickled most recently in this process


def _held(*saved: Any) -> Held:
    """Rebuilds a pickled state. Raises ``GameDSLError`` if its rules are not loaded, it is damaged, or an action is
    illegal.
    """
    digest, start, actions = cast(Saved, saved)
    if digest not in _GAMES:
        raise UsageError("the rules of this state are not loaded: use `pyspiel.load_game` first")
    if len(actions) % array("q").itemsize:
        raise UsageError("this pickled state is damaged")
    if (known := _RECENT.get((digest, start, actions))) is not None:
        return known
    game = _GAMES[digest]
    state = game.initial_state() if start is None else game.deserialize(start)
    for action in memoryview(actions).cast("q"):
        state = state.apply_action(action)
    return Held(state)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel. ``held.state`` is the state of the rules."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self.held = Held(game.first)
        self.decisions = 0

    def current_player(self) -> int:
        """Returns the player to act; -1: chance, -2: several at once, -4: the game is over."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        state = self.held.state
        if state.kind == "together":
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return state.to_act[0] if state.to_act else int(pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        return self.held.state.is_terminal or self._is_cut

    def returns(self) -> list[float]:
        return [0.0 if self._is_cut else float(u) for u in self.held.state.returns]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes, numbered from 0, with their probabilities."""
        rules, found = self._rules, dict[int, float]()
        for move, chance in self.held.state.chance_outcomes():
            number = rules.action(move) - rules.num_player_actions
            found[number] = found.get(number, 0.0) + float(chance)
        return [(n, p) for n, p in sorted(found.items()) if p > 0]

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(self.held.state, player)

    def _apply_action(self, action: int) -> None:
        state = self.held.state
        if state.kind == "chance":
            self.held = Held(state.apply_action(action + self._rules.num_player_actions))
        else:
            self.held = Held(state.apply_action(action))
            self.decisions += 1

    def _apply_actions(self, actions: list[int]) -> None:
        state = self.held.state
        for player in state.to_act:
            state = state.apply_action(actions[player], player)
        self.held = Held(state)
        self.decisions += 1

    def _action_to_string(self, player: int, action: int) -> str:
        chance = player == pyspiel.PlayerId.CHANCE
        return self._rules.action_text(action + self._rules.num_player_actions if chance else action)

    def __str__(self) -> str:
        return self.held.text

    @property
    def _rules(self) -> Game:
        return self.held.state.game

    @property
    def _is_cut(self) -> bool:
        """Whether the game has reached the horizon."""
        horizon = self.get_game().horizon
        return horizon is not None and self.decisions >= horizon and not self.held.state.is_terminal


class Observer:
    """A player's view, as ``tensor``, as ``dict`` of parts of it, and as text.

    With perfect recall it is the information state, otherwise ``State.observation_tensor``.
    """

    def __init__(self, rules: Game, kind: Any, rows: int, params: Params | None) -> None:
        if params:
            raise ValueError(f"observers of gamedsl take no parameters, but got {params}")
        private = kind.private_info != pyspiel.PrivateInfoType.NONE
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("no observer sees what all players know privately")
        if not kind.public_info and (kind.perfect_recall or not private):
            raise ValueError("there is no such observer: ask for public information, or for private without recall")
        self._recall, self._private = kind.perfect_recall, private
        self._part: ObservedPart = (
            "whole" if kind.public_info and private else "public" if kind.public_info else "private"
        )
        self._rows = rows or None
        layout = recall_layout(rules, rows) if self._recall else rules.layout_of(self._part)
        self.tensor: NDArray[np.float32] | None = None if layout is None else np.zeros(layout.size, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}
        if layout is not None and self.tensor is not None:
            self.dict = {name: view for name, view in layout.split(self.tensor).items() if view.size}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Writes the player's view into ``tensor``, and thereby into ``dict``."""
        at = state.held.state
        if self.tensor is None:
            return
        if self._recall:
            self.tensor[:] = at.information_state_tensor(player if self._private else None, self._rows)
        else:
            self.tensor[:] = at.observation_tensor(player, self._part)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Returns the player's view, or with perfect recall everything it has seen, in words."""
        at = state.held.state
        if not self._recall:
            return at.observation_text(player, self._part)
        known = at.information_state(player if self._private else None)
        return f"{known.text}\n{known.key}"


def register_openspiel(
    rulesets: str | Path | Iterable[str | Path] | None = None, *, zero_sum: bool | None = None
) -> list[str]:
    """Registers rulesets with OpenSpiel: a path or the name of a shipped one, or several; by default all shipped ones
    that fit. Returns their short names: ``gamedsl_NAME``, where NAME is the name of the file with "_" for "-".

    The options of a ruleset are the parameters of ``pyspiel.load_game``. If no bound on the length of a game is
    proved, there is the parameter ``horizon``: after this many decisions a game ends with utilities of 0. Its default
    is the length that the ruleset claims, or else 1,000. ``recall_rows`` is the number of rows of the tensor of an
    information state (see ``State.information_state_tensor``); by default as many as any game needs, and no tensor if
    that is not proved or too large.

    ``zero_sum``: whether the utilities sum to 0; by default, whether that can be proved.

    Raises ``UsageError`` with the reason for a ruleset that does not fit.
    """
    if rulesets is None:
        games = {name: InterpretedGame(load_program(name)) for name in shipped()}
        return [_register(n, g, zero_sum) for n, g in games.items() if why_not_adapted(g, "register_openspiel") is None]
    given = [(name, InterpretedGame(load_program(name))) for name in listed(rulesets)]
    for _, game in given:
        check_fits(game, "register_openspiel")
    return [_register(name, game, zero_sum) for name, game in given]


def _register(name: str | Path, game: Game, zero_sum: bool | None) -> str:
    short_name = f"{PREFIX}{game.program.name.replace('-', '_')}"
    options: Params = {k: int(v) if v.lstrip("-").isdigit() else v for k, v in game.options.items()}
    specification = {"recall_rows": 0, **_horizon(game)}
    if clash := specification.keys() & options.keys():
        raise UsageError(
            f"{game.title} has an option `{min(clash)}`, which is a parameter of `register_openspiel` as well"
        )
    specification |= options

    @cache
    def rules_of(*values: Any) -> Game:
        rules = game_of(name, dict(zip(options, values, strict=True)))
        check_fits(rules, "register_openspiel")
        return _GAMES.setdefault(rules.digest, rules)

    class Registered(OpenSpielGame):  # a class, because OpenSpiel releases a function after Python has shut down
        def __init__(self, params: Params) -> None:
            rules = rules_of(*(params[k] for k in options))
            sums = is_zero_sum(rules.program) if zero_sum is None else zero_sum
            super().__init__(rules, short_name, specification, sums, params)

    kind = game_type(game, short_name, specification, is_zero_sum(game.program) if zero_sum is None else zero_sum)
    pyspiel.register_game(kind, Registered)
    keep_the_lock()
    return short_name


def _horizon(game: Game) -> Params:
    """Returns the parameter ``horizon``, if it is needed."""
    return {} if game.max_game_length is not None else {"horizon": game.claimed_game_length or HORIZON}
