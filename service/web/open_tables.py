"""The page of the public games: those with a free seat for the visitor, and those to watch."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from schemas.fields import cursor
from service.http.reading import games_listed
from service.rules.pace import Pace
from service.shared import clock
from service.texts.games import full_title, pace_text
from service.texts.names import display_name
from service.views.games import GameFilter
from service.views.usual_length import UsualLengths
from service.web.blueprint import web
from service.web.lengths import lengths_here, of_table
from service.web.my_games import requested_place
from service.web.page import current_runtime
from service.web.session import NOBODY, current_visitor, language, page

AT_ONCE = 20
_FREE = frozenset("123456789")


@web.get("/games/open")
def open_tables() -> Response:
    """List the open games by `ruleset` and free `seats`, and the running ones, the newest first; for everybody."""
    games, visitor = current_runtime().games, current_visitor()
    ruleset, free = request.args.get("ruleset", ""), request.args.get("seats", "")
    wanted = GameFilter(
        open_to_me=True,
        ruleset=ruleset if ruleset in games.rulesets else None,
        seats_free=int(free) if free in _FREE else None,
        after=requested_place(),
    )
    player = NOBODY if visitor is None else visitor.id
    public = GameFilter(mine=False, status="running", ruleset=wanted.ruleset)
    rows = games_listed(games, player, wanted, AT_ONCE + 1, clock.now())
    running = [] if "after" in request.args else games_listed(games, player, public, AT_ONCE, clock.now())
    last = rows[AT_ONCE - 1] if len(rows) > AT_ONCE else None
    lengths = lengths_here()
    return page(
        "open_tables.html",
        tables=[_open(row, lengths) for row in rows[:AT_ONCE]],
        running=[_shown(row) for row in running],
        rulesets={name: each.meta.title for name, each in games.rulesets.items()},
        wanted=wanted,
        following=None if last is None else cursor(last.created_at, last.id),
    )


def _open(row: Any, lengths: UsualLengths) -> dict[str, Any]:
    pace = None if row.pace is None else Pace(**row.pace)
    meta = current_runtime().games.rulesets[row.ruleset].meta
    return _shown(row) | {
        "taken": row.seats_taken,
        "invited": row.access != "public",
        "pace": pace_text(language(), pace),
        "length": of_table(lengths, meta, row.seats, row.options, pace),
    }


def _shown(row: Any) -> dict[str, Any]:
    title = full_title(current_runtime().games.rulesets[row.ruleset].meta, row.options, language())
    return {
        "id": row.id,
        "title": title,
        "name": row.name,
        "host": display_name(row.host, language()),
        "seats": row.seats,
    }
