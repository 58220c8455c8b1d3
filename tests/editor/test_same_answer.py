"""A desk that saw many texts says about the next what one says that saw nothing before; what it no longer needs goes at once."""

from __future__ import annotations

import gc
import random
from dataclasses import asdict
from typing import Any
from weakref import ref

import pytest

from gamedsl.editor.desk import Desk
from gamedsl.editor.document_check import check_document
from gamedsl.language.rules import shipped
from gamedsl.language.syntax import parser
from tests.language.syntax.test_kept_readings import edited, forgetting
from tests.shipped_sample import sampled


def answer(desk: Desk, path: str, text: str) -> list[dict[str, Any]]:
    """The messages about a text, with their places, labels and fixes."""
    desk.put(path, text)
    return [asdict(one) for one in check_document(desk, path, desk.snapshot())]


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "the same answer"))
def test_an_answer_does_not_depend_on_earlier_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits pile up; now and then the original returns."""
    chance = random.Random(name)
    path = str(shipped()[name].resolve())
    text = original = shipped()[name].read_text(encoding="utf-8")
    texts = [text]
    for _ in range(4):
        text = edited(text, chance) if chance.random() < 0.8 else "# more\n" + original
        texts.append(text)
    desk = Desk()
    seen = [answer(desk, path, one) for one in texts]
    for one, found in zip(texts, seen, strict=True):
        forgetting(monkeypatch)
        parser._lines_of.cache_clear()
        assert answer(Desk(), path, one) == found


def test_an_answer_is_given_again_while_its_places_are_right() -> None:
    """What is parsed in between moves the declarations that it takes over; one that it does not take over stays behind."""
    path = str(shipped()["tic-tac-toe"].resolve())
    text = shipped()["tic-tac-toe"].read_text(encoding="utf-8") + "define lonely = 1\n"
    desk = Desk()
    first = answer(desk, path, text)
    assert first and answer(desk, path, text) == first
    moved, changed = "# more\n" + text, "# more\n" + text.replace("lonely", "lonesome")
    desk.parse(desk.put(path, moved))
    desk.parse(desk.put(path, changed))
    assert answer(desk, path, text) == first == answer(Desk(), path, text)


@pytest.mark.parametrize("name", ["tic-tac-toe", "ultimate-tic-tac-toe"])
def test_what_a_check_made_goes_with_the_next_one(name: str) -> None:
    """Without a circle in it, no collector has to look for it: that took half as long as the check."""
    desk, path = Desk(), str(shipped()[name].resolve())
    text = shipped()[name].read_text(encoding="utf-8")
    gc.disable()
    try:
        answer(desk, path, text)
        env = desk.names(path)
        gone = ref(env.program if env is not None else desk)
        del env
        answer(desk, path, text + "#")
        assert gone() is None
    finally:
        gc.enable()
