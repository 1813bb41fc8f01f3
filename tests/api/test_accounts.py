"""One's own account over REST: changed, exported, deleted; the games stay whole."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from service.handlers.tokens import issue
from service.runtime import Runtime
from service.shared import clock
from service.store.access import SCOPES
from service.store.games import Games
from tests.builders import act, now_at, opened, started
from tests.games.sealed_bids.actions import Hold
from tests.handlers.test_resign import pending
from tests.letters import link, turn_mails
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from workers.jobs import carry_out

FORMER = {"en": "a former player", "de": "ein früherer Spieler", "fr": "un ancien joueur"}


def left(api: Caller, person: Person) -> None:
    """Let the person delete their account."""
    assert api.by(person).delete("/me", {"confirm": person.name}).status_code == 204


def hosted(host: Caller) -> UUID:
    """A game for three that has just been opened."""
    return UUID(host.post("/games", {"ruleset": "sealed-bids", "seats": 3, "access": "public"}).get_json()["id"])


def names(api: Caller, person: Person, game: UUID) -> list[str | None]:
    """The names at a table, as the person reads them."""
    return [seat["name"] for seat in api.by(person).get(f"/games/{game}").get_json()["seats"]]


def test_a_profile_is_changed_as_far_as_one_says(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    before = caller.get("/me").get_json()
    assert before["asked_twice"] is True
    changes = {"name": "Alicia", "time_zone": "Europe/Zurich", "asked_twice": False}
    changed = caller.patch("/me", changes).get_json()
    assert changed == {**before, **changes} == caller.get("/me").get_json()
    assert caller.patch("/me", {"language": "fr"}).get_json() == {**changed, "language": "fr"}
    assert caller.patch("/me", {}).get_json() == {**changed, "language": "fr"}


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": None},
        {"name": "a\u202eb\n"},
        {"language": "english"},
        {"time_zone": "Mars/Olympus"},
        {"time_zone": "../../etc/passwd"},
        {"time_zone": ""},
        {"time_zone": 1},
        {"asked_twice": "no"},
        {"email": "bob@example.org"},
        {"email_verified": True},
        {"owner": None},
        {"id": "1"},
        {"deleted_at": None},
        {"bot": True},
    ],
)
def test_an_odd_change_changes_nothing(api: Caller, games: Games, body: dict[str, Any]) -> None:
    caller = api.by(alice(games))
    before = caller.get("/me").get_json()
    refused(caller.patch("/me", body), 422, "validation")
    assert caller.get("/me").get_json() == before


def test_a_new_name_is_seen_at_the_table_though_nothing_has_happened_there(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = started(games, "sealed-bids", people).game.id
    looking = api.by(people[1])
    tag = looking.get(f"/games/{game}").headers["ETag"]
    assert looking.get(f"/games/{game}", If_None_Match=tag).status_code == 304
    api.by(people[0]).patch("/me", {"name": "Alicia"})
    again = looking.get(f"/games/{game}", If_None_Match=tag)
    assert again.status_code == 200
    assert again.get_json()["seats"][0]["name"] == "Alicia"


def test_an_account_goes_only_with_its_own_name_said(api: Caller, games: Games) -> None:
    caller = api.by(alice(games))
    body = refused(caller.delete("/me", {"confirm": "alice"}), 422, "validation")
    assert body["errors"][0]["pointer"] == "/confirm"
    refused(caller.delete("/me", {}), 422, "validation")
    refused(caller.delete("/me"), 415, "unsupported-media-type")
    assert caller.get("/me").status_code == 200


def test_nothing_of_a_person_stays_but_their_seats_once_they_were_told(
    api: Caller, runtime: Runtime, games: Games
) -> None:
    person = alice(games, email="alice.leaves@example.org")
    position = started(games, "sealed-bids", [person, bob(games), carol(games)])
    path = link(games, position, 0)
    api.post("/sign-in", {"email": person.email})
    left(api, person)
    refused(api.by(person).get("/me"), 401, "unauthenticated")
    assert api.client.get(path).status_code == 404
    with games.engine.connect() as db:
        row = db.execute(text("select * from player where id = :id"), {"id": person.id}).one()
        assert (row.name, row.email, row.language, row.time_zone) == ("", None, "en", "UTC")
        assert row.deleted_at
        last = text("select id from outbox where dedupe_key = :key")
        carry_out(runtime, db.execute(last, {"key": f"account-deleted:{person.id}"}).scalar_one())
        for table in ("token", "action_link", "outbox", "event", "seat", "game"):
            rows = db.execute(text(f"select t::text from {table} t")).scalars()
            assert not [each for each in rows if "alice.leaves" in each], table


def test_a_verified_address_is_free_again_and_open_requests_for_it_are_gone(api: Caller, games: Games) -> None:
    person = alice(games, email="alice.returns@example.org")
    with games.engine.begin() as db:
        db.execute(
            text("update player set email_verified = true, email_confirmed = true where id = :id"), {"id": person.id}
        )
    api.post("/sign-in", {"email": person.email})
    left(api, person)
    with games.engine.connect() as db:
        for table in ("sign_in", "player"):
            query = text(f"select count(*) from {table} where email = :email")
            assert db.execute(query, {"email": person.email}).scalar_one() == 0


def test_a_token_made_while_an_account_goes_is_good_for_nothing(api: Caller, games: Games) -> None:
    person, now = alice(games), clock.now()
    left(api, person)
    with games.engine.begin() as db:
        _, token = issue(db, person.id, "too late", SCOPES, None, now)
    refused(Caller(api.client, token).get("/me"), 401, "unauthenticated")


def test_others_see_a_former_player_each_in_their_own_language(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    left(api, people[0])
    game, reader = position.game.id, api.by(people[1])
    assert names(api, people[1], game) == [FORMER["de"], "Bob", "Carol"]
    assert names(api, people[2], game) == [FORMER["fr"], "Bob", "Carol"]
    assert names(api, alice(games), game) == [FORMER["en"], "Bob", "Carol"]
    for person, language in zip(people[1:], ("de", "fr"), strict=True):
        (listed,) = api.by(person).get("/games?mine=true").get_json()["items"]
        assert listed["host"] == FORMER[language]
    for language, former in FORMER.items():
        assert former in reader.get(f"/games/{game}/board?language={language}").text


def test_a_running_seat_stays_and_is_nobodys_and_the_game_goes_on_for_the_others(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    left(api, people[0])
    for seat in (1, 2):
        position = act(games, now_at(games, position.game.id), seat, Hold()).position
    assert (position.game.status, position.resigned, position.to_act) == ("running", (0,), {0})
    (row,) = pending(games, position, "automaton")
    carry_out(runtime, row.id)
    assert now_at(games, position.game.id).state.lot == 2
    assert api.by(people[1]).get(f"/games/{position.game.id}/events").status_code == 200
    assert api.by(people[1]).act(position.game.id, 2, "hold").status_code == 201


def test_an_open_game_of_ones_own_is_cancelled_and_a_seat_in_another_is_free_again(api: Caller, games: Games) -> None:
    person, host = alice(games), bob(games)
    own, joined = hosted(api.by(person)), hosted(api.by(host))
    api.by(person).post(f"/games/{joined}/seats")
    left(api, person)
    assert now_at(games, own).game.status == "cancelled"
    assert now_at(games, joined).game.status == "open"
    assert names(api, host, joined) == ["Bob", None, None]


def test_an_open_game_with_others_in_it_goes_to_the_next(api: Caller, games: Games) -> None:
    person, heir, third = alice(games), bob(games), carol(games)
    game = opened(games, "sealed-bids", [person, heir, third])
    left(api, person)
    assert now_at(games, game).game.host == heir.id
    assert names(api, heir, game) == [None, "Bob", "Carol"]
    api.by(alice(games)).post(f"/games/{game}/seats")
    begun = api.by(heir).post(f"/games/{game}/start").get_json()
    assert (begun["status"], begun["seat"]) == ("running", 0)


def test_bots_go_with_their_owner(api: Caller, games: Games) -> None:
    owner = alice(games)
    bot = Caller(api.client, api.by(owner).post("/bots", {"name": "Robot"}).get_json()["token"])
    host = api.by(bob(games))
    game = hosted(host)
    for guest in (bot, api.by(carol(games))):
        guest.post(f"/games/{game}/seats")
    host.post(f"/games/{game}/start")
    left(api, owner)
    refused(bot.get("/me"), 401, "unauthenticated")
    seat = host.get(f"/games/{game}").get_json()["seats"][1]
    assert seat == {
        "seat": 1,
        "computer": None,
        "auto_answers": [],
        "name": FORMER["de"],
        "bot": True,
        "owner": FORMER["de"],
        "reachable": True,
        "unconfirmed": False,
    }


def test_mails_still_on_their_way_to_somebody_who_has_left_are_not_sent(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    (row, *_) = turn_mails(games, position)
    left(api, people[0])
    carry_out(runtime, row.id)
    with games.engine.connect() as db:
        assert db.execute(text("select state from outbox where id = :id"), {"id": row.id}).scalar_one() == "skipped"


def test_an_export_holds_ones_own_view_of_each_game_and_no_secret(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    caller = api.by(people[0])
    caller.post("/bots", {"name": "Robot"})
    answer = caller.get("/me/export")
    body = answer.get_json()
    me = caller.get("/me").get_json()
    del me["token"], me["limits"]
    assert body["account"] == me
    assert [each["label"] for each in body["tokens"]] == ["first token"]
    assert [each["name"] for each in body["bots"]] == ["Robot"]
    (shown,) = body["games"]
    wanted = caller.get(f"/games/{position.game.id}").get_json()
    assert {k: v for k, v in shown.items() if v != wanted.get(k)} == {}
    assert shown == wanted
    assert people[0].token not in answer.text
    assert api.by(alice(games)).get("/me/export").get_json()["games"] == []
