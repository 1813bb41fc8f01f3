"""Profiles: what others may see of a player, found by the handle."""

from __future__ import annotations

from flask import Response

from schemas.people import Profile
from service.api.auth import guard, player, runtime
from service.api.contract import Answers, Resource
from service.handlers.transaction import transaction
from service.http.responses import as_json
from service.views.profile import profile_by_handle

profiles = Resource("profiles", __name__, description="What others may see of a player.")
guard(profiles)


@profiles.operation(
    "/players/<handle>",
    Answers(schema=Profile),
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
        return as_json(profile_by_handle(db, runtime().games.rulesets, asking.id, handle, asking.language))
