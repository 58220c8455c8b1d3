"""Messages of the checker: code → (message, help)."""

from __future__ import annotations

from gamedsl.language.rules.messages.boards import BOARDS_MESSAGES
from gamedsl.language.rules.messages.declarations import DECLARATIONS_MESSAGES
from gamedsl.language.rules.messages.expressions import EXPRESSIONS_MESSAGES
from gamedsl.language.rules.messages.flow import FLOW_MESSAGES
from gamedsl.language.rules.messages.moves import MOVES_MESSAGES
from gamedsl.language.rules.messages.warnings import WARNINGS

RULE_MESSAGES: dict[str, tuple[str, str]] = {
    **DECLARATIONS_MESSAGES,
    **EXPRESSIONS_MESSAGES,
    **MOVES_MESSAGES,
    **BOARDS_MESSAGES,
    **FLOW_MESSAGES,
    **WARNINGS,
}
