"""Streams of events (server-sent events and JSON lines), of a game and of an account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final, Literal
from uuid import UUID

from flask import Response, request
from msgspec.json import encode

from schemas.fields import cursor
from schemas.lobby import BotsWanted, NewReady, Ready, ReadyBots
from schemas.play import (
    AccountMessage,
    AccountStreamWanted,
    EventsAfter,
    Happening,
    Happenings,
    LastEvent,
    LastMessage,
    StreamChanged,
    StreamEnd,
    StreamTicket,
    StreamWanted,
    Turns,
    TurnsWanted,
)
from service.api.auth import guard, player, runtime, token
from service.api.contract import PREFIX, Answers, Resource
from service.api.viewers import look
from service.handlers import challenges as handlers
from service.handlers import tokens
from service.handlers.refusals import DeadToken, Unavailable
from service.handlers.tokens import require_good
from service.handlers.transaction import transaction
from service.http.access_log import WAITED
from service.http.ndjson import ndjson_requested, ndjson_response
from service.http.request import accept_language
from service.http.responses import PRIVATE, as_json, no_content, paged
from service.http.waiting_slots import waiting_slots
from service.runtime import Runtime
from service.shared import clock
from service.shared.lobby_etag import lobby_etag
from service.shared.network import network
from service.shared.pubsub import Subscriber, Subscription
from service.store.game_row import UnknownGame
from service.store.games import Games, require_known
from service.store.lobby import renew_ready
from service.texts.names import DEFAULT_LANGUAGE
from service.views import lobby as views
from service.views.account_stream import Streamed, before, messages
from service.views.games import turns_cursor, turns_of
from service.views.history import history
from service.views.pages import TOP
from service.views.table import spoken

# A game's events as server-sent events: a thread per stream, and a connection only while there are events to read.

PAGE = 100
RETRY_MILLISECONDS = 5_000


@dataclass(frozen=True, slots=True)
class Follower:
    """The subscriber of a stream: game, player, token and language.

    `beside_log` is what the subscriber knows of the state beside the log; None for one who is told of events alone.
    """

    games: Games
    subscriber: Subscriber
    game: UUID
    player: UUID
    token: UUID
    language: str
    beside_log: str | None = None


@dataclass(frozen=True, slots=True)
class _Latest:
    """The next events of a game, whether they are its last, and its state beside the log; None if that is not told."""

    items: list[dict[str, Any]]
    over: bool
    beside_log: str | None


@dataclass(frozen=True, slots=True)
class StreamIntervals:
    """The seconds between the comments of a silent stream, until a stream ends by itself, and between two looks at
    its token.
    """

    heartbeat: float = 15
    lifetime: float = 300
    check: float = 5


def stream(who: Follower, after: int, pace: StreamIntervals = StreamIntervals()) -> Iterator[str]:
    """Yield the messages of a stream, beginning after an event, until the game is over or the stream old enough.

    It also ends as soon as the follower may no longer read the game, which is checked with each heartbeat and before
    each event; whether the token is good and its account not blocked is checked more often.
    """
    until, known = monotonic() + pace.lifetime, who.beside_log
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    with who.subscriber.listen(who.game, after) as ear:
        while True:
            try:
                latest = _latest(who, after)
            except (UnknownGame, DeadToken, Unavailable):
                # Where the database does not answer, the client reconnects; it may be back by then.
                return
            for item in latest.items:
                after = item["seq"]
                yield f"id: {after}\ndata: {encode(item).decode()}\n\n"
            if latest.over:
                yield "event: end\ndata: {}\n\n"
                return
            if latest.beside_log not in (None, known):
                known = latest.beside_log
                yield f"event: changed\ndata: {encode({'beside_log': known}).decode()}\n\n"
            if latest.items:
                continue
            left = until - monotonic()
            if left <= 0:
                return
            waited = _wait(who, ear, latest.beside_log, min(left, pace.heartbeat), pace.check)
            if waited == "dead":
                return
            if waited == "silence":
                yield ": still here\n\n"


def _wait(
    who: Follower, ear: Subscription, known: str | None, seconds: float, check: float
) -> Literal["news", "silence", "dead"]:
    """Wait for news, and look at the token meanwhile; return what has ended the wait."""
    left = seconds
    while not ear.wait(min(left, check), known):
        left -= check
        if left <= 0:
            return "silence"
        if not _is_good(who):
            return "dead"
    return "news"


def _is_good(who: Follower) -> bool:
    try:
        with transaction(who.games.engine) as db:
            require_good(db, who.token)
    except (DeadToken, Unavailable):
        return False
    return True


def _latest(who: Follower, after: int) -> _Latest:
    with transaction(who.games.engine) as db:
        require_good(db, who.token)
        position = who.games.open(db, who.game)
        require_known(db, position, who.player)
        seat = position.seat_of(who.player)
        items = history(db, position, seat, after, PAGE, who.language)
        told = who.beside_log is not None and seat is not None
        beside = lobby_etag(db, who.game, clock.now()) if told else None
    over = position.game.status not in ("open", "running") and after + len(items) >= position.version
    return _Latest(items, over, beside)


# The events of a game (as a list, with `wait`, or as a stream), and the turns that wait for a player.

TURNS = 20
_EVENTS = {
    "type": "string",
    "description": "Messages. `id` is the number of an event; `data` is the event, as the list of events has it, as "
    "JSON in one line; `event` is `end` once the game is over, `changed` as `beside_log` asks for it, and else absent.",
}
_GAME_STREAM = Answers(schema=_EVENTS, content_type="text/event-stream", messages=(Happening, StreamChanged, StreamEnd))

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
    _GAME_STREAM,
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
        return _stream_game()
    known = wanted.get("beside_log")
    who = Follower(runtime().games, runtime().subscriber, game_id, player().id, token().id, language, known)
    return _streamed_game(who, header.get("after", wanted.get("after", 0)))


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
        ticket = tokens.issue_ticket(looking.db, game_id, token().id, now)
    url = f"{runtime().settings.base_url}{PREFIX}/streams/{ticket}"
    return as_json({"url": url, "expires_at": (now + tokens.TICKET_LIFETIME).isoformat()}, 201)


@follow.operation(
    "/streams/<ticket>",
    _GAME_STREAM,
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
        return _stream_game()
    used = tokens.use_ticket(games, ticket, clock.now())
    with transaction(games.engine) as db:
        position = games.open(db, used.game)
        require_known(db, position, used.player)
    language = spoken(position, wanted.get("language"), used.language)
    known = wanted.get("beside_log")
    who = Follower(games, runtime().subscriber, used.game, used.player, used.token, language, known)
    return _streamed_game(who, header.get("after", wanted.get("after", 0)))


@follow.operation("/me/turns", Answers(schema=Turns), scope="games:read", query=TurnsWanted)
def list_turns(wanted: dict[str, Any]) -> Response:
    """List the games in which a decision waits for one: the earliest deadline first.

    Games without a deadline follow, the one that has waited longest first.

    What waits besides are the games that others have asked one to: GET /me/invitations lists them.
    """
    limit = wanted.get("limit", TURNS)
    with transaction(runtime().games.engine) as db:
        found = turns_of(db, runtime().games.rulesets, player(), wanted.get("after"), limit + 1)
    return as_json(paged(found, limit, turns_cursor, lambda turn: turn | {"href": f"{PREFIX}/games/{turn['game']}"}))


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


def _streamed_game(who: Follower, after: int) -> Response:
    leave = waiting_slots().stream(who.player, network(request.remote_addr or ""))
    answer = _stream_game()
    answer.response = stream(who, after)
    answer.call_on_close(leave)
    return answer


def _stream_game() -> Response:
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


# What concerns an account in all its games and challenges, as server-sent events.

LOOK_SECONDS: Final = 5.0
"""The most seconds between two looks: so late a stream tells of a new game or challenge of which no message came."""

USUAL: Final = StreamIntervals()


@dataclass(frozen=True, slots=True)
class Listener:
    """The subscriber of an account's stream: the player, their token, and the moment up to which they know all."""

    runtime: Runtime
    player: UUID
    token: UUID
    since: datetime | None = None


