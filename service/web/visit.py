"""A link that somebody has opened, and the game behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import g, request, url_for
from markupsafe import Markup
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
from service.web.page import runtime

_NAMESPACE: Final = ' xmlns="http://www.w3.org/2000/svg"'


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table as its viewer sees it: painted, and as text."""

    picture: Markup
    text: str


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
    def address(self) -> str:
        """The link's own path, whichever page behind it was asked for."""
        return url_for("web.show_link", token=(request.view_args or {})["token"])

    @property
    def to_act(self) -> bool:
        """Whether it is the seat's move, at whatever decision."""
        return self.link.seat in self.position.awaited

    @property
    def current(self) -> bool:
        """Whether the seat still faces the decision that the link was sent for."""
        return self.to_act and self.position.decision == self.link.decision

    @property
    def works(self) -> bool:
        """Whether the link was neither revoked nor sent too long ago."""
        return self.link.works(clock.now())

    @property
    def live(self) -> bool:
        """Whether the link can still play."""
        return self.current and self.works

    @property
    def result(self) -> list[str]:
        """Who has won, and the scores; nothing while the game runs."""
        outcome = self.position.outcome
        return [] if outcome is None else list(result(self.position, outcome, self.language))

    @property
    def table(self) -> Drawn:
        """The table as the player sees it."""
        return self.table_in(self.position.state)

    def table_in(self, state: Any) -> Drawn:
        """Return the table in another state as the player would see it."""
        ruleset, language = self.position.ruleset, self.rules_language
        view, names = ruleset.view(state, self.link.seat), self.position.names_in(language)
        # The painter escapes what players have written, their names; and within a page no namespace has to be declared.
        picture = Markup(ruleset.paint(view, language, names).replace(_NAMESPACE, "", 1))  # noqa: S704 # a ruleset's
        return Drawn(picture, ruleset.draw(view, language, names).rstrip())

    def described(self, thing: Any) -> str:
        """Return the sentence for an action or a refusal, as the player may know it."""
        language = self.rules_language
        return self.position.ruleset.describe(thing, self.link.seat, language, self.position.names_in(language))

    def told(self, recorded: Sequence[Recorded]) -> list[str]:
        """Return the sentences for events as the player may know them."""
        position, seat = self.position, self.link.seat
        sentences = (sentence(position, each.event, seat, self.rules_language) for each in recorded)
        return [each for each in sentences if each]


class SignInFirst(Exception):
    """The link is that of a player who wants to be signed in where it is opened, and it is not known that they are."""

    def __init__(self, visit: Visit) -> None:
        super().__init__(visit.link.game_id)
        self.visit = visit


def visit_to(db: Connection, token: str) -> Visit | None:
    """Return whom the token leads where; None if it leads nowhere, or its player has no seat there any more.

    SignInFirst, which `service.web.own_links` answers.
    """
    link = links.resolve(db, token)
    if link is None:
        return None
    visit = Visit(link, runtime().games.open(db, link.game_id))
    if not holds(visit.position, link):
        return None
    if link.needs_sign_in and g.get("owner") != link.player_id:
        raise SignInFirst(visit)
    return visit


def next_address(db: Connection, visit: Visit) -> str:
    """Return the address of the decision that the same seat has to take now, so that it need not wait for a mail."""
    position, link = visit.position, visit.link
    token = links.issue(db, link.game_id, link.seat, position.decision, clock.now())
    return url_for("web.show_link", token=token)
