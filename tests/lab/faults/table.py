"""Broken variants of the shipped rulesets: one change each, as an author's slip would make it, and who notices.

``game`` is verified with ``options``, ``old`` in it having become ``new``. ``claim`` begins the claim that must be
violated; ``plies`` is the number of moves of the play that shows it: the least there can be where all is explored
(None: nothing to show, as something never happens; -1: any number, from random plays).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Fault:
    name: str
    game: str
    old: str
    new: str
    claim: str
    plies: int | None
    options: dict[str, str | int] = field(default_factory=dict)


STUCK = "a player who must act can act"
WRONG = "no rule fails"
RESULTS = "every kind of result is reached"
WINNERS = "every player can win"

NINE = "tic-tac-toe"
LINES = "x-s-and-lines"
THREE = {"n": 3}
BIG = "t-tic-t-tac-toe-game"

FAULTS = (
    # nine squares
    Fault(
        "a mark on a mark", NINE, '  when c in empty "that square is taken"', '  when c not in mark[me] "x"', WRONG, 1
    ),
    Fault(
        "no draw",
        NINE,
        '    if empty = {}                                                               @2.03d\n      draw "a full board"\n',
        "",
        STUCK,
        8,
    ),
    Fault("drawn one square early", NINE, "if empty = {}    ", "if count(empty) = 1", "a full board", None),
    Fault("lines of two", NINE, "lines(3)", "lines(2)", "a full board", None),
    Fault("only the first wins", NINE, "if three(me)", "if three(X)", "never three(X) and three(O)", 7),
    Fault("all marks are the first's", NINE, "put mark[me]", "put mark[X]", WINNERS, None),
    Fault("marks for the other", NINE, "put mark[me]", "put mark[rival]", "never three(X) and three(O)", 6),
    Fault("a line of any marks", NINE, "l within mark[p]", "l disjoint empty", "never three(X) and three(O)", 3),
    # x's and lines
    Fault(
        "lines through x's",
        LINES,
        "disjoint x | crossed_by",
        "disjoint crossed_by",
        "lines pass through no x",
        4,
        THREE,
    ),
    Fault("x's joined again and again", LINES, "c in x - done", "c in x", "ends within", 6, THREE),
    Fault(
        "nobody says who wins",
        LINES,
        '        stuck\n          win me "the other drew the last line"                                 @XL-9 @XL-c\n',
        "",
        STUCK,
        3,
        THREE,
    ),
    Fault("one x too many", LINES, "n times  ", "n + 1 times", "ends within", 7, THREE),
    Fault(
        "the bend is joined",
        LINES,
        "add {start, goal} to done                                                     @XL-5\n  draw_leg(start, bend)",
        "add {start, bend} to done\n  draw_leg(start, bend)",
        "lines join x's",
        4,
        THREE,
    ),
    Fault(
        "x's on x's",
        LINES,
        '  when c in empty "an x goes on an empty square"                                @XL-2\n',
        "",
        WRONG,
        1,
        THREE,
    ),
    # secret choice at once
    Fault(
        "ties are not played again",
        "rock-paper-scissors",
        "until shown[left] != shown[right]",
        "until shown[left] is some",
        "a game goes on after a tie",
        2,
    ),
    Fault(
        "hands are not taken back",
        "rock-paper-scissors",
        "    for p in players\n      set shown[p] to none\n",
        "",
        "a game goes on after a tie",
        2,
    ),
    Fault(
        "left wins everything",
        "rock-paper-scissors",
        "  if beats(shown[left], shown[right])                                           @2.02a\n"
        '    win left "it beats the other"\n  win right "it beats the other"',
        "  win left",
        WINNERS,
        None,
    ),
    # classics
    Fault(
        "discs float",
        "connect-four",
        '  when steps(c, {south}) disjoint empty "a disc falls to the lowest free square of its column"\n',
        "",
        "no disc floats",
        1,
        {"rows": 3, "columns": 3, "k": 3},
    ),
    Fault("sides mixed up", "hex", "left_column, right_column)", "top_row, bottom_row)", STUCK, 8, THREE),
    Fault("the wrong side", "hex", "top_row, bottom_row)", "top_row, left_column)", STUCK, 8, THREE),
    Fault("overlapping stones", "hex", '  when c in empty "there is a stone there already"\n', "", WRONG, 1, THREE),
    Fault(
        "the swap at any time",
        "hex",
        '  when turn = 2 "only the second move of the game may be the swap"\n',
        "",
        "ends within",
        2,
        {"n": 2, "swap": "yes"},
    ),
    Fault(
        "half the boxes",
        "dots-and-boxes",
        "frame(p) within line}  # Berl",
        "count(frame(p) & line) = 3}  # Berl",
        "a box is taken",
        3,
        {"rows": 1, "columns": 2},
    ),
    Fault(
        "all boxes to the first",
        "dots-and-boxes",
        "put box[me]",
        "put box[first]",
        WINNERS,
        None,
        {"rows": 1, "columns": 2},
    ),
    Fault(
        "lines drawn twice",
        "dots-and-boxes",
        '  when e not in line "that line has been drawn"\n',
        "",
        "ends within",
        3,
        {"rows": 1, "columns": 1},
    ),
    Fault("nothing is taken", "nim", "  take k from size[h]\n", "", "ends within", 2, {"a": 2, "b": 1, "c": 0, "d": 0}),
    Fault(
        "nobody loses",
        "nim",
        '\n      stuck\n        if misere\n          win me "nothing left to take"  # Bouton, on the other ending\n'
        '        lose me "nothing left to take"  # Bouton 1, on the end\n',
        "\n",
        STUCK,
        1,
        {"a": 2, "b": 1, "c": 0, "d": 0},
    ),
    Fault("the second pin stays", "kayles", "remove pin from {p, q}", "remove pin from p", WINNERS, None, {"pins": 5}),
    Fault(
        "the first pin is none", "kayles", '  when p in pin "that pin has fallen"\n', "", "ends within", 3, {"pins": 5}
    ),
    Fault(
        "onto empty squares",
        "clobber",
        '  when there in stone[rival] "a stone moves onto an enemy stone"\n',
        "",
        WRONG,
        2,
        {"rows": 2, "columns": 3},
    ),
    Fault(
        "a seed too few",
        "kalah",
        "set seeds[from] to 0\n",
        "set seeds[from] to 1\n",
        "no seed is lost",
        1,
        {"houses": 2, "seeds_each": 1},
    ),
    Fault(
        "seeds captured vanish",
        "kalah",
        "      add 1 + seeds_in(opposite(c)) to store[me]\n",
        "",
        "no seed is lost",
        2,
        {"houses": 2, "seeds_each": 1},
    ),
    Fault(
        "captures forward",
        "breakthrough",
        '  when there not in man[me] "your own man is there"\n',
        "",
        WRONG,
        0,
        {"rows": 5, "columns": 2},
    ),
    Fault(
        "captured men stay", "breakthrough", "  remove man[rival] from there\n", "", WRONG, 1, {"rows": 5, "columns": 2}
    ),
    Fault(
        "dominoes overlap",
        "domineering",
        '  when {c, d} within empty "there is a domino in the way"\n',
        "",
        WRONG,
        1,
        {"rows": 3, "columns": 3},
    ),
    # the big games, by random plays
    Fault(
        "tiles from nowhere",
        "horn-tiles",
        "  take 1 from stock                                                             @FH-6 @FH-e  # the opening tile counts too\n",
        "",
        "no tile is lost",
        1,
    ),
    Fault(
        "won tiles stay",
        "horn-tiles",
        "  take won from stock                                                           @FH-8 @FH-c\n",
        "",
        "no tile is lost",
        -1,
    ),
    Fault("tiles one square apart", "horn-tiles", "o in neighbors(x) and o in empty", "o in empty", WRONG, 3),
    Fault(
        "the checkpoint gives no safety",
        BIG,
        "set b.safe to b.safe + 4   ",
        "set b.safe to b.safe + 0",
        "a checkpoint never outlasts",
        3,
    ),
    Fault(
        "snipped at once",
        BIG,
        '  when curtain[p].safe = 0 "it cannot be snipped yet"                           @4.04c @TT-7\n',
        "",
        "a checkpoint stands",
        -1,
    ),
    Fault(
        "three for both at once",
        BIG,
        'forbid three(X) and three(O) "both players would have three in a row"           @3.1.05 @3.2.04 @4.04d @4.05f @TT-3\n',
        "",
        "never three(X) and three(O)",
        -1,
    ),
    Fault(
        "a chip joins a stone",
        "atreso",
        '    when there not in stone[me] "a chip cannot join a stone"                    @AR-c\n',
        "",
        WRONG,
        -1,
    ),
    Fault(
        "a stone lands on its own side",
        "atreso",
        '    when there not in stone[me] | chip[me] "your own piece is there"            @AR-c\n',
        "",
        WRONG,
        -1,
    ),
    Fault("chips on stones", "atreso", "put chip[p] on home(p) - stone[p]", "put chip[p] on home(p)", WRONG, -1),
    Fault(
        "grey anywhere",
        "atreso",
        "define takes_grey(c: cell) = c in empty and near",
        "define takes_grey(c: cell) = near",
        WRONG,
        -1,
    ),
    Fault(
        "a space claimed twice",
        "abs-trac-toe",
        'move claim(s: space) written "{s}"                                              @AT-4\n'
        '  when s in empty "that space is taken"                                         @AT-4\n',
        'move claim(s: space) written "{s}"\n',
        WRONG,
        3,
    ),
    Fault(
        "an answer when nothing is left",
        "abs-trac-toe",
        "      if empty != {}\n        me plays answer",
        "      me plays answer",
        STUCK,
        -1,
        {"players": 1},
    ),
    Fault("wins count double", "t-tic-t-tac-toe", "add 1 to wins", "add 2 to wins", "five games, not more", -1),
)
