"""Messages of the checker: code → (message, help)."""

from __future__ import annotations

from gamedsl.language.rules.messages.board_messages import BOARDS_MESSAGES
from gamedsl.language.rules.messages.declaration_messages import DECLARATIONS_MESSAGES
from gamedsl.language.rules.messages.expression_messages import EXPRESSIONS_MESSAGES
from gamedsl.language.rules.messages.flow_messages import FLOW_MESSAGES
from gamedsl.language.rules.messages.move_messages import MOVES_MESSAGES
from gamedsl.language.rules.messages.warnings import WARNINGS

RULE_MESSAGES: dict[str, tuple[str, str]] = {
    **DECLARATIONS_MESSAGES,
    **EXPRESSIONS_MESSAGES,
    **MOVES_MESSAGES,
    **BOARDS_MESSAGES,
    **FLOW_MESSAGES,
    **WARNINGS,
}
