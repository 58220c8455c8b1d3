"""The examples learn what they are to learn."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_q_learning() -> None:
    assert example("q_learning").main(6000) > 0.9  # 0.58 untrained


@pytest.mark.slow
def test_algorithms_of_openspiel() -> None:
    """OpenSpiel's own Kuhn poker has the NashConv 0.016452 after 100 iterations of CFR."""
    conv, value, result = example("openspiel_algorithms").main(100, 20)
    assert conv == pytest.approx(0.016452, abs=1e-6) and value == pytest.approx(-1 / 18, abs=0.01)
    assert result > 0.5


@pytest.mark.slow
def test_policy_gradient() -> None:
    first, last = example("policy_gradient").main(600)
    assert first < 0.4 and last > first + 0.25


@pytest.mark.slow
def test_self_play() -> None:
    before, after = example("self_play").main(2000)
    assert abs(before) < 0.2 and after > 0.4
