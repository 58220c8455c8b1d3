"""Every prefix of shipped rulesets, as if each file were written letter by letter.

``python -m tests.editor.every_prefix [NAMES ...] [--shortest N] [--words] [--check-every N]`` asks at every prefix each question about
the cursor, looks whether the outline has what is declared on complete lines before it, and checks the text: the messages stand inside
it. With ``--words`` it does so after the first letter and at the end of every word, sign, string, comment and space, and asks only for
the outline between these: a third of the prefixes have all questions, and the differences between the others are letters of one word. It
prints a line for each ruleset: how many prefixes, how many of them with all questions, the CPU seconds that they took, and the CPU
milliseconds of the slowest. Without names it tries all shipped rulesets, from the shortest on. The exit code is 1 if a prefix failed.
`test_half_written.py` tries a sample.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from dataclasses import dataclass, field

from gamedsl.editor.completions import completions
from gamedsl.editor.desk import Desk
from gamedsl.editor.document_check import check_document
from gamedsl.editor.hints import signature_at
from gamedsl.editor.meanings import hover
from gamedsl.editor.outline import outline
from gamedsl.editor.structure import folds, selections, semantic_tokens
from gamedsl.language.rules import shipped
from gamedsl.language.source import Source
from gamedsl.language.syntax import token_kinds

Named = tuple[str, str, int]
# kinds of declarations whose title is their first line, so that it grows while that is written
_TITLED = frozenset({"claim", "forbid", "play", "board", "variant", "in"})


def text_of(name: str) -> str:
    return shipped()[name].read_text(encoding="utf-8")


def named(source: Source) -> list[Named]:
    """What the outline of a text holds: kind, name and place of everything but the game itself."""
    return [(d.kind, d.name, d.start) for one in outline(source) for d in one.walk() if d.kind != "game"]


@dataclass
class Prefixes:
    """The prefixes of a shipped ruleset, at a desk that sees one after the other."""

    name: str
    desk: Desk = field(default_factory=Desk)

    def __post_init__(self) -> None:
        self.text = text_of(self.name)
        self.path = str(shipped()[self.name].with_name(f"half-written-{self.name}.gdl"))
        self.declared = [d for d in named(Source(self.path, self.text)) if d[0] not in _TITLED]

    def stops(self) -> frozenset[int]:
        """Where a word, sign, string, comment or space has its first letter, or ends."""
        pieces = [(one.start, one.start + len(one.text)) for one in token_kinds(self.text)]
        return frozenset({0, *(start + 1 for start, _ in pieces), *(end for _, end in pieces)})

    def try_outline(self, end: int) -> Source:
        """Puts the first ``end`` characters on the desk; AssertionError if their outline lacks a declaration before the last line."""
        source = self.desk.put(self.path, self.text[:end])
        row = self.text.rfind("\n", 0, end) + 1
        complete = {d for d in self.declared if 0 <= self.text.find("\n", d[2]) < row}
        lost = complete - set(named(source))
        assert not lost, lost
        return source

    def try_one(self, end: int, checks: bool = True) -> None:
        """Asks everything about the first ``end`` characters; AssertionError if an answer is wrong. ``checks``: the text is checked too."""
        source = self.try_outline(end)
        for one in check_document(self.desk, self.path, self.desk.snapshot()) if checks else ():
            inside = one.span.source.path != self.path or 0 <= one.span.start <= len(source.text) + 1
            assert inside, one
        env, clauses = self.desk.names(self.path), self.desk.clauses(self.path)
        completions(source, end, env, clauses, list)
        hover(source, end, env, clauses, [])
        signature_at(source, end)
        assert selections(source, end)[-1] == (0, len(source.text))
        assert all(first < last for first, last, _ in folds(source))
        tokens = list(semantic_tokens(source, env))
        assert tokens == sorted(tokens)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="rulesets (all that are shipped)")
    parser.add_argument("--shortest", type=int, metavar="N", help="without names: only the N shortest rulesets")
    parser.add_argument("--words", action="store_true", help="inside of words, ask only for the outline")
    parser.add_argument("--check-every", type=int, default=1, metavar="N", help="check only every N-th prefix")
    given = parser.parse_args(arguments)
    names = given.names or sorted(shipped(), key=lambda name: len(text_of(name)))[: given.shortest]
    failed = total = 0
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # to look through the hundreds of parsed texts on the desk took half the time
    for name in names:
        prefixes, slowest, began = Prefixes(name), 0.0, time.process_time()
        count = len(prefixes.text) + 1
        stops = prefixes.stops() if given.words else frozenset(range(count))
        for end in range(count):
            start = time.process_time()
            try:
                if end in stops:
                    prefixes.try_one(end, checks=end % given.check_every == 0)
                else:
                    prefixes.try_outline(end)
            except Exception as mistake:  # each is a finding, whatever it is
                failed += 1
                print(f"{name}, {end} characters: {type(mistake).__name__}: {mistake}", flush=True)
            slowest = max(slowest, time.process_time() - start)
        total += count
        seconds = time.process_time() - began
        asked = "" if not given.words else f", {len(stops)} with all questions"
        print(f"{name}: {count} prefixes{asked}, {seconds:.0f} s, slowest {1000 * slowest:.0f} ms", flush=True)
    print(f"{total} prefixes of {len(names)} rulesets, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
