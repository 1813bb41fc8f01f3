"""What concerns an account in all its games and challenges, as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final
from uuid import UUID

from msgspec.json import encode

from service.api.stream import RETRY_MILLISECONDS, StreamIntervals
from service.handlers.refusals import DeadToken, Unavailable
from service.handlers.tokens import require_good
from service.handlers.transaction import transaction
from service.runtime import Runtime
from service.shared import clock
from service.store.lobby import renew_ready
from service.views.account_messages import Streamed, before, messages

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
