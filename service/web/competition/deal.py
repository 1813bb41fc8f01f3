"""Page of a daily deal: the only try, the results once they are public, and the proof of the cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from flask import Response, request, url_for
from marshmallow import ValidationError
from sqlalchemy import Connection

from schemas.competition import PlaceInTable, place_cursor
from service.handlers.daily_deals import begin_try
from service.handlers.people import newly_met
from service.handlers.transaction import transaction
from service.rules.kernel import Meta
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.daily_deals import ends_at, today
from service.texts.catalog import count
from service.texts.games import automaton_name
from service.texts.names import display_name, stored_computer_name
from service.texts.when import day as day_text
from service.texts.when import left_text
from service.views import daily_deals as views
from service.views.daily_deals import FIRST, PERIODS, PageEnd, Period, View, Viewer
from service.web.access.arrival import arrival, own_nonce
from service.web.blueprint import web
from service.web.page import admitted, current_runtime
from service.web.play.computers import ALONE
from service.web.session import (
    NOBODY,
    SCRIPT_POLICY,
    current_visitor,
    language,
    missing_page,
    page,
    passes_csrf_check,
    see_other,
    set_session_cookie,
)

PAGE_SIZE: Final = 20
TOP: Final = 3
"""Number of results on the start page."""
_STANDINGS: Final = 10
_PAST: Final = 7
_PLACE: Final = PlaceInTable()


@dataclass(frozen=True, slots=True)
class DealCard:
    """Deal on the start page: today's, with its best results, or those of the day before if today's are hidden."""

    deal: View
    left: str
    opponent: str | None
    top: list[View]
    yesterday: bool
    played: str


@web.get("/deal")
def show_deal() -> Response:
    """Show today's deal, or the page that says when the next deal begins."""
    return _shown(today(clock.now()))


@web.get("/deal/<day>")
def show_deal_of(day: str) -> Response:
    """Show the deal of a day."""
    try:
        return _shown(date.fromisoformat(day))
    except ValueError:
        return missing_page()


@web.post("/deal")
def try_deal() -> Response:
    """Begin or continue the visitor's only try of today's deal; a stranger becomes a guest."""
    visitor, games, now, spoken = current_visitor(), current_runtime().games, clock.now(), language()
    if not passes_csrf_check(visitor):
        return page("notice.html", 403, notice="form-refused")
    if not admitted("games" if visitor else "players", None if visitor is None else visitor.id):
        return page("notice.html", 429, notice="too-often")
    with transaction(games.engine) as db:
        deal = _found(db, today(now), _viewer())
        if deal is None or _meta(deal) is None:
            return see_other(url_for("web.show_deal"))
    if visitor is not None:
        begun = begin_try(games, visitor.id, now, own_nonce())
        return see_other(url_for("web.show_game", game_id=begun.game))
    guest, secret = newly_met(games, arrival(spoken), now)
    begun = begin_try(games, guest, now, own_nonce())
    return set_session_cookie(see_other(url_for("web.show_game", game_id=begun.game)), secret)


def card(db: Connection) -> DealCard | None:
    """Return today's deal for the start page, None if there is none."""
    viewer = _viewer()
    day = today(viewer.now)
    deal = _found(db, day, viewer)
    meta = None if deal is None else _meta(deal)
    if deal is None or meta is None:
        return None
    top, yesterday = views.results(db, day, viewer, FIRST, TOP), day - timedelta(days=1)
    if top is None and _found(db, yesterday, viewer) is not None:
        top = views.results(db, yesterday, viewer, FIRST, TOP)
    opponent = automaton_name(meta, ALONE, language())
    return DealCard(deal, _left(day, viewer.now), opponent, top or [], not deal["results_shown"], _played(deal))


def _shown(day: date) -> Response:
    viewer = _viewer()
    with transaction(current_runtime().engine) as db:
        deal = _found(db, day, viewer)
        meta = None if deal is None else _meta(deal)
        if (deal is None or meta is None) and day != today(viewer.now):
            return missing_page()
        parts = {} if deal is None or meta is None else _parts(db, day, deal, meta, viewer)
        past = [date.fromisoformat(each["day"]) for each in views.past_deals(db, viewer, date.max, _PAST)]
    response = page("competition/deal.html", day=day_text(day, language()), date=day, past=_named(past), **parts)
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _parts(db: Connection, day: date, deal: View, meta: Meta, viewer: Viewer) -> Mapping[str, Any]:
    found = views.results(db, day, viewer, _after(), PAGE_SIZE + 1) if deal["state"] != "ahead" else None
    last = found[PAGE_SIZE - 1] if found is not None and len(found) > PAGE_SIZE else None
    return {
        "deal": deal,
        "title": meta.title,
        "opponent": automaton_name(meta, ALONE, language()),
        "played": _played(deal),
        "computer": None
        if deal["best"] is None
        else display_name(stored_computer_name(deal["best"]["level"], 1), language()),
        "left": _left(day, viewer.now) if deal["state"] == "running" else None,
        "results": None if found is None else found[:PAGE_SIZE],
        "following": None if last is None else _cursor(last),
        "proof": (proof := views.proof_of(db, day, viewer.now)),
        "proof_at": datetime.fromisoformat(proof["at"]),
        "root_day": None if (tree := proof["tree"]) is None else day_text(date.fromisoformat(tree["day"]), language()),
        "tables": [_standing(db, period, day, viewer) for period in PERIODS],
        "series": _series(db, viewer),
    }


def _cursor(last: View) -> str:
    return place_cursor(*(last[each] for each in ("margin", "won", "player", "place", "rows")))


def _series(db: Connection, viewer: Viewer) -> list[View]:
    tries = [] if viewer.player == NOBODY else views.series(db, viewer.player, viewer.now, limit=_PAST)
    return [each | {"named": day_text(date.fromisoformat(each["day"]), language())} for each in tries]


def _standing(db: Connection, period: Period, day: date, viewer: Viewer) -> Mapping[str, Any]:
    since = views.begin_of(period, day)
    return {"period": period, "rows": views.standings(db, period, since, viewer, FIRST, _STANDINGS)}


def _named(days: list[date]) -> list[tuple[date, str]]:
    return [(each, day_text(each, language())) for each in days]


def _found(db: Connection, day: date, viewer: Viewer) -> View | None:
    try:
        return views.deal_of(db, day, viewer)
    except NotFound:
        return None


def _meta(deal: View) -> Meta | None:
    """Return the meta of the deal's ruleset, None if the rules are no longer installed."""
    ruleset = current_runtime().games.rulesets.get(deal["ruleset"])
    return None if ruleset is None else ruleset.meta


def _played(deal: View) -> str:
    return count(language(), "deal-played", deal["played"])


def _left(day: date, now: datetime) -> str:
    return left_text(language(), ends_at(day), now, brief=True)


def _after() -> PageEnd:
    try:
        return PageEnd(*_PLACE.deserialize(request.args["after"])) if "after" in request.args else FIRST
    except ValidationError:
        return FIRST


def _viewer() -> Viewer:
    visitor = current_visitor()
    return Viewer(NOBODY if visitor is None else visitor.id, language(), clock.now())
