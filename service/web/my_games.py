"""The page of the visitor's own games; those that wait for the visitor come first."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.fields import Cursor, cursor
from service.handlers.transaction import transaction
from service.mail.sentences import result
from service.shared import clock
from service.store.games import Games
from service.store.identity import PlayerRow
from service.store.position import Position
from service.texts.catalog import count, say
from service.texts.games import automaton_name
from service.texts.names import display_name
from service.views.challenges import ChallengeSeen, ChallengesWanted, challenges_of
from service.views.my_games import TOP, games_of, invitations_to, urgency
from service.web.blueprint import web
from service.web.clocks import due_at
from service.web.first_page import ALONE, solo_meta
from service.web.games_so_far import games_so_far
from service.web.page import current_runtime
from service.web.session import SCRIPT_POLICY, Visitor, language, page, signed_in

MOST = 200
FINISHED_AT_ONCE = 10
TOLD_AT_ONCE = 24
"""Of the most urgent running games the points and the last event are told: each of them costs a third of a
millisecond, and two more where its log has to be read."""
INVITED_AT_ONCE = 50
WARN_SECONDS = 6 * 3600
"""With less time than this, a deadline stands out."""


class _After(Schema):
    after = Cursor()


@web.get("/games")
@signed_in
def my_games(visitor: Visitor) -> Response:
    """Show the visitor's games; the finished ones go on after the cursor `after`."""
    now, solo = clock.now(), solo_meta()
    listed = _listed(visitor, now)
    waiting, over = listed["waiting"], listed["over"]
    dues = {
        each.id: due_at(each.deadline, now, language(), visitor.time_zone)
        for each in (*waiting, *listed["running"])
        if each.deadline
    }
    last = over[FINISHED_AT_ONCE - 1] if len(over) > FINISHED_AT_ONCE else None
    response = page(
        "my_games.html",
        **listed | {"over": over[:FINISHED_AT_ONCE]},
        heading=_heading(len(waiting), language()),
        dues=dues,
        first_due=next((dues[each.id] for each in waiting if each.id in dues), None),
        warn=WARN_SECONDS,
        opponent=None if solo is None else automaton_name(solo, ALONE, language()),
        following=None if last is None else cursor(last.created_at, last.id),
    )
    response.headers["Content-Security-Policy"] = SCRIPT_POLICY
    return response


def _listed(visitor: Visitor, now: datetime) -> dict[str, Any]:
    """Return what the lists of the page hold; of finished games one more than is shown, if there is one."""
    games = current_runtime().games
    # The page may be in another language than the account.
    player = replace(visitor.browser.player, language=language())
    with transaction(games.engine) as db:
        begun = sorted(games_of(db, games.rulesets, player, "running", MOST), key=urgency)
        waiting, running = ([each for each in begun if each.mine is mine] for mine in (True, False))
        over = games_of(db, games.rulesets, player, "finished", FINISHED_AT_ONCE + 1, requested_place())
        told, shown_over = (*waiting, *running)[:TOLD_AT_ONCE], over[:FINISHED_AT_ONCE]
        positions = games.open_all(db, [each.id for each in (*told, *shown_over)])
        return {
            "waiting": waiting,
            "running": running,
            "so_far": games_so_far(db, [positions[each.id] for each in told if each.id in positions], visitor),
            "over": over,
            "results": {each.id: _result(positions.get(each.id), language()) for each in shown_over},
            "opened": games_of(db, games.rulesets, player, "open", MOST),
            "invited": [_invited(games, row, player) for row in invitations_to(db, player.id, INVITED_AT_ONCE)],
            "challenges": [
                _challenge(games, each, player)
                for each in challenges_of(db, player.id, ChallengesWanted("open", INVITED_AT_ONCE), now)
            ],
        }


def _heading(waiting: int, spoken: str) -> str:
    """Return the heading: how many games wait for the visitor."""
    return count(spoken, "games-wait", waiting) if waiting else say(spoken, "games-nothing")


def _invited(games: Games, row: Any, player: PlayerRow) -> dict[str, Any]:
    inviter = display_name(row.inviter, player.language)
    return {"id": row.game_id, "called": row.name or games.rulesets[row.ruleset].meta.title, "inviter": inviter}


def _challenge(games: Games, seen: ChallengeSeen, player: PlayerRow) -> dict[str, Any]:
    mine = seen.challenge.sender == player.id
    other = seen.recipient if mine else seen.sender
    title = games.rulesets[seen.challenge.ruleset].meta.title
    return {"id": seen.challenge.id, "title": title, "mine": mine, "name": display_name(other.name, player.language)}


def requested_place() -> tuple[datetime, UUID]:
    """Return the place in a list that the query names (`after`), or the beginning if it names none."""
    try:
        place: tuple[datetime, UUID] = _After().load({"after": request.args.get("after", "")})["after"]
    except ValidationError:
        return TOP
    return place


def _result(position: Position | None, spoken: str) -> list[str]:
    """Return how a game has ended; nothing of one that cannot be read here, of which the log says why."""
    if position is None or position.outcome is None:
        return []
    return list(result(position, position.outcome, spoken))
