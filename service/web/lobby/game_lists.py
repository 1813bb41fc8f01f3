"""Lists of games: the visitor's own, open and running public ones, and the search through all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from flask import Response, request
from sqlalchemy import Connection

from schemas.fields import cursor
from service.handlers.transaction import transaction
from service.http.replica_routing import games_listed
from service.log.recorded import Recorded
from service.mail.sentences import outcome_lines
from service.rules.pace import Pace
from service.rules.tabletop.table import Table
from service.shared import clock
from service.store.access import PlayerRow
from service.store.events import LogStretch, read_stretches, recorded
from service.store.games import Games, Position
from service.store.people import find_visible_profile
from service.store.tables import GAME_STATES
from service.texts.catalog import count, say
from service.texts.games import automaton_name, full_title, pace_text
from service.texts.names import display_name
from service.views.games import GameFilter, games_of, invitations_to, place_of, urgency
from service.views.lobby import ChallengeSeen, ChallengesWanted, UsualLengths, challenges_of
from service.web.blueprint import web
from service.web.pace import due_at, lengths_here, of_table
from service.web.page import current_runtime, requested_place
from service.web.play.computers import ALONE, solo_meta
from service.web.play.event_log import newest_line
from service.web.play.panels import colour_of, initial_of
from service.web.session import NOBODY, SCRIPT_POLICY, Visitor, current_visitor, language, page, signed_in
from service.web.viewer_context import ViewerContext, viewer_context

MAX_GAMES = 200
FINISHED_PAGE_SIZE = 10
MAX_GAMES_SO_FAR = 24
"""Limit on running games, most urgent first, for which points and last event are shown: each game costs a third of a
millisecond, and two more if its log has to be read."""
MAX_INVITATIONS = 50
WARN_SECONDS = 6 * 3600
"""Deadlines with less time left are highlighted."""


@web.get("/games")
@signed_in
def my_games(visitor: Visitor) -> Response:
    """Show the visitor's games; the finished ones continue after the cursor `after`."""
    now, solo = clock.now(), solo_meta()
    listed = _listed(visitor, now)
    waiting, over = listed["waiting"], listed["over"]
    dues = {
        each.id: due_at(each.deadline, now, language(), visitor.time_zone)
        for each in (*waiting, *listed["running"])
        if each.deadline
    }
    last = over[FINISHED_PAGE_SIZE - 1] if len(over) > FINISHED_PAGE_SIZE else None
    response = page(
        "lobby/my_games.html",
        **listed | {"over": over[:FINISHED_PAGE_SIZE]},
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
    """Return the contents of the lists, including one more finished game than is shown (for the cursor)."""
    games = current_runtime().games
    # The page may be in another language than the account.
    player = replace(visitor.browser.player, language=language())
    with transaction(games.engine) as db:
        begun = sorted(games_of(db, games.rulesets, player, "running", MAX_GAMES), key=urgency)
        waiting, running = ([each for each in begun if each.mine is mine] for mine in (True, False))
        over = games_of(db, games.rulesets, player, "finished", FINISHED_PAGE_SIZE + 1, requested_place())
        told, shown_over = (*waiting, *running)[:MAX_GAMES_SO_FAR], over[:FINISHED_PAGE_SIZE]
        positions = games.open_all(db, [each.id for each in (*told, *shown_over)])
        return {
            "waiting": waiting,
            "running": running,
            "so_far": games_so_far(db, [positions[each.id] for each in told if each.id in positions], visitor),
            "over": over,
            "results": {each.id: _result(positions.get(each.id), language()) for each in shown_over},
            "opened": games_of(db, games.rulesets, player, "open", MAX_GAMES),
            "invited": [_invited(games, row, player) for row in invitations_to(db, player.id, MAX_INVITATIONS)],
            "challenges": [
                _challenge(games, each, player)
                for each in challenges_of(db, player.id, ChallengesWanted("open", MAX_INVITATIONS), now)
            ],
        }


def _heading(waiting: int, spoken: str) -> str:
    """Return the heading: the number of games in which the visitor is to act."""
    return count(spoken, "games-wait", waiting) if waiting else say(spoken, "games-nothing")


def _invited(games: Games, row: Any, player: PlayerRow) -> dict[str, Any]:
    inviter = display_name(row.inviter, player.language)
    return {"id": row.game_id, "called": row.name or games.rulesets[row.ruleset].meta.title, "inviter": inviter}


def _challenge(games: Games, seen: ChallengeSeen, player: PlayerRow) -> dict[str, Any]:
    mine = seen.challenge.sender == player.id
    other = seen.recipient if mine else seen.sender
    title = games.rulesets[seen.challenge.ruleset].meta.title
    return {"id": seen.challenge.id, "title": title, "mine": mine, "name": display_name(other.name, player.language)}


def _result(position: Position | None, spoken: str) -> list[str]:
    """Return the lines of a game's outcome; empty for a game that could not be read (the cause is in the log)."""
    if position is None or position.outcome is None:
        return []
    return list(outcome_lines(position, position.outcome, spoken))


# Points and last event of running games.

MAX_EVENTS_READ: Final = 12
"""Number of events to read from the end of a log; some events have no line to show."""


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """Points of a seat as far as the visitor knows them; `own` is true for the visitor's seat."""

    name: str
    points: int
    own: bool


@dataclass(frozen=True, slots=True)
class LastEvent:
    """Sentence of the last event; `name` is the actor's, empty if nobody at the table acted."""

    sentence: str
    name: str
    colour: str

    @property
    def initial(self) -> str:
        return initial_of(self.name)


@dataclass(frozen=True, slots=True)
class GameSoFar:
    """Points by seat, empty unless known for all seats, and the last event."""

    points: tuple[SeatPoints, ...]
    last: LastEvent | None


def games_so_far(db: Connection, positions: Sequence[Position], visitor: Visitor) -> Mapping[UUID, GameSoFar]:
    """Return points and last events of begun games, as the visitor may know them; one statement for all games."""
    wanted = [LogStretch(each.game.id, max(0, each.version - MAX_EVENTS_READ), each.version) for each in positions]
    logs = read_stretches(db, wanted)
    return {
        each.game.id: _so_far(viewer_context(db, each, visitor), recorded(each.codec, logs.get(each.game.id, ())))
        for each in positions
    }


def _so_far(context: ViewerContext, happened: Sequence[Recorded]) -> GameSoFar:
    position = context.position
    table = Table(
        position.ruleset, position.state, position.game.seats, context.seat, context.rules_language, context.names
    )
    line = newest_line(context, table, happened)
    name = "" if line is None or line.seat is None else context.everybody[line.seat]
    last = None if line is None else LastEvent(line.sentence, name, colour_of(context.seat, line.seat))
    return GameSoFar(_points(context, table), last)


def _points(context: ViewerContext, table: Table) -> tuple[SeatPoints, ...]:
    panels = [table.panel(seat) for seat in range(table.panels)]
    found = tuple(
        SeatPoints(context.everybody[seat], each.points, seat == context.seat)
        for seat, each in enumerate(panels)
        if each.points is not None
    )
    return found if len(found) == len(panels) else ()


# Public games: those with a free seat, and those to watch.

OPEN_PAGE_SIZE = 20
_FREE = frozenset("123456789")


@web.get("/games/open")
def open_tables() -> Response:
    """List the open games by `ruleset` and free `seats`, and the running ones, newest first; for everybody."""
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
    rows = games_listed(games, player, wanted, OPEN_PAGE_SIZE + 1, clock.now())
    running = [] if "after" in request.args else games_listed(games, player, public, OPEN_PAGE_SIZE, clock.now())
    last = rows[OPEN_PAGE_SIZE - 1] if len(rows) > OPEN_PAGE_SIZE else None
    lengths = lengths_here()
    return page(
        "lobby/open_tables.html",
        tables=[_open(row, lengths) for row in rows[:OPEN_PAGE_SIZE]],
        running=[_game_row(row) for row in running],
        rulesets={name: each.meta.title for name, each in games.rulesets.items()},
        wanted=wanted,
        following=None if last is None else cursor(last.created_at, last.id),
    )


def _open(row: Any, lengths: UsualLengths) -> dict[str, Any]:
    pace = None if row.pace is None else Pace(**row.pace)
    meta = current_runtime().games.rulesets[row.ruleset].meta
    return _game_row(row) | {
        "taken": row.seats_taken,
        "invited": row.access != "public",
        "pace": pace_text(language(), pace),
        "length": of_table(lengths, meta, row.seats, row.options, pace),
    }


def _game_row(row: Any) -> dict[str, Any]:
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


# Search.

HISTORY_PAGE_SIZE: Final = 20


@web.get("/games/history")
def show_history() -> Response:
    """List the games that match `whose`, `ruleset`, `state` and `opponent` of the query, newest first."""
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
    rows = [] if unknown else games_listed(games, player, wanted, HISTORY_PAGE_SIZE + 1, clock.now())
    return page(
        "lobby/search.html",
        found=[_game_row(row) for row in rows[:HISTORY_PAGE_SIZE]],
        rulesets={name: each.meta.title for name, each in games.rulesets.items()},
        states=GAME_STATES,
        mine=mine,
        asked={name: value for name, value in asked.items() if value},
        following=cursor(*place_of(rows[HISTORY_PAGE_SIZE - 1])) if len(rows) > HISTORY_PAGE_SIZE else None,
    )


def _opponent(viewer: UUID, handle: str) -> UUID | None:
    if not handle:
        return None
    with transaction(current_runtime().games.engine) as db:
        return find_visible_profile(db, viewer, handle)
