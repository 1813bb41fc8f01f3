"""Leaderboards, leagues, tournaments and daily deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from flask import Response

from schemas.competition import (
    CompetitionTable,
    Deal,
    DealProof,
    DealResults,
    DealsListed,
    DealStandings,
    DealsWanted,
    GroupsListed,
    GroupsWanted,
    Leaderboard,
    Leaderboards,
    LeaderboardWanted,
    League,
    LeaguesListed,
    LeaguesWanted,
    NewRound,
    NewTournament,
    NewTournamentInvitation,
    NewTry,
    ResultsWanted,
    SeasonsListed,
    SeasonsWanted,
    Series,
    StandingsWanted,
    Tournament,
    TournamentsListed,
    TournamentsWanted,
    place_cursor,
    rating_cursor,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers import leagues as handlers
from service.handlers import tournaments as handlers_tournaments
from service.handlers.daily_deals import begin_try
from service.handlers.idempotency import Receipt
from service.handlers.leagues import LeagueEntry
from service.handlers.people import find_handle
from service.handlers.refusals import DealNotTried, UnknownLeague
from service.handlers.tournaments import planned
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, at_creation, no_content, paged
from service.shared import clock
from service.shared.refusal import NotFound
from service.store import competition
from service.store import competition as store
from service.store.competition import Competition
from service.store.daily_deals import today
from service.store.results import Category
from service.views import daily_deals
from service.views import leagues as views_leagues
from service.views import ratings as views
from service.views.daily_deals import FIRST, PageEnd, Viewer
from service.views.leagues import ListedLeague, SeenTournament, groups, groups_after, tournament_table
from service.views.pages import TOP, PageWanted
from service.views.ratings import BEFORE_ALL, At, BoardWanted, categories, leaderboard, own_place

# Leaderboards: the players of a ruleset and number of players by their ratings.

leaderboards = Resource("leaderboards", __name__, description="Players by their ratings.")
guard(leaderboards)

PAGE = 20


@leaderboards.operation("/leaderboards", Answers(schema=Leaderboards), scope="profile:read")
def list_leaderboards() -> Response:
    """List the leaderboards, one for each ruleset and number of players, with one's own rating in each."""
    games = runtime().games
    with transaction(games.engine) as db:
        return as_json({"items": views.leaderboards(db, games.rulesets, player().id)})


@leaderboards.operation(
    "/leaderboards/<ruleset>/<int:seats>",
    Answers(schema=Leaderboard),
    refuses=(404,),
    scope="profile:read",
    query=LeaderboardWanted,
)
def get_leaderboard(wanted: dict[str, Any], ruleset: str, seats: int) -> Response:
    """List the players of a ruleset at tables of so many seats by their ratings, the best first.

    A player whose profile is not public keeps the place without a name. Players with fewer than ten rated games have a
    list of their own.
    """
    games, asking, category = runtime().games, player(), Category(ruleset, seats)
    if category not in categories(games.rulesets):
        raise NotFound("leaderboard")
    after = At(*wanted["after"]) if "after" in wanted else BEFORE_ALL
    page = BoardWanted(category, wanted.get("provisional") == "true", wanted.get("limit", PAGE), after)
    with transaction(games.engine) as db:
        board = leaderboard(db, page, asking.id, asking.language)
        own = own_place(db, category, asking.id)
    following = None if board.following is None else rating_cursor(*board.following)
    return as_json({"items": board.rows, "own": own, "next": following})


# Leagues: listed, entered, and their seasons with groups and tables.

leagues = Resource("leagues", __name__, description="Leagues, whose seasons begin and end by themselves.")
guard(leagues)

GROUPS = 10
_LEAGUE = "/leagues/<name>"


@leagues.operation("/leagues", Answers(schema=LeaguesListed), scope="games:read", query=LeaguesWanted)
def list_leagues(wanted: dict[str, Any]) -> Response:
    """List the leagues with their newest seasons, the newest league first."""
    limit, asking = wanted.get("limit", PAGE), player()
    with transaction(runtime().games.engine) as db:
        found = views_leagues.leagues_listed(db, asking.id, PageWanted(limit + 1, wanted.get("after", TOP)))

    def shown(row: ListedLeague) -> dict[str, Any]:
        return views_leagues.shown_league(row, asking.language)

    return as_json(paged(found, limit, lambda row: at_creation(row.league), shown))


