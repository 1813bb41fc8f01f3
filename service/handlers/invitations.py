"""Invitations: by mail or link, revoked, accepted; rematches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from sqlalchemy import Connection

from service.handlers.consent import confirmed
from service.handlers.gate import REMATCH, SITTING_DOWN, grow, reach
from service.handlers.idempotency import Receipt, claim, keep
from service.handlers.lobby import Newcomer, Plan, lock_as_host, notify, require_open, set_up, take_seat
from service.handlers.people import Arrival, meet
from service.handlers.refusals import InvitationOver, NoMail, NotOpen, NotOver, NotSeated, UnknownInvitation
from service.handlers.substitutes import Substitute, require_inviter, require_unattended, take_over
from service.handlers.transaction import transaction
from service.players.levels import levels_for
from service.store import lobby, mail, notices, outbox, people
from service.store.games import Games, Position, require_known
from service.store.lobby import INVITATION_LIFETIME, Invitation, invitation_token
from service.store.quotas import UNCOUNTED, Budget, spend

MOST_PER_GAME = 50
MOST_MAILS_PER_DAY = 3
"""Limit of invitation mails a day to one address, from all hosts together."""


@dataclass(frozen=True, slots=True)
class ByMail:
    address: str


@dataclass(frozen=True, slots=True)
class Words:
    """A host's choices for the invited: the `language` of mail and page, and a message.

    `seat` is a seat of a running game to take over; None invites to a free seat of an open game.
    """

    language: str | None = None
    message: str | None = None
    seat: int | None = None


PLAIN = Words()


@dataclass(frozen=True, slots=True)
class ByLink:
    """An invitation to any holder of the link; its token is derived from id and secret (`invitation_token`)."""

    secret: str


def invite(
    games: Games,
    game: UUID,
    host: UUID,
    whom: ByMail | ByLink,
    now: datetime,
    receipt: Receipt[Invitation] | None,
    words: Words = PLAIN,
    budget: Budget = UNCOUNTED,
) -> Invitation:
    """Invite to an open game, or to an unattended seat of a running one, and return the invitation.

    UnknownGame, NotHost, NotOpen, NotRunning, SeatAttended, NoMail, MailsSpent. Under a key also Repeated, KeyReused. A
    link's secret is not stored; who repeats a request knows it.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        _lock(db, games, game, host, words.seat)
        if lobby.count_invitations(db, game) >= MOST_PER_GAME:
            raise NotOpen("many-invitations")
        address = whom.address.lower() if isinstance(whom, ByMail) else None
        given = Invitation(uuid4(), game, host, address, None, now, now + INVITATION_LIFETIME)
        given = replace(given, mailed=address is not None, language=words.language, message=words.message)
        given = replace(given, seat=words.seat)
        if address is not None:
            _mail(db, given, address)
            spend(db, budget, host, 1, now)
        elif isinstance(whom, ByLink):
            lobby.add_invitation(db, given)
            lobby.add_invitation_link(db, given.id, invitation_token(given.id, whom.secret))
        keep(db, receipt, given)
    games.wake()
    return given


def revoke(games: Games, game: UUID, invitation: UUID, host: UUID, now: datetime) -> None:
    """Revoke an invitation; idempotent. UnknownGame, NotHost, UnknownInvitation."""
    with transaction(games.engine) as db:
        position = games.lock(db, game)
        require_known(db, position, host)
        require_inviter(position, host)
        if not lobby.revoke_invitation(db, game, invitation, now):
            raise UnknownInvitation


