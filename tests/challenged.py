"""People and bots with handles, who challenge each other."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from service.handlers import people
from service.handlers.authentication import authenticate
from service.handlers.challenges import ChallengeRequest, send
from service.handlers.lobby import Plan
from service.rules.pace import usual_pace
from service.shared import clock
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import Challenge
from tests.people import Person


def called(games: Games, person: Person, handle: str) -> Person:
    """Give the person a handle."""
    people.take_handle(games, person.id, handle, clock.now())
    return person


def bot_of(games: Games, owner: Person, name: str, handle: str | None = None) -> Person:
    """Make a bot of the owner's."""
    identity = authenticate(games, owner.token)
    assert identity
    bot, token = people.create_bot(games, identity, name, clock.now())
    person = Person(bot, token, name, None, owner.language)
    return person if handle is None else called(games, person, handle)


def challenged(games: Games, sender: Person, recipient: Person, now: datetime | None = None, **plan: Any) -> Challenge:
    """Let one challenge the other to a game for two."""
    wanted = Plan("new-corp-order", 2, terms=Terms(pace=usual_pace(2)), **plan)
    return send(games, ChallengeRequest(sender.id, recipient.id, wanted), now or clock.now())
