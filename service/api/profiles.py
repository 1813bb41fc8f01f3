"""Profiles: what others may see of a player, found by the handle."""

from __future__ import annotations

from flask import Response, request

from schemas.profiles import Profile
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json
from service.views.profile import profile_by_handle

profiles = Resource("profiles", __name__, description="What others may see of a player.")
guard(profiles)


@profiles.operation(
    "/players/<handle>",
    Answers(schema=Profile, headers={"ETag": "Changes with what the profile says."}),
    refuses=(404,),
    scope="profile:read",
)
def get_player(handle: str) -> Response:
    """Show the profile of the player with a handle, as far as the player allows.

    A hidden profile is found by nobody but its owner, and one for friends by them: to others the answer is the same as
    for a handle that nobody has.
    """
    asking = player()
    with transaction(runtime().games.engine) as db:
        answer = as_json(profile_by_handle(db, asking.id, handle, asking.language))
    answer.add_etag(weak=False)
    if request.if_none_match.contains(answer.get_etag()[0] or ""):
        unchanged = Response(status=304, headers=PRIVATE)
        unchanged.headers["ETag"] = answer.headers["ETag"]
        return unchanged
    return answer
