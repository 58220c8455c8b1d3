"""Fixtures that several modules of this folder use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.editor.client import Sessions


@pytest.fixture(scope="module")
def sessions() -> Iterator[Sessions]:
    found = Sessions()
    yield found
    found.close()
