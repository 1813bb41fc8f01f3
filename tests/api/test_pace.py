"""The pace as one of a table's terms (T-01, T-02)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.pace import NewPace
from service.handlers.invitations import rematch
from service.handlers.play import resign
from service.rules.pace import LONGEST, PACES, Pace
from service.shared import clock
from service.store.games import Games
from service.texts.catalog import languages, say
from service.views.pace import duration, shown_pace
from tests.builders import now_at
from tests.people import alice, bob
from tests.rest import Caller, refused
from tests.timed import timed

GAME = {"ruleset": "sealed-bids", "seats": 3}
OWN = {"free": "P1DT12H", "bank": "PT36H", "credit": "PT30M", "cap": "P60D"}


def opened_at(api: Caller, games: Games, pace: Any = None, **game: Any) -> Pace | None:
    answer = api.by(alice(games)).post("/games", {**GAME, **game, **({} if pace is None else {"pace": pace})})
    assert answer.status_code == 201, answer.text
    return now_at(games, UUID(answer.get_json()["id"])).game.terms.pace


def test_t01_daily_is_the_pace_of_tables_for_two_and_more(api: Caller, games: Games) -> None:
    assert opened_at(api, games) == PACES["daily"]
    assert opened_at(api, games, ruleset="new-corp-order", seats=2) == PACES["daily"]


@pytest.mark.parametrize("name", ["none", *PACES])
def test_t01_a_pace_is_chosen_by_its_name(api: Caller, games: Games, name: str) -> None:
    assert opened_at(api, games, {"name": name}) == PACES.get(name)


def test_t01_a_game_for_one_has_no_clock_and_a_pace_there_is_refused(api: Caller, games: Games) -> None:
    solo = {"ruleset": "new-corp-order", "seats": 1}
    assert opened_at(api, games, **solo) is None
    assert opened_at(api, games, {"name": "none"}, **solo) is None
    for language in languages():
        answer = api.by(alice(games)).post("/games", {**solo, "pace": {"name": "live"}}, Accept_Language=language)
        error = refused(answer, 422, "bad-option")["errors"][0]
        assert error == {"pointer": "/pace", "detail": say(language, "fault-solo")}


def test_t01_own_times_are_durations_and_the_bank_is_the_cap_unless_told(api: Caller, games: Games) -> None:
    day = 86_400
    own = Pace(free=day * 3 // 2, bank=day * 3 // 2, credit=1800, cap=60 * day)
    assert opened_at(api, games, OWN) == own
    assert opened_at(api, games, {"free": "PT0S", "bank": "P1D"}) == Pace(free=0, bank=day, credit=0, cap=day)


def test_t02_the_weekdays_of_a_zone_and_the_other_terms_of_the_clock_are_kept_and_shown(
    api: Caller, games: Games
) -> None:
    terms = {"weekdays": "Europe/Berlin", "on_lapse": "resign", "away": False, "take_back": False}
    answer = api.by(alice(games)).post("/games", {**GAME, "pace": {"name": "brisk", **terms}}).get_json()["pace"]
    assert answer.pop("text").endswith("cannot be asked to agree to a take-back.")
    assert answer == {"name": "brisk", "free": "PT4H", "bank": "P1D", "credit": "PT1H", "cap": "P1D", **terms}


@pytest.mark.parametrize(
    ("pace", "pointer", "fault"),
    [
        ({"name": "hourly"}, "/pace/name", "fault-pace-name"),
        ({}, "/pace", "fault-name-or-times"),
        ({"weekdays": "UTC"}, "/pace", "fault-name-or-times"),
        ({"name": "daily", "bank": "P1D"}, "/pace", "fault-name-or-times"),
        ({"free": "P1D"}, "/pace", "fault-name-or-times"),
        ({"free": "P1D", "bank": "P1D", "credit": "-PT1H"}, "/pace/credit", "fault-duration"),
        ({"free": "P61D", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "PT1440H1S", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "P1M", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "P", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "P1DT", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": 86400, "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "P١D", "bank": "P1D"}, "/pace/free", "fault-duration"),
        ({"free": "PT0S", "bank": "PT59S"}, "/pace", "fault-no-time"),
        ({"name": "none", "on_lapse": "end"}, "/pace", "fault-no-clock"),
        ({"name": "daily", "weekdays": "Europe/Atlantis"}, "/pace/weekdays", "fault-zone"),
        ({"name": "daily", "weekdays": "../../etc/passwd"}, "/pace/weekdays", "fault-zone"),
        ({"name": "daily", "on_lapse": "explode"}, "/pace/on_lapse", "fault-on-lapse"),
    ],
)
def test_t01_what_is_wrong_with_a_pace_is_said_where_it_is_in_every_language(
    api: Caller, games: Games, pace: Any, pointer: str, fault: str
) -> None:
    host = api.by(alice(games))
    for language in languages():
        answer = host.post("/games", {**GAME, "pace": pace}, Accept_Language=language)
        assert refused(answer, 422, "validation")["errors"] == [{"pointer": pointer, "detail": say(language, fault)}]


@given(*(st.integers(0, LONGEST) for _ in range(4)), st.sampled_from([None, "Asia/Kolkata"]), st.booleans())
def test_t01_a_pace_that_is_shown_can_be_asked_for_again(
    free: int, bank: int, credit: int, cap: int, weekdays: str | None, away: bool
) -> None:
    pace = Pace(free=free + 60 * (free < LONGEST), bank=bank, credit=credit, cap=cap, weekdays=weekdays, away=away)
    pace = pace if pace.free <= LONGEST else PACES["live"]
    shown = shown_pace(pace, "en")
    assert shown is not None
    left_out = {"text", "name"} if shown["name"] is None else {"text", "free", "bank", "credit", "cap"}
    asked = {name: value for name, value in shown.items() if name not in left_out}
    assert Pace(**NewPace().load(asked)) == pace


def test_a_duration_has_no_unit_that_is_nought() -> None:
    assert [duration(each) for each in (0, 59, 60, 3600, 86_400, 90_061)] == [
        "PT0S",
        "PT59S",
        "PT1M",
        "PT1H",
        "P1D",
        "P1DT1H1M1S",
    ]


def test_t01_a_rematch_takes_the_pace_over(api: Caller, games: Games) -> None:
    pace = Pace(free=3600, bank=60, credit=0, cap=60, weekdays="America/New_York", on_lapse="end")
    people = [alice(games), bob(games)]
    position = timed(games, people, pace, "new-corp-order")
    resign(games, position.game.id, people[1].id, "api", clock.now())
    again = rematch(games, position.game.id, people[0].id, clock.now())
    assert again.game.terms.pace == pace


def test_t01_a_fork_has_the_usual_pace_unless_it_is_told_another(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = timed(games, people, PACES["live"], "new-corp-order")
    resign(games, position.game.id, people[1].id, "api", clock.now())
    caller, path = api.by(people[0]), f"/games/{position.game.id}/fork"
    assert caller.post(path, {"seq": position.version}).get_json()["pace"]["name"] == "daily"
    assert caller.post(path, {"seq": position.version, "pace": {"name": "none"}}).get_json()["pace"] is None


def test_t01_the_pace_is_said_to_those_who_may_join(api: Caller, games: Games) -> None:
    host, guest = api.by(bob(games)), api.by(alice(games))
    game = host.post("/games", {**GAME, "access": "public"}).get_json()["id"]
    tables = guest.get("/games?open_to_me=true").get_json()["items"]
    listed = next(each for each in tables if each["id"] == game)
    link = host.post(f"/games/{game}/invitations", {}).get_json()["url"].rpartition("/")[2]
    opened = guest.get(f"/invitations/{link}").get_json()
    for shown in (listed, opened):
        assert shown["pace"]["text"].startswith("Daily – 1 day for each move, plus a bank of 4 days")


@pytest.mark.parametrize("zone", ["localtime", "Factory", "Etc/GMT+5", "EST", "Europe/Nowhere"])
def test_t02_a_table_takes_no_zone_that_means_something_else_on_another_machine(
    api: Caller, games: Games, zone: str
) -> None:
    answer = api.by(alice(games)).post("/games", {**GAME, "pace": {"name": "daily", "weekdays": zone}})
    assert refused(answer, 422, "validation")["errors"][0]["pointer"] == "/pace/weekdays"


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/Port-au-Prince"])
def test_t02_a_table_takes_every_zone_of_an_area_and_a_city(api: Caller, games: Games, zone: str) -> None:
    found = opened_at(api, games, {"name": "daily", "weekdays": zone})
    assert found is not None and found.weekdays == zone
