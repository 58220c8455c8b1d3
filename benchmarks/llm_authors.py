"""Measure how well a language model writes rules: twelve rulebooks in prose, judged by examples, counts and claims that it does not see.

    python benchmarks/llm_authors.py --command 'my-model --temperature 0' [--rulebook NAME]... [--repairs N] [--record FILE] [--json]

The command reads a prompt on standard input and writes a ruleset to standard output: the prompt is the language card, the rulebook, and
after a mistake the answer with the messages about it. Without a command, answers that were recorded are judged; `--answers` names
others, such as those that `--record` wrote. Columns: the first answer parsed; it checked; it was right; an answer was right after at
most N repairs. Right: all hidden examples pass, all counts of move sequences agree, no hidden claim is violated.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gamedsl.lab.claims import VerifyConfig, verify  # noqa: E402
from gamedsl.lab.examples import Bench, examples_in, run_example  # noqa: E402
from gamedsl.lab.explore import Limits  # noqa: E402
from gamedsl.lab.search import Budget  # noqa: E402
from gamedsl.language.rules import check_file  # noqa: E402
from gamedsl.language.source import GameDSLError, Source, limit_process, render_all, resource_path  # noqa: E402
from gamedsl.language.syntax import parse_ruleset  # noqa: E402

FOLDER = Path(__file__).parent / "authors"
STAGES = ("nothing", "parsed", "checked", "right")
JUDGED = 60  # processor seconds for an answer
MEMORY = 4 << 30  # addresses, not memory in use
MOST = 200_000  # characters of an answer
CLAIM = (20_000, 10.0)  # states and seconds for a claim
MOST_MESSAGES = 8

ASK = """{card}

# Your task

Write the ruleset of the following game in this language. Answer with the text of the ruleset alone.

{rulebook}"""
AGAIN = """{asked}

# Your answer before

{answer}

# What is wrong with it

{messages}

