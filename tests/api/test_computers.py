"""Computer players over REST: with a new game, in its free seats, for players who have left; and who they are."""

from __future__ import annotations

import pytest

from service.store.game_row import Terms
from service.store.games import Games
from tests.leaving import leave, running
from tests.people import alice, bob, carol
from tests.rest import Caller, refused

GAME = {"ruleset": "new-corp-order", "seats": 3}


def levels(table: dict[str, object]) -> list[object]:
    """The levels in the seats."""
    seats = table["seats"]
    assert isinstance(seats, list)
    return [seat["computer"] for seat in seats]


def test_the_rulesets_say_which_levels_there_are_by_number_of_seats(api: Caller) -> None:
    (found,) = (each for each in api.get("/rulesets").json["items"] if each["name"] == GAME["ruleset"])
    by_seats = {each["seats"]: each["levels"] for each in found["computers"]}
    assert by_seats[1] == []
    assert by_seats[3][:3] == ["easy", "normal", "hard"]


def test_a_game_with_computers_in_all_other_seats_begins_at_once_without_a_clock(api: Caller, games: Games) -> None:
    answer = api.by(alice(games)).post("/games", GAME | {"computers": ["easy", "hard"]})
    table = answer.json
    assert (answer.status_code, table["status"], table["pace"]) == (201, "running", None)
    assert levels(table) == [None, "easy", "hard"]
    assert [seat["name"] for seat in table["seats"]] == ["Alice", "Computer (easy)", "Computer (hard)"]


@pytest.mark.parametrize(
    ("computers", "code"),
    [(["random"], "validation"), (["easy"] * 3, "bad-option"), ("easy", "validation"), ([1], "validation")],
)
def test_computers_that_no_table_has_are_refused(api: Caller, games: Games, computers: object, code: str) -> None:
    answer = api.by(alice(games)).post("/games", GAME | {"computers": computers})
    refused(answer, 422, code)
    assert answer.json["errors"][0]["pointer"].startswith("/computers")


def test_the_host_fills_a_seat_under_a_key_and_frees_it(api: Caller, games: Games) -> None:
    host, other = api.by(alice(games)), api.by(bob(games))
    game = host.post("/games", GAME | {"access": "public"}).json["id"]
    path = f"/games/{game}/computers"
    for _ in range(2):
        answer = host.post(path, {"level": "normal"}, Idempotency_Key="a-computer")
        assert (answer.status_code, answer.json) == (201, {"seat": 1})
    refused(other.post(path, {"level": "normal"}), 403, "not-host")
    assert levels(host.get(f"/games/{game}").json) == [None, "normal", None]
    refused(host.delete(f"{path}/0"), 409, "not-open")
    assert host.delete(f"{path}/1").status_code == 204
    assert levels(host.get(f"/games/{game}").json) == [None, None, None]


def test_a_level_that_the_game_does_not_have_is_refused_with_those_that_it_has(api: Caller, games: Games) -> None:
    host = api.by(alice(games))
    game = host.post("/games", {"ruleset": "sealed-bids", "seats": 3}).json["id"]
    answer = host.post(f"/games/{game}/computers", {"level": "expert"})
    refused(answer, 422, "no-such-level")
    assert answer.json["levels"][0] == "easy"


def test_a_computer_player_takes_over_the_seat_of_one_who_has_left(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = leave(games, running(games, "new-corp-order", people, Terms()), 1)
    path = f"/games/{position.game.id}/substitute-computers"
    host = api.by(people[0])
    refused(api.by(people[2]).post(path, {"seat": 1, "level": "easy"}), 403, "not-host")
    refused(host.post(path, {"seat": 2, "level": "easy"}), 409, "seat-attended")
    answer = host.post(path, {"seat": 1, "level": "easy"})
    assert (answer.status_code, levels(answer.json)) == (201, [None, "easy", None])
    assert answer.json["unattended"] == []
