"""Invitations to a game: the host gives them and takes them back, others accept them or want no more of them."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import UUID

from flask import Response

from schemas.lobby import (
    InvitationOpened,
    Invitations,
    InvitationsGiven,
    InvitationsReceived,
    InvitationsWanted,
    NewInvitation,
    NewlyInvited,
    OwnNonce,
    SeatedByInvitation,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import look
from service.handlers import invitations as handlers
from service.handlers.idempotency import Receipt
from service.handlers.invitations import PLAIN, ByLink, ByMail, Words
from service.handlers.substitute import require_inviter
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, at_creation, at_moment, no_content, paged
from service.shared import clock
from service.store.lobby import Invitation, guest_of, invitation_token
from service.views import invitations as views
from service.views.my_games import invitations_to
from service.views.pages import TOP

invitations = Resource("invitations", __name__, description="Who is asked to a game.")
guard(invitations)

PAGE = 20
GIVEN = 100

_GIVEN = Answers(status=201, schema=NewlyInvited, headers=REPLAYED)
_SEATED = Answers(status=201, schema=SeatedByInvitation, headers=REPLAYED)


@invitations.operation(
    "/games/<uuid:game_id>/invitations",
    _GIVEN,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    json=NewInvitation,
    headers=Idempotency,
)
def create_invitation(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Invite somebody to an open game, by mail or with a link to pass on; only its host may.

    Of a running game, invite somebody to take over a `seat` whose player has resigned or is absent. While the host's
    own seat is such a one, the player in the first of the other seats may do so, too.

    The link is good for whoever has it, for 30 days or until the game starts, or the seat is taken. An address gets no
    other mail from the same host before it has answered the last one: with a seat, or by letting the game start or its
    time pass. It gets at most three a day from all, and none at all if it has asked for none. An address that nobody
    has confirmed gets one mail within 30 days, and that without `message`. All of one's mails count (`mails` in GET
    /limits). Pass a link on instead.
    """
    games, asking, now, email = runtime().games, player().id, clock.now(), posted.get("email")
    words, spending = Words(posted.get("language"), posted.get("message"), posted.get("seat")), budget()
    secret = header.get("key") or secrets.token_hex(16)
    whom = ByLink(secret) if email is None else ByMail(email)

    def invite(receipt: Receipt[Invitation] | None) -> Invitation:
        return handlers.invite(games, game_id, asking, whom, now, receipt, words, spending)

    # Without a choice the request is identified as before there was one, so that older keys still match.
    asked = [str(game_id), email, *((words.language, words.message) if words != PLAIN else ())]
    asked += [] if words.seat is None else [words.seat]
    shown, headers = once("invite", header, asked, invite, views.invitation)
    url = f"{runtime().settings.base_url}/join/{invitation_token(UUID(shown['id']), secret)}" if email is None else None
    return as_json({**shown, "url": url}, 201, {**PRIVATE, **headers})


@invitations.operation(
    "/games/<uuid:game_id>/invitations",
    Answers(schema=Invitations),
    refuses=(404,),
    scope="games:create",
    query=InvitationsGiven,
)
def list_invitations(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List the invitations to a game that were not taken back, the oldest first; only its host may."""
    limit, after = wanted.get("limit", GIVEN), wanted.get("after", views.BEGINNING)
    with look(game_id) as looking:
        require_inviter(looking.position, player().id)
        found = views.invitations(looking.db, game_id, player().language, after, limit + 1)
    return as_json(paged(found, limit, at_moment("created_at")))


@invitations.operation(
    "/games/<uuid:game_id>/invitations/<uuid:invitation_id>",
    Answers(status=204),
    method="DELETE",
    refuses=(404,),
    scope="games:create",
)
def revoke_invitation(game_id: UUID, invitation_id: UUID) -> Response:
    """Take an invitation back: its links are no longer good; only the game's host may."""
    handlers.revoke(runtime().games, game_id, invitation_id, player().id, clock.now())
    return no_content()


@invitations.operation(
    "/invitations/<token>/seat",
    _SEATED,
    method="POST",
    refuses=(404, 409, 410),
    scope="games:play",
    query=OwnNonce,
    headers=Idempotency,
)
def accept_invitation(brought: dict[str, Any], header: dict[str, Any], token: str) -> Response:
    """Sit down in the lowest free seat of the game that a link invites to; `token` is the end of the link.

    An invitation to a running game names the seat that one takes over. One sees then what the seat may see, from the
    first event on. Nobody can who sits in the game, or has left a seat of it. A link that was mailed to an address with
    which somebody signs in is for that player alone.
    """
    games, asking, now, nonce = runtime().games, player().id, clock.now(), brought.get("nonce")

    def show(seated: tuple[UUID, int]) -> dict[str, Any]:
        return {"game_id": str(seated[0]), "seat": seated[1]}

    def accept(receipt: Receipt[tuple[UUID, int]] | None) -> tuple[UUID, int]:
        return handlers.accept(games, token, asking, now, receipt, nonce)

    asked = [token.lower(), nonce] if nonce else token.lower()
    shown, headers = once("accept-invitation", header, asked, accept, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@invitations.operation("/invitations/<token>", Answers(schema=InvitationOpened), refuses=(404, 409, 410), public=True)
def open_invitation(token: str) -> Response:
    """Show the table that a link invites to, before one sits down; `token`, the end of the link, is all it takes.

    An invitation that can no longer be accepted is refused as it is when one accepts it. A table may be full for now.
    """
    games, now = runtime().games, clock.now()
    with transaction(games.engine) as db:
        given, position = handlers.unfold(db, games, token, now)
        return as_json(views.opened(given, guest_of(db, given.id), position))


@invitations.operation("/invitations/<token>/refusal", Answers(status=204), method="POST", refuses=(404,), public=True)
def refuse_invitations(token: str) -> Response:
    """Have no more invitations mailed, from anybody, to the address that the link was mailed to.

    `token`, the end of the link, is all it takes, and is good for this when the invitation is over, too. Mails about
    games that one plays still come. A link that was not mailed has no address, so it is not found.
    """
    handlers.refuse_mail(runtime().games, token, clock.now())
    return no_content()


@invitations.operation(
    "/me/invitations", Answers(schema=InvitationsReceived), scope="games:read", query=InvitationsWanted
)
def list_received_invitations(wanted: dict[str, Any]) -> Response:
    """List the open games that others have asked one to, by name as for a rematch, and that one has not joined.

    POST /games/{id}/seats accepts. Of an invitation by mail or by a link only the link tells.
    """
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().games.engine) as db:
        found = invitations_to(db, player().id, limit + 1, wanted.get("after", TOP))

    def shown(row: Any) -> dict[str, Any]:
        return {**views.received(row, player().language), "href": f"{PREFIX}/games/{row.game_id}"}

    return as_json(paged(found, limit, at_creation, shown))
