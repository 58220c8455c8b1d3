"""The examples at the end of every command's help.

In a command line, ``{game}`` stands for a shipped game without hidden information, ``{hidden}`` for one with hidden
information.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from gamedsl.language.source import read_index

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "play": (
        ("gamedsl play", "choose a game from a list"),
        ("gamedsl play {game} --seats human,mcts:2s", "play against a program that thinks for two seconds"),
        ("gamedsl play mine.gdl --set n=4 -o mine.record", "set an option, and write the record to a file"),
    ),
    "list": (
        ("gamedsl list", "all shipped games, by family"),
        ("gamedsl list --players 3 --chance", "games for three players, with dice or cards"),
        ("gamedsl list --format json", "the same as data"),
    ),
    "rules": (
        ("gamedsl rules {game}", "the rulebook"),
        ("gamedsl rules mine.gdl --set n=4", "the rulebook with another value of an option"),
    ),
    "replay": (
        ("gamedsl replay", "the saved games, with their numbers"),
        ("gamedsl replay 1 --step", "go through the newest one, ply by ply"),
        ("gamedsl replay mine.record -o mine.html", "write a page to step through it in a browser"),
    ),
    "serve": (
        ("gamedsl serve", "offer all shipped games at http://127.0.0.1:8000"),
        ("gamedsl serve {game} mine.gdl --host 0.0.0.0", "offer two games to the local network"),
    ),
    "new": (
        ("gamedsl new mine", "write the folder `mine` with a small game to change"),
        ("gamedsl new mine --like cards", "start from a card game"),
    ),
    "studio": (
        ("gamedsl studio", "choose a template, and begin a game of your own"),
        ("gamedsl studio games --open", "open the rulesets of the folder `games` in the browser"),
    ),
    "watch": (
        ("gamedsl watch mine.gdl", "look at the file whenever it is saved"),
        ("gamedsl watch mine.gdl --once --games 500", "look once, at 500 random games"),
    ),
    "lsp": (
        ("gamedsl lsp", "started by an editor: communicates over standard input and output"),
        ("gamedsl lsp --tcp 2087", "wait for an editor at a port of this machine"),
    ),
    "mcp": (
        (
            "gamedsl mcp games",
            "serve the tools to a program, which may read and write the rulesets in the folder `games`",
        ),
        ("gamedsl mcp", "the same without a folder: the program sends whole rulesets"),
    ),
    "fmt": (
        ("gamedsl fmt mine.gdl", "rewrite the file"),
        ("gamedsl fmt mine.gdl --diff", "show what would change"),
        ("gamedsl fmt - < mine.gdl", "print the canonical form of standard input"),
    ),
    "explain": (
        ("gamedsl explain E0201 E0302", "two codes: the messages, with an example and its cure"),
        ("gamedsl explain scoring", "a word: the codes, forms and builtins that concern it"),
    ),
    "check": (
        ("gamedsl check mine.gdl", "report all mistakes"),
        ("gamedsl check mine.gdl --format sarif", "report them as a SARIF log"),
        ("cat mine.gdl | gamedsl check -", "check standard input"),
    ),
    "test": (
        ("gamedsl test mine.gdl", "run the examples in mine.examples.yaml"),
        ("gamedsl test mine.gdl --mutants", "find changes to the rules that no example notices"),
    ),
    "verify": (
        ("gamedsl verify mine.gdl", "explore the game, and judge all claims"),
        ('gamedsl verify {game} --only --claim "lasts 9 plies"', "judge a single claim"),
        ("gamedsl verify mine.gdl --time 600 --jobs 4", "explore for ten minutes, with four threads"),
        ("gamedsl verify mine.gdl --owned --jobs 4", "explore with four processes, which own positions by their hash"),
    ),
    "coverage": (
        ("gamedsl coverage {game}", "the lines that 100 random games used"),
        ("gamedsl coverage mine.gdl --method search -o mine.html", "search for rarely used lines, and write a page"),
    ),
    "clauses": (("gamedsl clauses mine.gdl", "each clause with the lines that cite it"),),
    "simulate": (
        ("gamedsl simulate {game} --games 100000", "statistics of random games"),
        ("gamedsl simulate {game} --seats mcts:500,random -n 100", "a tree search against random moves"),
        ("gamedsl simulate {game} --format json", "the same as data"),
    ),
    "tournament": (
        ("gamedsl tournament {game} --agents random,mcts:1000,ab:d4", "three agents, each against each"),
        ("gamedsl tournament {game} --agents mcts:100,mcts:1000 -n 200", "two agents, 200 games"),
    ),
    "depth": (
        ("gamedsl depth {game}", "climb the ladder of players, each with twice the iterations of the one below"),
        ("gamedsl depth mine.gdl --rungs 6 --pairs 200", "a shorter ladder"),
    ),
    "compare": (
        ("gamedsl compare old.gdl mine.gdl", "which figures differ, and a game in which the versions part"),
        ("gamedsl compare old.gdl mine.gdl --search mcts:200", "also games of an agent, where random games are alike"),
    ),
    "ablate": (
        ("gamedsl ablate {game} --deletions", "what happens without each line"),
        ("gamedsl ablate mine.gdl --limit 20000", "also who wins, in games of up to 20,000 positions"),
    ),
    "sweep": (
        ("gamedsl sweep m-n-k --set m=3..6 --set k=3,4 -n 500", "which size is fairest, and which option moves what"),
        ("gamedsl sweep mine.gdl --set n=3..9 --checkpoint n.sqlite -o n.svg", "draw a chart; stop and continue"),
    ),
    "search-rules": (
        ("gamedsl search-rules nim --space space.gdl", "the best of up to 1,000 variants that space.gdl describes"),
        (
            "gamedsl search-rules mine.gdl --space space.gdl -o found --checkpoint found.sqlite",
            "write a page and rulesets",
        ),
    ),
    "metrics": (
        ("gamedsl metrics {game}", "random games"),
        ("gamedsl metrics {game} --agents random,mcts:100,mcts:2000 -n 50", "random, weak and strong players"),
        ("gamedsl metrics mine.gdl --format json -o mine.json", "write the figures as data"),
    ),
    "train": (
        ("gamedsl train {game} --time 300 -o it.net", "learn for five minutes; run it again to continue"),
        ("gamedsl play {game} --seats human,net:it.net", "play against it"),
    ),
    "solve": (
        ("gamedsl solve {game}", "the value of the first position"),
        ('gamedsl solve {game} --from "a1; b1" --all-moves', "the value of every move after two plies"),
        ("gamedsl solve {hidden} --exploitability 0.001 -o best.json", "write strategies for hidden information"),
    ),
    "exploitability": (
        ("gamedsl exploitability {hidden} --agent random", "what random play loses"),
        ("gamedsl exploitability {hidden} --agent strategy:best.json", "what a strategy of `gamedsl solve -o` loses"),
    ),
    "report": (
        ("gamedsl report {game}", "write a page named after the game"),
        ("gamedsl report mine.gdl --graph -o mine.svg", "draw the graph of positions"),
    ),
    "export": (
        ("gamedsl export {game} --to html", "write one file that plays in a browser"),
        ("gamedsl export mine.gdl --to json", "print the rules as data"),
        ("gamedsl export mine.gdl --to wasm -o mine.wasm", "write the compiled rules"),
    ),
    "position": (
        ('gamedsl position {game} --from "a1; b1"', "the position after two plies"),
        ("gamedsl position mine.gdl -o start.yaml", "write the first position to a file, to be edited"),
        ("gamedsl play mine.gdl --position start.yaml", "play from there"),
    ),
    "site": (
        ("gamedsl site", "a site of all shipped games, in the folder `site`"),
        ("gamedsl site mine.gdl -o public --title Mine", "a site of one game"),
    ),
    "actions": (
        ("gamedsl actions {game}", "the kinds of actions"),
        ("gamedsl actions {game} --list", "every action with its number"),
    ),
    "perft": (
        ("gamedsl perft {game} --depth 4", "count all sequences of four plies"),
        ("gamedsl perft {game} --depth 4 --divide", "the same for every first ply"),
    ),
    "compile": (
        ("gamedsl compile {game}", "sizes and times"),
        ("gamedsl compile mine.gdl --ir playouts", "the LLVM IR of one module"),
    ),
    "core": (("gamedsl core mine.gdl", "the blocks, moves and expressions of a ruleset"),),
    "help": (
        ("gamedsl help", "all commands"),
        ("gamedsl help check", "the options of one command"),
    ),
    "completions": (
        ("gamedsl completions bash > ~/.local/share/bash-completion/completions/gamedsl", "install them for bash"),
    ),
}


def examples_of(name: str) -> list[tuple[str, str]]:
    """The command lines of a command's examples, each with a description."""
    games = _games()
    return [(line.format(**games), what) for line, what in EXAMPLES.get(name, ())]


@cache
def _games() -> dict[str, str]:
    """The shipped games in the examples: the first of their kind in the index."""
    families = read_index()
    secret = max(families.values(), key=lambda entries: sum(e.is_hidden for e in entries))
    return {
        "game": next(e.name for e in chain.from_iterable(families.values()) if not e.is_hidden and not e.has_chance),
        "hidden": next(e.name for e in secret if e.is_hidden and e.has_chance),
    }
