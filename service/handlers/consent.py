"""Consent mails to an unconfirmed address, and their two answers (`service.store.mail`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.capability import draw, stored
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.store import mail, notices, outbox
from service.store.games import Games
from service.store.mail import ConsentRequest

# Turns that wait for their mail, which may be sent now.
_DUE = text("""
select g.id as game, g.faces as decision, s.seat, w.digest is null as at_once
  from seat s join game g on g.id = s.game_id and s.seat = any(g.awaited)
  left join mail_wishes w on w.player_id = s.player_id
 where s.player_id = :player and g.id = any(coalesce(cast(:games as uuid[]), array[g.id]))
   and g.status = 'running' and ('turn' = any(w.unwanted)) is not true
   and not exists (select from mail_mute m where m.game_id = g.id and m.player_id = s.player_id)
   and not exists (select from outbox o where o.state = 'pending'
                      and o.dedupe_key = concat('turn-mail:', g.id, ':', g.faces, ':', s.seat))
""")


def ask(db: Connection, player: UUID, address: str, now: datetime) -> bool:
    """Enqueue a consent mail; return False if one was sent lately or the address refuses them."""
    notice = notices.confirmation(new_id(), player)
    if mail.are_mails_refused(db, address) or not mail.claim_consent_mail(db, address, notice.dedupe_key, now):
        return False
    outbox.add(db, notice)
    return True


def prepare(db: Connection, player: UUID, address: str, now: datetime) -> str:
    """Return the secret of a new link that confirms or refuses the address for the player."""
    secret = draw()
    link = stored(secret)
    assert link is not None  # noqa: S101 # for the type checker: it was drawn in this form
    mail.add_consent_link(db, link, address, player, now)
    return secret


def find(db: Connection, secret: str) -> ConsentRequest | None:
    """Return the request behind a consent link, None if unknown; read-only."""
    link = stored(secret)
    return None if link is None else mail.resolve_consent_link(db, link)


def confirm(games: Games, secret: str) -> bool:
    """Confirm the address of a link for its player; idempotent. False if unknown, or no longer the player's address."""
    with transaction(games.engine) as db:
        request = find(db, secret)
        if request is None or request.player is None:
            return False
        confirmed(db, request.player)
    games.wake()
    return True


def refuse(games: Games, secret: str, now: datetime) -> bool:
    """Opt the address of a link out of consent mails and invitations; False if the link is unknown."""
    with transaction(games.engine) as db:
        request = find(db, secret)
        if request is None:
            return False
        mail.refuse_mails(db, request.address_hash, now)
    return True


def confirmed(db: Connection, player: UUID) -> None:
    """Mark the player's address as confirmed, and enqueue mails of waiting turns."""
    if mail.confirm_consent(db, player):
        tell_turns(db, player)


def tell_turns(db: Connection, player: UUID, games: Sequence[UUID] | None = None, why: str = "confirmed") -> None:
    """Enqueue a mail for each turn that waits for a player without a mail so far, in `games` or all games."""
    for each in db.execute(_DUE, {"player": player, "games": games}).all():
        notice = notices.turn_mail_again(each.game, each.decision, each.seat, why, asked=each.at_once)
        outbox.post(db, each.game, [notice])
