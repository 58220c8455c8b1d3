"""Messages about data documents: code → (message, help)."""

from __future__ import annotations

from gamedsl.language.source import Diagnostic, Span

DATA_MESSAGES: dict[str, tuple[str, str]] = {
    "E0601": ("this is not JSON: {problem}", "check the commas, quotes and brackets just before this place"),
    "E0602": ("this is not YAML: {problem}", "check the indentation, quotes and brackets just before this place"),
    "E0603": ("anchors and aliases are not read", "repeat the value where it is needed"),
    "E0604": ("tags such as {tag} are not read", "omit the tag: the type of a value follows from its place"),
    "E0605": ("the key {key} occurs twice in one object", "keep one of the two"),
    "E0606": ("there is more than one document in this file", "put each ruleset into a file of its own"),
    "E0607": ("the file has {size} bytes, and the limit is {most}", "split the ruleset with `use`"),
    "E0608": ("lists and objects are nested deeper than {most} levels", "name parts of the rule with `define`"),
    "E0609": ("the document is empty", "a ruleset begins with `kind: ruleset`, a file of examples with `examples:`"),
    "E0610": (
        "{text} without quotes means different things to different YAML readers",
        "put it in double quotes if it is a string; write numbers as plain digits, and truth values as true or false",
    ),
    "E0611": ("a key must be a string", "write the key as a plain word"),
    "E0612": ("the string contains a character that cannot be written ({character})", "remove the character"),
    "E0613": (
        "rewriting this file would lose a YAML comment",
        "move the comment into `notes` (`before` or `behind`) of the part that it is about",
    ),
    "E0620": ("a {kind} has no key {key}", "its keys are: {keys}"),
    "E0621": ("the key {key} is missing in this {kind}", "add it: {shape}"),
    "E0622": ("there is no kind of object called {kind}", "allowed here: {kinds}"),
    "E0623": ("expected {wanted}, not {got}", ""),
    "E0624": ("{got} is not allowed here", "use one of: {words}"),
    "E0625": ("{got} is not a name", "a name is made of letters, digits and _, and does not begin with a digit"),
    "E0626": ("the string has more than one line or contains control characters", "keep it on one line"),
    "E0627": ("this list needs at least {least} entries; it has {count}", ""),
    "E0628": ("the number {got} is outside {low} to {high}", ""),
    "E0629": ("a {kind} is not allowed here", "allowed here: {kinds}"),
    "E0630": (
        "the ruleset has no text form: written as text, this {kind} would be read as something else",
        "check for a name that is a keyword, or a combination of fields that cannot be written as a line",
    ),
    "E0631": ("a document must be one object with `kind: ruleset`", "see grammar/ruleset.schema.json"),
    "E0632": ("{got} is not the number of a clause", "write it as in 4.05c, TT-1 or 5.2.02"),
    "E0633": ("every object needs a kind", "add a key `kind`; allowed here: {kinds}"),
    "E0634": ("written as text, this would be nested too deeply", "give parts of it a name with `define`"),
    "E0640": ("unknown key {key}", "the keys are: {keys}"),
    "E0641": ("{problem}", "{hint}"),
    "E0642": ("expected {wanted}, not {got}", ""),
    "E0643": ("this value does not fit: {problem}", ""),
    "E0644": ("the position cannot be set: {problem}", "{cure}"),
    "E0650": ("this is not a diagram of the board: {problem}", "{cure}"),
    "E0651": ("{word} is not a symbol for {cell}", "the symbols are: {known}"),
    "E0652": ("the course of play has no place called {name}", "the places are: {places}"),
    "E0653": ("{name} cannot be to move: {problem}", "{cure}"),
    "E0654": ("the position belongs to other rules: {problem}", "{cure}"),
    "E0656": ("this is not a position in the notation {notation}: {problem}", "{cure}"),
    "E0660": ("the position omits {names}: {problem}", "{cure}"),
    "E0655": ("the position was saved for one seat: everything that {seat} may not know is missing", "{cure}"),
}


def data_problem(
    code: str,
    span: Span,
    pointer: str = "",
    *,
    near: tuple[str, ...] = (),
    expected: str = "",
    **names: object,
) -> Diagnostic:
    """Returns the diagnostic of a code of this table, with its placeholders filled from ``names``."""
    message, help_text = DATA_MESSAGES[code]
    return Diagnostic(
        code,
        message.format(**names),
        span,
        expected=expected,
        near=near,
        help=help_text.format(**names),
        pointer=pointer,
    )
