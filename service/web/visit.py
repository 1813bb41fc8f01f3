"""A link that somebody has opened, and the game behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service import clock
from service.handlers.links import Link
from service.mail.compose import result
from service.store.events import Recorded
from service.store.games import Position
from service.views.history import sentence
from service.views.table import spoken


@dataclass(frozen=True, slots=True)
class Visit:
    """A link, and the game that it leads to as it stands now."""

    link: Link
    position: Position

    @property
    def language(self) -> str:
        """The player's language."""
        return self.position.seats[self.link.seat].language

    @property
    def rules_language(self) -> str:
        """The player's language if the ruleset speaks it, and else the ruleset's own."""
        return spoken(self.position, self.language)

    @property
    def title(self) -> str:
        """The game's name."""
        return self.position.ruleset.meta.title

    @property
    def to_act(self) -> bool:
        """Whether it is the seat's move, at whatever decision."""
        return self.link.seat in self.position.awaited

    @property
    def current(self) -> bool:
        """Whether the seat still faces the decision that the link was sent for."""
        return self.to_act and self.position.ruleset.decision(self.position.state) == self.link.decision

    @property
    def live(self) -> bool:
        """Whether the link can still play."""
        return self.current and self.link.expires_at > clock.now()

    @property
    def result(self) -> list[str]:
        """Who has won, and the scores; nothing while the game runs."""
        outcome = self.position.outcome
        return [] if outcome is None else list(result(self.position, outcome, self.language))

    def described(self, thing: Any) -> str:
        """Return the sentence for an action or a refusal, as the player may know it."""
        language = self.rules_language
        return self.position.ruleset.describe(thing, self.link.seat, language, self.position.names_in(language))

    def told(self, recorded: Sequence[Recorded]) -> list[str]:
        """Return the sentences for events as the player may know them."""
        position, seat = self.position, self.link.seat
        sentences = (sentence(position, each.event, seat, self.rules_language) for each in recorded)
        return [each for each in sentences if each]
