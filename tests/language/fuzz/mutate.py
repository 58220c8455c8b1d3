"""Mutations of texts: what a slip of the hand, a bad merge or a hostile file may look like."""

from __future__ import annotations

import random
import re

TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|\s+|.', re.S)
NOISE = [
    "(", ")", "{", "}", "[", "]", ":", ",", "->", "..", "@", "#", '"', "\t", "\n", "  ", "\u00e9", "\u0000", "\u2028", "\u202e", "9" * 30,
    "-", "|",
]  # fmt: skip


def mutate(text: str, rng: random.Random, vocabulary: list[str]) -> str:
    """One to four random changes."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(OPERATIONS)(text, rng, vocabulary)
    return text


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def drop_token(text: str, rng: random.Random, _: list[str]) -> str:
    tokens = _tokens(text)
    if tokens:
        del tokens[rng.randrange(len(tokens))]
    return "".join(tokens)


def double_token(text: str, rng: random.Random, _: list[str]) -> str:
    tokens = _tokens(text)
    if tokens:
        i = rng.randrange(len(tokens))
        tokens.insert(i, tokens[i] * rng.choice([1, 1, 2, 40]))
    return "".join(tokens)


def exchange_token(text: str, rng: random.Random, vocabulary: list[str]) -> str:
    tokens = _tokens(text)
    words = [i for i, t in enumerate(tokens) if not t.isspace()]
    if words:
        tokens[rng.choice(words)] = rng.choice(vocabulary + NOISE)
    return "".join(tokens)


def swap_tokens(text: str, rng: random.Random, _: list[str]) -> str:
    tokens = _tokens(text)
    words = [i for i, t in enumerate(tokens) if not t.isspace()]
    if len(words) > 1:
        i, j = rng.sample(words, 2)
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens)


def drop_line(text: str, rng: random.Random, _: list[str]) -> str:
    lines = text.split("\n")
    del lines[rng.randrange(len(lines))]
    return "\n".join(lines)


def double_line(text: str, rng: random.Random, _: list[str]) -> str:
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    return "\n".join(lines)


def indent_line(text: str, rng: random.Random, _: list[str]) -> str:
    lines = text.split("\n")
    i = rng.randrange(len(lines))
    lines[i] = rng.choice([" ", "  ", "    ", "\t", ""]) + (lines[i] if rng.random() < 0.5 else lines[i].lstrip())
    return "\n".join(lines)


def cut(text: str, rng: random.Random, _: list[str]) -> str:
    return text[: rng.randrange(len(text) + 1)]


def noise(text: str, rng: random.Random, _: list[str]) -> str:
    i = rng.randrange(len(text) + 1)
    return text[:i] + rng.choice(NOISE) + text[i:]


def change_number(text: str, rng: random.Random, _: list[str]) -> str:
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return text
    m = rng.choice(numbers)
    return (
        text[: m.start()]
        + rng.choice(["0", "1", "2", "7", "30", "1000", "100000", "999999999", "-3"])
        + text[m.end() :]
    )


OPERATIONS = [
    drop_token,
    double_token,
    exchange_token,
    swap_tokens,
    drop_line,
    double_line,
    indent_line,
    cut,
    noise,
    change_number,
]