@leagues.operation(_LEAGUE, Answers(schema=League), refuses=(404,), scope="games:read")
def get_league(name: str) -> Response:
    """Show a league with its newest season."""
    return as_json(_shown_league(name))


@leagues.operation(
    f"{_LEAGUE}/entry", Answers(schema=League), method="POST", refuses=(403, 404, 409), scope="games:play"
)
def enter_league(name: str) -> Response:
    """Enter the season of a league that is open for entry, once or again; only a person may.

    The season begins by itself at its `entry_until`: its groups are made, and the first games begin. Each season is
    entered anew.
    """
    handlers.enter(runtime().games, LeagueEntry(name, player()), clock.now())
    return as_json(_shown_league(name))


@leagues.operation(f"{_LEAGUE}/entry", Answers(schema=League), method="DELETE", refuses=(404, 409), scope="games:play")
def leave_league(name: str) -> Response:
    """Take one's entry back before the season begins, once or again."""
    handlers.leave(runtime().games, LeagueEntry(name, player()), clock.now())
    return as_json(_shown_league(name))


@leagues.operation(
    f"{_LEAGUE}/seasons", Answers(schema=SeasonsListed), refuses=(404,), scope="games:read", query=SeasonsWanted
)
def list_seasons(wanted: dict[str, Any], name: str) -> Response:
    """List the seasons of a league, the newest first."""
    limit, before = wanted.get("limit", PAGE), wanted.get("after", competition.LAST)
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        if league is None:
            raise UnknownLeague
        found = views_leagues.seasons_before(db, league.id, before, limit + 1)
    return as_json(paged(found, limit, lambda row: row.number, views_leagues.shown_season))


@leagues.operation(
    f"{_LEAGUE}/seasons/<int:number>/groups",
    Answers(schema=GroupsListed),
    refuses=(404,),
    scope="games:read",
    query=GroupsWanted,
)
def list_groups(wanted: dict[str, Any], name: str, number: int) -> Response:
    """List the groups of a season that has begun, with their tables and games, the highest tier first."""
    limit, after = wanted.get("limit", GROUPS), wanted.get("after", 0)
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        season = None if league is None else competition.read_season(db, league.id, number)
        if season is None:
            raise UnknownLeague
        numbers = groups_after(db, season.id, after, limit + 1)
        shown = groups(db, season.id, numbers[:limit], player().language)
    return as_json({"items": shown, "next": numbers[limit - 1] if len(numbers) > limit else None})


def _shown_league(name: str) -> dict[str, Any]:
    asking = player()
    with transaction(runtime().games.engine) as db:
        league = store.league_by_slug(db, name)
        season = None if league is None else competition.read_season(db, league.id)
        if league is None or season is None:
            raise UnknownLeague
        entry = competition.entry_state(db, season.id, asking.id)
    return views_leagues.shown_league(ListedLeague(league, season, entry), asking.language)


# Tournaments: hosted, entered, and taken from round to round.

tournaments = Resource("tournaments", __name__, description="Tournaments by hand of a host.")
guard(tournaments)


_TOURNAMENT = "/tournaments/<uuid:tournament_id>"
_OPENED = Answers(status=201, schema=Tournament, headers={"Location": "Where the tournament is found.", **REPLAYED})


