"""Messages for syntax errors: code → (message, help)."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.source.diagnostic import Diagnostic, Label
from gamedsl.source.text import Span

SYNTAX_MESSAGES: dict[str, tuple[str, str]] = {
    "E0101": ("{found} cannot stand here", "{hint}"),
    "E0102": (
        "this line is indented like no line above it",
        "indent it exactly like the line it belongs beside; two spaces a level are usual",
    ),
    "E0103": ("the character {character} has no meaning here", "{hint}"),
    "E0104": ("this text is not closed", 'end it with " on the same line; write \\" for a quote inside it'),
    "E0105": ("this `{bracket}` is never closed", "put the missing `{closing}` where the bracket should end"),
    "E0106": ("a tab stands in the indentation", "indent with spaces, two for each level"),
    "E0107": ("no declaration begins with {found}", "{hint}"),
    "E0108": ("no statement begins with {found}", "{hint}"),
    "E0109": (
        "before the colon in braces there must be a name, `in` and a set",
        "write {{x in S: F}} for the elements x of S that fulfil F, or {{a, b}} for a list of elements",
    ),
    "E0110": (
        "this citation is not well formed or does not stand at the end of its line",
        "citations stand behind the rule they belong to and before a comment, as in: draw @4.02 @4.05c  # why",
    ),
    "E0111": ("this guard stands behind an effect", "put every `when` before the first statement of the move"),
    "E0112": (
        "this {what} is too long: it has {size}; at most {most} are read",
        "split the ruleset with `use` or `define`",
    ),
    "E0113": ("the file is not text in UTF-8 (first at byte {offset})", "save it in the encoding UTF-8"),
    "E0114": ("the number {number} is too large", "numbers go up to {most}"),
    "E0115": ("this `{bracket}` closes no bracket that is open here", "{hint}"),
    "E0116": (
        "this is nested more than {most} levels deep",
        "give parts of it a name with `define`, `let` or `action`",
    ),
    "E0117": ('a text can hold \\" and \\\\, but not {escape}', "write \\\\ for a single backslash"),
    "E0118": ("{found} is not a sign of this language", "{hint}"),
    "E0119": ("{found} is neither a number nor a name", "{hint}"),
    "E0120": ("the line ends before it is complete", "{hint}"),
    "E0121": (
        "below this line something indented must follow",
        "write what belongs to it on the next line, two spaces in",
    ),
    "E0122": ("{found} is a word of the language and cannot be a name", "choose another name"),
    "E0123": ("comparisons cannot be chained", "join two comparisons with `and`: a < b and b < c"),
    "E0124": (
        "this `{word}` belongs to no `{opener}`",
        "it stands on the level of its `{opener}`, right behind the lines indented below that",
    ),
    "E0125": (
        "this line is indented, but the line above takes no lines below it",
        "bring it to the level of the line above",
    ),
    "E0126": ("an `if` statement has no `then`", "write what is to be done on the next line, two spaces in"),
    "E0127": ("{found} stands here twice", "keep one of the two"),
    "E0128": ("the names of a `piece` come first", "write: piece NAME, NAME of player, 5 each, stacking"),
    "E0129": ("a text cannot hold the character {character}", "take it out; a text is one line of visible characters"),
    "E0130": ("a value is given with `set ... to ...` or `let ... = ...`", "write: set {target} to ..."),
    "E0131": (
        "here one expression must stand, and nothing else",
        "write a single expression, such as count(empty) = 3",
    ),
    "E0132": ("a guard (`when`) can stand in a move only", "use `if` for what happens under a condition"),
    "E0133": ("there is nothing called {found} that a variant could remove", "write: remove move NAME"),
    "E0134": ("a file cannot have more than {most} errors reported", "mend the first ones and look again"),
}


def syntax_problem(
    code: str,
    span: Span,
    *,
    expected: str = "",
    near: Iterable[str] = (),
    labels: tuple[Label, ...] = (),
    **names: object,
) -> Diagnostic:
    """The diagnostic of a code of this table, its gaps filled with ``names`` (``hint`` may be left out)."""
    message, help_text = SYNTAX_MESSAGES[code]
    names.setdefault("hint", "")
    return Diagnostic(
        code,
        message.format(**names),
        span,
        labels=labels,
        expected=expected,
        near=tuple(near),
        help=help_text.format(**names),
    )


def quoted(text: str) -> str:
    """A word as shown in messages; long ones are truncated."""
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"