def accept(
    games: Games,
    token: str,
    player: UUID,
    now: datetime,
    receipt: Receipt[tuple[UUID, int]] | None = None,
    nonce: str | None = None,
) -> tuple[UUID, int]:
    """Accept an invitation: take its seat, or the lowest free one; return the game's id and the seat.

    UnknownInvitation, InvitationOver, NotOpen, or what `take_over` raises; under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        position, invitation = _enter(db, games, token, now)
        if lobby.guest_of(db, invitation.id).player not in (None, player):
            raise UnknownInvitation
        _confirm_own(db, token, player)
        grow(db, SITTING_DOWN, position, player, now)
        position, seat = _seat(db, games, position, invitation, Newcomer(player, nonce, invited=True), now)
        keep(db, receipt, (position.game.id, seat))
    notify(games, position)
    return position.game.id, seat


def accept_at_the_door(
    games: Games, token: str, arrival: Arrival, now: datetime, nonce: str | None = None
) -> tuple[Position, int, str | None]:
    """Accept an invitation without signing in; return the game, the seat, and a new player's session token.

    If the invitation is for a player, or was mailed to a sign-in address, its player is seated without a token. A new
    player's turn mails go to the mailed address, which the link confirms, unless that address is already at the table.
    Raises as `accept`.
    """
    with transaction(games.engine) as db:
        position, invitation = _enter(db, games, token, now)
        address, invited = _address_for(invitation, position), lobby.guest_of(db, invitation.id).player
        arrival = replace(arrival, email=address, confirmed=address is not None)
        player, secret = (invited, None) if invited else meet(db, arrival, now)
        position, seat = _seat(db, games, position, invitation, Newcomer(player, nonce, invited=True), now)
    notify(games, position)
    return position, seat, secret


def refuse_mail(games: Games, token: str, now: datetime) -> None:
    """Opt the address of a mailed link out of invitations; UnknownInvitation."""
    with transaction(games.engine) as db:
        invitation = lobby.resolve_invitation(db, token)
        address = None if invitation is None else lobby.guest_of(db, invitation.id).address
        if address is None:
            raise UnknownInvitation
        mail.refuse_mails(db, mail.consent_digest(address), now)


def unfold(db: Connection, games: Games, token: str, now: datetime) -> tuple[Invitation, Position]:
    """Return the invitation behind a link and its game; read-only.

    UnknownInvitation, InvitationOver. NotOpen if the game takes no players (a full game is returned). NotRunning or
    SeatAttended if the seat cannot be taken over.
    """
    invitation = lobby.resolve_invitation(db, token)
    if invitation is None:
        raise UnknownInvitation
    if not invitation.is_good(now):
        raise InvitationOver
    position = games.open(db, invitation.game_id)
    _require_place(position, invitation)
    return invitation, position


def _lock(db: Connection, games: Games, game: UUID, host: UUID, seat: int | None) -> None:
    """Lock a game for an inviter."""
    if seat is None:
        lock_as_host(db, games, game, host)
        return
    position = games.lock(db, game)
    require_known(db, position, host)
    require_inviter(position, host)
    require_unattended(position, seat)


def _require_place(position: Position, invitation: Invitation) -> None:
    if invitation.seat is None:
        require_open(position)
    else:
        require_unattended(position, invitation.seat)


def _seat(
    db: Connection, games: Games, position: Position, invitation: Invitation, newcomer: Newcomer, now: datetime
) -> tuple[Position, int]:
    if invitation.seat is None:
        return take_seat(db, games, position, newcomer, now)
    substitute = Substitute(newcomer.player, invitation.seat, "link")
    return take_over(db, games, position, substitute, now), invitation.seat


def _enter(db: Connection, games: Games, token: str, now: datetime) -> tuple[Position, Invitation]:
    invitation = lobby.resolve_invitation(db, token)
    if invitation is None:
        raise UnknownInvitation
    position = games.lock(db, invitation.game_id)
    # Read again under the lock: the invitation may be revoked meanwhile.
    if not lobby.read_invitation(db, invitation.id).is_good(now):
        raise InvitationOver
    _require_place(position, invitation)
    return position, invitation


def _address_for(invitation: Invitation, position: Position) -> str | None:
    """Return the address of a mailed link, None if it is already at the table."""
    address = invitation.email
    return None if address in {row.email for row in position.seats} else address


def may_be_mailed(db: Connection, given: Invitation, address: str) -> bool:
    """Return whether an address (in lower case) may get the mail of an invitation; if so, other invitations wait.

    Refused while the address owes the inviter an answer, has used up its day's quota, opted out, or is unreachable, and
    if the inviter or the address's player blocks the other.
    """
    yesterday = given.created_at - timedelta(days=1)
    return not (
        lobby.is_invitation_unanswered(db, given, address)
        or mail.are_mails_refused(db, address)
        or lobby.invitations_mailed_since(db, address, yesterday) >= MOST_MAILS_PER_DAY
        or mail.find_suppression(db, address) is not None
        or people.is_apart_from_address(db, given.inviter, address)
    )


def _mail(db: Connection, given: Invitation, address: str) -> None:
    notice = notices.invitation(given.id)
    if not may_be_mailed(db, given, address):
        raise NoMail
    # An invitation is the only mail that may go to an unconfirmed address.
    if not mail.is_address_confirmed(db, address) and not mail.claim_consent_mail(
        db, address, notice.dedupe_key, given.created_at
    ):
        raise NoMail
    if not lobby.add_invitation(db, given):
        raise NoMail
    outbox.post(db, given.game_id, [notice])


def _confirm_own(db: Connection, token: str, player: UUID) -> None:
    """Confirm the player's address if the link was mailed to it."""
    invitation = lobby.resolve_invitation(db, token)
    if invitation is not None and invitation.email is not None and mail.has_consent(db, player, invitation.email):
        confirmed(db, player)


