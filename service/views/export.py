"""Export of an account: all stored data about a player, for that player."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, text

from service.store.access import PlayerRow
from service.store.games import Games, Position
from service.store.mail import list_reply_addresses
from service.texts.names import display_name
from service.views.account import apps_of, bots_of, grants_of, passkeys_of, profile, tokens_kept
from service.views.calendar import calendar_address
from service.views.daily_deals import series
from service.views.leagues import competitions_of
from service.views.lobby import ALL, challenges_of, shown_challenge
from service.views.messages import channels_of, mail_settings, outcomes, webhooks_of
from service.views.operation import acts_of_account
from service.views.pace import absences_of, away_until
from service.views.pages import TOP
from service.views.people import KINDS, list_acquaintances, reports_by, shown_player
from service.views.ratings import ratings_of
from service.views.table import table_at_present

View = dict[str, Any]

_GAMES = text("select game_id, seat from seat where player_id = :player order by game_id desc")
_HANDLES = text("select skeleton, released_at from former_handle where player_id = :player order by id")
_NOTES = text("select game_id, text, at from note where player_id = :player order by game_id desc")
_ORDERS = text(
    "select game_id, action, conditions, given_at from move_order where player_id = :player"
    " order by game_id desc, place"
)
_TALK = text(
    "select t.game_id, t.number, t.seat, s.former, t.at, t.text from talk t join ("
    "select game_id, seat, false as former, joined_at, 'infinity' as left_at from seat where player_id = :player"
    " union all select game_id, seat, true, joined_at, left_at from former_player where player_id = :player"
    ") s on (s.game_id, s.seat) = (t.game_id, t.seat) and t.at >= s.joined_at and t.at < s.left_at"
    " order by t.game_id desc, t.number"
)
_LEFT = text(
    "select game_id, seat, joined_at, left_at, until_seq from former_player where player_id = :player"
    " order by game_id desc"
)
_ASKED = text(
    "select game_id, seat, created_at, answer from seat_request where player_id = :player order by created_at, id"
)
_COUNTED = text(
    'select game_id, place, won, "left", points, moves, asked, lapsed, waits, sources from played_game'
    " where player_id = :player order by ended_at desc, game_id desc"
)
_MAILS = text("select game_id, received_at, outcome from inbound_mail where player_id = :player order by id")
_INVITATION = "select i.id, i.game_id, i.email, p.name, i.created_at, i.expires_at, i.revoked_at from invitation i"
_INVITED = text(
    f"{_INVITATION} left join player p on p.id = i.player_id where i.inviter = :player order by i.created_at, i.id"
)
_GOT = text(
    f"{_INVITATION} join player p on p.id = i.inviter"  # noqa: S608 - constants
    " where i.player_id = :player or i.email = (select lower(email) from player where id = :player and email_verified)"
    " order by i.created_at, i.id"
)


def export(db: Connection, games: Games, player: PlayerRow, delay: int, now: datetime) -> View:
    """Return all data about the player, without secrets; games as seen from the player's seat.

    `delay` is the default delay of turn mails in minutes.
    """
    who = {"player": player.id}
    seats: Sequence[Any] = db.execute(_GAMES, who).all()
    deliveries = outcomes(db, player.id)
    return {
        "account": profile(player),
        "tokens": tokens_kept(db, player.id),
        "former_handles": [
            {"skeleton": row.skeleton, "released_at": row.released_at.isoformat()} for row in db.execute(_HANDLES, who)
        ],
        "passkeys": passkeys_of(db, player.id),
        "bots": bots_of(db, player.id),
        "apps": apps_of(db, player.id),
        "grants": grants_of(db, player.id, player.language, TOP),
        "games": [_game(db, games.open(db, row.game_id), row.seat, player, now) for row in seats],
        "left": [_left(row) for row in db.execute(_LEFT, who)],
        "seat_requests": [_asked(row) for row in db.execute(_ASKED, who)],
        "notes": [_written(row) for row in db.execute(_NOTES, who)],
        "orders": [_given(row) for row in db.execute(_ORDERS, who)],
        "talk": [_said(row) for row in db.execute(_TALK, who)],
        "replies": [_replied(row) for row in db.execute(_MAILS, who)],
        "mail": mail_settings(db, player, delay, now),
        "absences": absences_of(db, player, now)["items"],
        "webhooks": [each | {"deliveries": deliveries[each["id"]]} for each in webhooks_of(db, player.id)],
        "channels": channels_of(db, player.id),
        "calendar": calendar_address(db, player.id),
        "reply_addresses": list_reply_addresses(db, player.id),
        "operator_acts": acts_of_account(db, player.id, player.language),
        "reports": reports_by(db, player.id),
        "deals": series(db, player.id, now),
        **{kind: [shown_player(each, player) for each in list_acquaintances(db, kind, player.id)] for kind in KINDS},
        "counted": [_counted(row) for row in db.execute(_COUNTED, who)],
        "challenges": [shown_challenge(each, player) for each in challenges_of(db, player.id, ALL, now)],
        "ratings": ratings_of(db, player.id),
        "competitions": competitions_of(db, player.id),
        "invitations": [
            _invitation(row)
            | {"email": row.email, "player": None if row.name is None else display_name(row.name, player.language)}
            for row in db.execute(_INVITED, who)
        ],
        "invited": [
            _invitation(row) | {"host": display_name(row.name, player.language)} for row in db.execute(_GOT, who)
        ],
    }


def _game(db: Connection, position: Position, seat: int, player: PlayerRow, now: datetime) -> View:
    return table_at_present(position, seat, away_until(db, position, seat, now), player.language)


def _counted(row: Any) -> View:
    counted = {name: getattr(row, name) for name in ("place", "won", "left", "points", "moves", "asked", "lapsed")}
    return {"game": str(row.game_id), **counted, "waits": row.waits, "sources": row.sources}


def _said(row: Any) -> View:
    return _written(row) | {"number": row.number, "seat": row.seat, "former": row.former}


def _written(row: Any) -> View:
    return {"game": str(row.game_id), "text": row.text, "at": row.at.isoformat()}


def _given(row: Any) -> View:
    conditions = [{"pointer": pointer, "value": value} for pointer, value in row.conditions]
    given_at = row.given_at.isoformat()
    return {"game": str(row.game_id), "action": row.action, "conditions": conditions, "given_at": given_at}


def _left(row: Any) -> View:
    moments = {"joined_at": row.joined_at.isoformat(), "left_at": row.left_at.isoformat()}
    return {"game": str(row.game_id), "seat": row.seat, **moments, "until": row.until_seq}


def _asked(row: Any) -> View:
    asked = {"game": str(row.game_id), "seat": row.seat, "created_at": row.created_at.isoformat()}
    return {**asked, "answer": row.answer}


def _replied(row: Any) -> View:
    return {"game": str(row.game_id), "at": row.received_at.isoformat(), "outcome": row.outcome}


def _invitation(row: Any) -> View:
    return {
        "id": str(row.id),
        "game": str(row.game_id),
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat(),
        "revoked_at": None if row.revoked_at is None else row.revoked_at.isoformat(),
    }
