"""Tournaments: hosted, entered, and taken from round to round."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Response

from schemas.competition import (
    CompetitionTable,
    NewRound,
    NewTournament,
    NewTournamentInvitation,
    Tournament,
    TournamentsListed,
    TournamentsWanted,
)
from schemas.play import Idempotency
from service.api.auth import guard, player, runtime
from service.api.contract import PREFIX, Answers, Resource
from service.api.idempotency import REPLAYED, once
from service.handlers import tournaments as handlers
from service.handlers.handles import find
from service.handlers.idempotency import Receipt
from service.handlers.tournaments import planned
from service.handlers.transaction import transaction
from service.http.limits import budget
from service.http.responses import PRIVATE, as_json, at_creation, no_content, paged
from service.shared import clock
from service.shared.refusal import NotFound
from service.store.competition import Competition
from service.views import leagues as views
from service.views.competitions import tournament_table
from service.views.leagues import SeenTournament
from service.views.pages import TOP, PageWanted

tournaments = Resource("tournaments", __name__, description="Tournaments by hand of a host.")
guard(tournaments)

PAGE = 20
_ONE = "/tournaments/<uuid:tournament_id>"
_OPENED = Answers(status=201, schema=Tournament, headers={"Location": "Where the tournament is found.", **REPLAYED})


@tournaments.operation("/tournaments", Answers(schema=TournamentsListed), scope="games:read", query=TournamentsWanted)
def list_tournaments(wanted: dict[str, Any]) -> Response:
    """List the public tournaments, or one's own, the newest first."""
    limit, asking = wanted.get("limit", PAGE), player()
    page = PageWanted(limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.tournaments_listed(db, asking.id, page, mine="mine" in wanted)

    def shown(row: SeenTournament) -> dict[str, Any]:
        return views.shown_tournament(row, asking.language)

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
        return handlers.open_tournament(games, asking, wanted, now, receipt)

    def show(made: Competition) -> dict[str, Any]:
        handle = asking.handle if asking.visibility == "public" else None
        return views.shown_tournament(SeenTournament(made, asking.name, handle, None, 0), asking.language)

    shown, headers = once("create-tournament", header, posted, open_it, show)
    return as_json(shown, 201, {**PRIVATE, "Location": f"{PREFIX}/tournaments/{shown['id']}", **headers})


@tournaments.operation(_ONE, Answers(schema=Tournament), refuses=(404,), scope="games:read")
def get_tournament(tournament_id: UUID) -> Response:
    """Show a tournament; one by invitation only its host and those who are invited."""
    _require_known(tournament_id)
    return as_json(_shown(tournament_id))


@tournaments.operation(f"{_ONE}/table", Answers(schema=CompetitionTable), refuses=(404,), scope="games:read")
def get_tournament_table(tournament_id: UUID) -> Response:
    """Show the table of a tournament, and its games by rounds."""
    _require_known(tournament_id)
    with transaction(runtime().games.engine) as db:
        return as_json(tournament_table(db, tournament_id, player().language))


@tournaments.operation(
    f"{_ONE}/entry", Answers(schema=Tournament), method="POST", refuses=(403, 404, 409), scope="games:play"
)
def enter_tournament(tournament_id: UUID) -> Response:
    """Enter a tournament that has not begun, once or again; only a person may."""
    handlers.enter(runtime().games, tournament_id, player(), clock.now())
    return as_json(_shown(tournament_id))


@tournaments.operation(f"{_ONE}/entry", Answers(status=204), method="DELETE", refuses=(404, 409), scope="games:play")
def leave_tournament(tournament_id: UUID) -> Response:
    """Leave a tournament before it begins, or its later rounds, once or again: games that run go on."""
    handlers.leave(runtime().games, tournament_id, player().id)
    return no_content()


@tournaments.operation(
    f"{_ONE}/invitations",
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
        invited = find(db, posted["to"])
    if invited is None:
        raise NotFound("handle")
    handlers.invite(games, tournament_id, asking.id, invited, clock.now(), budget())
    return as_json(_shown(tournament_id))


@tournaments.operation(
    f"{_ONE}/rounds",
    Answers(schema=Tournament),
    method="POST",
    refuses=(403, 404, 409),
    scope="games:create",
    json=NewRound,
)
def start_round(posted: dict[str, Any], tournament_id: UUID) -> Response:
    """Begin the next round of a tournament, the first one ends entry; only its host may."""
    handlers.start_round(runtime().games, tournament_id, player().id, posted["after"], clock.now())
    return as_json(_shown(tournament_id))


@tournaments.operation(_ONE, Answers(schema=Tournament), method="DELETE", refuses=(403, 404, 409), scope="games:create")
def close_tournament(tournament_id: UUID) -> Response:
    """Call a tournament off before it begins, or end it between two rounds, once or again; only its host may."""
    handlers.close(runtime().games, tournament_id, player().id, clock.now())
    return as_json(_shown(tournament_id))


def _require_known(tournament_id: UUID) -> None:
    with transaction(runtime().games.engine) as db:
        handlers.known(db, tournament_id, player().id)


def _shown(tournament_id: UUID) -> dict[str, Any]:
    asking = player()
    with transaction(runtime().games.engine) as db:
        return views.shown_tournament(views.tournament(db, tournament_id, asking.id), asking.language)
