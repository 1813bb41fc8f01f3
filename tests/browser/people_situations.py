"""The pages of players with something to show: a profile with games, the lists of friends and others, the search."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

from service.handlers.people import accept_friend, ask_friend, block_player, ignore_player, take_handle
from service.handlers.results import keep_played
from service.shared import clock
from service.store.games import Games
from tests.browser.app_situations import app_situations
from tests.builders import finished, started
from tests.people import Person, register

Row = tuple[str, str, Person | None]


def people_situations(games: Games, people: tuple[Person, ...]) -> Iterator[Row]:
    """Yield name, path and visitor of each page; Alice looks, Bob is a friend, Carol has asked, others are blocked."""
    one, other, third = people
    blocked, ignored = (register(games, name, None, "en") for name in ("Dan", "Eve"))
    names = {person.id: f"{person.name.lower()}-{uuid4().hex[:4]}" for person in (*people, blocked, ignored)}
    for person, name in names.items():
        take_handle(games, person, name, clock.now())
    asked = ask_friend(games, one.id, names[other.id], clock.now())
    accept_friend(games, asked.id, other.id, clock.now())
    ask_friend(games, third.id, names[one.id], clock.now())
    block_player(games, one.id, names[blocked.id], clock.now())
    ignore_player(games, one.id, names[ignored.id], clock.now())
    for table in ([other, one, third], [one, other, third]):
        over = finished(games, started(games, "sealed-bids", table))
        with games.engine.begin() as db:
            keep_played(db, games, over.game.id)
    yield "profile", f"/players/{names[other.id]}", one
    yield "profile-own", f"/players/{names[one.id]}", one
    yield "profile-signed-out", f"/players/{names[other.id]}", None
    yield "profile-new", f"/players/{names[ignored.id]}", one
    yield "people", "/people", one
    yield from app_situations(games, other, one)
    yield "history", f"/games/history?opponent={names[other.id]}", one
