"""Mail preferences: kinds, digest, quiet hours and days on which clocks change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import text

from schemas.messages import MAIL_KINDS
from service.handlers import mail_preferences, talk
from service.handlers.play import Move, play
from service.mail import preferences
from service.mail.preferences import PAGE_OPEN, SEEN_TURN_AGAIN_AFTER, InDigest, Later, Never, Now, next_at, quiet_until
from service.players.levels import Level
from service.rules.pace import PACES
from service.runtime import Runtime
from service.shared import clock
from service.store import mail, notices, outbox
from service.store.games import Games, Position
from service.store.outbox import OutboxRow
from service.store.pruning import TROUBLE, prune
from tests.builders import first_legal, paced, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from tests.seating import against, let_computers_play

DEFAULTS = {
    "delay": 0,
    "digest": None,
    "quiet": None,
    "kinds": dict.fromkeys(MAIL_KINDS, True),
    "reminders": 2,
    "unseen_only": False,
    "links_need_sign_in": False,
    "mails_apart": False,
    "muted": [],
    "reachable": True,
    "confirmed": True,
    "asked_at": None,
    "trouble": None,
    "undelivered": [],
}


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return started(games, "sealed-bids", people)


def row_of(house: Runtime, position: Position, seat: int = 0, kind: str = "turn-mail") -> OutboxRow:
    """The row of a mail to the seat."""
    query = text(
        "select id from outbox where game_id = :game and payload ->> 'seat' = :seat and kind = :kind"
        " order by id desc limit 1"
    )
    with house.engine.begin() as db:
        outbox.post(db, position.game.id, [notices.game_over(position.game.id, seat)])
        found = db.execute(query, {"game": position.game.id, "seat": str(seat), "kind": kind}).scalar_one()
        row = outbox.read(db, found)
    assert row is not None
    return row


def due(house: Runtime, row: OutboxRow, now: datetime | None = None, delay: int = 0) -> Any:
    with house.engine.connect() as db:
        return preferences.when_due(db, row if now is None else replace(row, read_at=now), delay)


def wish(api: Caller, person: Person, **changes: Any) -> dict[str, Any]:
    answer = api.by(person).patch("/me/mail", changes)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.get_json()
    return shown


def test_who_has_never_wished_for_anything_gets_every_mail_at_once(api: Caller, people: list[Person]) -> None:
    shown = api.by(people[0]).get("/me/mail").get_json()
    assert shown == {"email": people[0].email, **DEFAULTS}


def test_wishes_are_kept_and_what_is_not_sent_stays(api: Caller, people: list[Person]) -> None:
    wish(api, people[0], delay=10, digest=7, quiet={"from": 22, "to": 6}, unseen_only=True, kinds={"over": False})
    shown = wish(api, people[0], quiet=None, kinds={"message": False})
    assert (shown["delay"], shown["digest"], shown["quiet"], shown["unseen_only"]) == (10, 7, None, True)
    assert shown["kinds"] == {
        "turn": True,
        "started": True,
        "over": False,
        "message": False,
        "problem": True,
        "proposal": True,
        "lapsed": True,
        "challenge": True,
        "league": True,
    }
    assert wish(api, people[0], kinds={"over": True})["kinds"]["over"]
    assert wish(api, people[0])["delay"] == 10


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"delay": 61}, "/delay"),
        ({"delay": None}, "/delay"),
        ({"digest": 24}, "/digest"),
        ({"quiet": {"from": 22}}, "/quiet/to"),
        ({"kinds": {"turn": 1}}, "/kinds/turn"),
        ({"kinds": {"sign-in": False}}, "/kinds/sign-in"),
        ({"unseen_only": "yes"}, "/unseen_only"),
    ],
)
def test_a_wish_that_cannot_be_is_pointed_at(
    api: Caller, people: list[Person], change: dict[str, Any], pointer: str
) -> None:
    body = refused(api.by(people[0]).patch("/me/mail", change), 422, "validation")
    assert body["errors"][0]["pointer"] == pointer
    assert api.by(people[0]).get("/me/mail").get_json() == {"email": people[0].email, **DEFAULTS}


def test_a_turn_mail_waits_as_long_as_its_player_wishes_or_else_as_the_house_does(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    row = row_of(runtime, position)
    assert due(runtime, row, delay=3) == Later(row.added_at + timedelta(minutes=3))
    assert due(runtime, row, row.added_at + timedelta(minutes=3), delay=3) == Now()
    wish(api, people[0], delay=10)
    assert due(runtime, row, delay=3) == Later(row.added_at + timedelta(minutes=10))
    assert due(runtime, row_of(runtime, position, kind="game-over"), delay=3) == Now()
    wish(api, people[0], delay=0)
    assert due(runtime, row, delay=3) == Now()


def test_a_muted_game_sends_nothing_and_other_games_do(
    runtime: Runtime, api: Caller, games: Games, people: list[Person], position: Position
) -> None:
    other, path = started(games, "sealed-bids", people), f"/games/{position.game.id}/mute"
    for _ in range(2):
        assert api.by(people[0]).put(path, None).status_code == 204
    assert api.by(people[0]).get("/me/mail").get_json()["muted"] == [str(position.game.id)]
    assert due(runtime, row_of(runtime, position)) == Never("muted")
    assert due(runtime, row_of(runtime, position, kind="game-over")) == Never("muted")
    assert due(runtime, row_of(runtime, position, seat=1)) == Now() == due(runtime, row_of(runtime, other))
    for _ in range(2):
        assert api.by(people[0]).delete(path).status_code == 204
    assert due(runtime, row_of(runtime, position)) == Now()


def test_kinds_that_are_not_wanted_are_not_sent(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    wish(api, people[0], kinds={"turn": False})
    assert due(runtime, row_of(runtime, position)) == Never("unwanted")
    assert due(runtime, row_of(runtime, position, kind="game-over")) == Now()


def look(games: Games, game: UUID, player: UUID, decision: int | None) -> datetime:
    """Have a player look at the table, and return when that was."""
    found = text("select looked_at from seat where game_id = :game and player_id = :player")
    with games.engine.begin() as db:
        mail_preferences.note_looked(db, game, player, decision)
        at: datetime = db.execute(found, {"game": game, "player": player}).scalar_one()
    return at


def test_no_mail_tells_of_a_turn_that_its_player_has_seen(runtime: Runtime, games: Games, people: list[Person]) -> None:
    position = paced(games, PACES["brisk"], people=people)
    row, game = row_of(runtime, position), position.game.id
    look(games, game, people[1].id, 1)
    assert due(runtime, row) == Now(), "seen by somebody else"
    look(games, game, people[0].id, 1)
    assert due(runtime, row) == Never("seen")
    days = timedelta(days=9)
    assert due(runtime, row, row.added_at + days) == Never("seen"), "the page has long been closed"
    again = notices.turn_mail_again(game, 1, 0, "back", asked=True)
    assert due(runtime, replace(row, payload=again.payload)) == Now(), "asked for"
    assert due(runtime, row_of(runtime, position, kind="game-over")) == Now()


def test_who_has_seen_a_turn_without_a_clock_is_told_of_it_once_after_a_day_without_a_look(
    runtime: Runtime, games: Games, people: list[Person], position: Position
) -> None:
    row, day = row_of(runtime, position), timedelta(days=1)
    seen_at = look(games, position.game.id, people[0].id, 1)
    assert due(runtime, row) == Later(seen_at + day)
    assert due(runtime, row, seen_at + day) == Now()


def test_a_mail_waits_until_the_page_that_is_open_has_shown_the_turn_or_is_closed(
    runtime: Runtime, games: Games, people: list[Person], position: Position
) -> None:
    row, game = row_of(runtime, position), position.game.id
    closed = look(games, game, people[0].id, 1) + PAGE_OPEN
    following = replace(row, payload={"seat": 0, "decision": 2})
    assert due(runtime, following) == Later(closed)
    assert due(runtime, following, closed) == Now(), "closed before the turn came"
    seen_at = look(games, game, people[0].id, 2)
    assert due(runtime, following, closed) == Later(seen_at + SEEN_TURN_AGAIN_AFTER)


def test_a_decision_that_comes_again_is_not_taken_for_the_one_that_was_seen(
    runtime: Runtime, games: Games, people: list[Person], position: Position
) -> None:
    row = row_of(runtime, position)
    closed = look(games, position.game.id, people[0].id, 1) + PAGE_OPEN
    # the action before it was taken back, and another one taken
    again = replace(row, added_at=closed)
    assert due(runtime, again, closed) == Now()
    # and so with a turn that was none any more before its player has looked again
    withdrawn = replace(again, kind="turn-withdrawn", payload=notices.turn_withdrawn(row.game_id, 2, 0, 1).payload)
    assert due(runtime, withdrawn, closed) == Now()


@pytest.mark.parametrize("levels", [["easy"], ["easy", "easy"], []])
def test_the_only_person_at_a_table_is_told_after_an_hour_away_from_it(
    runtime: Runtime, games: Games, people: list[Person], levels: list[Level]
) -> None:
    begun = (
        against(games, "new-corp-order", people[0], levels) if levels else started(games, "new-corp-order", people[:1])
    )
    position = let_computers_play(games, begun.game.id)
    row, hour = row_of(runtime, position), timedelta(hours=1)
    assert due(runtime, row) == Later(row.added_at + hour)
    assert due(runtime, row, row.added_at + hour) == Now()
    # a page that was open meanwhile and did not show the turn
    seen_at = look(games, position.game.id, people[0].id, position.decision - 1)
    assert due(runtime, row, row.added_at + hour) == Later(seen_at + hour)
    assert due(runtime, row, seen_at + hour) == Now()
    over = row_of(runtime, position, kind="game-over")
    assert due(runtime, replace(over, added_at=seen_at + hour), seen_at + hour) == Later(seen_at + 2 * hour)
    look(games, position.game.id, people[0].id, position.decision)
    assert due(runtime, row, seen_at + hour) == Never("seen")


@pytest.mark.parametrize(("door", "at_once"), [("reply", True), ("link", True), ("web", False), ("api", False)])
def test_the_only_person_at_a_table_who_plays_by_mail_is_written_to_at_once(
    runtime: Runtime, games: Games, people: list[Person], door: str, at_once: bool
) -> None:
    position = against(games, "new-corp-order", people[0], ["easy"])
    position = let_computers_play(games, position.game.id)
    play(games, Move(position.game.id, 0, position.decision, first_legal(position, 0), door, player=people[0].id))
    position = let_computers_play(games, position.game.id)
    row = row_of(runtime, position)
    assert due(runtime, row) == (Now() if at_once else Later(row.added_at + timedelta(hours=1)))


def test_who_asks_for_a_fresh_link_gets_it_at_once_whatever_else_they_wish(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    hour = clock.now().hour
    wish(api, people[0], delay=60, digest=7, quiet={"from": hour, "to": (hour + 2) % 24}, kinds={"turn": False})
    api.by(people[0]).put(f"/games/{position.game.id}/mute", None)
    row = row_of(runtime, position)
    assert due(runtime, row) == Never("muted")
    again = notices.turn_mail_again(position.game.id, position.decision, 0, "asked", asked=True)
    assert due(runtime, replace(row, payload=again.payload)) == Now()


def test_a_change_of_wishes_tells_nothing_before_its_time(
    runtime: Runtime, api: Caller, games: Games, people: list[Person], position: Position
) -> None:
    talk.say(games, position.game.id, people[1].id, "One thing ...", "api", clock.now())
    row = row_of(runtime, position, kind="message")
    until = datetime.fromtimestamp(row.payload["until"], UTC)
    with games.engine.begin() as db:
        again = notices.turn_mail(position.game.id, 7, 0, goes_on=True)
        outbox.post(db, position.game.id, [again])
    wish(api, people[0], delay=20)
    assert clock.now() + row_waits(runtime, row) > until
    with games.engine.begin() as db:
        key = {"key": again.dedupe_key}
        going_on = outbox.read(db, db.execute(text("select id from outbox where dedupe_key = :key"), key).scalar_one())
    assert going_on is not None
    assert row_waits(runtime, going_on) > timedelta(seconds=outbox.HALF_WAY - 60)


def test_quiet_hours_put_a_mail_off_until_they_end(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    api.by(people[0]).patch("/me", {"time_zone": "Europe/Berlin"})
    wish(api, people[0], quiet={"from": 22, "to": 7})
    row = row_of(runtime, position)
    for hour, until in ((20, None), (21, 6), (23, 6), (6, None)):
        # Berlin is an hour ahead in winter.
        now = datetime(2026, 12, 4, hour, 30, tzinfo=UTC)
        day = 5 if hour > 12 else 4
        expected = Now() if until is None else Later(datetime(2026, 12, day, until, tzinfo=UTC))
        assert due(runtime, replace(row, added_at=now), now) == expected


def test_who_cannot_be_reached_is_shown_so_and_their_mails_wait_until_they_try_again(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    people = [alice(games, "unreachable@example.org"), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 0})
    row, now = row_of(runtime, position), clock.now()
    with runtime.engine.begin() as db:
        mail.note_suppression(db, mail.suppression_digest("Unreachable@example.org"), "unknown-address", "5.1.1", now)
        answer = preferences.when_due(db, row, 0)
        assert answer == Later(row.read_at + preferences.UNREACHABLE_RETRY)
        preferences.apply_timing(db, row, answer)
    seats = api.by(people[1]).get(f"/games/{position.game.id}").get_json()["seats"]
    assert [seat["reachable"] for seat in seats] == [False, True]
    assert row_waits(runtime, row) > timedelta(hours=23)
    assert api.by(people[0]).post("/me/mail/trial").status_code == 202
    assert row_waits(runtime, row) <= timedelta(0)
    assert due(runtime, row) == Now()
    assert api.by(people[0]).get("/me/mail").get_json()["trouble"] is None
    assert all(seat["reachable"] for seat in api.by(people[1]).get(f"/games/{position.game.id}").get_json()["seats"])


def row_waits(house: Runtime, row: OutboxRow) -> timedelta:
    """For how long the row is not looked at."""
    with house.engine.connect() as db:
        waits = text("select not_before - clock_timestamp() from outbox where id = :id")
        left: timedelta = db.execute(waits, {"id": row.id}).scalar_one()
        return left


def test_who_has_no_address_has_nothing_to_try(api: Caller, games: Games) -> None:
    refused(api.by(alice(games, email=None)).post("/me/mail/trial"), 409, "no-address")


def test_trouble_is_forgotten_after_half_a_year_and_with_the_account(
    runtime: Runtime, api: Caller, games: Games
) -> None:
    one, other, now = alice(games, "old.trouble@example.org"), alice(games, "leaves@example.org"), clock.now()
    with runtime.engine.begin() as db:
        for person in (one, other):
            mail.note_suppression(db, mail.suppression_digest(str(person.email)), "unknown-address", "5.1.1", now)
    assert api.by(other).delete("/me", {"confirm": "Alice"}).status_code == 204
    with runtime.engine.connect() as db:
        assert mail.find_suppression(db, "leaves@example.org") is None
    prune(runtime.engine, now + TROUBLE - timedelta(minutes=5))
    assert not api.by(one).get("/me/mail").get_json()["reachable"]
    prune(runtime.engine, now + TROUBLE + timedelta(minutes=5))
    assert api.by(one).get("/me/mail").get_json()["reachable"]


def test_wishes_go_along_with_the_account(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    wish(api, people[0], delay=20)
    api.by(people[0]).put(f"/games/{position.game.id}/mute", None)
    assert api.by(people[0]).get("/me/export").get_json()["mail"]["delay"] == 20
    assert api.by(people[0]).delete("/me", {"confirm": "Alice"}).status_code == 204
    left = "select count(*) from {} where player_id = :id"
    with runtime.engine.connect() as db:
        for table in ("mail_wishes", "mail_mute"):
            assert db.execute(text(left.format(table)), {"id": people[0].id}).scalar_one() == 0


def test_in_a_daily_mail_single_ones_have_their_place(
    runtime: Runtime, api: Caller, people: list[Person], position: Position
) -> None:
    api.by(people[0]).patch("/me", {"time_zone": "Europe/Berlin"})
    wish(api, people[0], digest=7)
    row, now = row_of(runtime, position), datetime(2026, 12, 4, 12, tzinfo=UTC)
    answer = due(runtime, row, now)
    assert answer == InDigest(people[0].id, now.date() + timedelta(days=1), datetime(2026, 12, 5, 6, tzinfo=UTC))


ZONES = ("Europe/Berlin", "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC")
# The weekends on which clocks change, in Europe, in America, and half an hour on Lord Howe Island.
WEEKENDS = [
    datetime(2026, 3, 28, tzinfo=UTC),
    datetime(2026, 10, 24, tzinfo=UTC),
    datetime(2026, 3, 7, tzinfo=UTC),
    datetime(2026, 11, 1, tzinfo=UTC),
    datetime(2026, 4, 4, tzinfo=UTC),
]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("hour", [0, 1, 2, 3, 18])
def test_a_daily_mail_is_due_once_on_each_day_of_the_players_calendar(zone: str, hour: int) -> None:
    there = ZoneInfo(zone)
    for weekend in WEEKENDS:
        at, moments = weekend, []
        while at < weekend + timedelta(days=4):
            at = next_at(at, there, hour)
            moments.append(at)
        days = [each.astimezone(there).date() for each in moments]
        assert [later - earlier for earlier, later in pairwise(days)] == [timedelta(days=1)] * (len(days) - 1)
        assert all(each.astimezone(there).hour in (hour, hour + 1) for each in moments)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(("begin", "end"), [(22, 7), (1, 3), (2, 2), (0, 2)])
def test_nothing_is_sent_in_quiet_hours_and_everything_when_they_end(zone: str, begin: int, end: int) -> None:
    there = ZoneInfo(zone)
    for weekend in WEEKENDS:
        for minutes in range(0, 4 * 24 * 60, 20):
            moment = weekend + timedelta(minutes=minutes)
            until = quiet_until(moment, there, begin, end)
            assert moment <= until <= moment + timedelta(hours=11)
            assert quiet_until(until, there, begin, end) == until
            if until > moment and (begin, end) == (22, 7):
                assert until.astimezone(there).hour == 7
