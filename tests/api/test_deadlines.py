"""Deadlines and banks in the API (T-05, T-07)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from freezegun import freeze_time

from service.rules.pace import PACES, Pace
from service.rules.shared_events import GamePaused, GameResumed, PlayerAway
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, started
from tests.games.sealed_bids.actions import Hold
from tests.people import Person, alice, bob, carol
from tests.rest import Caller
from tests.timed import deadline_of, lapsed, noted, timed

HOUR = timedelta(hours=1)


def clock_of(api: Caller, person: Person, position: Position) -> dict[str, Any]:
    shown: dict[str, Any] = api.by(person).get(f"/games/{position.game.id}").get_json()["clock"]
    return shown


def at(games: Games, position: Position, seat: int) -> str:
    return datetime.fromtimestamp(deadline_of(games, position, seat) / 1000, UTC).isoformat()


def test_t07_each_awaited_seat_has_a_deadline_and_every_seat_a_bank(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = timed(games, people)
    shown = clock_of(api, people[1], position)
    there = {"absent": False, "away_until": None, "stood_in": False}
    due = at(games, position, 0)
    assert datetime.fromisoformat(due) - clock.now() < timedelta(days=5)
    assert shown == {
        "paused_until": None,
        "seats": [{"seat": seat, "deadline": due, "bank": "P4D", **there} for seat in range(3)],
    }
    act(games, position, 0, Hold())
    seats = clock_of(api, people[1], position)["seats"]
    assert [each["deadline"] for each in seats] == [None, due, due]


def test_t05_a_bank_is_what_the_waits_so_far_have_left_of_it(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = timed(games, people, PACES["brisk"])
    with freeze_time(clock.now() + 9 * HOUR, tick=True):
        act(games, position, 0, Hold())
        bank = clock_of(api, people[0], position)["seats"][0]["bank"]
    assert bank.startswith(("PT19H59M5", "PT20H"))  # a day without the five hours beyond the free time, and the credit


def test_t07_who_is_not_there_is_said_and_a_pause_stops_all_clocks(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = timed(games, people)
    until = datetime(2031, 3, 1, tzinfo=UTC)
    for _ in range(3):
        position = lapsed(games, position, 0)
    noted(games, position, PlayerAway(seat=1, until=round(until.timestamp() * 1000)))
    first, second, third = clock_of(api, people[2], position)["seats"]
    assert (first["absent"], first["stood_in"], first["deadline"], first["bank"]) == (True, True, None, "PT0S")
    assert (second["away_until"], second["deadline"], second["stood_in"]) == (until.isoformat(), None, False)
    assert third["deadline"] is not None
    noted(games, position, GamePaused(seat=2, until=round(until.timestamp() * 1000)))
    paused = clock_of(api, people[2], position)
    assert (paused["paused_until"], paused["seats"][2]["deadline"]) == (until.isoformat(), None)
    noted(games, position, GameResumed(seat=2))
    assert clock_of(api, people[2], position)["seats"][2]["deadline"] is not None


def test_t07_a_game_without_a_clock_says_so(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = started(games, "sealed-bids", people)
    shown = api.by(people[0]).get(f"/games/{position.game.id}").get_json()
    assert (shown["pace"], shown["clock"]) == (None, None)


def test_t05_the_replay_of_a_moment_shows_the_clocks_of_that_moment(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    position = timed(games, people, PACES["brisk"])
    seen = {position.version: clock_of(api, people[1], position)}
    for seat, hours in ((0, 6), (1, 9)):
        with freeze_time(clock.now() + hours * HOUR, tick=True):
            position = act(games, position, seat, Hold()).position
            seen[position.version] = clock_of(api, people[1], position)
    assert len({str(each) for each in seen.values()}) == 3
    for version, clocks in seen.items():
        told = api.by(people[1]).get(f"/games/{position.game.id}/replay/{version}").get_json()
        assert told["table"]["clock"] == clocks


def four_games(games: Games, people: list[Person]) -> list[str]:
    """Games of Alice's from the most urgent to the least; the last two have no clock."""
    long, short = Pace(free=86_400, bank=0, credit=0, cap=0), Pace(free=3600, bank=0, credit=0, cap=0)
    old, slow, fast, new = (
        started(games, "sealed-bids", people),
        timed(games, people, long),
        timed(games, people, short),
        started(games, "sealed-bids", people),
    )
    return [str(each.game.id) for each in (fast, slow, old, new)]


def test_t07_the_turns_that_wait_for_one_are_sorted_by_deadline(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    order, found, after = four_games(games, people), [], ""
    while len(found) < 5:
        page = api.by(people[0]).get(f"/me/turns?limit=1{after}").get_json()
        found += page["items"]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert [each["game"] for each in found] == order
    due = [each["deadline"] for each in found]
    assert due[0] < due[1] and due[2:] == [None, None]
    assert due[0].endswith("+00:00")


def test_t07_the_list_of_games_is_sorted_by_ones_own_deadline_if_asked(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    fast, slow, *others = four_games(games, people)
    found, after = [], ""
    while True:
        page = api.by(people[0]).get(f"/games?mine=true&sort=deadline&limit=1{after}").get_json()
        found += page["items"]
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    assert [each["id"] for each in found] == [fast, slow, *sorted(others)]
    assert [each["to_act"] for each in found] == [True] * 4
    assert found[0]["deadline"] < found[1]["deadline"]
    others_games = api.by(people[1]).get("/games?sort=deadline&mine=false").get_json()["items"]
    assert not {each["id"] for each in others_games} & {fast, slow, *others}
    newest = [each["id"] for each in api.by(people[0]).get("/games?mine=true").get_json()["items"]]
    assert newest == [others[1], fast, slow, others[0]]


def test_by_deadline_the_games_of_others_come_last_and_the_oldest_of_them_first(api: Caller, games: Games) -> None:
    # given public games of others, and one's own without a deadline, which is newer
    people, asking = [alice(games), bob(games), carol(games)], alice(games)
    others = [str(started(games, "sealed-bids", people).game.id) for _ in range(3)]
    own = str(started(games, "sealed-bids", [asking, *people[1:]]).game.id)
    # when the list is read page by page
    found, after = [], ""
    while not set(others) <= set(found):
        page = api.by(asking).get(f"/games?sort=deadline&ruleset=sealed-bids&limit=2{after}").get_json()
        found += [each["id"] for each in page["items"]]
        after = f"&after={page['next']}"
    # then
    assert found[0] == own
    assert [each for each in found if each in others] == others
    assert len(found) == len(set(found))