Answer with the corrected ruleset alone."""


@dataclass
class Judgment:
    """How far an answer came, and what its author is told."""

    stage: str
    messages: list[str]


def rules_in(answer: str) -> str:
    """The ruleset in an answer: what is in its longest fence, or all of it."""
    fenced = re.findall(r"^```[^\n]*\n(.*?)^```", answer, re.DOTALL | re.MULTILINE)
    return max(fenced, key=len) if fenced else answer


def judge(text: str, task: dict[str, Any]) -> Judgment:
    """Judge a ruleset in this process."""
    tree, problems = parse_ruleset(Source("rules.gdl", text))
    faults = [p for p in problems if p.is_error]
    if faults or not tree.decls:
        return Judgment("nothing", [render_all([f]) for f in faults] or ["there are no rules in this answer"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rules.gdl")
        path.write_text(text, encoding="utf-8")
        program, found = check_file(path)
        faults = [f for f in found if f.is_error]
        if program is None or faults:
            return Judgment("parsed", [render_all([f]).replace(f"{folder}/", "") for f in faults])
        wrong = [*_failing(path, task["examples"]), *_violated(path, task["claims"])]
        return Judgment("checked", wrong[:1]) if wrong else Judgment("right", [])


def _failing(path: Path, examples: list[Any]) -> Iterator[str]:
    """What is wrong after some moves. Only the first of these is passed on: the others stay hidden."""
    bench = Bench(path)
    for example in examples_in(Source("hidden.yaml", yaml.safe_dump({"examples": examples}))):
        result = run_example(bench, example, {})
        line = f"after {', '.join(example.moves)}" if example.moves else "at the beginning"
        yield from (f"{line}: {problem}" for problem in result.problems)


def _violated(path: Path, claims: list[str]) -> Iterator[str]:
    states, seconds = CLAIM
    config = VerifyConfig(
        claims, own=False, defaults=False, limits=Limits(states, seconds=seconds), budget=Budget(200, seconds, 0)
    )
    for verdict in verify(str(path), {}, config=config).verdicts if claims else ():
        if str(verdict.status) == "violated":
            yield f"`{verdict.claim}` does not hold: {verdict.detail}"


def judge_apart(text: str, task: dict[str, Any]) -> Judgment:
    """Judge a ruleset in a process with bounds: rules may hang, or need all memory."""
    command = [sys.executable, __file__, "--judge"]
    given = json.dumps({"text": text[:MOST], "task": task})
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=4 * JUDGED)
        return Judgment(**json.loads(done.stdout))
    except (subprocess.TimeoutExpired, ValueError, TypeError):
        return Judgment("checked", ["the rules take too long, or too much memory"])


Author = Callable[[str, str, int], str]


def measure(tasks: list[dict[str, Any]], author: Author, repairs: int) -> list[dict[str, Any]]:
    """``author(name, prompt, number)`` gives an answer. Returns a row for each rulebook, with all answers and judgments."""
    card = resource_path("grammar", "card.md").read_text(encoding="utf-8")
    rows = []
    for task in tasks:
        prompt = asked = ASK.format(card=card, rulebook=task["rulebook"])
        tries: list[dict[str, Any]] = []
        for number in range(repairs + 1):
            answer = author(task["name"], prompt, number)
            judged = judge_apart(rules_in(answer), task)
            tries.append({"answer": answer, **asdict(judged)})
            if judged.stage == "right":
                break
            messages = "\n".join(judged.messages[:MOST_MESSAGES])
            prompt = AGAIN.format(asked=asked, answer=answer, messages=messages)
        rows.append({"name": task["name"], "tries": tries})
    return rows


def counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    """How many first answers came how far, and how many rulebooks were right in the end."""
    reached = [STAGES.index(row["tries"][0]["stage"]) for row in rows]
    first = {stage: sum(at >= number for at in reached) for number, stage in enumerate(STAGES) if number}
    names = {"parsed": "parsed", "checked": "checked", "right": "right at once"}
    repaired = sum(any(one["stage"] == "right" for one in row["tries"]) for row in rows)
    return {names[stage]: count for stage, count in first.items()} | {"right after repair": repaired}


def _recorded(path: Path) -> Author:
    try:
        answers = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        sys.exit(f"llm_authors: `{path}` cannot be read as YAML")
    if not isinstance(answers, dict) or not all(isinstance(one, list) for one in answers.values()):
        sys.exit(f"llm_authors: `{path}` does not have a list of answers for each rulebook")

    def author(name: str, prompt: str, number: int) -> str:
        found = answers.get(name) or [""]
        return str(found[min(number, len(found) - 1)])

    return author


def _run(command: list[str], seconds: float) -> Author:
    def author(name: str, prompt: str, number: int) -> str:
        try:
            done = subprocess.run(command, input=prompt, capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return ""
        except OSError as error:
            sys.exit(f"llm_authors: the command cannot be run: {error.strerror}")
        if done.returncode:
            said = done.stderr.strip()[:400] or "it printed no message"
            sys.exit(f"llm_authors: the command failed with code {done.returncode}: {said}")
        return done.stdout

    return author


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--command", metavar="WORDS", help="the model: prompt on standard input, rules on standard output"
    )
    parser.add_argument("--answers", metavar="FILE", type=Path, default=FOLDER / "recorded.yaml")
    parser.add_argument("--rulebook", metavar="NAME", action="append", help="only this one")
    parser.add_argument("--repairs", metavar="N", type=int, default=1, help="answers after messages (default: 1)")
    parser.add_argument("--seconds", metavar="N", type=float, default=600.0, help="for an answer (default: 600)")
    parser.add_argument("--record", metavar="FILE", type=Path, help="write the answers, to be judged again")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--judge", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.judge:
        limit_process(MEMORY, seconds=JUDGED, niceness=5)
        try:
            print(json.dumps(asdict(judge(**json.load(sys.stdin)))))
        except GameDSLError as mistake:
            print(json.dumps(asdict(Judgment("checked", [d.message for d in mistake.diagnostics]))))
        return
    tasks = yaml.safe_load((FOLDER / "rulebooks.yaml").read_text(encoding="utf-8"))
    names = [task["name"] for task in tasks]
    if unknown := set(given.rulebook or ()) - set(names):
        parser.error(f"there is no rulebook {sorted(unknown)[0]!r}; there are {', '.join(names)}")
    if given.repairs < 0 or not given.seconds > 0:
        parser.error("`--repairs` takes a number from 0 on, `--seconds` a number above 0")
    if given.command is not None and not shlex.split(given.command):
        parser.error("`--command` is empty")
    if given.record:  # before answers are paid for
        try:
            given.record.open("a", encoding="utf-8").close()
        except OSError as error:
            parser.error(f"`{given.record}` cannot be written: {error.strerror}")
    tasks = [task for task in tasks if not given.rulebook or task["name"] in given.rulebook]
    author = _run(shlex.split(given.command), given.seconds) if given.command else _recorded(given.answers)
    rows = measure(tasks, author, given.repairs)
    if given.record:
        kept = {row["name"]: [one["answer"] for one in row["tries"]] for row in rows}
        given.record.write_text(yaml.safe_dump(kept, allow_unicode=True, width=1000), encoding="utf-8")
    if given.json:
        print(json.dumps({"rulebooks": rows, "of": len(rows), **counts(rows)}, indent=1))
        return
    for row in rows:
        print(f"{row['name']:<18}" + ", then ".join(one["stage"] for one in row["tries"]))
    print("".join(f"\n{name:<20}{count:>3} of {len(rows)}" for name, count in counts(rows).items()))


if __name__ == "__main__":
    main()
