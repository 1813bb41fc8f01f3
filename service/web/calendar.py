"""The calendar of a player, and the feed of a public game: files that programs fetch again and again."""

from __future__ import annotations

from uuid import UUID

from flask import Response, request
from sqlalchemy import Connection

from service.handlers.calendar import owner
from service.handlers.transaction import statements
from service.store.position import Position
from service.store.visibility import is_public
from service.texts.catalog import languages
from service.views.calendar import calendar
from service.views.feed import feed
from service.views.table import spoken
from service.web.blueprint import web
from service.web.game import game_page
from service.web.page import current_runtime, unknown_page, visitor_language
from service.web.session import Visitor, missing_page

CALENDAR = "text/calendar; charset=utf-8"
ATOM = "application/atom+xml; charset=utf-8"


@web.get("/calendar/<token>.ics")
def show_calendar(token: str) -> Response:
    """Return the calendar with this secret in its address; no cookie is read."""
    runtime = current_runtime()
    with statements(runtime.games.engine) as db:
        player = owner(db, token)
        if player is None:
            return unknown_page()
        return _file(calendar(db, runtime.games.rulesets, player, runtime.settings.base_url), CALENDAR, "private")


@web.get("/games/<uuid:game_id>/events.atom")
def show_feed(game_id: UUID) -> Response:
    """Return the feed of a public game that has begun, in the `language` of the query or that of the reader."""
    return game_page(game_id, _feed)


def _feed(db: Connection, position: Position, _: Visitor | None) -> Response:
    if not is_public(position):
        return missing_page()
    wished = request.args.get("language", "")
    language = spoken(position, wished if wished in languages() else visitor_language())
    response = _file(feed(db, position, language, current_runtime().settings.base_url), ATOM, "public, max-age=60")
    response.headers["Vary"] = "Accept-Language"
    return response


def _file(data: bytes, kind: str, shared: str) -> Response:
    response = Response(data, content_type=kind, headers={"Cache-Control": f"{shared}, no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
