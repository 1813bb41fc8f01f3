"""The consent mail, which asks an address whether it wants mails, and the two answers (`service.store.mail`)."""

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

# What waits to be sent will be sent, now that it may.
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
    """Have the player's address asked by mail; False if it was asked lately, or wants not to be."""
    notice = notices.confirmation(new_id(), player)
    if mail.are_mails_refused(db, address) or not mail.claim_consent_mail(db, address, notice.dedupe_key, now):
        return False
    outbox.add(db, notice)
    return True


def prepare(db: Connection, player: UUID, address: str, now: datetime) -> str:
    """Return the secret of a new link by which the address is confirmed for the player, or refused."""
    secret = draw()
    link = stored(secret)
    assert link is not None  # noqa: S101 # for the type checker: it was drawn in this form
    mail.add_consent_link(db, link, address, player, now)
    return secret


def find(db: Connection, secret: str) -> ConsentRequest | None:
    """Return the request behind a link, and change nothing; None if there is none."""
    link = stored(secret)
    return None if link is None else mail.resolve_consent_link(db, link)


def confirm(games: Games, secret: str) -> bool:
    """Confirm the address of a link for its player, once or again; False if they have it no more."""
    with transaction(games.engine) as db:
        request = find(db, secret)
        if request is None or request.player is None:
            return False
        confirmed(db, request.player)
    games.wake()
    return True


def refuse(games: Games, secret: str, now: datetime) -> bool:
    """Opt the address of a link out of consent mails and invitations; False if there is no such link."""
    with transaction(games.engine) as db:
        request = find(db, secret)
        if request is None:
            return False
        mail.refuse_mails(db, request.address_hash, now)
    return True


def confirmed(db: Connection, player: UUID) -> None:
    """Note that the player's address is confirmed, and have the turns that wait for them told at once."""
    if mail.confirm_consent(db, player):
        tell_turns(db, player)


def tell_turns(db: Connection, player: UUID, games: Sequence[UUID] | None = None, why: str = "confirmed") -> None:
    """Have a mail written about each turn that waits for a player who could not be told before; of `games` only."""
    for each in db.execute(_DUE, {"player": player, "games": games}).all():
        notice = notices.turn_mail_again(each.game, each.decision, each.seat, why, asked=each.at_once)
        outbox.post(db, each.game, [notice])
