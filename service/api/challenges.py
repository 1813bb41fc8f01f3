"""Challenges: sent, listed, answered."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.lobby import Challenge, ChallengesListed, ChallengesWanted, NewChallenge
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers import challenges as handlers
from service.handlers.challenges import ChallengeRequest
from service.handlers.handles import find
from service.handlers.idempotency import Receipt
from service.handlers.plans import Plan
from service.handlers.terms import terms_of
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, at_creation, paged
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.lobby import Challenge as Sent
from service.views import challenges as views
from service.views.challenges import ChallengeSeen
from service.views.pages import TOP

challenges = Resource("challenges", __name__, description="Games to which one player asks another.")
guard(challenges)

PAGE = 20

_SENT = Answers(status=201, schema=Challenge, headers={"Location": "Where the challenge is found.", **REPLAYED})
_ONE = "/challenges/<uuid:challenge_id>"


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
        recipient = find(db, posted["to"])
        if recipient is None:
            raise NotFound("handle")
        people = views.parties(db, asking.id, recipient)

    def send(receipt: Receipt[Sent] | None) -> Sent:
        return handlers.send(games, ChallengeRequest(asking.id, recipient, plan), now, receipt, spending)

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


@challenges.operation(_ONE, Answers(schema=Challenge), refuses=(404,), scope="games:read")
def get_challenge(challenge_id: UUID) -> Response:
    """Show a challenge that one has sent or received."""
    asking, now = player(), clock.now()
    with transaction(runtime().games.engine) as db:
        handlers.known(db, challenge_id, asking.id, now)
        return as_json(views.shown_challenge(views.challenge(db, challenge_id, now), asking))


@challenges.operation(
    f"{_ONE}/acceptance",
    Answers(schema=Challenge),
    method="POST",
    refuses=(404, 409),
    scope="games:play",
)
def accept_challenge(challenge_id: UUID) -> Response:
    """Accept a challenge that one has received, once or again: its `game` is opened, with both seated.

    A game for two begins at once.
    """
    return as_json(_shown(handlers.accept(runtime().games, challenge_id, player().id, clock.now())))


@challenges.operation(_ONE, Answers(schema=Challenge), method="DELETE", refuses=(404, 409), scope="games:play")
def delete_challenge(challenge_id: UUID) -> Response:
    """Withdraw a challenge that one has sent, or decline one that one has received, once or again."""
    games, asking, now = runtime().games, player().id, clock.now()
    with transaction(games.engine) as db:
        found = handlers.known(db, challenge_id, asking, now)
    answer = handlers.withdraw if found.sender == asking else handlers.decline
    return as_json(_shown(answer(games, challenge_id, asking, now)))


def _shown(found: Sent) -> dict[str, Any]:
    with transaction(runtime().games.engine) as db:
        return views.shown_challenge(views.challenge(db, found.id, clock.now()), player())
