"""The people of the tests: Alice sits in seat 0, Bob in seat 1, Carol is a stranger until a game needs a third."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID, uuid4

from sqlalchemy import text

from service.handlers import people
from service.handlers.people import Arrival
from service.shared import clock
from service.store.games import Games

_CONFIRMED = text("update player set email = :email, email_confirmed = true where id = :id")


@dataclass(frozen=True, slots=True)
class Person:
    """A registered player, with the token that only they know."""

    id: UUID
    token: str
    name: str
    email: str | None
    language: str


def new_address() -> str:
    """An address that nobody has used in this run: without confirmation it gets only a few sign-in mails a day."""
    return f"zoe.{uuid4().hex[:12]}@example.org"


def alice(games: Games, email: str | None = "alice@example.org") -> Person:
    """Register an Alice, who reads English."""
    return register(games, "Alice", email, "en")


def bob(games: Games, email: str | None = "bob@example.org") -> Person:
    """Register a Bob, who reads German."""
    return register(games, "Bob", email, "de")


def carol(games: Games, email: str | None = "carol@example.org") -> Person:
    """Register a Carol, who reads French."""
    return register(games, "Carol", email, "fr")


def register(games: Games, name: str, email: str | None, language: str) -> Person:
    """Register somebody; as often as you like, since names are nobody's own. Their address is confirmed."""
    player, token = people.register_player(games, Arrival(language, name), clock.now())
    if email is not None:
        with games.engine.begin() as db:
            db.execute(_CONFIRMED, {"id": player, "email": email})
    return Person(player, token, name, email, language)


def guest(games: Games, email: str, name: str = "Zoë", language: str = "en") -> Person:
    """Register somebody who has given an address that nobody has confirmed."""
    player, token = people.register_player(games, Arrival(language, name, email=email), clock.now())
    return Person(player, token, name, email, language)
