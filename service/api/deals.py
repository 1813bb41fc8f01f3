"""The deal of a day: tried once by everybody with the same cards, and proved to have been fixed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any, Final

from flask import Response

from schemas.competition import (
    Deal,
    DealProof,
    DealResults,
    DealsListed,
    DealStandings,
    DealsWanted,
    NewTry,
    ResultsWanted,
    Series,
    StandingsWanted,
    place_cursor,
)
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.handlers.deals import begin_try
from service.handlers.refusals import DealNotTried
from service.handlers.transaction import transaction
from service.http.responses import PRIVATE, as_json, paged
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.daily_deals import today
from service.views import deals as views
from service.views.deals import FIRST, PageEnd, Viewer

deals = Resource("deals", __name__, description="One deal a day, for all with the same cards.")
guard(deals)

PAGE: Final = 20
_TODAY: Final = "today"

Row = Mapping[str, Any]


@deals.operation("/deals", Answers(schema=DealsListed), scope="games:read", query=DealsWanted)
def list_deals(wanted: dict[str, Any]) -> Response:
    """List the deals of days that are over, the newest first."""
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().engine) as db:
        found = views.past_deals(db, _viewer(), wanted.get("after", date.max), limit + 1)
    return as_json(paged(found, limit, itemgetter("day")))


@deals.operation("/deals/<day>", Answers(schema=Deal), refuses=(404,), scope="games:read")
def get_deal(day: str) -> Response:
    """Show the deal of a day (UTC), `today` or YYYY-MM-DD: its game, the commitment to its seed, and one's own try.

    Deals of the next two days are committed to already.
    """
    with transaction(runtime().engine) as db:
        return as_json(views.deal_of(db, _day(day), _viewer()), headers=PRIVATE)


@deals.operation(
    "/deals/<day>/games",
    Answers(status=201, schema=Deal, headers={"Location": "Where the game is found."}),
    method="POST",
    refuses=(404,),
    scope="games:create",
    bucket="games",
    json=NewTry,
)
def try_deal(posted: dict[str, Any], day: str) -> Response:
    """Begin one's only try of the deal of a day, which has to be `today`; asked again, it is the same game.

    All play with the same cards, so there are no hints and nothing is taken back. What is not over at midnight (UTC)
    has no result.
    """
    viewer = _viewer()
    if _day(day) != today(viewer.now):
        raise NotFound("deal")
    begun = begin_try(runtime().games, viewer.player, viewer.now, posted.get("nonce"))
    with transaction(runtime().engine) as db:
        shown = views.deal_of(db, begun.day, viewer)
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/games/{begun.game}"})


@deals.operation(
    "/deals/<day>/results", Answers(schema=DealResults), refuses=(404, 409), scope="games:read", query=ResultsWanted
)
def list_results(wanted: dict[str, Any], day: str) -> Response:
    """List the results of a day's deal, the best first; while the day runs only when one's own try is over.

    Accounts without a handle stand in no table.
    """
    limit, bots = wanted.get("limit", PAGE), wanted.get("players") == "bots"
    with transaction(runtime().engine) as db:
        found = views.results(db, _day(day), _viewer(), PageEnd(*wanted.get("after", FIRST)), limit + 1, bots)
    if found is None:
        raise DealNotTried
    return as_json(_page(found, limit, "margin"), headers=PRIVATE)


@deals.operation("/deals/<day>/proof", Answers(schema=DealProof), refuses=(404,), public=True)
def get_deal_proof(day: str) -> Response:
    """Show what proves a day's deal: what was committed to, the signature, and the way to the root of an earlier day.

    The seed is revealed when the day is over. `boardroom verify --deal` reads this.
    """
    with transaction(runtime().engine) as db:
        return as_json(views.proof_of(db, _day(day), clock.now()))


@deals.operation("/deal-standings", Answers(schema=DealStandings), scope="games:read", query=StandingsWanted)
def list_deal_standings(wanted: dict[str, Any]) -> Response:
    """List the table of a week or a month, the best first: of the days of it that are over."""
    limit, period, viewer = wanted.get("limit", PAGE), wanted.get("period", "week"), _viewer()
    since = views.begin_of(period, wanted.get("day", today(viewer.now)))
    with transaction(runtime().engine) as db:
        found = views.standings(db, period, since, viewer, PageEnd(*wanted.get("after", FIRST)), limit + 1)
    page = _page(found, limit, "total")
    return as_json({"period": period, "since": since.isoformat(), **page}, headers=PRIVATE)


@deals.operation("/me/deals", Answers(schema=Series), scope="games:read", query=DealsWanted)
def list_own_tries(wanted: dict[str, Any]) -> Response:
    """List one's own tries, the newest first, each with the best result that a computer player came to."""
    limit, viewer = wanted.get("limit", PAGE), _viewer()
    with transaction(runtime().engine) as db:
        found = views.series(db, viewer.player, viewer.now, wanted.get("after", date.max), limit + 1)
    return as_json(paged(found, limit, itemgetter("day")))


def _viewer() -> Viewer:
    return Viewer(player().id, player().language, clock.now())


def _day(named: str) -> date:
    """Return the day of a path; NotFound."""
    if named == _TODAY:
        return today(clock.now())
    try:
        return date.fromisoformat(named)
    except ValueError:
        raise NotFound("deal") from None


def _cursor(last: Row, figure: str) -> str:
    return place_cursor(last[figure], last.get("won", False), last["player"], last["place"], last["rows"])


def _page(found: Sequence[Row], limit: int, figure: str) -> dict[str, Any]:
    """Return a page of rows, whose players' ids are nobody's business, and the cursor of the next one."""

    def shown(row: Row) -> Row:
        return {name: value for name, value in row.items() if name not in ("player", "rows")}

    return paged(found, limit, lambda row: _cursor(row, figure), shown)
