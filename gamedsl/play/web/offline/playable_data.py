"""Everything that a page needs to play a game alone: compiled rules, and the questions to ask them for every
picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.play.web.offline.core_data import core_data
from gamedsl.play.web.offline.drawing_data import drawing_data
from gamedsl.play.web.offline.ending_data import ending_data
from gamedsl.play.web.offline.look_data import look_data
from gamedsl.play.web.offline.page_questions import Questions
from gamedsl.play.web.offline.score_data import score_data
from gamedsl.play.web.offline.turn_data import turn_data
from gamedsl.play.web.offline.wasm_files import Json, WasmFiles, wasm_files

if TYPE_CHECKING:
    from gamedsl.agents import LearnedValue
    from gamedsl.compiler import WasmKernels
    from gamedsl.engine import Game


def playable_data(game: Game, learned: LearnedValue | None = None) -> WasmFiles:
    """The files of ``wasm_files``, with the questions of the page compiled in. In addition to the fields of a module,
    ``facts`` has ``questions`` (see ``Questions.data``), ``looks`` (``look_data``), ``turns`` (``turn_data``),
    ``core`` (``core_data``), ``endings`` (``ending_data``), ``scores`` (``score_data``), ``slots`` (``WasmModule``)
    what ``drawing_data`` gives and, where a search is a fair opponent, ``search`` (``search_for_wasm``). ``learned``: a
    value that an opponent of the page plays by."""
    questions = Questions(game)
    looks, turns, endings = look_data(game, questions), turn_data(game, questions), ending_data(game, questions)
    scores = score_data(game, questions)
    kernels, search = _search(game, learned)
    found = wasm_files(game, questions.functions(), kernels)
    more = {
        "questions": {**questions.data(), "first": questions.helpers},
        "looks": looks,
        "turns": turns,
        "core": core_data(game),
        "endings": endings,
        "scores": scores,
        "slots": [list(slot) for slot in found.module.slots],
    }
    facts = {**found.facts, **more, **search, **drawing_data(game, found.module)}
    return WasmFiles(found.code, facts, found.module)


def _search(game: Game, learned: LearnedValue | None) -> tuple[WasmKernels | None, Json]:
    """The kernels of the search, and what the page must know of them."""
    from gamedsl.agents import search_for_wasm  # imported here for a quick start: it loads numba

    return search_for_wasm(game, learned)
