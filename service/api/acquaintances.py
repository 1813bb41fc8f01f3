"""A player's own lists of others: friends, blocked players, and ignored ones."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.people import Entered, Friends, ListedPlayers, OtherPlayer, PlayersWanted
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers import blocks, friends
from service.handlers.transaction import transaction
from service.handlers.whom import BySeat, Whom
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, at_creation, no_content, paged
from service.shared import clock
from service.views import acquaintances as views
from service.views.acquaintances import Kind
from service.views.pages import TOP, PageWanted

acquaintances = Resource("acquaintances", __name__, description="Friends, blocked players, and ignored ones.")
guard(acquaintances)

PAGE = 20


@acquaintances.operation(
    "/me/friends",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    bucket="games",
    json=OtherPlayer,
)
def create_friend(posted: dict[str, Any]) -> Response:
    """Ask another person to be a friend, once or again; who was asked by that person accepts.

    Friends see a profile that is for friends. A person gets one mail about a request, which counts among the mails that
    one may cause in a day (`mails` in GET /limits). At most 20 requests wait for an answer; after one that was declined
    or withdrawn the next to the same player is possible in 30 days.
    """
    asked = friends.ask(runtime().games, player().id, _whom(posted), clock.now(), budget())
    return as_json({"id": str(asked.id)}, 201, PRIVATE)


@acquaintances.operation("/me/friends", Answers(schema=Friends), scope="account:read", query=PlayersWanted)
def list_friends(wanted: dict[str, Any]) -> Response:
    """List one's friends, and the requests that wait for an answer, the newest first."""
    return _listed("friends", wanted)


@acquaintances.operation(
    "/me/friends/<uuid:friend_id>/acceptance",
    Answers(schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
)
def accept_friend(friend_id: UUID) -> Response:
    """Accept a request to be a friend, once or again."""
    accepted = friends.accept(runtime().games, friend_id, player().id, clock.now())
    return as_json({"id": str(accepted.id)})


@acquaintances.operation(
    "/me/friends/<uuid:friend_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_friend(friend_id: UUID) -> Response:
    """End a friendship, decline a request, or withdraw one's own. The other person is not told."""
    friends.end(runtime().games, friend_id, player().id, clock.now())
    return no_content()


@acquaintances.operation(
    "/me/blocks",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=OtherPlayer,
)
def create_block(posted: dict[str, Any]) -> Response:
    """Block another player, once or again.

    The two come to no new table together, on no way. What the other one says at common tables is not shown or mailed to
    oneself any more, and no mail is caused by the other one. What one of the two has asked the other comes to nothing.
    Tables at which both sit go on. The other one is not told, and a refusal says no more than it would otherwise.
    """
    made = blocks.block(runtime().games, player().id, _whom(posted), clock.now())
    return as_json({"id": str(made)}, 201, PRIVATE)


@acquaintances.operation("/me/blocks", Answers(schema=ListedPlayers), scope="account:read", query=PlayersWanted)
def list_blocks(wanted: dict[str, Any]) -> Response:
    """List the players whom one blocks, the newest first."""
    return _listed("blocks", wanted)


@acquaintances.operation(
    "/me/blocks/<uuid:block_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_block(block_id: UUID) -> Response:
    """End a block."""
    blocks.unblock(runtime().games, player().id, block_id)
    return no_content()


@acquaintances.operation(
    "/me/ignored",
    Answers(status=201, schema=Entered),
    method="POST",
    refuses=(404, 409),
    scope="profile:write",
    json=OtherPlayer,
)
def create_ignored(posted: dict[str, Any]) -> Response:
    """Ignore another player, once or again: what that player says at tables is neither shown nor mailed to oneself.

    The player is not told.
    """
    made = blocks.ignore(runtime().games, player().id, _whom(posted), clock.now())
    return as_json({"id": str(made)}, 201, PRIVATE)


@acquaintances.operation("/me/ignored", Answers(schema=ListedPlayers), scope="account:read", query=PlayersWanted)
def list_ignored(wanted: dict[str, Any]) -> Response:
    """List the players whom one ignores, the newest first."""
    return _listed("ignored", wanted)


@acquaintances.operation(
    "/me/ignored/<uuid:ignored_id>", Answers(status=204), method="DELETE", refuses=(404,), scope="profile:write"
)
def delete_ignored(ignored_id: UUID) -> Response:
    """Be shown again what a player says whom one has ignored."""
    blocks.heed(runtime().games, player().id, ignored_id)
    return no_content()


def _whom(posted: dict[str, Any]) -> Whom:
    return posted["handle"] if "handle" in posted else BySeat(posted["game"], posted["seat"])


def _listed(kind: Kind, wanted: dict[str, Any]) -> Response:
    limit, asking = wanted.get("limit", PAGE), player()
    asked = PageWanted(limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.listed(db, kind, asking.id, asked)
    return as_json(paged(found, limit, at_creation, lambda row: views.shown_player(row, asking)))
