"""What to do now, in the words of the page, for a person who chooses on the board of a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamedsl.engine.picture import place_names
from gamedsl.play.guidance import IN_THE_TERMINAL, Choice, instruction, words_of_kinds
from gamedsl.play.terminal.input.move_selection import Option, named_options

if TYPE_CHECKING:
    from gamedsl.engine.picture import Place
    from gamedsl.play.terminal.input.move_selection import Selection
    from gamedsl.play.terminal.session.session import Session


def guide_of(session: Session, player: int) -> Callable[[Selection | None], str]:
    """A function that returns the sentence for what is chosen so far (None: the cursor has not been used)."""
    state = session.state
    kinds = words_of_kinds(session.game)
    names = place_names(session.game.program.parts[state.part])

    def drawn(place: Place) -> bool:
        return place[0] in names

    def choice(option: Option) -> Choice:
        kind, *_ = session.game.action_parts(session.game.action(option.move))
        return Choice(kind, session.text(option.move), option.params, option.groups, option.at)

    def guide(selection: Selection | None) -> str:
        if selection is None or not selection.touched:
            found = named_options(state, state.legal_moves(player), drawn)
            return instruction(kinds, [choice(o) for o in found], IN_THE_TERMINAL)
        domain, index = selection.touched[-1]
        return instruction(
            kinds, [choice(o) for o in selection.live], IN_THE_TERMINAL, selection.touched, names[domain].names[index]
        )

    return guide
