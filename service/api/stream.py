"""A game's events as server-sent events: a thread per stream, and a connection only while there are events to read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, Literal
from uuid import UUID

from msgspec.json import encode

from service.handlers.refusals import DeadToken, Unavailable
from service.handlers.tokens import require_good
from service.handlers.transaction import transaction
from service.shared import clock
from service.shared.lobby_etag import lobby_etag
from service.shared.pubsub import Subscriber, Subscription
from service.store.game_row import UnknownGame
from service.store.games import Games, require_known
from service.views.history import history

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
