"""Bots say what they are ready to be challenged to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from service.handlers.refusals import BadOption, NoHandle, PersonsMayNot, UnknownRuleset
from service.handlers.transaction import transaction
from service.store import lobby, people
from service.store.access import PlayerRow
from service.store.games import Games
from service.store.lobby import Ready


def make_ready(games: Games, bot: PlayerRow, rulesets: Sequence[str], seats: Sequence[int], now: datetime) -> Ready:
    """Put a bot on the list of those that are ready, until none of its streams has been open for five minutes.

    PersonsMayNot, UnknownRuleset, NoHandle; BadOption for a size that none of the rulesets has.
    """
    if bot.owner is None:
        raise PersonsMayNot
    if not set(rulesets) <= games.rulesets.keys():
        raise UnknownRuleset
    if not set(seats) <= {size for name in rulesets for size in games.rulesets[name].meta.seats}:
        raise BadOption("seats")
    with transaction(games.engine) as db:
        if people.lock_handle(db, bot.id)[0] is None:
            raise NoHandle
        lobby.mark_ready(db, bot.id, rulesets, seats, now)
        found = lobby.read_ready(db, bot.id, now)
    assert found is not None  # noqa: S101 # just written
    return found


def end(games: Games, bot: PlayerRow) -> None:
    """Take a bot off the list, once or again."""
    with transaction(games.engine) as db:
        lobby.end_ready(db, bot.id)
