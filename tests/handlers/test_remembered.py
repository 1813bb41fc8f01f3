"""Cached caller and game: the log takes an action on the cache only if nothing in the cache is stale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text

from service.app import create_app
from service.handlers import authentication, delete_account, tokens
from service.handlers.authentication import authenticate
from service.handlers.people import change_player
from service.handlers.play import Move, play
from service.runtime import Runtime
from service.shared import clock
from service.store.engine import build_engine
from service.store.games import Games, Position
from tests.api.scene import HOOK
from tests.builders import first_legal, now_at, started
from tests.people import alice, bob, carol, new_address
from tests.remembered import ALICE, BOB, Table, acted_at
from tests.rest import Caller, refused
from tests.statements import heard

NOT_NOW = {"type": "discard", "cards": []}


@pytest.fixture
def table(api: Caller, games: Games) -> Table:
    return acted_at(games, api)


def test_an_action_of_somebody_remembered_is_one_statement(table: Table) -> None:
    before = table.now
    said = before.ruleset.notate(first_legal(before, ALICE))
    with heard(table.games) as statements:
        answer = table.seats[ALICE].act(before.game.id, before.decision, said)
    assert answer.status_code == 201
    assert ["insert into event" in statement for statement in statements] == [True]
    assert answer.json
    assert answer.json["version"] == table.now.version > before.version


def test_so_is_one_under_a_key_and_its_repetition_is_told_the_same(table: Table) -> None:
    before = table.now
    with heard(table.games) as statements:
        first = table.say(ALICE, before, Idempotency_Key="once-only")
    again = table.say(ALICE, before, Idempotency_Key="once-only")
    assert ["insert into event" in statement for statement in statements] == [True]
    assert (first.status_code, again.status_code, first.json) == (201, 201, again.json)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"


ENDS: dict[str, Callable[[Table], object]] = {
    "token-revoked": lambda table: tokens.revoke(table.games, table.people[ALICE].id, _token(table).id, clock.now()),
    "token-expired": lambda table: _set(table, "token", "expires_at = clock_timestamp()", _token(table).id),
    "unauthenticated": lambda table: delete_account.delete_account(
        table.games, table.people[ALICE].id, "api", clock.now()
    ),
}


@pytest.mark.parametrize("ended", ENDS)
def test_whose_token_is_good_no_more_is_told_so_whatever_they_send(table: Table, ended: str) -> None:
    before, caller = table.now, table.seats[ALICE]
    ENDS[ended](table)
    after, path = table.now.version, f"/games/{before.game.id}/actions"
    legal = {"decision": before.decision, "notation": before.ruleset.notate(first_legal(before, ALICE))}
    for answer in (
        caller.raw(path, b"{"),
        caller.post(path, legal),
        caller.post(path, legal | {"decision": 1}),
        caller.post(path, {"decision": "one"}),
        caller.post(f"{path}?dry_run=true", legal),
        caller.post(path, legal, Idempotency_Key="mine"),
    ):
        refused(answer, 401, ended)
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
    assert table.now.version == after


def test_how_long_an_action_takes_tells_whose_token_is_good_no_more_nothing_twice(table: Table) -> None:
    ENDS["token-revoked"](table)
    before = table.now
    refused(table.say(ALICE, before), 401, "token-revoked")
    with heard(table.games) as statements:
        refused(table.say(ALICE, before), 401, "token-revoked")
    assert statements
    assert not any("insert into event" in statement for statement in statements)


@pytest.mark.parametrize("sent", [b"{", b'{"decision": 1, "notation": "x"}', b'{"decision": "one"}'])
def test_the_first_thing_that_they_send_is_no_exception(table: Table, sent: bytes) -> None:
    ENDS["token-revoked"](table)
    refused(table.seats[ALICE].raw(f"/games/{table.start.game.id}/actions", sent), 401, "token-revoked")


def test_a_dry_run_after_the_end_of_a_token_shows_nothing(table: Table) -> None:
    before = table.now
    ENDS["token-revoked"](table)
    legal = {"decision": before.decision, "notation": before.ruleset.notate(first_legal(before, ALICE))}
    refused(table.seats[ALICE].post(f"/games/{before.game.id}/actions?dry_run=true", legal), 401, "token-revoked")


@pytest.mark.parametrize(
    ("ended", "columns"),
    [
        ("token-expired", "expires_at = clock_timestamp() - interval '1 second'"),
        ("token-revoked", "revoked_at = clock_timestamp()"),
    ],
)
def test_a_token_whose_row_is_as_remembered_and_that_is_good_no_more_is_refused(
    table: Table, runtime: Runtime, ended: str, columns: str
) -> None:
    text_of_it = table.people[ALICE].token
    known = runtime.remembered_tokens.recall(text_of_it)
    assert known is not None
    _set(table, "token", columns, known.token.id)
    with table.games.engine.begin() as db:
        version = db.execute(text("select xmin::text from token where id = :id"), {"id": known.token.id}).scalar_one()
    # As if only time had passed since it was read, or it had been revoked while its use was noted.
    runtime.remembered_tokens.remember(text_of_it, replace(known, version=version))
    before = table.now.version
    refused(table.act(), 401, ended)
    assert table.now.version == before


def test_where_the_game_has_moved_on_elsewhere_it_is_told_from_what_is_so_now(table: Table) -> None:
    before, elsewhere = table.now, Games(table.games.engine, table.games.rulesets)
    action = first_legal(before, ALICE)
    play(elsewhere, Move(before.game.id, ALICE, before.decision, action, "api"))
    told = refused(table.say(ALICE, before), 409, "stale-decision")
    assert told["version"] == table.now.version > before.version


def test_an_action_that_answers_one_by_another_process_only_has_the_game_read_besides(table: Table) -> None:
    now = _moved_on_elsewhere(table)
    with heard(table.games) as statements:
        answer = table.say(BOB, now)
    assert answer.status_code == 201
    assert answer.json
    assert answer.json["version"] == table.now.version > now.version
    assert ["insert into event" in statement for statement in statements] == [False, True]
    assert not any("from token t" in statement for statement in statements)


def test_whose_token_is_good_no_more_is_told_so_where_the_game_has_moved_on_elsewhere(table: Table) -> None:
    now = _moved_on_elsewhere(table)
    tokens.revoke(table.games, table.people[BOB].id, _token(table, BOB).id, clock.now())
    refused(table.say(BOB, now), 401, "token-revoked")
    assert table.now.version == now.version


def test_where_others_act_on_the_same_decision_elsewhere_the_action_is_taken(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), alice(games)]
    position = started(games, "sealed-bids", people)
    elsewhere, game = Games(games.engine, games.rulesets), position.game.id
    for seat in (2, BOB, ALICE):
        assert api.by(people[seat]).act(game, 1, {"type": "hold"}).status_code == 201
    second = now_at(elsewhere, game)
    play(elsewhere, Move(game, BOB, second.decision, first_legal(second, BOB), "api"))
    answer = api.by(people[ALICE]).act(game, second.decision, {"type": "hold"})
    assert answer.status_code == 201
    assert answer.json
    assert answer.json["version"] == now_at(games, game).version == second.version + 2


def test_what_cannot_be_played_is_refused_with_the_reason_and_changes_nothing(table: Table) -> None:
    before, caller = table.now, table.seats[ALICE]
    unreadable = caller.act(before.game.id, before.decision, "?!")
    odd = caller.act(before.game.id, before.decision, {"type": "win"})
    reached = caller.act(before.game.id, before.decision, NOT_NOW)
    refused(unreadable, 422, "unreadable-notation")
    refused(odd, 422, "validation")
    assert refused(reached, 409, "illegal-action")["code"]
    assert table.now == before


def test_whoever_has_got_a_mail_address_meanwhile_is_sent_the_turn(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games, email=None)]
    table = Table(games, started(games, "new-corp-order", people), people, [api.by(person) for person in people])
    while True:
        position = table.now
        (seat,) = position.awaited
        if seat == ALICE and position.version > table.start.version + 12:
            _set(
                table,
                "player",
                f"email = '{new_address()}', email_verified = true, email_confirmed = true",
                people[BOB].id,
            )
            break
        assert table.act().status_code == 201
    while table.now.awaited == {ALICE}:
        assert table.act().status_code == 201
    assert f"turn-mail:{table.start.game.id}:{table.now.decision}:{BOB}" in _notices(table)


def test_a_webhook_added_meanwhile_is_told(table: Table) -> None:
    made = table.seats[BOB].post("/webhooks", HOOK)
    assert made.status_code == 201, made.text
    assert table.act().status_code == 201
    assert f"webhooks:{table.start.game.id}:{table.now.version}" in _notices(table)


def test_a_name_changed_meanwhile_is_shown(table: Table) -> None:
    change_player(table.games, table.people[BOB].id, {"name": "Robert"}, clock.now())
    answer = table.act()
    assert answer.json
    assert [seat["name"] for seat in answer.json["table"]["seats"]] == ["Alice", "Robert"]


def test_a_name_changed_meanwhile_of_the_owner_of_a_bot_is_shown(table: Table) -> None:
    owner = carol(table.games)
    _set(table, "player", f"owner = '{owner.id}', email = null, email_confirmed = false", table.people[BOB].id)
    assert table.act().status_code == 201
    before = table.now
    with heard(table.games) as statements:
        assert table.say(min(before.awaited), before).status_code == 201
    assert len(statements) == 1
    _set(table, "player", "name = 'Caroline'", owner.id)
    answer = table.act().json
    assert answer is not None and answer["table"]["seats"][BOB]["owner"] == "Caroline"


def test_a_language_chosen_meanwhile_is_spoken_even_if_the_game_was_read_since(table: Table) -> None:
    change_player(table.games, table.people[ALICE].id, {"language": "de"}, clock.now())
    before = table.now
    table.games.committed(before)
    with heard(table.games) as statements:
        answer = table.say(ALICE, before)
    assert ["insert into event" in statement for statement in statements] == [True]
    assert answer.json
    told = table.seats[ALICE].get(f"/games/{table.start.game.id}/events?after={answer.json['events'][0]['seq'] - 1}")
    assert told.json
    assert [each["text"] for each in answer.json["events"]] == [each["text"] for each in told.json["items"]]


def test_nobody_is_remembered_for_longer_than_the_use_of_a_token_goes_unnoted(
    table: Table, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of_it = table.people[ALICE].token
    assert runtime.remembered_tokens.recall(text_of_it) is not None
    later = authentication.monotonic() + authentication._REMEMBERED_SECONDS
    monkeypatch.setattr(authentication, "monotonic", lambda: later)
    assert runtime.remembered_tokens.recall(text_of_it) is None


def test_without_a_database_nobody_is_answered_from_memory(table: Table, runtime: Runtime) -> None:
    nowhere = build_engine("postgresql+psycopg://nobody@127.0.0.1:1/nothing")
    cut_off = create_app(replace(runtime, games=Games(nowhere, table.games.rulesets)))
    caller = Caller(cut_off.test_client(), table.people[ALICE].token)
    for sent in (b"{", b'{"decision": 1, "notation": "x"}'):
        refused(caller.raw(f"/games/{table.start.game.id}/actions", sent), 503, "unavailable")
    nowhere.dispose()


def _moved_on_elsewhere(table: Table) -> Position:
    """Have Alice act by another process until Bob is asked; return the game then."""
    now, elsewhere = table.now, Games(table.games.engine, table.games.rulesets)
    while now.awaited == {ALICE}:
        play(elsewhere, Move(now.game.id, ALICE, now.decision, first_legal(now, ALICE), "api"))
        now = table.now
    return now


def _token(table: Table, seat: int = ALICE) -> Any:
    found = authenticate(table.games, table.people[seat].token)
    assert found is not None
    return found.token


def _set(table: Table, kind: str, columns: str, number: object) -> None:
    with table.games.engine.begin() as db:
        db.execute(text(f"update {kind} set {columns} where id = :id"), {"id": number})


def _notices(table: Table) -> list[str]:
    found = text("select dedupe_key from outbox where game_id = :game")
    with table.games.engine.begin() as db:
        return list(db.execute(found, {"game": table.start.game.id}).scalars())
