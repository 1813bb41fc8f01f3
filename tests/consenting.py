"""Games with a clock, whose players agree to pauses and to taking actions back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from freezegun import freeze_time
from sqlalchemy import text

from service.audit.inspect import whole_record
from service.handlers import lobby
from service.log.recorded import Recorded, instant
from service.record.verify import verify
from service.rules.pace import PACES, Pace
from service.runtime import Runtime
from service.shared import clock
from service.store import events
from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.builders import now_at, table_for
from tests.lapsing import fired
from tests.people import Person, alice, bob, carol
from tests.record.records import KEYS, SEALED_AT, SIGNER
from workers.jobs import carry_out

DAILY = PACES["daily"]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
_PENDING = text(
    "select id, dedupe_key, payload, due_at from outbox"
    " where game_id = :game and kind = :kind and state = 'pending' order by id"
)


def clocked(
    games: Games, pace: Pace = DAILY, ruleset: str = "sealed-bids", people: Sequence[Person] = (), **options: Any
) -> Position:
    """Return a game with a clock at its first decision; with Alice, Bob and Carol, unless told."""
    seated = people or [alice(games), bob(games), carol(games)]
    game = table_for(games, ruleset, seated[0], len(seated), Terms(access="public", pace=pace), **options)
    for person in seated[1:]:
        lobby.join(games, game, person.id, clock.now())
    return lobby.start(games, game, seated[0].id, clock.now())


def after(passed: timedelta) -> Any:
    """Have it be so much later within a block, in which time goes on."""
    return freeze_time(clock.now() + passed, tick=True)


def player(position: Position, seat: int) -> Any:
    """Return the id of the player in a seat."""
    return position.seats[seat].player_id


def moment(at: int | None) -> datetime:
    """Return the moment that is so many milliseconds after the beginning of 1970; it has to be there."""
    assert at is not None
    return instant(at)


def logged(games: Games, position: Position) -> list[Recorded]:
    """Return the log of the game as it is."""
    with games.engine.connect() as db:
        return events.read(db, position.codec, position.game.id)


def names(games: Games, position: Position) -> list[str]:
    """Return the names of the events since the position, in the game as it is."""
    return [each.name for each in logged(games, position)[position.version :]]


def pending(games: Games, position: Position, kind: str) -> list[Any]:
    """Return the outbox rows of a kind that are pending: id, dedupe_key, payload, due_at."""
    with games.engine.begin() as db:
        if kind == "lapse":
            fired(db, position)
        return list(db.execute(_PENDING, {"game": position.game.id, "kind": kind}))


def told(games: Games, position: Position, kind: str, what: str | None = None) -> list[int]:
    """Return the seats to which a mail of a kind is to be sent, or one that says `what`."""
    rows = pending(games, position, kind)
    return [row.payload["seat"] for row in rows if what is None or row.payload["what"] == what]


def carried_out(runtime: Runtime, position: Position, kind: str) -> Position:
    """Carry out the pending rows of a kind; return the game after that."""
    for row in pending(runtime.games, position, kind):
        carry_out(runtime, row.id)
    return now_at(runtime.games, position.game.id)


def record_of(games: Games, position: Position) -> bytes:
    """Return the record of a game that is over, sealed with a key of the tests."""
    with games.engine.connect() as db:
        record = whole_record(db, games, position.game.id)
    record.seal(SIGNER, SEALED_AT)
    return record.text()


def verified(games: Games, position: Position) -> None:
    """Require that the record of a game that is over holds on every level."""
    report = verify(record_of(games, position), games.rulesets, KEYS)
    assert [finding.holds for finding in report.findings] == [True] * 6, report
