"""Message channels beside mail: set up, change, test, remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hmac import compare_digest
from typing import Any, Final
from uuid import UUID

from cryptography.fernet import InvalidToken
from sqlalchemy import Connection, delete, func, insert, select, text, update

from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.refusals import BadChannel, ChannelsOff, TooMany, UnknownChannel
from service.handlers.tell_owner import tell_owner
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.messages.channels import BadWhere, MessageKind, Where
from service.messages.keys import Vault
from service.store.games import Games
from service.store.messages import add_trial_message, wake_mails_of
from service.store.tables import channel, channel_secret

MOST: Final = 10
"""Limit of a player's channels."""
_LOCK_PLAYER = text("select from player where id = :id for no key update")
_NOTE = text("update player set channels = exists (select from channel where player_id = :id) where id = :id")
_SUBSCRIPTIONS = text("""
select c.id, s.sealed from channel c join channel_secret s on s.channel_id = c.id
 where c.player_id = :player and c.kind = 'web-push' order by c.id for no key update of c
""")
_COUNT = select(func.count()).select_from(channel)


@dataclass(frozen=True, slots=True)
class ChannelRules:
    """Rules of the service: the vault (None without a key), Web Push on or off, any address allowed or not."""

    vault: Vault | None
    push: bool
    insecure: bool


@dataclass(frozen=True, slots=True)
class ChannelTerms:
    """Terms of a new channel: its target, its messages, and those that replace a mail."""

    where: Where
    messages: Sequence[MessageKind]
    instead: Sequence[MessageKind] = ()


def create(
    games: Games,
    rules: ChannelRules,
    player: UUID,
    wanted: ChannelTerms,
    now: datetime,
    receipt: Receipt[UUID] | None = None,
) -> UUID:
    """Set up a channel, send a test message, and return the channel's id; it is used after a successful test.

    ChannelsOff, BadChannel, TooMany, under a key also Repeated, KeyReused.
    """
    where, created = wanted.where, new_id()
    if rules.vault is None or (where.kind == "web-push" and not rules.push):
        raise ChannelsOff
    _require_good(where, rules)
    _require_within(wanted.messages, wanted.instead)
    with transaction(games.engine) as db:
        claim(db, receipt)
        db.execute(_LOCK_PLAYER, {"id": player})
        if db.execute(_COUNT.where(channel.c.player_id == player)).scalar_one() >= MOST:
            raise TooMany(MOST)
        values = {"id": created, "player_id": player, "kind": where.kind, "label": where.label(), "created_at": now}
        chosen = {"messages": list(wanted.messages), "instead": list(wanted.instead)}
        db.execute(insert(channel).values(**values, **chosen))
        db.execute(insert(channel_secret).values(channel_id=created, sealed=rules.vault.seal(where.packed())))
        add_trial_message(db, created)
        tell_owner(db, player, "channel-added", created)
        db.execute(_NOTE, {"id": player})
        keep(db, receipt, created)
    games.wake()
    return created


def change(games: Games, player: UUID, channel_id: UUID, changes: Mapping[str, Any]) -> None:
    """Change `messages` or `instead` of a channel; UnknownChannel, BadChannel."""
    with transaction(games.engine) as db:
        own = _own(db, player, channel_id)
        chosen = {"messages": list(own.messages), "instead": list(own.instead), **changes}
        if "instead" not in changes:
            chosen["instead"] = [kind for kind in chosen["instead"] if kind in chosen["messages"]]
        _require_within(chosen["messages"], chosen["instead"])
        db.execute(update(channel).where(channel.c.id == channel_id).values(**chosen))


def try_again(games: Games, player: UUID, channel_id: UUID, receipt: Receipt[UUID] | None = None) -> UUID:
    """Send a test message and return its id; success reactivates a silenced channel. UnknownChannel.

    Under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        if _own(db, player, channel_id).state == "silenced":
            again = {"state": "trying", "cause": None, "failures": 0}
            db.execute(update(channel).where(channel.c.id == channel_id).values(**again))
        trial = add_trial_message(db, channel_id)
        keep(db, receipt, trial)
    games.wake()
    return trial


def renew(games: Games, rules: ChannelRules, player: UUID, before: str, where: Where) -> bool:
    """Move the channel of the subscription `before` to the subscription that replaces it, and test the channel.

    Only the browser and the service know a subscription's address, so the address authenticates the browser. Return
    whether there is such a channel. BadChannel.
    """
    if rules.vault is None:
        return False
    _require_good(where, rules)
    with transaction(games.engine) as db:
        for row in db.execute(_SUBSCRIPTIONS, {"player": player}).all():
            with suppress(InvalidToken):
                if compare_digest(Where.unpacked(rules.vault.open(row.sealed)).url.encode(), before.encode()):
                    sealed = rules.vault.seal(where.packed())
                    db.execute(
                        update(channel_secret).where(channel_secret.c.channel_id == row.id).values(sealed=sealed)
                    )
                    again = {"state": "trying", "cause": None, "failures": 0, "label": where.label()}
                    db.execute(update(channel).where(channel.c.id == row.id).values(**again))
                    add_trial_message(db, row.id)
                    break
        else:
            return False
    games.wake()
    return True


def remove(games: Games, player: UUID, channel_id: UUID) -> None:
    """Delete a channel with its secrets and messages; mails that it held back go out. UnknownChannel."""
    with transaction(games.engine) as db:
        db.execute(_LOCK_PLAYER, {"id": player})
        _own(db, player, channel_id)
        wake_mails_of(db, channel_id)
        db.execute(delete(channel).where(channel.c.id == channel_id))
        db.execute(_NOTE, {"id": player})
    games.wake()


def _own(db: Connection, player: UUID, channel_id: UUID) -> Any:
    """Lock and return the player's channel; another player's is unknown."""
    columns = (channel.c.state, channel.c.messages, channel.c.instead)
    wanted = select(*columns).where(channel.c.id == channel_id, channel.c.player_id == player)
    row = db.execute(wanted.with_for_update(key_share=True)).one_or_none()
    if row is None:
        raise UnknownChannel
    return row


def _require_good(where: Where, rules: ChannelRules) -> None:
    try:
        where.check(rules.insecure)
    except BadWhere as bad:
        raise BadChannel(bad.field, str(bad)) from bad


def _require_within(messages: Sequence[str], instead: Sequence[str]) -> None:
    if not set(instead) <= set(messages):
        raise BadChannel("instead", "Only what goes to the channel can replace a mail.")
