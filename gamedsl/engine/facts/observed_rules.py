"""The rules of a game with the layouts of what seats observe."""

from __future__ import annotations

from gamedsl.engine.facts.information_layout import InformationStateLayout, information_state_layout
from gamedsl.engine.facts.numbered_rules import NumberedRules
from gamedsl.engine.facts.observation_layout import ObservationLayout, ObservedPart, observation_layout
from gamedsl.engine.facts.translated_rules import Origin
from gamedsl.language.core import nodes as n


class ObservedRules(NumberedRules):
    """Rules whose observations have layouts."""

    def __init__(self, program: n.Program, origin: Origin | None = None) -> None:
        super().__init__(program, origin)
        self._layouts: dict[ObservedPart, ObservationLayout] = {}
        self._information_layouts: dict[int | None, InformationStateLayout] = {}

    @property
    def observation_layout(self) -> ObservationLayout:
        """The layout of ``State.observation_tensor``: features with their shapes, ranges and meanings."""
        return self.layout_of("whole")

    def layout_of(self, part: ObservedPart) -> ObservationLayout:
        """The layout of the whole observation, of its public part, or of its private part (known to the seat but not to
        a spectator)."""
        if part not in self._layouts:
            self._layouts[part] = observation_layout(self, part)
        return self._layouts[part]

    @property
    def information_state_layout(self) -> InformationStateLayout:
        """The layout of ``State.information_state_tensor``, with as many rows as any game needs.

        Raises ``GameDSLError``: E0541 where players draw, E0543 if no bound is proved, E0544 if it is too large."""
        return self.information_state_layout_of(None)

    def information_state_layout_of(self, length: int | None) -> InformationStateLayout:
        """The layout with ``length`` rows. Raises ``GameDSLError`` as ``information_state_layout`` does."""
        if length not in self._information_layouts:
            self._information_layouts[length] = information_state_layout(self, length)
        return self._information_layouts[length]
