"""Hidden cards over REST: two games alike in all that a viewer may see give that viewer the same bytes and headers.

One log is written into the same game after the other, so that every id and name is the same in both, and each time it
is the same moment. Then everybody asks for all that can be seen, tries what is refused, and does what can be done. All
is compared but ids and secrets that are drawn anew for each answer, and the moment at which a webhook's message says
it was written. The heads of the hash chain are set alike: they are over all that is hidden too, under a salt that
nobody can guess, and so differ by design.

An answer is compared for as long as the rules tell the viewer the same in both games. So what rightly shows what was
hidden is left out, the end of a game above all; that the rules tell nobody too much is for their own tests to show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from flask import Flask
from freezegun import freeze_time
from sqlalchemy import text
from werkzeug.test import TestResponse

from service.api.contract import PREFIX
from service.api.recorded import operations
from service.app import create_app
from service.local import LocalServers
from service.local_postgres import DATABASE, SUPERUSER
from service.rules.kernel import fold
from service.runtime import Runtime
from service.store import events
from service.store.codec import encode
from service.store.events import Cause, Entry
from service.store.games import Games
from tests.builders import act, now_at, opened
from tests.people import Person, register
from tests.promises import committed
from tests.rest import Caller
from tests.rules.new_corp_order.exchanges import Log
from tests.rules.playouts import Step, chance_of, names_of
from tests.service.situations import HOOK
from tests.service.test_limits import FULL_HOUR
from tests.service.twins import Twins, early_middle_late, twins_at

Write = Callable[[UUID, Twins, Log], None]

MOMENT = datetime(2026, 1, 1, 12, tzinfo=UTC)
STREAM = "text/event-stream"
SAME = "one-and-the-same"
SAME_WAIT = "update game set since = timestamptz '2026-01-01 13:00+00' where id = %s"
SAME_MOMENTS = "update event set at = timestamptz '2026-01-01 12:00+00' + seq * interval '1 minute' where game_id = %s"
FORGOTTEN = ("event", "outbox", "idempotency", "talk", "note", "mail_mute", "stream_ticket", "action_link")
"""What is written beside a game, and is not there when its log is written anew."""
VARIANTS = {
    "listLegalActions": ("", "?form=compact"),
    "listEvents": ("", "?language=fr"),
    "drawBoard": ("?language=de",),
    "getRecord": ("", "?seat=0"),
}
"""More than one way to ask for something."""
BODIES: Mapping[str, Any] = {
    "forkGame": {"seq": 1},
    "createInvitation": {},
    "postRemark": {"text": "Good luck!"},
    "putNotes": {"text": "Bob bluffs."},
}
"""What is said where an operation on a running game needs to be told something, and nothing is done to the game."""
TO_THE_GAME = ("postAction", "takeBackAction", "resignGame")
"""What changes the game itself, in this order."""
FIRST_KINDS = 3
"""So many kinds of legal actions are rehearsed."""

_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SECRET = re.compile(rb"brd\w+_\w+|/streams/[\w-]+")
_NOTICES = text("select id from outbox where game_id = :game and kind = 'webhooks'")
_DELIVERED = text(
    "select webhook_id, type, (body -> 'data')::text as data from webhook_delivery"
    " where webhook_id = any(cast(:hooks as uuid[])) order by id"
)


def routes(*, shown: bool) -> Iterator[tuple[str, str, str]]:
    """Return (method, name, address) of all in the document that shows something, or else does something in a game.

    Streams come last.
    """
    listed = [(method, path, each) for method, path, each in operations(committed()) if (method == "get") == shown]
    for method, path, operation in sorted(listed, key=lambda each: is_stream(each[2])):
        if shown or "{game_id}" in path:
            for variant in VARIANTS.get(operation["operationId"], ("",)):
                yield method, operation["operationId"], path.removeprefix(PREFIX) + variant


def is_stream(operation: dict[str, Any]) -> bool:
    return STREAM in operation["responses"].get("200", {}).get("content", {})


@dataclass(frozen=True, slots=True)
class Table:
    """The people in a game in the order of their seats, and a stranger beside it; `hooks` are a webhook of each."""

    game: UUID
    people: Sequence[Person]
    hooks: Mapping[str, str]

    def seat_of(self, person: Person) -> int | None:
        """Return the seat of a person, None for the stranger."""
        return None if person is self.people[-1] else self.people.index(person)

    def ids(self) -> set[bytes]:
        """Return the ids that are the same whatever is written."""
        known = [self.game, *(each.id for each in self.people), *self.hooks.values()]
        return {str(each).encode() for each in known}


class Heard(NamedTuple):
    """An answer, to what, and what the rules told its reader at that moment."""

    asked: str
    known: Any
    told: Any


@dataclass(frozen=True, slots=True)
class Round:
    """One log in the game, and what its people are answered in a house that remembers nothing of another one."""

    table: Table
    twins: Twins
    house: Runtime
    api: Caller
    heard: Mapping[str, list[Heard]]

    def ask(self, person: Person, method: str, name: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Ask for something as a person, and note the answer; of a stream its beginning and all events."""
        known = self.known_by(person)
        answer = self.api.by(person).call(method, path, body, X_Request_Id=SAME, **headers)
        self.heard[person.name].append(Heard(f"{name} {body}", known, told(answer, self.table.ids())))
        return answer

    def known_by(self, person: Person) -> Any:
        """Return what the rules tell a person of the game now; of a finished one everybody may know everything."""
        position = now_at(self.house.games, self.table.game)
        if position.game.status == "finished":
            return uuid4()
        seat = self.table.seat_of(person)
        with self.house.engine.connect() as db:
            log = events.read(db, position.codec, self.table.game, len(self.twins.logs[0]))
        new = [each.event for each in log if type(each.event) in self.twins.ruleset.event_types.values()]
        shown = [self.twins.ruleset.redact(event, seat) for event in new]
        return self.twins.ruleset.view(position.state, seat), shown


