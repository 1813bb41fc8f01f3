"""The events of a game (as a list, with `wait`, or as a stream), and the turns that wait for a player."""

from __future__ import annotations

from contextlib import ExitStack
from time import monotonic
from typing import Any
from uuid import UUID

from flask import Response, request

from schemas.play import (
    EventsAfter,
    Happening,
    Happenings,
    LastEvent,
    StreamChanged,
    StreamEnd,
    StreamTicket,
    StreamWanted,
    Turns,
    TurnsWanted,
)
from service.api.auth import guard, player, runtime, token
from service.api.contract import PREFIX, Answers, Resource
from service.api.stream import Follower, stream
from service.api.viewers import look
from service.handlers import tickets
from service.handlers.transaction import transaction
from service.http.access_log import WAITED
from service.http.ndjson import ndjson_requested, ndjson_response
from service.http.responses import PRIVATE, as_json, paged
from service.http.waiting_slots import waiting_slots
from service.shared import clock
from service.shared.network import network
from service.store.games import require_known
from service.views.history import history
from service.views.table import spoken
from service.views.turns import cursor, turns

PAGE = 100
TURNS = 20
_EVENTS = {
    "type": "string",
    "description": "Messages. `id` is the number of an event; `data` is the event, as the list of events has it, as "
    "JSON in one line; `event` is `end` once the game is over, `changed` as `beside_log` asks for it, and else absent.",
}
_STREAM = Answers(schema=_EVENTS, content_type="text/event-stream", messages=(Happening, StreamChanged, StreamEnd))

follow = Resource("follow", __name__, description="What happens in games, as it happens.")
guard(follow)


@follow.operation(
    "/games/<uuid:game_id>/events",
    Answers(
        schema=Happenings,
        headers={"Content-Language": "The language of the texts."},
        lines="All events after `after`, one a line.",
        messages=(Happening,),
    ),
    refuses=(404,),
    scope="games:read",
    query=EventsAfter,
)
def list_events(wanted: dict[str, Any], game_id: UUID) -> Response:
    """List what has happened after an event, as far as one may know it.

    With `wait` the answer comes as soon as there is such an event, or when the time is up. Nothing is waited for in a
    game that is over. As lines all events come at once, and nothing is waited for.
    """
    form = ndjson_requested()
    if form is not None:
        return _whole(game_id, wanted, form)
    seconds, after = wanted.get("wait", 0), wanted.get("after", 0)
    if not seconds:
        return _page(game_id, wanted)[0]
    until = monotonic() + seconds
    request.environ[WAITED] = True
    with ExitStack() as stack:
        stack.callback(waiting_slots().wait(player().id))
        ear = stack.enter_context(runtime().subscriber.listen(game_id, after))
        while True:
            answer, found = _page(game_id, wanted)
            left = until - monotonic()
            if found or left <= 0 or not ear.wait(left):
                return answer


@follow.operation(
    "/games/<uuid:game_id>/stream",
    _STREAM,
    refuses=(404,),
    scope="games:read",
    bucket="streams",
    query=StreamWanted,
    headers=LastEvent,
)
def stream_events(wanted: dict[str, Any], header: dict[str, Any], game_id: UUID) -> Response:
    """Send what happens in a game as server-sent events, as it happens.

    Each message holds an event as the list of events does, and its `id` is the event's number. When the game is over,
    a message of the type `end` follows the last event: close the connection then. A comment comes every 15 seconds;
    take a stream for dead after 45 seconds of silence. After five minutes the server closes it: connect again, with
    the last id. It also closes, within 15 seconds, when the token is revoked or one may no longer see the game.
    """
    with look(game_id) as looking:
        language = looking.language(wanted.get("language"))
    if request.method == "HEAD":
        return _stream()
    known = wanted.get("beside_log")
    who = Follower(runtime().games, runtime().subscriber, game_id, player().id, token().id, language, known)
    return _streamed(who, header.get("after", wanted.get("after", 0)))


@follow.operation(
    "/games/<uuid:game_id>/stream-tickets",
    Answers(status=201, schema=StreamTicket),
    method="POST",
    refuses=(404,),
    scope="games:read",
)
def create_stream_ticket(game_id: UUID) -> Response:
    """Get an address that opens a stream of the game without a token, as `EventSource` in a browser needs it.

    It works once, within a minute, for this one game, and shows only what the asking token could read. When the stream
    has closed get another, and open it with `after`, the last id.
    """
    now = clock.now()
    with look(game_id) as looking:
        ticket = tickets.issue(looking.db, game_id, token().id, now)
    url = f"{runtime().settings.base_url}{PREFIX}/streams/{ticket}"
    return as_json({"url": url, "expires_at": (now + tickets.LIFETIME).isoformat()}, 201)


@follow.operation(
    "/streams/<ticket>",
    _STREAM,
    refuses=(404,),
    public=True,
    bucket="streams",
    query=StreamWanted,
    headers=LastEvent,
)
def stream_by_ticket(wanted: dict[str, Any], header: dict[str, Any], ticket: str) -> Response:
    """Send what happens in the game that a ticket is for, as its stream does for a token."""
    games = runtime().games
    if request.method == "HEAD":
        return _stream()
    used = tickets.use(games, ticket, clock.now())
    with transaction(games.engine) as db:
        position = games.open(db, used.game)
        require_known(db, position, used.player)
    language = spoken(position, wanted.get("language"), used.language)
    known = wanted.get("beside_log")
    who = Follower(games, runtime().subscriber, used.game, used.player, used.token, language, known)
    return _streamed(who, header.get("after", wanted.get("after", 0)))


@follow.operation("/me/turns", Answers(schema=Turns), scope="games:read", query=TurnsWanted)
def list_turns(wanted: dict[str, Any]) -> Response:
    """List the games in which a decision waits for one: the earliest deadline first.

    Games without a deadline follow, the one that has waited longest first.

    What waits besides are the games that others have asked one to: GET /me/invitations lists them.
    """
    limit = wanted.get("limit", TURNS)
    with transaction(runtime().games.engine) as db:
        found = turns(db, runtime().games.rulesets, player(), wanted.get("after"), limit + 1)
    return as_json(paged(found, limit, cursor, lambda turn: turn | {"href": f"{PREFIX}/games/{turn['game']}"}))


def _page(game_id: UUID, wanted: dict[str, Any]) -> tuple[Response, bool]:
    """Return a page of events, and whether there is nothing to wait for any more."""
    after, limit = wanted.get("after", 0), wanted.get("limit", PAGE)
    with look(game_id) as looking:
        language, position = looking.language(wanted.get("language")), looking.position
        items = history(looking.db, position, looking.seat, after, limit, language)
    shown = {"version": position.version, "items": items}
    answer = as_json(shown, headers={**PRIVATE, "Content-Language": language})
    return answer, bool(items) or position.game.status not in ("open", "running")


def _whole(game_id: UUID, wanted: dict[str, Any], form: str) -> Response:
    """Return all events after one, as lines."""
    with look(game_id) as looking:
        language, position = looking.language(wanted.get("language")), looking.position
        items = history(looking.db, position, looking.seat, wanted.get("after", 0), position.version, language)
    return ndjson_response(items, form, {**PRIVATE, "Content-Language": language})


def _streamed(who: Follower, after: int) -> Response:
    leave = waiting_slots().stream(who.player, network(request.remote_addr or ""))
    answer = _stream()
    answer.response = stream(who, after)
    answer.call_on_close(leave)
    return answer


def _stream() -> Response:
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
