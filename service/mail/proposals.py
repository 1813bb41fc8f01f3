"""What mails say of pauses, and of requests to take an action back, as long as it is so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection

from service.log.agreement import pause_proposal
from service.log.clocks import Clocks
from service.log.recorded import instant, milliseconds
from service.store import take_back_requests
from service.store.position import Position
from service.texts.catalog import say
from service.texts.when import instant_text


@dataclass(frozen=True, slots=True)
class ProposalMessage:
    """What a mail says in a headline and an explanation, and whether it asks for an answer."""

    about: Literal["pause", "take-back"]
    headline: str
    explanation: str
    asks: bool


def pause_message(position: Position, payload: Mapping[str, Any], now: datetime) -> ProposalMessage | None:
    """Return what is said to a seat of a pause (`seat`, `what`, `until`); None if it is not so any more."""
    seat, what, until = payload["seat"], payload["what"], payload["until"]
    clocks = position.clocks
    if clocks is None or position.game.status != "running" or not _holds(clocks, seat, what, until, now):
        return None
    row, proposed = position.seats[seat], clocks.proposed
    values: dict[str, str] = {"until": _told(until, position, seat, now)}
    if what == "proposed" and proposed is not None:
        values["name"] = position.names_in(row.language)[proposed.seat]
    headline, explanation = f"pause-mail-{what}", f"pause-mail-{what}-what"
    return ProposalMessage(
        "pause", say(row.language, headline, **values), say(row.language, explanation), what == "proposed"
    )


def take_back_message(
    db: Connection, position: Position, payload: Mapping[str, Any], now: datetime
) -> ProposalMessage | None:
    """Return what is said to a seat (`seat`, `first`) of a request; None if it is over, or the seat has agreed."""
    seat, asked, clocks = payload["seat"], take_back_requests.standing(db, position, now), position.clocks
    if clocks is None or asked is None or asked.first != payload["first"] or seat in asked.agreed:
        return None
    language, until = (
        position.seats[seat].language,
        _told(take_back_requests.ends(clocks, asked), position, seat, now),
    )
    headline = say(language, "take-back-mail", name=position.names_in(language)[asked.seat])
    return ProposalMessage("take-back", headline, say(language, "take-back-mail-what", until=until), asks=True)


def _holds(clocks: Clocks, seat: int, what: str, until: int, now: datetime) -> bool:
    if what == "proposed":
        proposed = pause_proposal(clocks, milliseconds(now))
        return proposed is not None and proposed.until == until and seat not in proposed.agreed
    if what == "begun":
        return clocks.paused is not None and clocks.paused.until == until
    return clocks.paused is None


def _told(at: int, position: Position, seat: int, now: datetime) -> str:
    row = position.seats[seat]
    return instant_text(row.language, row.time_zone, instant(at), now)
