"""Invitations as the host may see them, without their links, and as the invited player may."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.store.games import Position
from service.store.lobby import Guest, Invitation
from service.texts.names import DEFAULT_LANGUAGE, display_name
from service.views.clocks import shown_pace, shown_stored_pace
from service.views.pages import Place

_GIVEN = text(
    "select i.id, i.game_id, i.inviter, i.email, i.player_id, i.created_at, i.expires_at, i.revoked_at, i.mailed,"
    " i.language, i.message, i.seat, p.name"
    " from invitation i left join player p on p.id = i.player_id"
    " where i.game_id = :game and i.revoked_at is null and (i.created_at, i.id) > (:moment, :place)"
    " and not (:unanswered and (i.expires_at <= :now or exists (select from seat s"
    " join player guest on guest.id = s.player_id where s.game_id = i.game_id"
    " and (guest.id = i.player_id or lower(guest.email) = i.email))))"
    " order by i.created_at, i.id limit :limit"
)
BEGINNING: Final[Place] = (datetime.min.replace(tzinfo=UTC), UUID(int=0))


def invitations(
    db: Connection,
    game: UUID,
    language: str,
    after: Place = BEGINNING,
    limit: int | None = None,
    unanswered: datetime | None = None,
) -> list[dict[str, Any]]:
    """Return the invitations to a game that are not revoked, the oldest first, for readers of the language.

    They begin after a place; without a `limit` all of them. Of those that are `unanswered` at a moment, neither those
    that have expired are there nor those whose guest has a seat.
    """
    place = {"moment": after[0], "place": after[1], "limit": limit}
    place |= {"unanswered": unanswered is not None, "now": unanswered}
    return [
        invitation(Invitation(*row[:-1]), None if row.name is None else display_name(row.name, language))
        for row in db.execute(_GIVEN, {"game": game, **place})
    ]


def invitation(given: Invitation, name: str | None = None) -> dict[str, Any]:
    """Return an invitation as JSON types; `name` is that of the invited player, None for an address or a link."""
    return {
        "id": str(given.id),
        "email": given.email,
        "player": name,
        "seat": given.seat,
        "created_at": given.created_at.isoformat(),
        "expires_at": given.expires_at.isoformat(),
    }


def opened(given: Invitation, guest: Guest, position: Position) -> dict[str, Any]:
    """Return what the holder of the link may know: the table and its players."""
    language = guest.language or DEFAULT_LANGUAGE
    names = {row.seat: display_name(row.name, language) for row in position.seats}
    return {
        "ruleset": position.game.ruleset,
        "name": position.game.terms.name,
        "host": next(names[row.seat] for row in position.seats if row.player_id == position.game.host),
        "seats": [{"seat": seat, "name": names.get(seat)} for seat in range(position.game.seats)],
        "player": None if guest.name is None else display_name(guest.name, language),
        "pace": shown_pace(position.game.terms.pace, language),
        "seat": given.seat,
        "expires_at": given.expires_at.isoformat(),
    }


def received(row: Any, language: str) -> dict[str, Any]:
    """Return a row of `service.views.my_games.invitations_to` as JSON types, for readers of the language."""
    return {
        "game": str(row.game_id),
        "ruleset": row.ruleset,
        "name": row.name,
        "inviter": display_name(row.inviter, language),
        "seats": row.seats,
        "seats_taken": row.seats_taken,
        "pace": shown_stored_pace(row.pace, language),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat(),
    }
