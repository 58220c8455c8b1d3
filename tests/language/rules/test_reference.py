"""The page of builtins is what their declarations say."""

from __future__ import annotations

from gamedsl.language.rules.reference import TARGET, reference


def test_the_page_is_fresh() -> None:
    assert TARGET.read_text(encoding="utf-8") == reference(), "run `python -m gamedsl.language.rules.reference`"
