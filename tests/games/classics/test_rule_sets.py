"""Where a classic carries out a rule, a comment names it: by its number in the rule set of `source`, or by the passage."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.games.classics.soundness import CLASSICS

# How the comments of a ruleset name the rule set; with numbers where it has some.
RULE_SETS = {
    "amazons": r"El Acertijo, ",
    "backgammon": r"Keith, [A-Z]",
    "battleship": r"OpenSpiel battleship, ",
    "blokus-duo": r"Rules, ",
    "brandub": r"Murray, ",
    "breakthrough": r"Troyka, ",
    "chess": r"FIDE \d+(\.\d+)+",
    "chess960": r"Guidelines II\.\d",
    "chinese-checkers": r"Bell, ",
    "clobber": r"Albert et al\., ",
    "connect-four": r"Allis 1, ",
    "dark-hex": r"OpenSpiel dark_hex, ",
    "domineering": r"Conway, ",
    "dots-and-boxes": r"Berlekamp 1, ",
    "einstein-wuerfelt-nicht": r"Althöfer, ",
    "english-draughts": r"WCDF 1\.\d+",
    "go": r"Tromp-Taylor \d+",
    "goofspiel": r"Ross, ",
    "gomoku": r"RIF, ",
    "havannah": r"MindSports, ",
    "hex": r"Browne, ",
    "hive": r"(Gen42|Tournaments), ",
    "international-draughts": r"FMJD \d(\.\d+)*",
    "kalah": r"Irving et al\. 2, ",
    "kayles": r"Winning Ways \d+, ",
    "konane": r"Thompson, ",
    "kuhn-poker": r"Kuhn, ",
    "leduc-poker": r"Southey et al\., ",
    "life-with-gardeners": r"Gardner, ",
    "liars-dice": r"OpenSpiel liars_dice, ",
    "lines-of-action": r"(Sackson|Mind Sports Olympiad), ",
    "m-n-k": r"van den Herik et al\., ",
    "macmahon-dominoes": r"(MacMahon|Dominoes), ",
    "nim": r"Bouton( 1)?, ",
    "nine-mens-morris": r"Gasser 2, ",
    "onitama": r"Arcane Wonders, ",
    "oshi-zumo": r"Buro, ",
    "oware": r"Oware Society, ",
    "pentago": r"Mindtwister, ",
    "phantom-go": r"OpenSpiel phantom_go, ",
    "phantom-tic-tac-toe": r"OpenSpiel phantom_ttt, ",
    "pig": r"Neller and Presser, ",
    "quoridor": r"Gigamic, [A-Z]",
    "reversi": r"WOF rules? \d",
    "sealed-bid-auction": r"Vickrey, ",
    "sim": r"Simmons, ",
    "snakes-and-ladders": r"Althoen et al\., ",
    "stratego": r"Rules of Stratego, ",
    "tsuro": r"Calliope, ",
    "twixt": r"(3M|OpenSpiel), ",
    "ultimate-tic-tac-toe": r"Orlin, ",
    "whist": r"Clay, ",
    "y": r"Schensted and Titus, ",
    "yavalath": r"Nestorgames, ",
}
ENDS = re.compile(r"\b(win|lose|draw|rank by|score by)\b")


def blocks(path: Path) -> list[str]:
    """The declarations of a ruleset with the lines indented under them, each with the comment lines above it."""
    text = path.read_text(encoding="utf-8")
    return re.split(r"\n\n(?=\S)", text.rstrip())


def is_variant(path: Path) -> bool:
    return path.read_text(encoding="utf-8").startswith("variant of")


def test_every_ruleset_names_one() -> None:
    whole = {path.stem for path in CLASSICS.glob("*.gdl") if not is_variant(path)}
    assert whole == set(RULE_SETS) - {"chess960"}


@pytest.mark.parametrize("name", RULE_SETS)
def test_moves_and_play_name_their_rules(name: str) -> None:
    """Each kind of move names what it carries out, and so does whatever ends the play."""
    missing = []
    for block in blocks(CLASSICS / f"{name}.gdl"):
        named = re.search(rf"# .*{RULE_SETS[name]}", block)
        is_rule = re.search(r"^(move|play\b)", block, re.MULTILINE)
        if is_rule and not named and (block.startswith("move") or ENDS.search(block)):
            missing.append(block.splitlines()[0])
    assert not missing


@pytest.mark.parametrize("path", [p for p in CLASSICS.glob("*.gdl") if is_variant(p)], ids=lambda p: p.stem)
def test_variants_say_what_differs(path: Path) -> None:
    """A variant has a comment where it departs from its original, or cites the document's own clauses."""
    text = path.read_text(encoding="utf-8")
    assert re.search(r"  # \w|@\d", text)
