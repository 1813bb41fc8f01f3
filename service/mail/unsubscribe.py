"""Unsubscribe links: they never expire, ask for no sign-in, and need no database row.

A token of itsdangerous would be too long for a mail. The seat, by the number of its arrival, the kind of mail and the
signature make 16 bytes, and so a token of 26 letters, as all links have. A mail that is about no game is of the
kind `challenge`; its token has the id of the player, and 40 letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import mail_preferences
from service.mail.signing import opened, signed
from service.settings import Settings
from service.store.games import Games

Scope = Literal["kind", "game", "all", "digest", "kind-again", "game-again"]
"""Scope of unsubscribing: the kind of mail in all games, the game, or all games; or all mails become one a day.

Unsubscribing from the kind or the game can be undone. The unsubscribe button of mail programs stands for the kind,
because the kind is the List-Id, and no mail of that list may follow.
"""

KINDS: Final = (
    "turn",
    "started",
    "over",
    "message",
    "digest",
    "problem",
    "proposal",
    "reminder",
    "lapsed",
    "challenge",
    "league",
)
"""Kinds of mail with such a link. Tokens hold the index, so the order never changes."""
DIGEST_HOUR: Final = 18
PURPOSE: Final = "unsubscribe"
ASKED: Final = "unsubscribe-asked"
SHORT: Final = 9
"""Bytes of the signature beside the id of a player: with more of them a mail program might fold the address."""
_ARRIVAL: Final = 5
_LANGUAGE: Final = text("select language from player where id = :player and deleted_at is null")
_ARRIVED: Final = text("""
select max(arrival) from (select arrival from seat where game_id = :game and player_id = :player
  union all select arrival from vacated_seat where game_id = :game and player_id = :player) as arrived
""")
_FIND: Final = text("""
select s.game_id, s.player_id, p.language, g.ruleset
  from (select game_id, player_id from seat where arrival = :arrival
        union all select game_id, player_id from vacated_seat where arrival = :arrival) as s
  join player p on p.id = s.player_id join game g on g.id = s.game_id
""")


@dataclass(frozen=True, slots=True)
class Fewer:
    """Address of the unsubscribe page, and the kind of mail that its button ends."""

    url: str
    kind: str


@dataclass(frozen=True, slots=True)
class Unsubscriber:
    """Player of an unsubscribe link, their language, and the kind and game of its mail.

    `game` and `ruleset` are None where the mail was about no game.
    """

    player: UUID
    language: str
    game: UUID | None
    ruleset: str | None
    kind: str


def link(settings: Settings, db: Connection, game: UUID, player: UUID, kind: str) -> Fewer | None:
    """Return the unsubscribe link for a player who has, or had, a seat in the game, in a mail of the kind.

    None without a key to sign with, or without such a seat.
    """
    arrival = db.execute(_ARRIVED, {"game": game, "player": player}).scalar()
    if not settings.mail_keys or arrival is None:
        return None
    data = bytes([KINDS.index(kind)]) + int(arrival).to_bytes(_ARRIVAL)
    return Fewer(f"{settings.base_url}/u/{signed(settings.mail_keys, PURPOSE, data)}", kind)


def asked_link(settings: Settings, player: UUID) -> Fewer | None:
    """Return the unsubscribe link for a mail of the kind `challenge` that is about no game; None without a key."""
    if not settings.mail_keys:
        return None
    token = signed(settings.mail_keys, ASKED, player.bytes, SHORT)
    return Fewer(f"{settings.base_url}/u/{token}", "challenge")


def with_headers(message: EmailMessage, fewer: Fewer | None) -> EmailMessage:
    """Return the mail with the headers for one-click unsubscription (RFC 8058), if there is a link."""
    if fewer is not None:
        message["List-Unsubscribe"] = f"<{fewer.url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def resolve(settings: Settings, db: Connection, token: str) -> Unsubscriber | None:
    """Resolve the token of an unsubscribe link, in any case of letters; None for a forged one."""
    data = opened(settings.mail_keys, PURPOSE, token)
    if data is None:
        return _resolve_asked(settings, db, token)
    if len(data) != 1 + _ARRIVAL or data[0] >= len(KINDS):
        return None
    row: Any = db.execute(_FIND, {"arrival": int.from_bytes(data[1:])}).one_or_none()
    return None if row is None else Unsubscriber(row.player_id, row.language, row.game_id, row.ruleset, KINDS[data[0]])


def _resolve_asked(settings: Settings, db: Connection, token: str) -> Unsubscriber | None:
    data = opened(settings.mail_keys, ASKED, token, SHORT)
    if data is None:
        return None
    player = UUID(bytes=data)
    language: str | None = db.execute(_LANGUAGE, {"player": player}).scalar()
    return None if language is None else Unsubscriber(player, language, None, None, "challenge")


def carry_out(games: Games, whose: Unsubscriber, scope: Scope) -> None:
    """Apply the player's choice; applying it twice does no harm."""
    player = whose.player
    with games.engine.begin() as db:
        if scope == "game" and whose.game is not None:
            mail_preferences.silence(db, whose.game, player)
        elif scope == "game-again" and whose.game is not None:
            mail_preferences.speak_again(db, whose.game, player)
        elif scope == "kind-again" and whose.kind != "digest":
            mail_preferences.want(db, player, whose.kind)
        elif scope == "digest":
            mail_preferences.want_digest(db, player, DIGEST_HOUR)
        elif scope == "all" or (scope == "kind" and whose.kind == "digest"):
            mail_preferences.want_nothing(db, player)
        elif scope == "kind":
            mail_preferences.do_without(db, player, whose.kind)
