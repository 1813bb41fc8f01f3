"""The search through one's own games and public ones: by game, state, and the handle of another player."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from flask import Response, request

from schemas.fields import cursor
from service.handlers.transaction import transaction
from service.http.reading import games_listed
from service.shared import clock
from service.store.profiles import visible
from service.store.tables import GAME_STATES
from service.texts.games import full_title
from service.texts.names import display_name
from service.views.games import GameFilter, place_of
from service.web.blueprint import web
from service.web.my_games import requested_place
from service.web.page import current_runtime
from service.web.session import NOBODY, current_visitor, language, page

AT_ONCE: Final = 20


@web.get("/games/history")
def show_history() -> Response:
    """List the games that match `whose`, `ruleset`, `state` and `opponent` of the query, the newest first."""
    games, visitor = current_runtime().games, current_visitor()
    player = NOBODY if visitor is None else visitor.id
    asked = {name: request.args.get(name, "").strip() for name in ("whose", "ruleset", "state", "opponent")}
    asked["opponent"] = asked["opponent"].removeprefix("@").lower()
    mine = visitor is not None and asked["whose"] != "public"
    opponent = _opponent(player, asked["opponent"])
    wanted = GameFilter(
        mine=mine,
        status=asked["state"] if asked["state"] in GAME_STATES else None,
        ruleset=asked["ruleset"] if asked["ruleset"] in games.rulesets else None,
        opponent=opponent,
        after=requested_place(),
    )
    unknown = asked["opponent"] and opponent is None
    rows = [] if unknown else games_listed(games, player, wanted, AT_ONCE + 1, clock.now())
    return page(
        "history.html",
        found=[_shown(row) for row in rows[:AT_ONCE]],
        rulesets={name: each.meta.title for name, each in games.rulesets.items()},
        states=GAME_STATES,
        mine=mine,
        asked={name: value for name, value in asked.items() if value},
        following=cursor(*place_of(rows[AT_ONCE - 1])) if len(rows) > AT_ONCE else None,
    )


def _opponent(viewer: UUID, handle: str) -> UUID | None:
    if not handle:
        return None
    with transaction(current_runtime().games.engine) as db:
        return visible(db, viewer, handle)


def _shown(row: Any) -> dict[str, Any]:
    title = full_title(current_runtime().games.rulesets[row.ruleset].meta, row.options, language())
    return {
        "id": row.id,
        "title": title,
        "name": row.name,
        "host": display_name(row.host, language()),
        "seats": row.seats,
        "status": row.status,
        "created_at": row.created_at,
    }
