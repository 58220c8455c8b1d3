"""How many hidden cards are in a hand: shown where everybody knows it, and nowhere else.

The law: two positions that look the same to a seat never have different known sizes. What looks the same is found by
trying all games (``lookalikes``), which knows nothing of the analysis.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

import gamedsl
from gamedsl import GameDSLError
from gamedsl.engine import RulesError, State, codes_of
from gamedsl.engine.information.lookalikes import Lookalikes, TooManyPositions
from gamedsl.engine.picture import view
from gamedsl.language.core import nodes as n
from tests.card_rules import expeditions

BEGINNING = """
game "Cards"
players north, south
type card = 1..6
state
  deck: set of card = card, seen by nobody
  hand: player -> set of card, seen by owner
  shown: set of card
  said: 0..9
"""
PLAY = """
play
  for p in players
    deal 2 from deck to hand[p]
  turns from north, 3 times
    me plays {moves}
  draw
"""
THROW = """
move throw(k: card) written "throw {k}"
  when k in hand[me] "you do not have that card"
  take k from hand[me]
  add k to shown
"""
HIDE = """
move hide(k: card) written "hide {k}"
  when k in hand[me] "you do not have that card"
  take k from hand[me]
"""
WAIT = """
move wait written "wait"
"""
DRAW = """
move draw_card written "draw"
  when deck != {} "the deck is empty"
  deal from deck to hand[me]
"""
SAY = """
move say(i: 1..9) written "{i}"
  set said to i
"""
FEW = """
move keep_few(k: card) written "keep {k}"
  when k in hand[me] "you do not have that card"
  if k > 3
    take k from hand[me]
"""
MORE = """
move more(k: card) written "more {k}"
  when k not in hand[me] "you have that card"
  add k to hand[me]
"""
TAKE_ANY = """
move take_any(k: card) written "any {k}"
  take k from hand[me]
"""
COPY = """
move copy(k: card) written "copy {k}"
  when k in hand[me] "you do not have that card"
  add k to hand[rival]
"""
PART = """
move part(k: card) written "part {k}"
  when k in hand[me] "you do not have that card"
  if count(hand[rival]) > 1
    take k from hand[me]
  else
    add 1 to said
