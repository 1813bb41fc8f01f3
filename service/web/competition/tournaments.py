"""Pages of tournaments: the lists, a tournament with its table and games, and the forms of its host."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import Response, request, url_for
from marshmallow import ValidationError

from schemas.competition import SYSTEMS, NewTournament
from schemas.fields import cursor
from schemas.names import fault_of
from service.handlers import tournaments
from service.handlers.people import find_handle
from service.handlers.refusals import UnknownTournament
from service.handlers.reports import complain_of_tournament
from service.handlers.tournaments import planned
from service.handlers.transaction import transaction
from service.http.problems import reason
from service.rules.pace import PACES
from service.shared import clock
from service.shared.refusal import NotFound, Refusal
from service.texts.catalog import count, say
from service.texts.games import pace_text
from service.texts.names import HANDLE_PATTERN, display_name
from service.views import leagues as views
from service.views.leagues import SeenTournament, tournament_table
from service.views.pages import PageWanted
from service.web.blueprint import web
from service.web.competition.leagues import state_text, title_of
from service.web.page import admitted, budget, current_runtime, requested_place
from service.web.people.reports import BAD_WORDS, MAX_REPORT_LENGTH, reported, typed
from service.web.session import NOBODY, Visitor, current_visitor, language, missing_page, page, see_other, signed_in

PAGE_SIZE: Final = 20
MINE: Final = 20
"""Maximum number of the visitor's own tournaments in the list."""
SEATS: Final = (2, 3, 4)
_NEW: Final = NewTournament()


@web.get("/tournaments")
def show_tournaments() -> Response:
    """List the visitor's own tournaments, then the public ones."""
    visitor, spoken = current_visitor(), language()
    player = NOBODY if visitor is None else visitor.id
    with transaction(current_runtime().games.engine) as db:
        found = views.tournaments_listed(db, player, PageWanted(PAGE_SIZE + 1, requested_place()), mine=False)
        first = visitor is not None and "after" not in request.args
        mine = views.tournaments_listed(db, player, PageWanted(MINE), mine=True) if first else []
    last = found[PAGE_SIZE - 1].tournament if len(found) > PAGE_SIZE else None
    known = {each.tournament.id for each in mine}
    return page(
        "competition/tournaments.html",
        mine=[_row(each, spoken) for each in mine],
        count=partial(count, spoken),
        others=[_row(each, spoken) for each in found[:PAGE_SIZE] if each.tournament.id not in known],
        following=None if last is None else cursor(last.created_at, last.id),
    )


@web.get("/tournaments/mine")
def show_own_tournaments() -> Response:
    """List the tournaments after signing in, the visitor's own first; linked from the mail of an invitation."""
    if current_visitor() is None:
        return see_other(url_for("web.ask_sign_in", back=request.path))
    return show_tournaments()


@web.get("/tournaments/new")
@signed_in
def show_new_tournament(_: Visitor) -> Response:
    """Show the form to host a tournament."""
    return _form(200)


