"""Messages for syntax errors: code → (message, help)."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.source import Diagnostic, Label, Span

SYNTAX_MESSAGES: dict[str, tuple[str, str]] = {
    "E0101": ("unexpected {found}", "{hint}"),
    "E0102": (
        "the indentation matches no line above",
        "align it with the line it belongs to; a level is usually two spaces",
    ),
    "E0103": ("the character {character} has no meaning here", "{hint}"),
    "E0104": ("this string is not closed", 'end it with " on the same line; write \\" for a quote inside it'),
    "E0105": ("this `{bracket}` is never closed", "put the missing `{closing}` where the bracket should end"),
    "E0106": ("the indentation contains a tab", "indent with spaces, two for each level"),
    "E0107": ("no declaration begins with {found}", "{hint}"),
    "E0108": ("no statement begins with {found}", "{hint}"),
    "E0109": (
        "before the colon in braces there must be a name, `in` and a set",
        "write `{{x in S: F}}` for the elements x of S that satisfy F, or `{{a, b}}` for a list of elements",
    ),
    "E0110": (
        "this citation is malformed, or not at the end of its line",
        "put citations after the rule they belong to and before a comment, as in `draw @4.02 @4.05c  # why`",
    ),
    "E0111": ("this guard comes after an effect", "put every `when` before the first statement of the move"),
    "E0112": (
        "this {what} is too long: it has {size}, and the limit is {most}",
        "split the ruleset with `use` or `define`",
    ),
    "E0114": ("the number {number} is too large", "numbers go up to {most}"),
    "E0115": ("this `{bracket}` does not match an open bracket", "{hint}"),
    "E0116": (
        "this is nested more than {most} levels deep",
        "give parts of it a name with `define`, `let` or `action`",
    ),
    "E0117": ('a string can contain \\" and \\\\, but not {escape}', "write \\\\ for a single backslash"),
    "E0118": ("{found} is not a symbol of this language", "{hint}"),
    "E0119": ("{found} is neither a number nor a name", "{hint}"),
    "E0120": ("the line ends before it is complete", "{hint}"),
    "E0121": (
        "an indented line must follow this line",
        "write the lines that belong to it on the next line, indented by two spaces",
    ),
    "E0122": ("{found} is a keyword and cannot be a name", "choose another name"),
    "E0123": ("comparisons cannot be chained", "join two comparisons with `and`: `a < b and b < c`"),
    "E0124": (
        "this `{word}` belongs to no `{opener}`",
        "put it at the level of its `{opener}`, directly after the lines indented below that",
    ),
    "E0125": (
        "this line is indented, but nothing can be indented below the line above",
        "align it with the line above",
    ),
    "E0126": ("an `if` statement has no `then`", "write the statements on the next lines, indented by two spaces"),
    "E0127": ("{found} is given twice", "keep one of the two"),
    "E0128": ("the names of a `piece` must come first", "write `piece NAME, NAME of player, 5 each, stacking`"),
    "E0129": (
        "a string cannot contain the character {character}",
        "remove it; a string is one line of visible characters",
    ),
    "E0130": ("`=` does not assign a value", "write `set {target} to ...`; `let` binds a new name"),
    "E0131": (
        "expected a single expression and nothing else",
        "write a single expression, such as `count(empty) = 3`",
    ),
    "E0132": ("a guard (`when`) is only allowed in a move", "use `if` for statements that depend on a condition"),
    "E0133": ("a variant cannot remove {found}", "write, for example, `remove move NAME`"),
    "E0134": ("there are more than {most} errors; the others are not shown", "fix the first ones and check again"),
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
    """Returns the diagnostic of a code of this table, with its placeholders filled from ``names`` (``hint`` is
    optional).
    """
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
    """Returns a word as shown in messages; long ones are truncated."""
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"
