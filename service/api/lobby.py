"""Games before their start, invitations, challenges, rulesets and computer players."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import Response

from schemas.fields import cursor
from schemas.lobby import (
    Challenge,
    ChallengesListed,
    ChallengesWanted,
    GameListed,
    GamesListed,
    GamesWanted,
    Guide,
    GuideWanted,
    InvitationOpened,
    Invitations,
    InvitationsGiven,
    InvitationsReceived,
    InvitationsWanted,
    NewChallenge,
    NewFork,
    NewGame,
    NewInvitation,
    NewlyInvited,
    OwnNonce,
    Rulesets,
    Seated,
    SeatedByInvitation,
)
from schemas.play import Idempotency, NewComputer, SubstituteComputer, Table
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.api.viewers import look, seat_of
from service.handlers import challenges as handlers_challenges
from service.handlers import computers as handlers_computers
from service.handlers import invitations as handlers_invitations
from service.handlers import lobby as handlers
from service.handlers import lobby as handlers_lobby
from service.handlers.challenges import ChallengeRequest
from service.handlers.idempotency import Receipt
from service.handlers.invitations import PLAIN, ByLink, ByMail, Words, rematch
from service.handlers.lobby import Fork, Plan, fork, people_of, terms_of
from service.handlers.people import find_handle
from service.handlers.substitutes import require_inviter
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.ndjson import ndjson_requested, ndjson_response
from service.http.replica_routing import games_listed
from service.http.responses import PRIVATE, as_json, at_creation, at_moment, no_content, paged
from service.rules.kernel import AnyRuleset
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.access import PlayerRow
from service.store.games import Position
from service.store.lobby import Challenge as Sent
from service.store.lobby import Invitation, guest_of, invitation_token
from service.store.people import find_visible_profile
from service.texts.games import game_language
from service.views import lobby as views
from service.views.games import GameFilter, invitations_to, place_of
from service.views.games import list_games as listed
from service.views.guide import guide, picture_svg
from service.views.lobby import ChallengeSeen
from service.views.lobby import rulesets as shown_rulesets
from service.views.pages import TOP
from service.views.table import table

# Before the game: games that are opened, joined, started and listed.

PAGE = 20
BULK = 100
"""The games that are read at a time where all are asked for."""

lobby = Resource("lobby", __name__, description="Games before they are played.")
guard(lobby)

_NEW = Answers(status=201, schema=Table, headers={"Location": "Where the game is found.", **REPLAYED})


@lobby.operation("/games", _NEW, method="POST", scope="games:create", bucket="games", json=NewGame, headers=Idempotency)
def create_game(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Open a game; whoever asks is its host and sits in seat 0."""
    games, asking, now = runtime().games, player().id, clock.now()
    plan = Plan(
        posted["ruleset"],
        posted["seats"],
        posted.get("options", {}),
        terms_of(posted, people_of(posted)),
        posted.get("nonce"),
        posted.get("computers", ()),
    )

    def create(receipt: Receipt[Position] | None) -> Position:
        return handlers.create(games, asking, plan, now, receipt)

    return _created(*once("create-game", header, posted, create, _seen))


@lobby.operation(
    "/games",
    Answers(schema=GamesListed, lines="All such games, one a line; `limit` does not count.", messages=(GameListed,)),
    scope="games:read",
    query=GamesWanted,
)
def list_games(wanted: dict[str, Any]) -> Response:
    """List games, the newest first: those that one sits in, public ones, and those that one is invited to.

    With `sort=deadline` those come first whose deadline for one's own seat is the earliest.
    """
    limit = wanted.get("limit", PAGE)
    mine, opponent = wanted.get("mine"), None
    if "opponent" in wanted:
        with transaction(runtime().games.engine) as db:
            opponent = find_visible_profile(db, player().id, wanted["opponent"])
        if opponent is None:
            return as_json({"items": [], "next": None})
    asked = GameFilter(
        mine=None if mine is None else mine == "true",
        open_to_me="open_to_me" in wanted,
        status=wanted.get("status"),
        ruleset=wanted.get("ruleset"),
        origin=wanted.get("origin", "here"),
        opponent=opponent,
        seats_free=wanted.get("seats_free"),
        after=wanted.get("after"),
        by_deadline=wanted.get("sort") == "deadline",
    )
    form = ndjson_requested()
    if form is not None:
        return ndjson_response(_all(asked, player()), form)
    found = games_listed(runtime().games, player().id, asked, limit + 1, clock.now())
    language = player().language
    return as_json(paged(found, limit, lambda row: cursor(*place_of(row)), lambda row: listed(row, language)))