@web.post("/tournaments/new")
@signed_in
def open_tournament(visitor: Visitor) -> Response:
    """Open the tournament of the form for entry, and go to its page."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        wanted = planned(_NEW.load(_posted()))
        opened = tournaments.open_tournament(current_runtime().games, visitor.browser.player, wanted, clock.now())
    except ValidationError as wrong:
        bad_rounds = "title" not in wrong.messages_dict and "rounds" in wrong.messages_dict
        fault = "tournament-bad-rounds" if bad_rounds else fault_of(wrong, "title") or "new-bad-form"
        return _form(422, say(language(), fault))
    except Refusal as refusal:
        return _form(refusal.status, reason(refusal, language()))
    return see_other(url_for("web.show_tournament", tournament_id=opened.id))


@web.get("/tournaments/<uuid:tournament_id>")
def show_tournament(tournament_id: UUID) -> Response:
    """Show a tournament; 404 for visitors who may not know of it."""
    return _tournament_page(tournament_id)


@web.post("/tournaments/<uuid:tournament_id>/<any(enter, leave, invite, round, close):act>")
@signed_in
def change_tournament(visitor: Visitor, tournament_id: UUID, act: str) -> Response:
    """Enter or leave; for the host: invite the handle `to`, begin the round after `after`, close the tournament."""
    if not admitted("games", visitor.id):
        return page("notice.html", 429, notice="too-often")
    try:
        done = _changed(visitor, tournament_id, act)
    except UnknownTournament:
        return missing_page()
    except NotFound:
        done = False
    except Refusal as refusal:
        return _tournament_page(tournament_id, reason(refusal, language()), refusal.status)
    if not done:
        return _tournament_page(tournament_id, say(language(), "tournament-no-handle"), 422)
    try:
        with transaction(current_runtime().games.engine) as db:
            tournaments.known(db, tournament_id, visitor.id)
    except UnknownTournament:
        # A player who has left an invitation-only tournament may no longer see its page.
        return see_other(url_for("web.show_tournaments"))
    return see_other(url_for("web.show_tournament", tournament_id=tournament_id))


@web.post("/tournaments/<uuid:tournament_id>/report")
@signed_in
def report_tournament(visitor: Visitor, tournament_id: UUID) -> Response:
    """Report the title of a tournament to the operators, with the words of the form."""
    games, now = current_runtime().games, clock.now()

    def refused(refusal: Refusal | None) -> Response:
        if refusal is None:
            return _tournament_page(tournament_id, say(language(), BAD_WORDS, most=MAX_REPORT_LENGTH), 422, typed())
        return _tournament_page(tournament_id, reason(refusal, language()), refusal.status)

    return reported(
        visitor, lambda words: complain_of_tournament(games, visitor.id, tournament_id, words, now), refused
    )


def _changed(visitor: Visitor, tournament: UUID, act: str) -> bool:
    games, player, now = current_runtime().games, visitor.browser.player, clock.now()
    if act == "enter":
        tournaments.enter(games, tournament, player, now)
    elif act == "leave":
        tournaments.leave(games, tournament, player.id)
    elif act == "round":
        tournaments.start_round(games, tournament, player.id, request.form.get("after", 0, type=int), now)
    elif act == "close":
        tournaments.close(games, tournament, player.id, now)
    else:
        handle = request.form.get("to", "").strip().removeprefix("@")
        with transaction(games.engine) as db:
            invited = find_handle(db, handle) if re.fullmatch(HANDLE_PATTERN, handle) else None
        if invited is None:
            return False
        tournaments.invite(games, tournament, player.id, invited, now, budget())
    return True


def _tournament_page(
    tournament: UUID, refusal: str | None = None, status: int = 200, written: str | None = None
) -> Response:
    """Return the page of a tournament, with a refusal and the `written` words of a report."""
    visitor, spoken = current_visitor(), language()
    player = NOBODY if visitor is None else visitor.id
    with transaction(current_runtime().games.engine) as db:
        try:
            tournaments.known(db, tournament, player)
        except UnknownTournament:
            return missing_page()
        seen = views.tournament(db, tournament, player)
        table = tournament_table(db, tournament, spoken)
    found = seen.tournament
    return page(
        "competition/tournament.html",
        status,
        found=found,
        host=display_name(seen.host, spoken),
        count=partial(count, spoken),
        hosting=found.host == player,
        entry=seen.mine,
        entrants=seen.entrants,
        game=title_of(found.ruleset),
        pace=pace_text(spoken, found.pace),
        state=state_text(found),
        refusal=refusal,
        longest=MAX_REPORT_LENGTH,
        written=written,
        waiting=found.state == "running" and all(game["players"][0]["points"] is not None for game in table["games"]),
        **table,
    )


def _row(seen: SeenTournament, spoken: str) -> dict[str, Any]:
    found = seen.tournament
    return {
        "id": found.id,
        "title": found.title,
        "game": title_of(found.ruleset),
        "host": display_name(seen.host, spoken),
        "state": state_text(found),
        "entrants": seen.entrants,
        "invited": seen.mine == "invited" and found.state == "entry",
    }


def _posted() -> dict[str, Any]:
    form = request.form
    rounds, seats = form.get("rounds", "").strip(), form.get("seats", "")
    return {
        "title": form.get("title", "").strip(),
        "ruleset": form.get("ruleset", ""),
        "seats": int(seats) if seats in map(str, SEATS) else 0,
        "pace": {"name": form.get("pace", "")},
        "system": form.get("system", ""),
        "access": form.get("access", ""),
        "next_round": form.get("next_round", ""),
        # Send 0, an invalid number of rounds, for anything that is no number.
        **({"rounds": int(rounds) if re.fullmatch("[0-9]{1,2}", rounds) else 0} if rounds else {}),
    }


def _form(status: int, refusal: str | None = None) -> Response:
    rulesets = current_runtime().games.rulesets
    return page(
        "competition/new_tournament.html",
        status,
        refusal=refusal,
        written=request.form,
        rulesets={name: each.meta.title for name, each in rulesets.items() if max(each.meta.seats) > 1},
        paces={name: pace_text(language(), pace) for name, pace in PACES.items()},
        seats=SEATS,
        systems=SYSTEMS,
    )
