"""Hidden cards over REST: two games alike in all that a viewer may see give that viewer the same bytes and headers.

One log is written into the same game after the other, so that every id and name is the same in both. The moments of
the events, and since when the game waits, are set alike. All is compared but the seconds until a bucket of requests is
full again, with the length of a body that tells them, and the moment at which a webhook's message says it was written:
these differ by when they are asked for, and not by what is hidden. The heads of the hash chain are set alike: they
are over all that is hidden too, under a salt that nobody can guess, and so differ by design.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

import psycopg
import pytest
from freezegun import freeze_time
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.api.contract import PREFIX
from service.api.recorded import operations
from service.app import create_app
from service.local import LocalServers
from service.local_postgres import DATABASE, SUPERUSER
from service.rules.games.new_corp_order.setup_events import CardsDealt, ObjectivesDealt
from service.rules.games.new_corp_order.terms import COMPANY_TYPES
from service.rules.kernel import fold
from service.runtime import Runtime
from service.store import events
from service.store.codec import encode
from service.store.events import Cause, Entry
from service.store.games import Games
from tests.builders import act, now_at, opened
from tests.people import Person, alice, bob, carol, register
from tests.promises import committed
from tests.rest import Caller
from tests.rules.new_corp_order.exchanges import Log, exchanged, only, swapped
from tests.rules.playouts import RULESETS, Played, Step, random_game
from tests.service.situations import HOOK
from tests.service.test_limits import FULL_HOUR
from workers.webhooks import fan_out

Write = Callable[[UUID, Played, Log], None]

SEED, STEPS = 1, 8
MOMENT = datetime(2026, 1, 1, 12, tzinfo=UTC)
STREAM = "text/event-stream"
SAME = "one-and-the-same"
SAME_WAIT = "update game set since = timestamptz '2026-01-01 13:00+00' where id = %s"
SAME_MOMENTS = "update event set at = timestamptz '2026-01-01 12:00+00' + seq * interval '1 minute' where game_id = %s"
VARIANTS = {
    "listLegalActions": ("", "?form=compact"),
    "listEvents": ("", "?language=fr"),
    "drawBoard": ("?language=de",),
    "getRecord": ("", "?seat=0"),
}
"""More than one way to ask for something."""

_NOTICES = text("select id from outbox where game_id = :game and kind = 'webhooks'")
_DELIVERED = text(
    "select webhook_id, type, (body -> 'data')::text as data from webhook_delivery"
    " where webhook_id = any(cast(:hooks as uuid[])) order by id"
)


def routes() -> Iterator[tuple[str, str]]:
    """Return the name and the address of everything that the document has to show, streams last."""
    shown = [(operation, path) for method, path, operation in operations(committed()) if method == "get"]
    for operation, path in sorted(shown, key=lambda each: is_stream(each[0])):
        for variant in VARIANTS.get(operation["operationId"], ("",)):
            yield operation["operationId"], path.removeprefix(PREFIX) + variant


def is_stream(operation: dict[str, Any]) -> bool:
    return STREAM in operation["responses"]["200"].get("content", {})


def another_hand(log: Log, owner: int) -> Log:
    """Exchange a card of the owner's hand for another one of the deck, and one of the owner's objectives."""
    state, dealt, aims = fold(RULESETS["new-corp-order"], log), only(log, CardsDealt), only(log, ObjectivesDealt)
    hand = dealt.hands[owner]
    place = next(i for i, card in enumerate(hand) if state.hands[owner][card])
    other = next(i for i in reversed(range(len(dealt.deck))) if dealt.deck[i] != hand[place])
    assert other >= len(dealt.deck) - len(state.deck)
    hands = (*dealt.hands[:owner], swapped(hand, place, dealt.deck[other]), *dealt.hands[owner + 1 :])
    deck = swapped(dealt.deck, other, hand[place])
    aim = next(kind for kind in COMPANY_TYPES if kind not in aims.objectives[owner])
    own = swapped(aims.objectives[owner], 0, aim)
    objectives = (*aims.objectives[:owner], own, *aims.objectives[owner + 1 :])
    log = exchanged(log, CardsDealt, lambda event: replace(event, hands=hands, deck=deck))
    return exchanged(log, ObjectivesDealt, lambda event: replace(event, objectives=objectives))


@dataclass(frozen=True, slots=True)
class Table:
    """Alice, Bob and Carol in a game, Dave beside it; `hooks` are a webhook of each."""

    game: UUID
    people: Sequence[Person]
    hooks: Mapping[str, str]


def answers(runtime: Runtime, table: Table, log: Log) -> dict[str, list[Any]]:
    """Return what each of the people is answered to whatever can be asked: status, headers and bytes.

    In a house of its own and at the beginning of an hour, so that nothing is remembered and all buckets are full.
    """
    settings = replace(runtime.settings, rate_limits=1, redis_url=None)
    house = replace(runtime, games=Games(runtime.engine, runtime.games.rulesets), settings=settings)
    api = Caller(create_app(house).test_client())
    found: dict[str, list[Any]] = {}
    with freeze_time(FULL_HOUR, tick=True):
        for person in table.people:
            caller = api.by(person)
            ticket = caller.post(f"/games/{table.game}/stream-tickets").get_json().get("url", "nobody's")
            known = {
                "game_id": str(table.game),
                "seq": len(log),
                "name": "standings",
                "webhook_id": table.hooks[person.name],
                "ticket": ticket.rpartition("/")[2],
                "token": "a" * 26,
                "bot_id": str(person.id),
            }
            found[person.name] = [*seen(caller, known, len(log)), *refusals(caller, table.game, log)]
    return found


def seen(caller: Caller, known: Mapping[str, str], events: int) -> Iterator[Any]:
    """Yield the answer to every GET; of a stream its beginning, and so many events."""
    for name, path in routes():
        assert set(re.findall(r"{(\w+)}", path)) <= set(known), f"say here what {name} is to be asked for"
        answer = caller.get(path.format_map(known), X_Request_Id=SAME)
        if answer.mimetype == STREAM:
            yield name, answer.status_code, headers(answer), list(islice(answer.iter_encoded(), 1 + events))
            answer.close()
        else:
            yield name, *told(answer)


def refusals(caller: Caller, game: UUID, log: Log) -> Iterator[Any]:
    """Yield the answers to actions that are only rehearsed, or come too late, or from who is not to act."""
    ruleset = RULESETS["new-corp-order"]
    decision = ruleset.decision(fold(ruleset, log))
    choices = caller.get(f"/games/{game}/legal-actions").get_json().get("items", [])
    for notation in [*(each["notation"] for each in choices), "P 1", "P 3", "nonsense"]:
        for query, answered in (("?dry_run=true", decision), ("", 1), ("?dry_run=true", 1), ("", decision + 1)):
            body = {"decision": answered, "notation": notation}
            yield notation, answered, *told(caller.post(f"/games/{game}/actions{query}", body, X_Request_Id=SAME))


def told(answer: TestResponse) -> tuple[int, dict[str, str], bytes]:
    """Return what of an answer has to be the same: all but the seconds until buckets are full, which run on."""
    return answer.status_code, headers(answer), re.sub(rb'"reset":\d+', b'"reset":0', answer.data)


def headers(answer: TestResponse) -> dict[str, str]:
    """Return the headers without those seconds, nor the length of the bytes, which they make a digit longer."""
    kept = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
    return {name: re.sub(r";t=\d+", ";t=0", value) for name, value in kept.items()}


@pytest.fixture
def write(servers: LocalServers, runtime: Runtime) -> Iterator[Write]:
    """Writes a log for a game anew, action by action; each event has the same moment every time."""
    assert servers.postgres
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True) as connection:
        # The log of a game can only grow, whoever asks for something else, but for this.
        connection.execute("set session_replication_role = replica")

        def again(game: UUID, played: Played, log: Log) -> None:
            connection.execute("delete from event where game_id = %s", (game,))
            connection.execute("delete from outbox where game_id = %s", (game,))
            connection.execute("update game set version = 0 where id = %s", (game,))
            append(runtime, game, played, log)
            connection.execute(SAME_MOMENTS, (game,))
            connection.execute(SAME_WAIT, (game,))

        yield again


def append(runtime: Runtime, game: UUID, played: Played, log: Log) -> None:
    """Append the log, cut into actions like the game as it was played."""
    ruleset, version = RULESETS["new-corp-order"], 0
    batches = [(None, 0, len(played.setup))]
    batches += [(step.seat, ruleset.decision(step.before), len(step.facts)) for step in played.steps[:STEPS]]
    with runtime.engine.begin() as db:
        for seat, answered, count in batches:
            facts = [encode(event) for event in log[version : version + count]]
            state = fold(ruleset, log[: version + count])
            waits = {"awaited": ruleset.to_act(state), "faces": ruleset.decision(state)}
            cause = Cause(seat, "api", answered)
            events.append(
                db, Entry(game=game, version=version, events=facts, cause=cause, at=MOMENT, head=bytes(32), **waits)
            )
            version += count
    assert version == len(log)


@pytest.fixture
def table(api: Caller, games: Games) -> Table:
    people = [alice(games, None), bob(games, None), carol(games, None), register(games, "Dave", None, "en")]
    game = opened(games, "new-corp-order", people[:3])
    hooks = {person.name: api.by(person).post("/webhooks", HOOK).get_json()["id"] for person in people}
    for person in people:
        assert api.by(person).post(f"/webhooks/{hooks[person.name]}/test").status_code == 202
    return Table(game, people, hooks)


@pytest.mark.parametrize("access", ["public", "invitation"])
@pytest.mark.parametrize("owner", [0, 1, 2])
def test_what_is_hidden_changes_no_byte_of_what_others_get(
    owner: int, access: str, runtime: Runtime, table: Table, write: Write
) -> None:
    played = random_game("new-corp-order", 3, SEED)
    log = played.log(STEPS)
    with runtime.engine.begin() as db:
        db.execute(text("update game set access = :access where id = :game"), {"access": access, "game": table.game})
    write(table.game, played, log)
    first = answers(runtime, table, log)
    other = another_hand(log, owner)
    write(table.game, played, other)
    second = answers(runtime, table, other)
    for person in table.people:
        assert (first[person.name] == second[person.name]) == (person is not table.people[owner])
    got = {name: status for name, status, *_ in first["Dave"]}
    assert got["getGame"] == got["streamEvents"] == (200 if access == "public" else 404)


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_webhooks_are_told_the_same_whatever_is_hidden(
    owner: int, runtime: Runtime, table: Table, write: Write
) -> None:
    played = random_game("new-corp-order", 3, SEED)
    log, step = played.log(STEPS), played.steps[STEPS]
    sent = []
    for each in (log, another_hand(log, owner)):
        write(table.game, played, each)
        sent.append(messages(runtime, table, step))
    assert sent[0] == sent[1]
    assert sent[0]


def messages(runtime: Runtime, table: Table, step: Step) -> list[Any]:
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