"""


def game_of(*moves: str, play: str = PLAY) -> gamedsl.Game:
    names = [m.split("move ", 1)[1].split()[0].split("(")[0] for m in moves]
    return loaded(BEGINNING + "".join(moves) + play.replace("{moves}", " | ".join(names)))


def loaded(text: str) -> gamedsl.Game:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cards.gdl"
        file.write_text(text)
        return gamedsl.load(file)


def known(game: gamedsl.Game) -> set[str]:
    return {game.program.variables[i].name for i in game.secrets.known_sizes}


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([THROW], {"deck", "hand"}),  # a card fewer each turn, before all eyes
        ([HIDE], {"deck", "hand"}),  # nobody sees which card, but that it is one
        ([HIDE, WAIT], {"deck"}),  # nobody sees whether a card has left
        ([THROW, WAIT], {"deck", "hand"}),  # a thrown card is seen
        ([HIDE, SAY], {"deck"}),  # saying again what was said is not seen either
        ([FEW], {"deck"}),  # the card that is named decides
        ([MORE], {"deck"}),  # the card may be dealt once more, and then the hand does not grow
        ([TAKE_ANY], {"deck"}),  # it may not have been there
        ([COPY], {"deck"}),  # the rival may have had it: dealt cards are in one hand, copied ones are not
        ([PART], {"deck", "hand"}),  # all know how many the rival has
        ([PART, HIDE], {"deck"}),  # one does not always do what the other does
    ],
)
def test_sizes_that_everybody_knows(moves: list[str], expected: set[str]) -> None:
    assert known(game_of(*moves)) == expected


def test_chance_that_not_everybody_meets() -> None:
    """Whoever draws meets chance, and everybody sees that it is due."""
    assert known(game_of(DRAW, SAY)) == {"deck", "hand"}


@pytest.mark.parametrize("hidden", [True, False])
def test_a_branch_on_something_hidden(hidden: bool) -> None:
    condition = "1 in hand[me]" if hidden else "1 in shown"
    play = PLAY.replace(
        "    me plays {moves}", f"    if {condition}\n      deal from deck to hand[me]\n    me plays {{moves}}"
    )
    found = known(game_of(SAY, play=play))
    # After the deal, which is chance too, nobody sees whether chance is due once more.
    assert found == (set() if hidden else {"deck", "hand"})
    quiet = PLAY.replace(
        "    me plays {moves}", f"    me plays {{moves}}\n    if {condition}\n      set hand[me] to {{}}"
    )
    assert known(game_of(SAY, play=quiet)) == ({"deck"} if hidden else {"deck", "hand"})


SHIPPED = {
    "whist": {"pack", "hand"},
    "goofspiel": {"hand"},
    "leduc-poker": {"deck", "hand"},
    "macmahon-dominoes": {"stock", "hand"},
    "tsuro": {"stock", "hand"},
    "liars-dice": {"rolled", "cup"},
}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped(name: str) -> None:
    assert known(gamedsl.load(name)) == SHIPPED[name]


def test_whist_counts_down() -> None:
    """Thirteen cards, and one fewer after each trick: the known answer."""
    state, rng = gamedsl.load("whist").initial_state(), Random(1)
    for _ in range(52 + 4 * 5):
        state = state.apply(state.propose(rng))
    [held] = [h for h in view(state, viewer=0).held if None in h.places]
    assert held.sizes == (None, 8, 8, 8)
    assert held.told == "hidden in hand: east 8, south 8, west 8"


# ------------------------------------------------------------------------------------------------------------ the law

SWAP = """
move swap(k: card) written "swap {k}"
  when k in hand[me] and deck != {} "there is nothing to swap"
  take k from hand[me]
  deal from deck to hand[me]
"""
GIVE = """
move give(k: card) written "give {k}"
  when k in hand[me] "you do not have that card"
  take k from hand[me]
  add k to hand[rival]
"""
DROP = """
move drop written "drop"
  set hand[me] to {}
"""
COUNTED = """
move counted written "counted"
  set said to count(hand[me])
"""
BACK = """
move back(k: card) written "back {k}"
  when k in hand[me] "you do not have that card"
  take k from hand[me]
  add k to deck
