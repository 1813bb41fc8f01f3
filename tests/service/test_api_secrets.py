"""Hidden cards over REST: two games alike in all that a viewer may see give that viewer the same bytes and headers.

One log is written into the same game after the other, so that every id, name and time is the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest

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
from tests.builders import opened
from tests.people import Person, alice, bob, carol, register
from tests.promises import committed
from tests.rest import Caller
from tests.rules.new_corp_order.exchanges import Log, exchanged, only, swapped
from tests.rules.playouts import RULESETS, Played, random_game

SEED, STEPS = 1, 8
STREAM = "text/event-stream"
SAME_MOMENTS = "update event set at = timestamptz '2026-01-01 12:00+00' + seq * interval '1 minute' where game_id = %s"


def routes() -> Iterator[tuple[str, str]]:
    """Return the name and the address of every operation that shows something of a game, streams left out."""
    for method, path, operation in operations(committed()):
        streamed = any(STREAM in each.get("content", {}) for each in operation["responses"].values())
        if method == "get" and "{game_id}" in path and not streamed:
            yield operation["operationId"], path


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


def answers(runtime: Runtime, people: Sequence[Person], game: UUID) -> dict[str, list[Any]]:
    """Return what every route answers to each of the people: status, headers and bytes."""
    house = replace(runtime, games=Games(runtime.engine, runtime.games.rulesets))
    api = Caller(create_app(house).test_client())
    found: dict[str, list[Any]] = {}
    for name, path in routes():
        assert set(re.findall(r"{(\w+)}", path)) == {"game_id"}, f"say here what {name} is to be asked for"
        address = path.removeprefix(PREFIX).format(game_id=game)
        for person in people:
            answer = api.by(person).get(address, X_Request_Id="one-and-the-same")
            found.setdefault(person.name, []).append((name, answer.status_code, dict(answer.headers), answer.data))
    return found


@pytest.fixture
def write(servers: LocalServers, runtime: Runtime) -> Iterator[Callable[[UUID, Played, Log], None]]:
    """Writes a log for a game anew, action by action; each event has the same moment every time."""
    assert servers.postgres
    address = f"host={servers.postgres.sockets} user={SUPERUSER} dbname={DATABASE}"
    with psycopg.connect(address, autocommit=True) as connection:
        # The log of a game can only grow, whoever asks for something else, but for this.
        connection.execute("set session_replication_role = replica")

        def again(game: UUID, played: Played, log: Log) -> None:
            connection.execute("delete from event where game_id = %s", (game,))
            connection.execute("update game set version = 0 where id = %s", (game,))
            append(runtime, game, played, log)
            connection.execute(SAME_MOMENTS, (game,))

        yield again


def append(runtime: Runtime, game: UUID, played: Played, log: Log) -> None:
    """Append the log, cut into actions like the game as it was played."""
    decision, version = runtime.games.rulesets["new-corp-order"].decision, 0
    batches = [(None, 0, len(played.setup))]
    batches += [(step.seat, decision(step.before), len(step.facts)) for step in played.steps[:STEPS]]
    with runtime.engine.begin() as db:
        for seat, answered, count in batches:
            facts = [encode(event) for event in log[version : version + count]]
            cause = Cause(seat, "api", answered)
            events.append(db, Entry(game=game, version=version, events=facts, cause=cause))
            version += count
    assert version == len(log)


@pytest.mark.parametrize("owner", [0, 1, 2])
def test_what_is_hidden_changes_no_byte_of_what_others_get(
    owner: int, runtime: Runtime, games: Games, write: Callable[[UUID, Played, Log], None]
) -> None:
    played = random_game("new-corp-order", 3, SEED)
    people = [alice(games, None), bob(games, None), carol(games, None), register(games, "Dave", None, "en")]
    game = opened(games, "new-corp-order", people[:3])
    log = played.log(STEPS)
    write(game, played, log)
    seen = answers(runtime, people, game)
    write(game, played, another_hand(log, owner))
    seen_elsewhere = answers(runtime, people, game)
    for person in people:
        assert (seen[person.name] == seen_elsewhere[person.name]) == (person is not people[owner])
    assert {status for each in seen.values() for _, status, _, _ in each} == {200}
