"""A mailed link that was opened, and the game behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import g, request, url_for
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.fresh_links import holds
from service.handlers.links import Link
from service.log.recorded import Recorded
from service.mail.sentences import result
from service.shared import clock
from service.store.position import Position
from service.views.history import sentence
from service.views.table import spoken
from service.web.drawing import Drawn, drawn
from service.web.page import current_runtime


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """A link, and its game as it is now."""

    link: Link
    position: Position

    @property
    def language(self) -> str:
        """The player's language."""
        return self.position.seats[self.link.seat].language

    @property
    def rules_language(self) -> str:
        """The player's language if the ruleset has it, else the ruleset's first."""
        return spoken(self.position, self.language)

    @property
    def title(self) -> str:
        """The game's name."""
        return self.position.ruleset.meta.title

    @property
    def address(self) -> str:
        """The path of the link itself, also while a page below it is shown."""
        return url_for("web.show_link", token=(request.view_args or {})["token"])

    @property
    def to_act(self) -> bool:
        """Whether it is the seat's turn, at any decision."""
        return self.link.seat in self.position.awaited

    @property
    def current(self) -> bool:
        """Whether the seat still faces the decision that the link was sent for."""
        return self.to_act and self.position.decision == self.link.decision

    @property
    def works(self) -> bool:
        """Whether the link is neither revoked nor expired."""
        return self.link.works(clock.now())

    @property
    def live(self) -> bool:
        """Whether the link can still play an action."""
        return self.current and self.works

    @property
    def result(self) -> list[str]:
        """The sentences about the winner and the scores; none while the game runs."""
        outcome = self.position.outcome
        return [] if outcome is None else list(result(self.position, outcome, self.language))

    @property
    def table(self) -> Drawn:
        """The table as the player sees it."""
        return self.table_in(self.position.state)

    def table_in(self, state: Any) -> Drawn:
        """Return the table in a given state as the player would see it."""
        ruleset, language = self.position.ruleset, self.rules_language
        return drawn(ruleset, ruleset.view(state, self.link.seat), language, self.position.names_in(language))

    def described(self, thing: Any) -> str:
        """Return the sentence for an action or a refusal, as the player may know it."""
        language = self.rules_language
        return self.position.ruleset.describe(thing, self.link.seat, language, self.position.names_in(language))

    def sentences(self, recorded: Sequence[Recorded]) -> list[str]:
        """Return the sentences for events as the player may know them."""
        position, seat = self.position, self.link.seat
        texts = (sentence(position, each.event, seat, self.rules_language) for each in recorded)
        return [each for each in texts if each]


class SignInFirst(Exception):
    """The link's player has chosen that links need sign-in, and the request is not known to be that player's."""

    def __init__(self, opened: OpenedLink) -> None:
        super().__init__(opened.link.game_id)
        self.opened = opened


def open_link(db: Connection, token: str) -> OpenedLink | None:
    """Return the link of a token with its game; None if there is none, or its player has left the game.

    Raises SignInFirst, which `service.web.player_only` handles.
    """
    link = links.resolve(db, token)
    if link is None:
        return None
    opened = OpenedLink(link, current_runtime().games.open(db, link.game_id))
    if not holds(opened.position, link):
        return None
    if link.needs_sign_in and g.get("owner") != link.player_id:
        raise SignInFirst(opened)
    return opened


def next_address(db: Connection, opened: OpenedLink) -> str:
    """Return the path of a new link to the seat's open decision, so that its player need not wait for a mail."""
    position, link = opened.position, opened.link
    token = links.issue(db, link.game_id, link.seat, position.decision, clock.now())
    return url_for("web.show_link", token=token)
