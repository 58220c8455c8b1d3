"""Messages about drawings: code → (message, help), with placeholders in braces."""

from __future__ import annotations

from gamedsl.language.source import NOWHERE, Diagnostic, GameDSLError

DRAWING_MESSAGES: dict[str, tuple[str, str]] = {
    "E0701": ("`{text}` is not a point", "Write a point as `12.5,30` or `1/2,3/4`. Separate points by spaces."),
    "E0702": ("the number {text} is too long or too large", "Use at most {places} decimals, and numbers from -{most} to {most}."),
    "E0703": ("a {shape} has {wanted} points, not {count}", "Give that many points."),
    "E0704": ("two consecutive points are equal, or too close to tell apart, near {at}", "Omit one."),
    "E0705": ("there is no stroke called `{name}` here", "Strokes: {names}."),
    "E0706": ("`{name}` has already been drawn", "Draw another stroke."),
    "E0707": ("`{name}` goes across `{figure}`, which has not been drawn yet", "Draw `{figure}` first."),
    "E0708": ("it encloses no area", "Draw a curve that encloses an area."),
    "E0710": ("it touches or crosses itself near {at}", "Draw it so that it never does."),
    "E0711": ("its end {at} is not on `{figure}`", "The nearest point of `{figure}` is {nearest}."),
    "E0712": ("it leaves `{figure}` or touches it on the way, near {at}", "Only its two ends may be on `{figure}`."),
    "E0713": ("it touches `{figure}` at its end {at} without crossing it", "End it where its continuation would lead outside."),
    "E0714": ("both its ends are at {at}", "End it at another point of `{figure}`."),
    "E0715": ("it is not within {degrees} degrees of {way}", "Turn it a little."),
    "E0716": ("it meets `{other}` near {at}", "The two must have no point in common."),
    "E0717": ("it crosses `{other}` {count}", "The two must cross exactly once, between their ends."),
    "E0718": ("it touches `{other}` near {at} without crossing it", "Cross it, or stay clear of it."),
    "E0719": ("it runs along `{other}` near {at}", "Two strokes may share single points only."),
    "E0720": ("it passes through a point where two lines meet, near {at}", "Go around that point."),
    "E0721": ("it ends near {at}, where `{other}` ends", "Choose another point for that end."),
    "E0722": ("the drawing would have {count} {what}, more than {most}", "Cross fewer lines."),
    "E0723": ("near {at}, it is so close to {other} that nobody could see whether they meet", "Cross it clearly, or stay clear of it."),
    "E0730": ("no drawing of this kind was found in {tries} attempts", "Relax the conditions, or draw it by hand."),
}  # fmt: skip


def message_of(code: str, **names: object) -> str:
    """Returns the message of a code and its help, as one string."""
    message, help_text = DRAWING_MESSAGES[code]
    return f"{message.format(**names)}. {help_text.format(**names)}"


def drawing_error(code: str, **names: object) -> GameDSLError:
    """Returns an error in user input, which has no place in a ruleset."""
    message, help_text = DRAWING_MESSAGES[code]
    return GameDSLError(Diagnostic(code, message.format(**names), NOWHERE, help=help_text.format(**names)))
