"""A mailed link that was opened, and the game behind it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import g, request, url_for
from sqlalchemy import Connection

from service.handlers import links
from service.handlers.fresh_links import holds
from service.handlers.links import Link
from service.mail.sentences import result
from service.shared import clock
from service.store.position import Position
from service.texts.games import full_title
from service.web.page import current_runtime
from service.web.sitting import Sitting


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
    def zone(self) -> str:
        """The IANA name of the player's time zone."""
        return self.position.seats[self.link.seat].time_zone

    @property
    def title(self) -> str:
        """The game's name."""
        return full_title(self.position.ruleset.meta, self.position.game.options, self.language)

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

    def sitting(self, db: Connection) -> Sitting:
        """Return the game for the link's player."""
        return Sitting(db, self.position, self.link.seat, self.language, self.zone)


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