@tournaments.operation("/tournaments", Answers(schema=TournamentsListed), scope="games:read", query=TournamentsWanted)
def list_tournaments(wanted: dict[str, Any]) -> Response:
    """List the public tournaments, or one's own, the newest first."""
    limit, asking = wanted.get("limit", PAGE), player()
    page = PageWanted(limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views_leagues.tournaments_listed(db, asking.id, page, mine="mine" in wanted)

    def shown(row: SeenTournament) -> dict[str, Any]:
        return views_leagues.shown_tournament(row, asking.language)

    return as_json(paged(found, limit, lambda row: at_creation(row.tournament), shown))


@tournaments.operation(
    "/tournaments",
    _OPENED,
    method="POST",
    refuses=(403, 409),
    scope="games:create",
    bucket="games",
    json=NewTournament,
    headers=Idempotency,
)
def create_tournament(posted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Open a tournament for entry, as its host; only a person may, five at a time.

    It begins when its host says so (`POST /tournaments/{tournament_id}/rounds`). The host takes part only after
    entering it like everybody else, 64 at most.
    """
    games, asking, now, wanted = runtime().games, player(), clock.now(), planned(posted)

    def open_it(receipt: Receipt[Competition] | None) -> Competition:
        return handlers_tournaments.open_tournament(games, asking, wanted, now, receipt)

    def show(made: Competition) -> dict[str, Any]:
        handle = asking.handle if asking.visibility == "public" else None
        return views_leagues.shown_tournament(SeenTournament(made, asking.name, handle, None, 0), asking.language)

    shown, headers = once("create-tournament", header, posted, open_it, show)
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/tournaments/{shown['id']}", **headers})


@tournaments.operation(_TOURNAMENT, Answers(schema=Tournament), refuses=(404,), scope="games:read")
def get_tournament(tournament_id: UUID) -> Response:
    """Show a tournament; one by invitation only its host and those who are invited."""
    _require_known(tournament_id)
    return as_json(_shown_tournament(tournament_id))


@tournaments.operation(f"{_TOURNAMENT}/table", Answers(schema=CompetitionTable), refuses=(404,), scope="games:read")
def get_tournament_table(tournament_id: UUID) -> Response:
    """Show the table of a tournament, and its games by rounds."""
    _require_known(tournament_id)
    with transaction(runtime().games.engine) as db:
        return as_json(tournament_table(db, tournament_id, player().language))


@tournaments.operation(
    f"{_TOURNAMENT}/entry", Answers(schema=Tournament), method="POST", refuses=(403, 404, 409), scope="games:play"
)
def enter_tournament(tournament_id: UUID) -> Response:
    """Enter a tournament that has not begun, once or again; only a person may."""
    handlers_tournaments.enter(runtime().games, tournament_id, player(), clock.now())
    return as_json(_shown_tournament(tournament_id))


@tournaments.operation(
    f"{_TOURNAMENT}/entry", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play"
)
def leave_tournament(tournament_id: UUID) -> Response:
    """Leave a tournament before it begins, or its later rounds, once or again: games that run go on."""
    handlers_tournaments.leave(runtime().games, tournament_id, player().id)
    return no_content()


@tournaments.operation(
    f"{_TOURNAMENT}/invitations",
    Answers(schema=Tournament),
    method="POST",
    refuses=(403, 404, 409),
    scope="games:create",
    json=NewTournamentInvitation,
)
def invite_to_tournament(posted: dict[str, Any], tournament_id: UUID) -> Response:
    """Let a player know of a tournament and enter it, once or again; only its host may.

    The player finds it among the tournaments of their own, and a mail tells of it, once. A bot is not found by its
    handle here, nor a player where one of the two has blocked the other.
    """
    games, asking = runtime().games, player()
    with transaction(games.engine) as db:
        invited = find_handle(db, posted["to"])
    if invited is None:
        raise NotFound("handle")
    handlers_tournaments.invite(games, tournament_id, asking.id, invited, clock.now(), budget())
    return as_json(_shown_tournament(tournament_id))


@tournaments.operation(
    f"{_TOURNAMENT}/rounds",
    Answers(schema=Tournament),
    method="POST",
    refuses=(403, 404, 409),
    scope="games:create",
    json=NewRound,
)
def start_round(posted: dict[str, Any], tournament_id: UUID) -> Response:
    """Begin the next round of a tournament, the first one ends entry; only its host may."""
    handlers_tournaments.start_round(runtime().games, tournament_id, player().id, posted["after"], clock.now())
    return as_json(_shown_tournament(tournament_id))


@tournaments.operation(
    _TOURNAMENT, Answers(schema=Tournament), method="DELETE", refuses=(403, 404, 409), scope="games:create"
)
def close_tournament(tournament_id: UUID) -> Response:
    """Call a tournament off before it begins, or end it between two rounds, once or again; only its host may."""
    handlers_tournaments.close(runtime().games, tournament_id, player().id, clock.now())
    return as_json(_shown_tournament(tournament_id))


def _require_known(tournament_id: UUID) -> None:
    with transaction(runtime().games.engine) as db:
        handlers_tournaments.known(db, tournament_id, player().id)


def _shown_tournament(tournament_id: UUID) -> dict[str, Any]:
    asking = player()
    with transaction(runtime().games.engine) as db:
        return views_leagues.shown_tournament(views_leagues.tournament(db, tournament_id, asking.id), asking.language)


# The deal of a day: tried once by everybody with the same cards, and proved to have been fixed before.

deals = Resource("deals", __name__, description="One deal a day, for all with the same cards.")
guard(deals)

_TODAY: Final = "today"

DealRow = Mapping[str, Any]


@deals.operation("/deals", Answers(schema=DealsListed), scope="games:read", query=DealsWanted)
def list_deals(wanted: dict[str, Any]) -> Response:
    """List the deals of days that are over, the newest first."""
    limit = wanted.get("limit", PAGE)
    with transaction(runtime().engine) as db:
        found = daily_deals.past_deals(db, _viewer(), wanted.get("after", date.max), limit + 1)
    return as_json(paged(found, limit, itemgetter("day")))


@deals.operation("/deals/<day>", Answers(schema=Deal), refuses=(404,), scope="games:read")
def get_deal(day: str) -> Response:
    """Show the deal of a day (UTC), `today` or YYYY-MM-DD: its game, the commitment to its seed, and one's own try.

    Deals of the next two days are committed to already.
    """
    with transaction(runtime().engine) as db:
        return as_json(daily_deals.deal_of(db, _day(day), _viewer()), headers=PRIVATE)


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
        shown = daily_deals.deal_of(db, begun.day, viewer)
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
        found = daily_deals.results(db, _day(day), _viewer(), PageEnd(*wanted.get("after", FIRST)), limit + 1, bots)
    if found is None:
        raise DealNotTried
    return as_json(_page(found, limit, "margin"), headers=PRIVATE)


@deals.operation("/deals/<day>/proof", Answers(schema=DealProof), refuses=(404,), public=True)
def get_deal_proof(day: str) -> Response:
    """Show what proves a day's deal: what was committed to, the signature, and the way to the root of an earlier day.

    The seed is revealed when the day is over. `boardroom verify --deal` reads this.
    """
    with transaction(runtime().engine) as db:
        return as_json(daily_deals.proof_of(db, _day(day), clock.now()))


@deals.operation("/deal-standings", Answers(schema=DealStandings), scope="games:read", query=StandingsWanted)
def list_deal_standings(wanted: dict[str, Any]) -> Response:
    """List the table of a week or a month, the best first: of the days of it that are over."""
    limit, period, viewer = wanted.get("limit", PAGE), wanted.get("period", "week"), _viewer()
    since = daily_deals.begin_of(period, wanted.get("day", today(viewer.now)))
    with transaction(runtime().engine) as db:
        found = daily_deals.standings(db, period, since, viewer, PageEnd(*wanted.get("after", FIRST)), limit + 1)
    page = _page(found, limit, "total")
    return as_json({"period": period, "since": since.isoformat(), **page}, headers=PRIVATE)


@deals.operation("/me/deals", Answers(schema=Series), scope="games:read", query=DealsWanted)
def list_own_tries(wanted: dict[str, Any]) -> Response:
    """List one's own tries, the newest first, each with the best result that a computer player came to."""
    limit, viewer = wanted.get("limit", PAGE), _viewer()
    with transaction(runtime().engine) as db:
        found = daily_deals.series(db, viewer.player, viewer.now, wanted.get("after", date.max), limit + 1)
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


def _cursor(last: DealRow, figure: str) -> str:
    return place_cursor(last[figure], last.get("won", False), last["player"], last["place"], last["rows"])


def _page(found: Sequence[DealRow], limit: int, figure: str) -> dict[str, Any]:
    """Return a page of rows, whose players' ids are nobody's business, and the cursor of the next one."""

    def shown(row: DealRow) -> DealRow:
        return {name: value for name, value in row.items() if name not in ("player", "rows")}

    return paged(found, limit, lambda row: _cursor(row, figure), shown)
