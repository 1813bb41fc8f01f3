"""The page of the visitor's own games; those that wait for the visitor come first."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Response, request
from marshmallow import Schema, ValidationError
from sqlalchemy import Connection

from schemas.fields import Cursor, cursor
from service.handlers.transaction import transaction
from service.mail.sentences import result
from service.shared import clock
from service.store.archived import ArchiveUnreadable
from service.store.games import Games
from service.store.identity import PlayerRow
from service.texts.catalog import count, say
from service.texts.names import automaton_name, shown
from service.views.challenges import ChallengeSeen, ChallengesWanted, challenges_of
from service.views.my_games import TOP, MyGame, games_of, invitations_to, urgency
from service.web.blueprint import web
from service.web.clocks import due_at
from service.web.first_page import ALONE, solo_meta
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, Visitor, page, signed_in

MOST = 200
FINISHED_AT_ONCE = 10
INVITED_AT_ONCE = 50
WARN_SECONDS = 6 * 3600
"""With less time than this, a deadline stands out."""


class _After(Schema):
    after = Cursor()


@web.get("/games")
@signed_in
def my_games(visitor: Visitor) -> Response:
    """Show the visitor's games; the finished ones go on after the cursor `after`."""
    games, player, now = current_runtime().games, visitor.browser.player, clock.now()
    with transaction(games.engine) as db:
        running = games_of(db, games.rulesets, player, "running", MOST)
        opened = games_of(db, games.rulesets, player, "open", MOST)
        over = games_of(db, games.rulesets, player, "finished", FINISHED_AT_ONCE + 1, requested_place())
        results = {each.id: _result(games, db, each, visitor.language) for each in over[:FINISHED_AT_ONCE]}
        invited = [_invited(games, row, player) for row in invitations_to(db, player.id, INVITED_AT_ONCE)]
        asked = challenges_of(db, player.id, ChallengesWanted("open", INVITED_AT_ONCE), now)
    waiting = sorted((each for each in running if each.mine), key=urgency)
    dues = {
        each.id: due_at(each.deadline, now, visitor.language, visitor.time_zone) for each in running if each.deadline
    }
    solo = solo_meta()
    last = over[FINISHED_AT_ONCE - 1] if len(over) > FINISHED_AT_ONCE else None
    response = page(
        "my_games.html",
        heading=_heading(len(waiting), visitor.language),
        waiting=waiting,
        running=sorted((each for each in running if not each.mine), key=urgency),
        dues=dues,
        first_due=next((dues[each.id] for each in waiting if each.id in dues), None),
        warn=WARN_SECONDS,
        opponent=None if solo is None else automaton_name(solo, ALONE, visitor.language),
        opened=opened,
        invited=invited,
        challenges=[_challenge(games, each, player) for each in asked],
        over=over[:FINISHED_AT_ONCE],
        results=results,
        following=None if last is None else cursor(last.created_at, last.id),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _heading(waiting: int, language: str) -> str:
    """Return the heading: how many games wait for the visitor."""
    return count(language, "games-wait", waiting) if waiting else say(language, "games-nothing")


def _invited(games: Games, row: Any, player: PlayerRow) -> dict[str, Any]:
    inviter = shown(row.inviter, player.language)
    return {"id": row.game_id, "called": row.name or games.rulesets[row.ruleset].meta.title, "inviter": inviter}


def _challenge(games: Games, seen: ChallengeSeen, player: PlayerRow) -> dict[str, Any]:
    mine = seen.challenge.sender == player.id
    other = seen.recipient if mine else seen.sender
    title = games.rulesets[seen.challenge.ruleset].meta.title
    return {"id": seen.challenge.id, "title": title, "mine": mine, "name": shown(other.name, player.language)}


def requested_place() -> tuple[datetime, UUID]:
    """Return the place in a list that the query names (`after`), or the beginning if it names none."""
    try:
        place: tuple[datetime, UUID] = _After().load({"after": request.args.get("after", "")})["after"]
    except ValidationError:
        return TOP
    return place


def _result(games: Games, db: Connection, entry: MyGame, language: str) -> list[str]:
    try:
        position = games.open(db, entry.id)
    except ArchiveUnreadable:
        # The other games are shown all the same; the log says which record is missing.
        return []
    return [] if position.outcome is None else list(result(position, position.outcome, language))