def account_stream(who: Listener, pace: StreamIntervals = USUAL) -> Iterator[str]:
    """Yield the messages of a stream of an account: first what waits, then what happens, until it is old enough.

    It also ends as soon as its token is no longer valid, which is checked with each look. While it is open, a bot that
    is ready stays so.
    """
    until, spoken, known = monotonic() + pace.lifetime, monotonic(), None
    yield f"retry: {RETRY_MILLISECONDS}\n\n"
    while True:
        versions: Mapping[UUID, int] = {} if known is None else known.versions
        with who.runtime.subscriber.listen_to_all({who.player: 0, **versions}) as subscribed:
            try:
                found, known = _look(who, known)
            except (DeadToken, Unavailable):
                return
            for each in found:
                spoken = monotonic()
                yield f"id: {_id(known.at)}\ndata: {encode(each).decode()}\n\n"
            left = until - monotonic()
            if left <= 0:
                return
            # Games that are new have to be listened to first, and then looked at once more.
            if known.versions.keys() == versions.keys():
                subscribed.wait(min(left, max(0, spoken + pace.heartbeat - monotonic()), LOOK_SECONDS))
        if monotonic() - spoken >= pace.heartbeat:
            spoken = monotonic()
            yield ": still here\n\n"


def moment_of(identity: str) -> datetime:
    """Return the moment that the id of a message stands for."""
    return datetime.fromtimestamp(int(identity) / 1000, UTC)


