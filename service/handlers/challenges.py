"""Challenges, and bots that are ready to be challenged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import Connection, text

from service.handlers.capability import stored
from service.handlers.gate import CHALLENGE, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.lobby import Newcomer, Plan, notify, options_of, set_up, take_seat
from service.handlers.refusals import (
    BadOption,
    ChallengeOver,
    NoChallenge,
    NoHandle,
    PersonsMayNot,
    TooMany,
    UnknownChallenge,
    UnknownRuleset,
)
from service.handlers.tokens import hold
from service.handlers.transaction import transaction
from service.log.ids import new_id
from service.store import lobby, notices, outbox, people
from service.store.access import PlayerRow
from service.store.games import Games
from service.store.lobby import CHALLENGE_LIFETIME, Challenge, Ready
from service.store.quotas import UNCOUNTED, Budget

# Challenges: send, accept (the game begins at once), decline, withdraw.

MOST_OPEN: Final = 20
"""Limit of open challenges of a sender."""
MOST_IN_VAIN: Final = 3
"""Limit of unaccepted challenges a day from one account to another; one of them may be open."""

_GOOD = text("""
select p.id, p.email is not null and p.email_confirmed as mailed from player p left join player o on o.id = p.owner
 where p.id in (:sender, :recipient) and p.deleted_at is null and coalesce(p.blocked, o.blocked) is null
""")
_LANGUAGE = text("select language from player where id = :player")


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """Sender, recipient and game of a challenge."""

    sender: UUID
    recipient: UUID
    plan: Plan


def require_may_challenge(db: Connection, sender: UUID, recipient: UUID) -> bool:
    """Refuse a challenge that may not be sent or accepted; return whether the recipient gets a mail.

    The only place that decides who may challenge whom. NoChallenge.
    """
    mailed = {row.id: row.mailed for row in db.execute(_GOOD, {"sender": sender, "recipient": recipient})}
    if mailed.keys() != {sender, recipient} or sender == recipient or people.either_blocks(db, sender, recipient):
        raise NoChallenge
    return bool(mailed[recipient])


def send(
    games: Games,
    asked: ChallengeRequest,
    now: datetime,
    receipt: Receipt[Challenge] | None = None,
    budget: Budget = UNCOUNTED,
) -> Challenge:
    """Send a challenge to a player or a bot, and return the challenge.

    NoChallenge, TooMany, UnknownRuleset, BadOption, MailsSpent; under a key also Repeated, KeyReused.
    """
    sender, recipient, plan = asked.sender, asked.recipient, asked.plan
    options, terms = options_of(games, plan), replace(plan.terms, start="full")
    with transaction(games.engine) as db:
        claim(db, receipt)
        hold(db, sender)
        mailed = require_may_challenge(db, sender, recipient)
        if lobby.open_challenges_of(db, sender, now) >= MOST_OPEN:
            raise TooMany(MOST_OPEN)
        waiting, lately = lobby.count_challenges_of_pair(db, sender, recipient, now)
        if waiting or lately >= MOST_IN_VAIN:
            raise NoChallenge
        until = now + CHALLENGE_LIFETIME
        sent = Challenge(
            new_id(), sender, recipient, plan.ruleset, plan.seats, options, terms, now, until, None, None, "open"
        )
        lobby.add_challenge(db, sent)
        if mailed:
            reach(db, budget, CHALLENGE, sender, [recipient], now)
            outbox.add(db, notices.challenge(sent.id, recipient))
        keep(db, receipt, sent)
    games.notify_accounts(sender, recipient)
    games.wake()
    return sent


def accept(games: Games, challenge: UUID, player: UUID, now: datetime) -> Challenge:
    """Accept a challenge: open its game, with the sender in seat 0 and the player in the next; idempotent.

    The game begins when all seats are taken: at once if for two. UnknownChallenge, ChallengeOver, NoChallenge.
    """
    with transaction(games.engine) as db:
        found = _received(db, challenge, player, now)
        if found.state == "accepted":
            return found
        _require_open(found)
        require_may_challenge(db, found.sender, player)
        plan = Plan(found.ruleset, found.seats, found.options, found.terms)
        position = set_up(db, games, found.sender, plan, now)
        position, _ = take_seat(db, games, position, Newcomer(player, invited=True), now)
        lobby.answer_challenge(db, challenge, "accepted", now, position.game.id)
    notify(games, position)
    games.notify_accounts(found.sender, player)
    games.wake()
    return replace(found, state="accepted", answered_at=now, game=position.game.id)


def decline(games: Games, challenge: UUID, player: UUID, now: datetime) -> Challenge:
    """Decline a challenge to the player; idempotent. UnknownChallenge, ChallengeOver."""
    with transaction(games.engine) as db:
        found = _received(db, challenge, player, now)
        if found.state == "declined":
            return found
        _require_open(found)
        lobby.answer_challenge(db, challenge, "declined", now)
    games.notify_accounts(found.sender, player)
    return replace(found, state="declined", answered_at=now)


def withdraw(games: Games, challenge: UUID, player: UUID, now: datetime) -> Challenge:
    """Withdraw a challenge of the player; idempotent. UnknownChallenge, ChallengeOver."""
    with transaction(games.engine) as db:
        found = lobby.lock_challenge(db, challenge, now)
        if found is None or found.sender != player:
            raise UnknownChallenge
        if found.state == "withdrawn":
            return found
        _require_open(found)
        lobby.answer_challenge(db, challenge, "withdrawn", now)
    games.notify_accounts(player, found.recipient)
    return replace(found, state="withdrawn", answered_at=now)


def known(db: Connection, challenge: UUID, player: UUID, now: datetime) -> Challenge:
    """Return a challenge that the player has sent or received; UnknownChallenge."""
    found = lobby.read_challenge(db, challenge, now)
    if found is None or player not in (found.sender, found.recipient):
        raise UnknownChallenge
    return found


def unfold(db: Connection, token: str, now: datetime) -> Challenge:
    """Return the challenge behind a mailed link, in any state; UnknownChallenge."""
    behind = lobby.challenge_behind_link(db, stored(token))
    found = None if behind is None else lobby.read_challenge(db, behind, now)
    if found is None:
        raise UnknownChallenge
    return found


def language_of(db: Connection, found: Challenge) -> str:
    """Return the language of the recipient."""
    language: str = db.execute(_LANGUAGE, {"player": found.recipient}).scalar_one()
    return language


def _received(db: Connection, challenge: UUID, player: UUID, now: datetime) -> Challenge:
    found = lobby.lock_challenge(db, challenge, now)
    if found is None or found.recipient != player:
        raise UnknownChallenge
    return found


def _require_open(found: Challenge) -> None:
    if found.state != "open":
        raise ChallengeOver(found.state)


# Bots that are ready to be challenged.


def make_ready(games: Games, bot: PlayerRow, rulesets: Sequence[str], seats: Sequence[int], now: datetime) -> Ready:
    """List a bot as ready, until none of its streams has been open for five minutes.

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


def end_ready(games: Games, bot: PlayerRow) -> None:
    """Take a bot off the list; idempotent."""
    with transaction(games.engine) as db:
        lobby.end_ready(db, bot.id)