"""
TURN = "    me plays {moves}"
PLAYS = {
    "once": PLAY,
    "twice": PLAY.replace(TURN, f"{TURN}\n{TURN}"),
    "stuck": PLAY.replace(TURN, f"{TURN}\n      stuck\n        skip"),
    "together": PLAY.replace(f"  turns from north, 3 times\n{TURN}", "  repeat 2 times\n    everyone plays {moves}"),
    "hidden condition": PLAY.replace(TURN, f"    if 1 in hand[me]\n      set hand[me] to {{}}\n{TURN}"),
    "size as a condition": PLAY.replace(TURN, f"    if count(hand[me]) > 1\n      set said to 3\n{TURN}"),
    "a card more": PLAY.replace(
        TURN, f"{TURN}\n    if 2 in hand[me] and deck != {{}}\n      deal from deck to hand[rival]"
    ),
    "hidden loop": PLAY.replace(TURN, f"    for k in hand[me]\n      if k > 4\n        take k from hand[me]\n{TURN}"),
    "one player": PLAY.replace(TURN, f"{TURN}\n    if me = north\n      set hand[rival] to {{}}"),
}
KINDS = (THROW, HIDE, WAIT, DRAW, SAY, FEW, MORE, TAKE_ANY, COPY, PART, SWAP, GIVE, DROP, COUNTED, BACK)

SMALL = {
    "throw or wait": (THROW, WAIT),
    "hide or wait": (HIDE, WAIT),
    "hide": (HIDE,),
    "draw or say": (DRAW, SAY),
    "more": (MORE,),
    "part": (PART,),
    "few": (FEW,),
    "copy": (COPY, THROW),
}


def sizes(state: State, number: int) -> list[int]:
    var = state.game.program.variables[number]
    codes = codes_of(state, var)
    match var.type:
        case n.SetT():
            return [int(code).bit_count() for code in codes]
        case n.OptT():
            return [int(code != 0) for code in codes]
        case _:
            size = var.keys[-1].size
            return [sum(codes[at : at + size]) for at in range(0, len(codes), size)]


def check_lookalikes(game: gamedsl.Game, seed: int, plies: int = 30) -> int:
    """Plays a random game; returns how many positions were compared."""
    rng, state = Random(seed), game.initial_state()
    seen: dict[int | None, Lookalikes | None] = {seat: Lookalikes(seat, {state}) for seat in (None, 0, 1)}
    compared = 0
    for _ in range(plies):
        if state.is_terminal:
            break
        move = state.propose(rng)
        after = state.apply(move)
        for seat, alike in seen.items():
            if alike is None:
                continue
            try:
                alike = alike.after(state, move, after)
            except TooManyPositions:
                seen[seat] = None
                continue
            seen[seat] = Lookalikes(seat, alike.positions)
            there = [s for s in Lookalikes(seat, alike.positions)._with_unnoticed() if s.kind != "chance"]
            if after.kind == "chance":
                continue
            for number in game.secrets.known_sizes:
                assert {tuple(sizes(other, number)) for other in there} == {tuple(sizes(after, number))}
            compared += len(there)
        state = after
    return compared


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(2))
def test_what_looks_the_same_has_the_same_sizes(name: str, seed: int) -> None:
    assert check_lookalikes(game_of(*SMALL[name]), seed) > 20


def test_cards_that_go_through_piles_and_rows() -> None:
    """Drawing tells itself from taking a card that lies open; a card is in one place only, on piles and in rows too."""
    game = loaded(expeditions(highest=2, dealt=2))
    assert known(game) == {"deck", "hand"}
    assert check_lookalikes(game, 1) > 20


def test_that_chance_is_due_once_more_is_not_seen() -> None:
    """After a swap, which deals a card, nobody sees whether the rival is dealt one, too. (A random ruleset showed it.)"""
    assert known(game_of(THROW, SWAP, play=PLAYS["a card more"])) == set()
    assert known(game_of(THROW, play=PLAYS["a card more"])) == {"deck", "hand"}


@pytest.mark.slow  # it tries all games that look the same
@pytest.mark.parametrize("seed", range(24))
def test_the_law_for_random_rulesets(seed: int) -> None:
    rng = Random(seed)
    moves, play = rng.sample(KINDS, rng.choice((1, 2, 2, 3))), PLAYS[rng.choice(sorted(PLAYS))]
    try:
        game = game_of(*moves, play=play)
    except GameDSLError:
        return  # simultaneous moves with chance
    with suppress(RulesError, TooManyPositions):
        for play_seed in range(3):
            check_lookalikes(game, play_seed, 14)


def test_the_law_can_fail() -> None:
    """With sizes of hands shown that nobody knows, it fails."""
    game = game_of(HIDE, WAIT)
    hand = next(v.index for v in game.program.variables if v.name == "hand")
    game.secrets.__dict__["known_sizes"] = frozenset({hand})
    with pytest.raises(AssertionError):
        for seed in range(5):
            check_lookalikes(game, seed)


LAWFUL = {
    "goofspiel": lambda: gamedsl.load("goofspiel", cards=4, bids="hidden"),
    "leduc-poker": lambda: gamedsl.load("leduc-poker"),
    "liars-dice": lambda: gamedsl.load("liars-dice", dice=1, sides=3),
    "kuhn-poker": lambda: gamedsl.load("kuhn-poker"),
}


@pytest.mark.parametrize("name", LAWFUL)
def test_the_law_in_shipped_games(name: str) -> None:
    assert check_lookalikes(LAWFUL[name](), 2) > 20
