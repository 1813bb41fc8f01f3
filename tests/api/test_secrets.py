"""Hidden information over REST: games alike in all that a viewer may see give the viewer the same bytes and headers.

The two games differ in hidden cards, and in the doors through which their owner has played.

Both logs are written into the same game, one after the other, at the same moment: every id and name is the same. Then
everybody asks (everybody.py). The comparison leaves out ids and secrets that are drawn anew for each answer, and the
moment of writing in a webhook's message. The heads of the hash chain are set alike: a head covers hidden data too,
under a salt that nobody can guess, and differs by design.

Answers are compared as long as the rules tell the viewer the same in both games. Answers that rightly show hidden
facts are left out, the end of a game above all. Tests of the rules check that the rules tell nobody too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

import psycopg
import pytest
from flask import Flask, Response, request
from freezegun import freeze_time
from sqlalchemy import text
from werkzeug.datastructures import Headers

from service.app import create_app
from service.local.postgres import DATABASE, SUPERUSER
from service.local.servers import LocalServers
from service.log.codec import encode
from service.rules.chance import Chance, derive_key
from service.rules.kernel import fold
from service.runtime import Runtime
from service.store import events
from service.store.events import Cause, Entry
from service.store.games import Games
from tests.api.everybody import SAME, Heard, Table, answers, compared, given_away
from tests.api.scene import HOOK
from tests.api.twins import EARLY, LATE, MIDDLE, Twins, twins_at, twins_of
from tests.builders import act, now_at, opened
from tests.games.sealed_bids.decide import start
from tests.http.test_limits import FULL_HOUR
from tests.people import register
from tests.rest import Caller
from tests.rules.new_corp_order.support import Log
from tests.rules.playouts import RandomStep, names_of, random_game
from tests.superuser import Tamper
from workers.messages import fan_out

Write = Callable[[UUID, Twins, Log], None]

MOMENT = datetime(2026, 1, 1, 12, tzinfo=UTC)
SAME_WAIT = "update game set since = timestamptz '2026-01-01 13:00+00' where id = %s"
SAME_MOMENTS = "update event set at = timestamptz '2026-01-01 12:00+00' + seq * interval '1 minute' where game_id = %s"
FORGOTTEN = ("event", "outbox", "idempotency", "talk", "note", "mail_mute", "stream_ticket", "action_link")
"""Tables about a game that are emptied before its log is written anew."""
GRANTED = {"postAction", "takeBackAction", "resignGame", "postRemark", "createStreamTicket", "createWebhook"}
"""Operations that have to succeed, and to be compared, at each table."""

_NOTICES = text("select id from outbox where game_id = :game and kind = 'webhooks'")
_DELIVERED = text(
    "select webhook_id, type, (body -> 'data')::text as data from webhook_delivery"
    " where webhook_id = any(cast(:hooks as uuid[])) order by id"
)


@pytest.fixture
def write(servers: LocalServers, runtime: Runtime) -> Iterator[Write]:
    """Writes a log for a game anew, action by action; each event has the same moment every time."""
    assert servers.postgres
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True) as connection:
        # The log of a game can only grow, whoever asks for something else, but for this.
        connection.execute("set session_replication_role = replica")

        def again(game: UUID, twins: Twins, log: Log) -> None:
            for table in FORGOTTEN:
                connection.execute(f"delete from {table} where game_id = %s", (game,))
            connection.execute("update game set version = 0 where id = %s", (game,))
            append(runtime, game, twins, log)
            connection.execute(SAME_MOMENTS, (game,))
            connection.execute(SAME_WAIT, (game,))

        yield again


def append(runtime: Runtime, game: UUID, twins: Twins, log: Log) -> None:
    """Append the log, cut into actions like the game as it was played.

    Its owner has played, and the host has begun, through other doors than in the other log.
    """
    ruleset, version, state, answered = twins.ruleset, 0, None, 0
    doors = ("api", "web") if log is twins.logs[0] else ("reply", "order")
    with runtime.engine.begin() as db:
        for seat, batch in twins.batches(log):
            state = fold(ruleset, batch, state)
            waits = {"awaited": ruleset.to_act(state) - {twins.seats}, "faces": ruleset.decision(state)}
            door = doors[version > 0] if seat in (None, twins.owner) else "api"
            cause, facts = Cause(seat, door, answered), [encode(event) for event in batch]
            events.append(
                db, Entry(game=game, version=version, events=facts, cause=cause, at=MOMENT, head=bytes(32), **waits)
            )
            version, answered = version + len(batch), ruleset.decision(state)


def seated(games: Games, api: Caller, twins: Twins, access: str) -> Table:
    """Return a table of so many people as the game has seats."""
    people = [register(games, name, None, "en") for name in [*names_of(twins.seats), "Zoe"]]
    game = opened(games, twins.name, people[:-1])
    hooks = {person.name: api.by(person).post("/webhooks", HOOK).get_json()["id"] for person in people}
    for person in people:
        assert api.by(person).post(f"/webhooks/{hooks[person.name]}/test").status_code == 202
    with games.engine.begin() as db:
        db.execute(text("update game set access = :access where id = :game"), {"access": access, "game": game})
    return Table(game, people, hooks)


def house_without_memory(runtime: Runtime) -> Runtime:
    """Return the house with limits, which knows no state of any game."""
    settings = replace(runtime.settings, rate_limits=1, redis_url=None)
    return replace(runtime, games=Games(runtime.engine, runtime.games.rulesets), settings=settings)


def both(
    runtime: Runtime, table: Table, twins: Twins, write: Write, all_routes: bool = False
) -> Iterator[Mapping[str, list[Heard]]]:
    """Yield what everybody is answered in the one game and in the other."""
    for log in twins.logs:
        write(table.game, twins, log)
        house = house_without_memory(runtime)
        yield answers(create_app(house), house, table, twins, all_routes=all_routes)


@pytest.mark.parametrize(
    ("name", "seats", "seed", "moments"),
    [
        pytest.param("new-corp-order", 1, 1, (EARLY, MIDDLE, LATE), marks=pytest.mark.slow),
        ("new-corp-order", 2, 0, (EARLY, MIDDLE)),
        pytest.param("new-corp-order", 3, 3, (EARLY, MIDDLE, LATE), marks=pytest.mark.slow),
        pytest.param("new-corp-order", 4, 2, (MIDDLE,), marks=pytest.mark.slow),
        ("sealed-bids", 3, 3, (EARLY, MIDDLE, LATE)),
        ("bastards-inc", 3, 1, (MIDDLE,)),
    ],
)
def test_what_is_hidden_changes_no_byte_of_what_others_get(
    name: str,
    seats: int,
    seed: int,
    moments: tuple[float, ...],
    api: Caller,
    runtime: Runtime,
    games: Games,
    write: Write,
) -> None:
    granted: set[str] = set()
    for part, twins in zip(moments, twins_of(name, seats, seed, *moments), strict=True):
        table = seated(games, api, twins, "invitation" if part == MIDDLE else "public")
        first, second = both(runtime, table, twins, write, all_routes=part == MIDDLE)
        for person in table.people:
            one, other = first[person.name], second[person.name]
            mine = table.owns(person, twins)
            assert given_away(one, other) == []
            assert (one[0].known != other[0].known) == mine
            assert not mine or [each.told for each in one] != [each.told for each in other]
            assert 429 not in {each.told[0] for each in one}
            granted |= {each.asked for each, _ in compared(one, other) if each.told[0] == 201}
        got = {each.asked: each.told[0] for each in first["Zoe"]}
        assert got["getRecord"] == (404 if part == MIDDLE else 409)
    # Where only one player would be left, giving up ends the game, and all is open.
    assert granted >= (GRANTED if seats > 2 else GRANTED - {"resignGame"})


def test_a_start_tells_the_host_nothing_of_the_hands_of_others(
    api: Caller, runtime: Runtime, games: Games, as_superuser: Tamper
) -> None:
    people = [register(games, name, None, "en") for name in [*names_of(3), "Zoe"]]
    game = opened(games, "sealed-bids", people[:3])
    seats = as_superuser("select nonce from seat where game_id = %s order by seat", (game,)).fetchall()
    open_still = as_superuser("select status, version, head from game where id = %s", (game,)).fetchone()
    joined = as_superuser("select max(seq) from lobby_event where game_id = %s", (game,)).fetchone()[0]
    told = []
    for seed in alike_for(0, str(game), [nonce for (nonce,) in seats]):
        as_superuser("delete from event where game_id = %s", (game,))
        as_superuser("delete from lobby_event where game_id = %s and seq > %s", (game, joined))
        as_superuser("update game set (status, version, head) = (%s, %s, %s) where id = %s", (*open_still, game))
        as_superuser("update seed set seed = %s where game_id = %s", (seed, game))
        house = house_without_memory(runtime)
        caller = Caller(create_app(house).test_client())
        with freeze_time(FULL_HOUR):
            answers = [caller.by(people[0]).post(f"/games/{game}/start", X_Request_Id=SAME)]
            as_superuser("update event set head = %s where game_id = %s and seq = 1", (bytes(32), game))
            answers += [
                caller.by(people[viewer]).get(f"/games/{game}{path}", X_Request_Id=SAME)
                for viewer in (0, 3)
                for path in ("", "/events")
            ]
        assert answers[0].status_code == 200
        told.append([(each.status_code, list(each.headers), each.data) for each in answers])
    assert told[0] == told[1]


def alike_for(seat: int, game: str, nonces: list[str]) -> Sequence[bytes]:
    """Return two seeds that deal the seat the same hand, and the others not."""
    found: dict[Any, tuple[bytes, Any]] = {}
    for number in count():
        seed = number.to_bytes(32, "big")
        hands = start(len(nonces), {}, Chance(derive_key(seed, game, nonces)))
        before = found.setdefault(hands[seat], (seed, hands))
        if before[1] != hands:
            return before[0], seed
    raise AssertionError("there are only so many hands")


def leak(app: Flask, secret: str) -> None:
    """Tell the secret by a header that stands there twice, by the order of headers, and where an action is granted."""

    @app.after_request
    def tell(response: Response) -> Response:
        kept = list(response.headers)
        if request.endpoint == "play.get_game":
            response.headers = Headers([("Vary", secret), *kept])
        elif request.endpoint == "follow.list_events":
            response.headers = Headers(sorted(kept, reverse=secret == "red"))
        elif request.endpoint == "play.post_action" and response.status_code == 201:
            response.data = response.data[:-1] + f',"next":"{secret}"}}'.encode()
        return response


def test_what_tells_a_secret_is_found(api: Caller, runtime: Runtime, games: Games, write: Write) -> None:
    (twins,) = twins_of("new-corp-order", 1, 1, MIDDLE)
    table, heard = seated(games, api, twins, "public"), []
    for log, secret in zip(twins.logs, ("red", "blue"), strict=True):
        write(table.game, twins, log)
        house = house_without_memory(runtime)
        app = create_app(house)
        leak(app, secret)
        heard.append(answers(app, house, table, twins, all_routes=False)["Alice"])
    assert set(given_away(*heard)) == {"getGame", "listEvents", "postAction"}


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_webhooks_are_told_the_same_whatever_is_hidden(
    owner: int, api: Caller, runtime: Runtime, games: Games, write: Write
) -> None:
    twins = twins_at("new-corp-order", 3, owner, random_game("new-corp-order", 3, 1), 9)
    assert twins
    table, sent = seated(games, api, twins, "public"), []
    for log in twins.logs:
        write(table.game, twins, log)
        sent.append(messages(runtime, table, twins.played.steps[9]))
    assert sent[0] == sent[1]
    assert sent[0]


def messages(runtime: Runtime, table: Table, step: RandomStep) -> list[Any]:
    """Take the step, and return what the webhooks of the table's people are told; the clock is another each time."""
    house = replace(runtime, games=Games(runtime.engine, runtime.games.rulesets))
    before = len(delivered(runtime, table))
    act(house.games, now_at(house.games, table.game), step.seat, step.action)
    with runtime.engine.connect() as db:
        (row,) = db.execute(_NOTICES, {"game": table.game}).scalars()
    fan_out(house, row)
    return delivered(runtime, table)[before:]


def delivered(runtime: Runtime, table: Table) -> list[Any]:
    with runtime.engine.connect() as db:
        rows = db.execute(_DELIVERED, {"hooks": list(table.hooks.values())}).all()
        return [(row.webhook_id, row.type, row.data) for row in rows]