def answers(app: Flask, house: Runtime, table: Table, twins: Twins) -> Mapping[str, list[Heard]]:
    """Return what each of the people is answered to whatever can be asked: status, headers and bytes.

    At the beginning of an hour, so that all buckets are full.
    """
    now = Round(table, twins, house, Caller(app.test_client()), {person.name: [] for person in table.people})
    with freeze_time(FULL_HOUR):
        for person in table.people:
            look(now, person)
            rehearse(now, person)
        for person in table.people:
            try_all_else(now, person)
        play_on(now)
    return now.heard


def look(now: Round, person: Person) -> None:
    """Ask for all that can be seen."""
    table, length = now.table, len(now.twins.logs[0])
    ticket = now.api.by(person).post(f"/games/{table.game}/stream-tickets").get_json().get("url", "nobody's")
    known = {
        "game_id": table.game,
        "seq": length,
        "name": "standings",
        "webhook_id": table.hooks[person.name],
        "ticket": ticket.rpartition("/")[2],
    }
    for method, name, path in routes(shown=True):
        assert set(re.findall(r"{(\w+)}", path)) <= set(known), f"say here what {name} is to be asked for"
        now.ask(person, method, name, path.format_map(known))


def rehearse(now: Round, person: Person) -> None:
    """Ask for actions that are only rehearsed, or come too late, or from who is not to act."""
    game = now.table.game
    decision = now_at(now.house.games, game).decision
    choices = now.api.by(person).get(f"/games/{game}/legal-actions").get_json().get("items", [])
    kinds = {each["action"]["type"]: each["notation"] for each in choices}
    for notation in [*list(kinds.values())[:FIRST_KINDS], "P 1", "bid 1", "nonsense"]:
        for query, answered in (("?dry_run=true", decision), ("", decision - 1), ("?dry_run=true", 0)):
            body = {"decision": answered, "notation": notation}
            now.ask(person, "post", f"postAction{query}", f"/games/{game}/actions{query}", body)


def try_all_else(now: Round, person: Person) -> None:
    """Do what leaves the game itself alone, or is refused since it runs, each twice under a key."""
    known = {"game_id": now.table.game, "seat": 0, "invitation_id": uuid4()}
    for method, name, path in routes(shown=False):
        if name not in TO_THE_GAME:
            assert set(re.findall(r"{(\w+)}", path)) <= set(known), f"say here what {name} is to be asked for"
            key = str(uuid4())
            for _ in range(2):
                now.ask(person, method, name, path.format_map(known), BODIES.get(name), Idempotency_Key=key)
    body = {**HOOK, "game": str(now.table.game)}
    made = now.ask(person, "post", "createWebhook", "/webhooks", body).get_json().get("id")
    now.ask(person, "delete", "deleteWebhook", f"/webhooks/{made}")


