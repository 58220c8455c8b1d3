"""The page of ``benchmarks/playouts.py``: rows measured anew take the place of the old ones, in order."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
RATIOS = ["ours/limit", "lockstep/limit", "lockstep/limit lockstep", "ours/OpenSpiel"]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    yield __import__("playouts_page").page
    sys.modules.pop("playouts_page", None)


def found(game, near="", **rates):
    rates = {name.replace("_", " "): {"rate": rate} for name, rate in rates.items()}
    ratios = dict.fromkeys(RATIOS)
    return {"game": game, "counts": rates, "ratios": ratios, "near": near, "plies": 9.0, "sigmas": 0.5}


def games(text):
    return [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| ")][1:]


def test_the_worst_ratio_to_the_limit_comes_first(page):
    rows = [found("a", ours=10), found("b", ours=9, lockstep=20, limit=40), found("c", ours=1000, limit=10000)]
    rows.append(found("d", "other rules", ours=5, OpenSpiel=1))
    text = page({"rows": rows}, RATIOS)
    assert games(text) == ["c", "b", "d", "a"]
    assert text.endswith("\n- d: other rules\n")


def test_rows_measured_anew_take_their_place_and_others_stay(page):
    old = page({"rows": [found(g, "as it was", ours=1, OpenSpiel=n) for n, g in enumerate("abc", 1)]}, RATIOS)
    assert games(old) == ["c", "b", "a"]
    text = page({"rows": [found("b", ours=1, limit=4)]}, RATIOS, old)
    assert games(text) == ["b", "c", "a"]
    kept = [line for line in old.splitlines() if line.startswith(("| a ", "| c ", "- a:", "- c:"))]
    assert len(kept) == 4 and all(line in text.splitlines() for line in kept)
    assert "- b:" not in text
    assert page({"rows": []}, RATIOS, text) == text