def _id(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def _look(who: Listener, known: Streamed | None) -> tuple[list[dict[str, Any]], Streamed]:
    now = clock.now()
    with transaction(who.runtime.games.engine) as db:
        require_good(db, who.token)
        if not who.runtime.mode.read_only:
            renew_ready(db, who.player, now)
        return messages(db, who.player, known or before(db, who.player, who.since, now), now)


# The stream of an account, and the bots that are ready to be challenged.

account = Resource("account", __name__, description="What concerns an account in all its games; bots that are ready.")
guard(account)

READY_PAGE = 20
LIFETIME = 300
_NEWS = {
    "type": "string",
    "description": "Messages. `data` is a JSON object in one line; its `type` says what has happened. `game.turn` (a "
    "decision waits for one; with `game`, `ruleset`, `seat`, `decision`, `since`, `deadline`), `game.started`, "
    "`game.over` (with `status`), and, each with `challenge` and the `game` that it has led to, `challenge.received`, "
    "`challenge.accepted`, `challenge.declined`, `challenge.withdrawn` and `challenge.expired`. New types may come.",
}
_ACCOUNT_STREAM = Answers(schema=_NEWS, content_type="text/event-stream", messages=(AccountMessage,))


@account.operation(
    "/me/stream", _ACCOUNT_STREAM, scope="games:read", bucket="streams", query=AccountStreamWanted, headers=LastMessage
)
def stream_account(wanted: dict[str, Any], header: dict[str, Any]) -> Response:
    """Send what concerns one in all games and challenges as server-sent events, as it happens.

    First it tells what waits: each decision and each challenge that one has to answer; then what happens. With the last
    id it also tells what has begun and ended since. Something may be told twice: go by the ids of games and challenges,
    and by `decision`. No message shows more than that something is there: ask the game. A comment comes every 15
    seconds; take a stream for dead after 45 seconds of silence. After five minutes the server closes it: connect again,
    with the last id. While it is open, a bot that is ready stays so.
    """
    return _streamed_account(player().id, token().id, wanted, header.get("since", wanted.get("after")))


@account.operation("/me/stream-tickets", Answers(status=201, schema=StreamTicket), method="POST", scope="games:read")
def create_account_stream_ticket() -> Response:
    """Get an address that opens a stream of one's account without a token, as `EventSource` in a browser needs it.

    It works once, within a minute. When the stream has closed get another, and open it with `after`, the last id.
    """
    now = clock.now()
    with transaction(runtime().games.engine) as db:
        ticket = tokens.issue_account_ticket(db, token().id, now)
    url = f"{runtime().settings.base_url}{PREFIX}/account-streams/{ticket}"
    return as_json({"url": url, "expires_at": (now + tokens.TICKET_LIFETIME).isoformat()}, 201)


@account.operation(
    "/account-streams/<ticket>",
    _ACCOUNT_STREAM,
    refuses=(404,),
    public=True,
    bucket="streams",
    query=AccountStreamWanted,
    headers=LastMessage,
)
def stream_account_by_ticket(wanted: dict[str, Any], header: dict[str, Any], ticket: str) -> Response:
    """Send what concerns the player whose ticket it is, as the stream of the account does for a token."""
    if request.method == "HEAD":
        return _stream_account()
    whose = tokens.use_account_ticket(runtime().games, ticket, clock.now())
    return _streamed_account(*whose, wanted, header.get("since", wanted.get("after")))


@account.operation("/me/ready", Answers(schema=Ready), method="PUT", refuses=(409,), scope="games:play", json=NewReady)
def put_ready(posted: dict[str, Any]) -> Response:
    """Put one's bot on the list of those that are ready to be challenged; only a bot may.

    It stays there while a stream of its account is open, and five minutes more. Without a handle, by which it is
    challenged, it is refused.
    """
    found = handlers.make_ready(runtime().games, player(), posted["rulesets"], posted["seats"], clock.now())
    return as_json(views.shown_ready(found))


@account.operation("/me/ready", Answers(status=204), method="DELETE", scope="games:play")
def delete_ready() -> Response:
    """Take one's bot off the list of those that are ready."""
    handlers.end_ready(runtime().games, player())
    return no_content()


@account.operation("/ready-bots", Answers(schema=ReadyBots), public=True, query=BotsWanted)
def list_ready_bots(wanted: dict[str, Any]) -> Response:
    """List the bots that are ready to be challenged, the latest first: POST /challenges with `to`, the handle."""
    limit = wanted.get("limit", READY_PAGE)
    language = accept_language() or DEFAULT_LANGUAGE
    asked = views.BotsWanted(wanted.get("ruleset"), limit + 1, wanted.get("after", TOP))
    with transaction(runtime().games.engine) as db:
        found = views.ready_bots(db, asked, clock.now())
    return as_json(
        paged(found, limit, lambda row: cursor(row.since, row.id), lambda row: views.shown_bot(row, language))
    )


def _streamed_account(whose: UUID, by: UUID, wanted: dict[str, Any], last: str | None) -> Response:
    if request.method == "HEAD":
        return _stream_account()
    leave = waiting_slots().stream(whose, network(request.remote_addr or ""))
    who = Listener(runtime(), whose, by, None if last is None else moment_of(last))
    answer = _stream_account()
    answer.response = account_stream(who, StreamIntervals(lifetime=wanted.get("seconds", LIFETIME)))
    answer.call_on_close(leave)
    return answer


def _stream_account() -> Response:
    return Response(mimetype="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
