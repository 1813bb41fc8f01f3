"""Links by which a player gets fewer mails: they work for ever, ask for no sign-in, and need no row.

What itsdangerous would write is too long for a mail's links: a seat, known by the number of its arrival, and the kind
of mail make 16 bytes with their signature, and so a token of 26 letters as all others are.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers import mail_wishes
from service.mail.signing import opened, signed
from service.settings import Settings
from service.store.games import Games

Scope = Literal["kind", "game", "all", "digest", "kind-again", "game-again"]
"""No more mails of the kind in any game, about the game, or about games at all; or all of them in one mail a day.

Those of the kind, or about the game, can be had again. Mails of the kind are what a mail program's own button ends,
because mail programs know a list by its List-Id, and that is the kind's: no mail of it may come afterwards.
"""

KINDS: Final = ("turn", "started", "over", "message", "digest", "problem")
"""What a mail with such a link may be; the order is a part of links that are out in the world."""
DIGEST_HOUR: Final = 18
PURPOSE: Final = "unsubscribe"
_ARRIVAL: Final = 5
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
    """The address of the page by which a reader gets fewer mails, and the kind of mails that one press there ends."""

    url: str
    kind: str


@dataclass(frozen=True, slots=True)
class Unsubscriber:
    """Whose link it is, in which language they read, and which game and kind of mail it came with."""

    player: UUID
    language: str
    game: UUID
    ruleset: str
    kind: str


def link(settings: Settings, db: Connection, game: UUID, player: UUID, kind: str) -> Fewer | None:
    """Return the link by which somebody who has, or had, a seat in the game gets fewer mails such as this.

    None where no key could sign it.
    """
    arrival = db.execute(_ARRIVED, {"game": game, "player": player}).scalar()
    if not settings.mail_keys or arrival is None:
        return None
    data = bytes([KINDS.index(kind)]) + int(arrival).to_bytes(_ARRIVAL)
    return Fewer(f"{settings.base_url}/u/{signed(settings.mail_keys, PURPOSE, data)}", kind)


def with_headers(message: EmailMessage, fewer: Fewer | None) -> EmailMessage:
    """Return the mail, which a program can unsubscribe from in one click (RFC 8058) if there is a link."""
    if fewer is not None:
        message["List-Unsubscribe"] = f"<{fewer.url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def resolve(settings: Settings, db: Connection, token: str) -> Unsubscriber | None:
    """Return whose link ends in the token, None if it is none of ours; upper case is forgiven."""
    data = opened(settings.mail_keys, PURPOSE, token)
    if data is None or len(data) != 1 + _ARRIVAL or data[0] >= len(KINDS):
        return None
    row: Any = db.execute(_FIND, {"arrival": int.from_bytes(data[1:])}).one_or_none()
    return None if row is None else Unsubscriber(row.player_id, row.language, row.game_id, row.ruleset, KINDS[data[0]])


def carry_out(games: Games, whose: Unsubscriber, scope: Scope) -> None:
    """Do what the player has chosen, once or again."""
    player = whose.player
    with games.engine.begin() as db:
        if scope == "game":
            mail_wishes.silence(db, whose.game, player)
        elif scope == "game-again":
            mail_wishes.speak_again(db, whose.game, player)
        elif scope == "kind-again" and whose.kind != "digest":
            mail_wishes.want(db, player, whose.kind)
        elif scope == "digest":
            mail_wishes.want_digest(db, player, DIGEST_HOUR)
        elif scope == "all" or (scope == "kind" and whose.kind == "digest"):
            mail_wishes.want_nothing(db, player)
        elif scope == "kind":
            mail_wishes.do_without(db, player, whose.kind)
