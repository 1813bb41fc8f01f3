"""Records over REST: whole once a game is over, one viewer's view of it before, and what proves them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from service.handlers import lobby
from service.handlers.lobby import Plan
from service.log.chain import link
from service.record.canonical import canonical
from service.record.seal import read_keys
from service.record.verify import verify
from service.rules.chance import commit, commit_nonce
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, finished, first_legal, now_at, opened, started, table_for
from tests.letters import letters
from tests.people import Person, alice, bob, carol
from tests.record.records import RULESETS
from tests.rest import Caller, refused
from tests.superuser import UNCHAINED, Tamper
from workers.proof import carry_out_seal
from workers.relay import Relay

NONCE = "0123456789abcdef" * 2


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games, None), bob(games, None)]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def over(games: Games, people: list[Person]) -> Position:
    return finished(games, started(games, "new-corp-order", people))


def row_of(runtime: Runtime, game: UUID) -> int:
    with runtime.engine.connect() as db:
        return int(
            db.exec_driver_sql("select id from outbox where kind = 'seal' and game_id = %s", (game,)).scalar_one()
        )


def test_a_game_that_is_over_is_a_sealed_record_that_holds_with_the_published_keys(
    api: Caller, games: Games, runtime: Runtime, people: list[Person]
) -> None:
    game = over(games, people).game.id
    carry_out_seal(runtime, row_of(runtime, game))
    answer = api.by(people[1]).get(f"/games/{game}/record")
    assert answer.content_type == "application/jsonl"
    keys = api.get("/seal-keys").get_json()
    assert api.client.get("/.well-known/boardroom-keys.json").get_json() == keys
    report = verify(answer.data, RULESETS, list(read_keys(keys)))
    assert [finding.holds for finding in report.findings] == [True] * 5, report.findings
    proof = api.by(people[0]).get(f"/games/{game}/proof").get_json()
    line = lines(answer.text)[-1]
    assert proof["seal"] == {name: value for name, value in line.items() if name != "kind"} | {
        "at": datetime.fromtimestamp(line["at"] / 1000, UTC).isoformat()
    }
    assert commit(bytes.fromhex(proof["seed"])) == proof["commitment"]


def test_while_it_runs_each_has_a_view_of_the_steps_with_the_heads(
    api: Caller, games: Games, people: list[Person]
) -> None:
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    game, secrets = position.game.id, set()
    position = act(games, position, 0, first_legal(position, 0)).position
    texts = {person.name: api.by(person).get(f"/games/{game}/record").text for person in [*people, carol(games)]}
    with games.engine.connect() as db:
        secrets.add(db.exec_driver_sql("select encode(seed, 'hex') from seed where game_id = %s", (game,)).scalar_one())
        secrets |= set(db.exec_driver_sql("select nonce from seat where game_id = %s", (game,)).scalars())
    for text in texts.values():
        header, setup, first = lines(text)
        assert (header["kind"], setup["kind"], setup["seq"], first["kind"]) == ("view", "view-step", 1, "view-step")
        assert first["head"] == now_at(games, game).game.head == position.game.head
        assert not any(secret in text for secret in secrets)
    assert len(set(texts.values())) == 3
    acted = {name: lines(text)[2]["action"] for name, text in texts.items()}
    assert acted["Alice"]["type"]
    assert (acted["Bob"], acted["Carol"]) == (None, None)
    refused(api.by(people[0]).get(f"/games/{game}/record?seat=1"), 409, "game-not-over")
    refused(api.by(people[0]).get(f"/games/{game}/record?seat=2"), 404, "not-found")
    proof = api.by(people[0]).get(f"/games/{game}/proof").get_json()
    assert (proof["head"], proof["seed"], proof["seal"], proof["day"]) == (position.game.head, None, None, None)
    assert [each["nonce"] for each in proof["seats"]] == [None, None]


def test_after_the_end_everybody_has_what_each_seat_knew(api: Caller, games: Games, people: list[Person]) -> None:
    position = started(games, "new-corp-order", people)
    game = position.game.id
    before = api.by(people[1]).get(f"/games/{game}/record").text
    finished(games, position)
    assert api.by(people[0]).get(f"/games/{game}/record?seat=1").text.startswith(before)


def test_a_seats_own_value_of_chance_may_come_from_its_client(api: Caller, games: Games, people: list[Person]) -> None:
    made = api.by(people[0]).post(
        "/games", {"ruleset": "new-corp-order", "seats": 2, "access": "public", "nonce": NONCE}
    )
    game = made.get_json()["id"]
    refused(api.by(people[1]).post(f"/games/{game}/seats?nonce=short"), 422, "validation")
    again = [
        api.by(people[1]).post(f"/games/{game}/seats?nonce={NONCE[::-1]}", Idempotency_Key="sit-down").get_json()
        for _ in range(2)
    ]
    assert again == [{"seat": 1}] * 2
    refused(api.by(people[1]).post(f"/games/{game}/seats", Idempotency_Key="sit-down"), 422, "key-reused")
    lobby.start(games, UUID(game), people[0].id, clock.now())
    told = api.by(people[0]).get(f"/games/{game}/events").get_json()["items"][0]["data"]
    assert (told["drawn_by"], "nonces" in told) == (["client", "client"], False)
    finished(games, now_at(games, UUID(game)))
    told = lines(api.by(people[0]).get(f"/games/{game}/record").text)
    setup = next(line for line in told if line["kind"] == "step")
    assert setup["events"][0]["data"]["nonces"] == [NONCE, NONCE[::-1]]


def test_a_game_that_was_called_off_shows_its_seed_and_has_a_sealed_record(
    api: Caller, games: Games, runtime: Runtime, people: list[Person]
) -> None:
    plan = Plan("new-corp-order", 2)
    game = lobby.create(games, people[0].id, plan, clock.now()).game.id
    mine = api.by(people[0])
    assert mine.get(f"/games/{game}/proof").get_json()["seed"] is None
    mine.post(f"/games/{game}/cancel")
    proof = mine.get(f"/games/{game}/proof").get_json()
    assert commit(bytes.fromhex(proof["seed"])) == proof["commitment"]
    assert proof["seats"][0]["drawn_by"] == "server"
    assert proof["seats"][0]["nonce"]
    carry_out_seal(runtime, row_of(runtime, game))
    report = verify(mine.get(f"/games/{game}/record").data, RULESETS, list(read_keys(api.get("/seal-keys").get_json())))
    assert [finding.holds for finding in report.findings] == [True] * 5, report.findings
    assert mine.get("/me/records").data == mine.get(f"/games/{game}/record").data
    refused(mine.get(f"/games/{game}/record?seat=0"), 409, "game-not-running")


def test_whoever_sits_down_sees_the_commitment_to_their_own_value_at_once(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = table_for(games, "new-corp-order", people[0], 2)
    api.by(people[1]).post(f"/games/{game}/seats?nonce={NONCE}")
    answer = api.by(people[1]).get(f"/games/{game}/proof")
    told = answer.get_json()["lobby"]
    assert [(each["seat"], each["event"]["type"]) for each in told] == [
        (0, "game-opened"),
        (0, "seat-taken"),
        (1, "seat-taken"),
    ]
    assert told[2]["event"]["data"]["nonce"] == commit_nonce(str(game), NONCE)
    assert NONCE not in answer.text
    head = bytes(32)
    for each in told:
        at = round(datetime.fromisoformat(each["at"]).timestamp() * 1000)
        line = {"kind": "lobby", **each, "at": at}
        assert line.pop("head") == (head := link(head, b"", canonical(line))).hex()
    lobby.start(games, game, people[0].id, clock.now())
    told = api.by(people[0]).get(f"/games/{game}/proof").get_json()["lobby"]
    begun = api.by(people[0]).get(f"/games/{game}/events").get_json()["items"][0]["data"]
    assert (begun["lobby"], told[-1]["event"]["type"]) == (told[-1]["head"], "start-given")


def test_a_game_that_has_not_begun_or_was_altered_or_has_no_chain_has_no_record(
    api: Caller, games: Games, people: list[Person], as_superuser: Tamper
) -> None:
    mine = api.by(people[0])
    refused(mine.get(f"/games/{opened(games, 'new-corp-order', people)}/record"), 409, "game-not-running")
    game = over(games, people).game.id
    as_superuser("update event set door = 'reply' where game_id = %s and seq = 2", (game,))
    refused(mine.get(f"/games/{game}/record"), 500, "internal")
    as_superuser(UNCHAINED, {"game": game})
    refused(mine.get(f"/games/{game}/record"), 409, "no-record")


def test_days_are_listed_the_newest_first(api: Caller, as_superuser: Tamper) -> None:
    days = [f"2020-01-0{number}" for number in (3, 2, 1)]
    for day in days:
        as_superuser("insert into seal_day values (%s, decode('00', 'hex'), 1, now())", (day,))
    page = api.get("/seal-days?after=2020-01-04&limit=2").get_json()
    assert ([each["day"] for each in page["items"]], page["next"]) == (days[:2], days[1])
    assert [each["day"] for each in api.get(f"/seal-days?after={page['next']}").get_json()["items"]] == days[2:]
    refused(api.get("/seal-days?after=2020-02-30"), 422, "validation")
    as_superuser("delete from seal_day where day = any(%s)", (days,))


def test_one_has_all_records_of_ones_own_page_by_page(api: Caller, games: Games, people: list[Person]) -> None:
    mine = [over(games, people).game.id for _ in range(2)]
    started(games, "new-corp-order", people)
    caller = api.by(people[0])
    first = caller.get("/me/records?limit=1")
    assert first.content_type == "application/jsonl"
    assert verify(first.data, RULESETS).game == str(mine[0])
    second = caller.get(f"/me/records?after={mine[0]}")
    assert second.text == caller.get(f"/games/{mine[1]}/record").text
    assert caller.get(f"/me/records?after={mine[1]}").text == ""
    assert api.by(carol(games)).get("/me/records").text == ""


def test_what_a_record_proves_stays_when_its_players_are_forgotten(
    api: Caller, games: Games, people: list[Person]
) -> None:
    game = over(games, people).game.id
    before = api.by(people[0]).get(f"/games/{game}/record").data
    assert api.by(people[1]).delete("/me", {"confirm": people[1].name}).status_code == 204
    after = api.by(people[0]).get(f"/games/{game}/record").data
    assert after == before
    assert verify(after, RULESETS).holds
    assert people[1].name.encode() not in after


def test_the_check_value_at_the_end_of_each_mail_is_that_of_the_record(
    api: Caller, games: Games, runtime: Runtime, mailbox: Path
) -> None:
    readers = [alice(games), bob(games)]
    position, relay = started(games, "new-corp-order", readers), Relay(replace(runtime, redis=None))
    game = position.game.id
    relay.drain()
    for _ in range(4):
        seat = min(position.awaited)
        position = act(games, position, seat, first_legal(position, seat)).position
        relay.drain()
    finished(games, position)
    relay.drain()
    steps = [line for line in lines(api.by(readers[0]).get(f"/games/{game}/record").text) if line["kind"] == "step"]
    checks = {str(step["seq"] + len(step["events"]) - 1): step["check"] for step in steps}
    mailed = [
        re.findall(r"(\d+) \w+ ?: ([0-9a-f]{16})\b", " ".join(each.text.split())) for each in letters(mailbox, game)
    ]
    assert [len(found) for found in mailed] == [1] * len(mailed)
    assert len({seq for ((seq, _),) in mailed}) > 1
    assert [checks[seq] for ((seq, _),) in mailed] == [check for ((_, check),) in mailed]