def _all(asked: GameFilter, who: PlayerRow) -> Iterator[dict[str, Any]]:
    """Yield all games of a list, which are read a page at a time."""
    while True:
        page = games_listed(runtime().games, who.id, asked, BULK, clock.now())
        yield from (listed(row, who.language) for row in page)
        if len(page) < BULK:
            return
        asked = replace(asked, after=place_of(page[-1]))


@lobby.operation(
    "/games/<uuid:game_id>/seats",
    Answers(status=201, schema=Seated, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
    query=OwnNonce,
    headers=Idempotency,
)
def join_game(brought: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Sit down in the lowest free seat of an open game that is public, or that one is invited to.

    If others have left, the seats are numbered anew when the game starts, in the order of joining.
    """
    games, asking, now, nonce = runtime().games, player().id, clock.now(), brought.get("nonce")

    def show(seat: int) -> dict[str, Any]:
        return {"seat": seat}

    def join(receipt: Receipt[int] | None) -> int:
        return handlers.join(games, game_id, asking, now, receipt, nonce)

    shown, headers = once("join-game", header, [str(game_id), nonce] if nonce else str(game_id), join, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@lobby.operation(
    "/games/<uuid:game_id>/seats/mine", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play"
)
def leave_game(game_id: UUID) -> Response:
    """Leave a game that has not started.

    When the host leaves, whoever has been there longest is the host. When the last one leaves, the game is cancelled.
    """
    handlers_lobby.leave_table(runtime().games, game_id, player().id)
    return no_content()


@lobby.operation(
    "/games/<uuid:game_id>/seats/<int:seat>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:play",
)
def kick_player(game_id: UUID, seat: int) -> Response:
    """Free somebody's seat before the game starts; only its host may.

    Take invitations back as well, if they shall not return by them.
    """
    handlers_lobby.kick_player(runtime().games, game_id, seat, player().id)
    return no_content()


@lobby.operation(
    "/games/<uuid:game_id>/start",
    Answers(schema=Table),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
)
def start_game(game_id: UUID) -> Response:
    """Start a game whose seats are all taken; only its host may.

    The seats are then in the order of joining, whoever has left in between.
    """
    return as_json(_seen(handlers.start(runtime().games, game_id, player().id, clock.now())))


@lobby.operation(
    "/games/<uuid:game_id>/cancel", Answers(schema=Table), method="POST", refuses=(404, 409), scope="games:create"
)
def cancel_game(game_id: UUID) -> Response:
    """Call off a game that has not started; only its host may."""
    return as_json(_seen(handlers_lobby.cancel_game(runtime().games, game_id, player().id)))


@lobby.operation(
    "/games/<uuid:game_id>/rematch",
    _NEW,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    bucket="games",
    headers=Idempotency,
)
def rematch_game(header: dict[str, Any], game_id: UUID) -> Response:
    """Ask those one has played with for another game on the same terms.

    Whoever asks first is the host of the new game, the others are invited to it. Whoever asks later gets that game.
    Mails tell the others where an invitation by mail could go to them: so a rematch that is called off and asked for
    again brings no second one before the first is answered.
    """
    games, asking, now, spending = runtime().games, player().id, clock.now(), budget()
    return _created(
        *once("rematch", header, str(game_id), lambda key: rematch(games, game_id, asking, now, key, spending), _seen)
    )


@lobby.operation(
    "/games/<uuid:game_id>/fork",
    _NEW,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    bucket="games",
    json=NewFork,
    headers=Idempotency,
)
def fork_game(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Play on from a moment of a finished game: open a new one that goes on after the step of event `seq`.

    Ruleset, seats and options are the same; whoever asks is the host and sits in seat 0, and it begins as any game
    does. Nothing is shuffled anew, so whoever has looked at the finished game knows what was hidden there. What is left
    to chance from then on is new.
    """
    games, asking, now = runtime().games, player().id, clock.now()
    with look(game_id) as looking:
        seats_there = looking.position.game.seats
    wanted = Fork(game_id, posted["seq"], terms_of(posted, seats_there))

    def open_fork(receipt: Receipt[Position] | None) -> Position:
        return fork(games, asking, wanted, now, receipt)

    return _created(*once("fork", header, [str(game_id), posted], open_fork, _seen))


def _seen(position: Position) -> dict[str, Any]:
    return table(position, seat_of(position), player().language)


def _created(shown: dict[str, Any], headers: dict[str, str]) -> Response:
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/games/{shown['id']}", **headers})


# Invitations to a game: the host gives them and takes them back, others accept them or want no more of them.

invitations = Resource("invitations", __name__, description="Who is asked to a game.")
guard(invitations)


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
        return handlers_invitations.invite(games, game_id, asking, whom, now, receipt, words, spending)

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
    handlers_invitations.revoke(runtime().games, game_id, invitation_id, player().id, clock.now())
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
        return handlers_invitations.accept(games, token, asking, now, receipt, nonce)

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
        given, position = handlers_invitations.unfold(db, games, token, now)
        return as_json(views.opened_invitation(given, guest_of(db, given.id), position))


@invitations.operation("/invitations/<token>/refusal", Answers(status=204), method="POST", refuses=(404,), public=True)
def refuse_invitations(token: str) -> Response:
    """Have no more invitations mailed, from anybody, to the address that the link was mailed to.

    `token`, the end of the link, is all it takes, and is good for this when the invitation is over, too. Mails about
    games that one plays still come. A link that was not mailed has no address, so it is not found.
    """
    handlers_invitations.refuse_mail(runtime().games, token, clock.now())
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
        return {**views.received_invitation(row, player().language), "href": f"{PREFIX}/games/{row.game_id}"}

    return as_json(paged(found, limit, at_creation, shown))


# Challenges: sent, listed, answered.

challenges = Resource("challenges", __name__, description="Games to which one player asks another.")
guard(challenges)


_SENT = Answers(status=201, schema=Challenge, headers={"Location": "Where the challenge is found.", **REPLAYED})
_CHALLENGE = "/challenges/<uuid:challenge_id>"


@challenges.operation(
    "/challenges",
    _SENT,
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    bucket="games",
    json=NewChallenge,
    headers=Idempotency,
)
def create_challenge(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Challenge a player or a bot, by the handle, to a game that begins when they accept.

    With more than two seats it begins when the others are taken, too. A person gets a mail, as many as one may cause in
    a day (`mails` in GET /limits), a bot is told on the stream of its account. The challenge is good for seven days.
    One of one's challenges to a player is open at a time, 20 to all players; a player who has left three a day
    unaccepted can be challenged again the day after.
    """
    games, asking, now, spending = runtime().games, player(), clock.now(), budget()
    terms = terms_of(posted, posted["seats"])
    plan = Plan(posted["ruleset"], posted["seats"], posted.get("options", {}), terms)
    with transaction(games.engine) as db:
        recipient = find_handle(db, posted["to"])
        if recipient is None:
            raise NotFound("handle")
        people = views.parties(db, asking.id, recipient)

    def send(receipt: Receipt[Sent] | None) -> Sent:
        return handlers_challenges.send(games, ChallengeRequest(asking.id, recipient, plan), now, receipt, spending)

    def show(sent: Sent) -> dict[str, Any]:
        return views.shown_challenge(ChallengeSeen(sent, *people), asking)

    shown, headers = once("create-challenge", header, posted, send, show)
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/challenges/{shown['id']}", **headers})


@challenges.operation("/challenges", Answers(schema=ChallengesListed), scope="games:read", query=ChallengesWanted)
def list_challenges(wanted: dict[str, Any]) -> Response:
    """List the challenges that one has sent and received, the newest first."""
    limit, asking = wanted.get("limit", PAGE), player()
    asked = views.ChallengesWanted(wanted.get("state"), limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.challenges_of(db, asking.id, asked, clock.now())

    def shown(row: Any) -> dict[str, Any]:
        return views.shown_challenge(row, asking)

    return as_json(paged(found, limit, lambda row: at_creation(row.challenge), shown))


@challenges.operation(_CHALLENGE, Answers(schema=Challenge), refuses=(404,), scope="games:read")
def get_challenge(challenge_id: UUID) -> Response:
    """Show a challenge that one has sent or received."""
    asking, now = player(), clock.now()
    with transaction(runtime().games.engine) as db:
        handlers_challenges.known(db, challenge_id, asking.id, now)
        return as_json(views.shown_challenge(views.challenge(db, challenge_id, now), asking))


@challenges.operation(
    f"{_CHALLENGE}/acceptance",
    Answers(schema=Challenge),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def accept_challenge(challenge_id: UUID) -> Response:
    """Accept a challenge that one has received, once or again: its `game` is opened, with both seated.

    A game for two begins at once.
    """
    return as_json(
        _shown_challenge(handlers_challenges.accept(runtime().games, challenge_id, player().id, clock.now()))
    )


@challenges.operation(_CHALLENGE, Answers(schema=Challenge), method="DELETE", refuses=(404, 409), scope="games:play")
def delete_challenge(challenge_id: UUID) -> Response:
    """Withdraw a challenge that one has sent, or decline one that one has received, once or again."""
    games, asking, now = runtime().games, player().id, clock.now()
    with transaction(games.engine) as db:
        found = handlers_challenges.known(db, challenge_id, asking, now)
    answer = handlers_challenges.withdraw if found.sender == asking else handlers_challenges.decline
    return as_json(_shown_challenge(answer(games, challenge_id, asking, now)))


def _shown_challenge(found: Sent) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        return views.shown_challenge(views.challenge(db, found.id, clock.now()), player())


# What there is to play, and how it is played.

rulesets = Resource("rulesets", __name__, description="What there is to play.")
guard(rulesets)

_AGE = "public, max-age=86400"
_LANGUAGE = {"Content-Language": "The language of the texts."}


@rulesets.operation("/rulesets", Answers(schema=Rulesets, compressed=True), public=True)
def list_rulesets() -> Response:
    """List every kind of game, with its seats, languages and options."""
    return as_json({"items": shown_rulesets(runtime().games.rulesets)})


@rulesets.operation(
    "/rulesets/<name>/guide",
    Answers(schema=Guide, headers=_LANGUAGE, compressed=True),
    refuses=(404,),
    public=True,
    query=GuideWanted,
)
def get_guide(wanted: dict[str, Any], name: str) -> Response:
    """Show how a game is played, as the site's own page of its rules does: chapters with pictures, and the terms.

    `name` is that of the ruleset.
    """
    ruleset, language = _spoken(name, wanted)

    def address(number: int) -> str:
        return f"{PREFIX}/rulesets/{name}/guide/pictures/{number}.svg?language={language}"

    return as_json(guide(ruleset, language, address), headers={**PRIVATE, "Content-Language": language})


@rulesets.operation(
    "/rulesets/<name>/guide/pictures/<int:number>.svg",
    Answers(schema={"type": "string"}, content_type="image/svg+xml", headers=_LANGUAGE),
    refuses=(404,),
    public=True,
    query=GuideWanted,
)
def draw_guide_picture(wanted: dict[str, Any], name: str, number: int) -> Response:
    """Draw a picture of the rules as SVG; 0 shows the game at a glance, and the guide tells the addresses of all."""
    ruleset, language = _spoken(name, wanted)
    drawn = picture_svg(ruleset, language, number)
    if drawn is None:
        raise NotFound("picture")
    return Response(drawn, headers={"Cache-Control": _AGE, "Content-Language": language}, mimetype="image/svg+xml")


def _spoken(name: str, wanted: dict[str, Any]) -> tuple[AnyRuleset, str]:
    """Return the ruleset of a name, and the language in which to explain it; NotFound."""
    found = runtime().games.rulesets.get(name)
    if found is None:
        raise NotFound("ruleset")
    return found, game_language(found.meta, wanted.get("language"))


# Computer players: they take free seats of open games, and seats of running games whose players are not there.

computers = Resource("computers", __name__, description="Computer players.")
guard(computers)


@computers.operation(
    "/games/<uuid:game_id>/computers",
    Answers(status=201, schema=Seated, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    json=NewComputer,
    headers=Idempotency,
)
def add_computer(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Give the lowest free seat of an open game to a computer player; only its host may.

    `computers` of GET /rulesets says which levels there are. The service plays its moves a short while after they are
    due, at every level alike. It never talks, agrees to whatever it is asked, and has no say in what all have to agree
    to.
    """
    games, asking, now, level = runtime().games, player().id, clock.now(), posted["level"]

    def fill(receipt: Receipt[int] | None) -> int:
        return handlers_computers.fill(games, game_id, asking, level, now, receipt)

    def show(seat: int) -> dict[str, Any]:
        return {"seat": seat}

    shown, headers = once("add-computer", header, [str(game_id), level], fill, show)
    return as_json(shown, 201, {**PRIVATE, **headers})


@computers.operation(
    "/games/<uuid:game_id>/computers/<int:seat>",
    Answers(status=204),
    method="DELETE",
    refuses=(404, 409),
    scope="games:create",
)
def dismiss_computer(game_id: UUID, seat: int) -> Response:
    """Free the seat of a computer player before the game starts; only its host may."""
    handlers_computers.dismiss(runtime().games, game_id, player().id, seat)
    return no_content()


@computers.operation(
    "/games/<uuid:game_id>/substitute-computers",
    Answers(status=201, schema=Table, headers=REPLAYED),
    method="POST",
    refuses=(404, 409),
    scope="games:create",
    json=SubstituteComputer,
    headers=Idempotency,
)
def substitute_computer(posted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Let a computer player take over a seat of a running game whose player has resigned or is absent.

    `unattended` of the game lists these seats. Only the host may, or, while the host's own seat is such a one, the
    player in the first of the other seats. The former player's links no longer work, and the former player sees of the
    game what a spectator sees.
    """
    games, asking, now, level, seat = runtime().games, player(), clock.now(), posted["level"], posted["seat"]

    def take_over(receipt: Receipt[Position] | None) -> Position:
        return handlers_computers.substitute_computer(games, game_id, asking.id, seat, level, now, receipt)

    def show(position: Position) -> dict[str, Any]:
        return table(position, seat_of(position), asking.language)

    shown, headers = once("substitute-computer", header, [str(game_id), seat, level], take_over, show)
    return as_json(shown, 201, {**PRIVATE, **headers})
