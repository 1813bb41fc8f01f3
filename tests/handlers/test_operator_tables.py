"""Operators hand tables to other hosts, run and drop effects, and rotate keys."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import pytest
from flask import Flask
from sqlalchemy import text

from service.handlers import operators, webhooks
from service.handlers.play import resign
from service.handlers.refusals import CannotHandOver, UnknownSubject
from service.handlers.webhooks import Rules, WebhookTerms
from service.messages.keys import Vault, new_key
from service.record.seal import signer
from service.runtime import Runtime
from service.shared import clock
from service.store import proof
from service.store.games import Games
from service.store.proof import KeyEnded
from tests.audit.test_inspect import verified as audited
from tests.browsing import browser
from tests.builders import finished, now_at, opened, started
from tests.operating import ZOE, acts_of, last_act
from tests.people import Person, alice, bob, carol
from tests.superuser import Tamper
from workers.jobs import carry_out


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


def handed(games: Games, game: UUID, person: Person) -> UUID:
    operators.hand_over_table(games, game, person.id, ZOE, clock.now())
    return now_at(games, game).game.host


def test_a_running_table_gets_another_host_and_shows_that_an_operator_did_it(
    app: Flask, games: Games, people: list[Person]
) -> None:
    game = started(games, "sealed-bids", people).game.id
    assert handed(games, game, people[2]) == people[2].id
    assert last_act(games).details == {"before": str(people[0].id), "after": str(people[2].id)}
    for person in people:
        shown = browser(app, games, person).get(f"/games/{game}").text
        assert "spam at every table" in shown and "zoe" not in shown
    audited(games, finished(games, now_at(games, game)))


def test_the_host_of_an_open_table_gives_up_the_seat_to_the_next_one_and_the_record_holds(
    app: Flask, games: Games, people: list[Person]
) -> None:
    game = opened(games, "sealed-bids", people)
    with pytest.raises(CannotHandOver, match="order"):
        handed(games, game, people[2])
    assert handed(games, game, people[1]) == people[1].id
    assert [seat.player_id for seat in now_at(games, game).seats] == [people[1].id, people[2].id]
    assert "spam at every table" in browser(app, games, people[1]).get(f"/games/{game}").text
    assert acts_of(games, "game", game) == ["handed-over"]


def test_nobody_becomes_host_who_is_it_already_or_does_not_play(games: Games, people: list[Person]) -> None:
    game = started(games, "sealed-bids", people).game.id
    resign(games, game, people[1].id, "api", clock.now())
    for person, why in ((people[0], "host"), (people[1], "player"), (alice(games), "player")):
        with pytest.raises(CannotHandOver, match=why):
            handed(games, game, person)
    assert acts_of(games, "game", game) == []


def row_in(games: Games, game: UUID, kind: str) -> int:
    query = text("select id from outbox where game_id = :game and kind = :kind order by id limit 1")
    with games.engine.connect() as db:
        return int(db.execute(query, {"game": game, "kind": kind}).scalar_one())


def state_of(games: Games, row: int) -> tuple[str, int]:
    query = text("select state, attempts from outbox where id = :id")
    with games.engine.connect() as db:
        return tuple(db.execute(query, {"id": row}).one())


def test_a_dead_effect_is_run_anew_with_all_its_attempts(runtime: Runtime, games: Games, people: list[Person]) -> None:
    row = row_in(games, started(games, "sealed-bids", people).game.id, "turn-mail")
    with games.engine.begin() as db:
        db.execute(text("update outbox set state = 'dead', attempts = 12, done_at = now() where id = :id"), {"id": row})
    assert operators.run_effect(games, row, ZOE, clock.now()) == "turn-mail"
    assert state_of(games, row) == ("pending", 0)
    carry_out(runtime, row)
    assert state_of(games, row)[0] in ("done", "skipped")
    assert acts_of(games, "outbox", row) == ["effect-run"]
    with pytest.raises(UnknownSubject):
        operators.run_effect(games, row, ZOE, clock.now())


def test_a_dropped_effect_never_happens(runtime: Runtime, games: Games, people: list[Person]) -> None:
    row = row_in(games, started(games, "sealed-bids", people).game.id, "turn-mail")
    operators.drop_effect(games, row, ZOE, clock.now())
    carry_out(runtime, row)
    assert state_of(games, row) == ("skipped", 0)
    assert acts_of(games, "outbox", row) == ["effect-dropped"]


def test_secrets_are_sealed_anew_so_that_the_old_key_can_go(games: Games, people: list[Person]) -> None:
    old, new = new_key(), new_key()
    terms = WebhookTerms("https://192.0.2.1/hook", ("game.turn",), None)
    made, secret = webhooks.create(games, Rules(Vault([old]), True), people[0].id, terms, clock.now())
    done, _ = operators.seal_anew(games, "webhooks", (new, old), ZOE, clock.now())
    assert done >= 1
    with games.engine.connect() as db:
        query = text("select sealed from webhook_secret where webhook_id = :id")
        sealed = bytes(db.execute(query, {"id": made}).scalar_one())
    assert Vault([new]).open(sealed) == secret
    assert last_act(games).subject == "webhooks"
    assert not {old, new, secret} & set(map(str, last_act(games).details.values()))


@pytest.fixture
def keys_afterwards(as_superuser: Tamper) -> Iterator[None]:
    """The keys of seals are those of before again, when a test is over."""
    before = as_superuser("select id, until from seal_key").fetchall()
    yield
    as_superuser("delete from seal_key where id <> all(%s)", ([key for key, _ in before],))
    for key, until in before:
        as_superuser("update seal_key set until = %s where id = %s", (until, key))


@pytest.mark.usefixtures("keys_afterwards")
def test_the_new_key_of_seals_ends_the_old_one_for_ever(games: Games) -> None:
    first, second = signer(new_key()), signer(new_key())
    for each in (first, second):
        operators.use_seal_key(games, each, ZOE, clock.now())
    with games.engine.connect() as db:
        spans = {each.id: each.until for each in proof.seal_keys(db)}
    assert spans[first.id] is not None and spans[second.id] is None
    with pytest.raises(KeyEnded):
        operators.use_seal_key(games, first, ZOE, clock.now())
    assert acts_of(games, "keys", "seal")[-2:] == ["keys-rotated"] * 2
