"""Warnings (W09). The check fills in names in braces."""

from __future__ import annotations

WARNINGS: dict[str, tuple[str, str]] = {
    "W0901": ("definition `{name}` is never used", "Remove it, or use it."),
    "W0902": ("move `{name}` is never played", "Offer it with `plays`, or remove it."),
    "W0903": ("piece `{name}` is never used", "Put it on the board, or remove it."),
    "W0904": ("option `{name}` changes nothing", "Use it, or remove it."),
    "W0905": ("action `{name}` is never used", "Use it, or remove it."),
    "W0906": (
        "cited by no line: {clauses}",
        "Cite each clause where it is implemented, or under `info` as `presentation`.",
    ),
    "W0907": ("state `{name}` is never used", "Remove it, or use it."),
    "W0908": ("type `{name}` is never used", "Remove it, or use it."),
    "W0909": ("`{name}` is never read", "Remove it, or use it."),
    "W0910": (
        "`{name}` is never changed: it keeps its first value",
        "Change it somewhere, or turn it into a `define`.",
    ),
    "W0911": (
        "`{name}` is changed, but nothing reads it",
        'Remove it, or use it. To show it, use `look`, as in `beside "{name}" {name}`.',
    ),
    "W0912": ("table `{name}` is never used", "Remove it, or use it."),
    "W0921": (
        "`{kind} {name}` is added to the ruleset itself; that of the original is in part {part}",
        "To change that one, write it below `in part {part}`.",
    ),
    "W0923": (
        "this is {always} true: `{name}` is {low} to {high}",
        "Correct the number, or the range of `{name}` below `state`.",
    ),
    "W0924": (
        "`{move}` is written like `{other}`",
        'Records and lists write them `{other}(...)` and `{move}(...)`. Give one of them another text: `written "..."`.',
    ),
    "W0922": (
        "the condition after this colon does not read {names}: it extends as far as it can",
        'To end it earlier, put the whole expression in parentheses: `({kind} x in S: F) and G`. For "has no move of a kind" there is '
        "`moves(p, a) = {{}}`.",
    ),
    "W0913": ("`{name}` does not call itself", "Omit the limit: `{cure}`."),
    "W0914": (
        "{one} and {other} look the same {surface}",
        "Give one of them another sign, another shape (`shaped ...`) or another style of line.",
    ),
}