def play_on(now: Round) -> None:
    """Play an action and take it back, each twice under a key; then let all but the owner of the secret resign."""
    position, game = now_at(now.house.games, now.table.game), f"/games/{now.table.game}"
    seat = min(position.to_act)
    action = position.ruleset.notate(quiet_action(now.twins, seat))
    players = now.table.people[:-1]
    for name, path, body in (
        ("postAction", "actions", {"decision": position.decision, "notation": action}),
        ("takeBackAction", "take-back", {"decision": position.decision}),
    ):
        key = str(uuid4())
        for _ in range(2):
            now.ask(players[seat], "post", name, f"{game}/{path}", body, Idempotency_Key=key)
        look_again(now)
    for person in players:
        if now.table.seat_of(person) != now.twins.owner:
            now.ask(person, "post", "resignGame", f"{game}/resignation", {"confirm": True})
            look_again(now)


def look_again(now: Round) -> None:
    """Let everybody see what has become of the game."""
    for person in now.table.people:
        for name, path in (("getGame", ""), ("listEvents", "/events")):
            now.ask(person, "get", name, f"/games/{now.table.game}{path}")


def quiet_action(twins: Twins, seat: int) -> Any:
    """Return an action that is legal in both games, after which the rules tell nobody what is hidden, if possible."""
    ruleset, states = twins.ruleset, [fold(twins.ruleset, log) for log in twins.logs]
    common = [each for each in ruleset.legal(states[0], seat) if each in ruleset.legal(states[1], seat)]
    blind = [viewer for viewer in (*range(twins.seats), None) if viewer is None or viewer != twins.owner]

    def known(action: Any, state: Any) -> list[Any]:
        facts = ruleset.decide(state, seat, action, chance_of(1))
        after = fold(ruleset, facts, state)
        return [(ruleset.view(after, each), [ruleset.redact(fact, each) for fact in facts]) for each in blind]

    quiet = (each for each in common if known(each, states[0]) == known(each, states[1]))
    return next(quiet, common[0])


def told(answer: TestResponse, known: set[bytes]) -> tuple[int, list[tuple[str, str]], list[bytes]]:
    """Return status, headers in their order and bytes of an answer, without ids and secrets that nobody knew before."""
    streams = answer.mimetype == STREAM
    parts = list(islice(answer.iter_encoded(), 4)) if streams else [answer.data]
    answer.close()

    def plain(part: bytes) -> bytes:
        part = _SECRET.sub(b"secret", part)
        return _UUID.sub(lambda found: found[0] if found[0] in known else b"new", part)

    headers = [(name, plain(value.encode()).decode()) for name, value in answer.headers]
    return answer.status_code, headers, [plain(part) for part in parts]


def given_away(first: Sequence[Heard], second: Sequence[Heard]) -> Iterator[str]:
    """Return what was answered differently while the rules told the same."""
    for one, other in zip(first, second, strict=True):
        if one.known != other.known:
            return
        if one.told != other.told:
            yield one.asked


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
    """Append the log, cut into actions like the game as it was played."""
    ruleset, version, state, answered = twins.ruleset, 0, None, 0
    with runtime.engine.begin() as db:
        for seat, batch in twins.batches(log):
            state = fold(ruleset, batch, state)
            waits = {"awaited": ruleset.to_act(state) - {twins.seats}, "faces": ruleset.decision(state)}
            cause, facts = Cause(seat, "api", answered), [encode(event) for event in batch]
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


def both(runtime: Runtime, table: Table, twins: Twins, write: Write) -> Iterator[Mapping[str, list[Heard]]]:
    """Yield what everybody is answered in the one game and in the other."""
    for log in twins.logs:
        write(table.game, twins, log)
        house = house_without_memory(runtime)
        yield answers(create_app(house), house, table, twins)


@pytest.mark.parametrize(
    ("name", "seats"),
    [("new-corp-order", 1), ("new-corp-order", 2), ("new-corp-order", 3), ("new-corp-order", 4), ("sealed-bids", 3)],
)
def test_what_is_hidden_changes_no_byte_of_what_others_get(
    name: str, seats: int, api: Caller, runtime: Runtime, games: Games, write: Write
) -> None:
    for twins, access in zip(early_middle_late(name, seats, seats), ("public", "invitation", "public"), strict=True):
        table = seated(games, api, twins, access)
        first, second = both(runtime, table, twins, write)
        for person in table.people:
            seat = table.seat_of(person)
            mine = seat is not None and seat == twins.owner
            assert list(given_away(first[person.name], second[person.name])) == []
            assert (first[person.name][0].known == second[person.name][0].known) != mine
            assert ([each.told for each in first[person.name]] == [each.told for each in second[person.name]]) != mine
            assert 429 not in {each.told[0] for each in first[person.name]}
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