# Rematch of a finished game; its other players are invited.

_REMATCH = "select id from game where rematch_of = %s and status <> 'cancelled'"


def rematch(
    games: Games,
    game: UUID,
    player: UUID,
    now: datetime,
    receipt: Receipt[Position] | None = None,
    budget: Budget = UNCOUNTED,
) -> Position:
    """Open a rematch with the player as host and the others invited, or return the existing one.

    Ruleset, options, terms and computer players are the same. A cancelled rematch may be followed by another. Confirmed
    addresses that may be mailed get an invitation; the others see it on the site. UnknownGame, NotSeated, NotOver,
    MailsSpent, under a key also Repeated, KeyReused.
    """
    with transaction(games.engine) as db:
        claim(db, receipt)
        over = games.lock(db, game)
        require_known(db, over, player)
        if over.seat_of(player) is None:
            raise NotSeated
        if over.game.status != "finished":
            raise NotOver
        earlier: UUID | None = db.exec_driver_sql(_REMATCH, (game,)).scalar()
        if earlier is None:
            position = _open_again(db, games, over, player, now)
            reach(db, budget, REMATCH, player, _invite(db, position, over, now), now)
        else:
            position = games.open(db, earlier)
        # An existing rematch may have been filled without this player.
        require_known(db, position, player)
        keep(db, receipt, position)
    notify(games, position)
    games.wake()
    return position


def _open_again(db: Connection, games: Games, over: Position, host: UUID, now: datetime) -> Position:
    row = over.game
    # A level that no longer exists does not prevent a rematch: its seat stays free.
    offered = levels_for(over.ruleset, row.seats)
    computers = [seat.computer for seat in over.seats if seat.computer is not None and seat.computer in offered]
    plan = Plan(row.ruleset, row.seats, row.options, row.terms, computers=computers)
    return set_up(db, games, host, plan, now, {"rematch_of": row.id})


def _invite(db: Connection, position: Position, over: Position, now: datetime) -> list[UUID]:
    """Invite the players of the finished game; return those who get a mail."""
    mailed_to = []
    # Ordered by address, so that two concurrent rematches do not deadlock.
    for seat in sorted(over.seats, key=lambda seat: (seat.email or "").lower()):
        if seat.player_id == position.game.host or seat.computer is not None:
            continue
        given = Invitation(
            uuid4(), position.game.id, position.game.host, None, seat.player_id, now, now + INVITATION_LIFETIME
        )
        mailed = seat.confirmed and seat.email is not None and may_be_mailed(db, given, seat.email.lower())
        lobby.add_invitation(db, replace(given, mailed=mailed))
        if mailed:
            outbox.post(db, position.game.id, [notices.invitation(given.id)])
            mailed_to.append(seat.player_id)
    return mailed_to
