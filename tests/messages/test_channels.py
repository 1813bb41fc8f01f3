"""Messages to channels stand beside a mail or take its place; where one fails the mail goes out (T-42)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from service.handlers import channels as handlers
from service.handlers import lobby, mail_preferences, talk
from service.handlers.invitations import rematch
from service.log.ids import new_id
from service.shared import clock
from service.store import pace
from service.store.games import Games, Position
from service.store.pace import AbsenceRow
from tests.builders import act, finished, now_at, opened, started
from tests.games.sealed_bids.actions import Hold
from tests.messages.house import House
from tests.messages.services import WHERES, Browser, Services
from tests.people import alice, bob, carol
from workers.messages import BEFORE_MAIL, MAIL_WAITS_AT_MOST, MOST_ATTEMPTS, MOST_FAILURES


def test_t41_a_channel_is_tried_when_it_is_saved(house: House, games: Games, there: Services) -> None:
    person = alice(games)
    channel = house.channel(person.id)
    assert there.said == [("ntfy", "A test message\nMessages of Boardroom arrive here.\nhttp://127.0.0.1:8000/games")]
    assert house.shown(person.id, channel)["state"] == "active"


def test_t41_a_channel_that_does_not_take_its_trial_gets_no_messages(
    house: House, games: Games, there: Services, position: Position
) -> None:
    player, there.status = position.seats[0].player_id, 500
    channel = house.channel(player)
    shown = house.shown(player, channel)
    assert (shown["state"], shown["cause"], shown["code"], shown["error"]) == ("silenced", "failing", 500, "not-taken")
    there.status = 200
    assert house.mails(position, 0) == ["turn"]
    house.courier()
    assert there.said == []
    handlers.try_again(games, player, channel)
    house.courier()
    assert house.shown(player, channel)["state"] == "active"


def test_t41_the_message_leads_to_the_table_and_holds_nothing_of_others(
    house: House, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id)
    house.relay()
    house.courier()
    game = position.game.id
    url = f"http://127.0.0.1:8000/games/{game}/open"
    assert there.said[1:] == [("ntfy", f"It is your move\nSealed Bids (#{game.hex[-6:]})\n{url}")]
    assert not any(name in str(there.received[-1].body) for name in ("Alice", "Bob", "Carol", "example.org/t/"))


def test_t41_messages_are_in_the_players_language(house: House, there: Services, position: Position) -> None:
    house.channel(position.seats[1].player_id)
    house.relay()
    house.courier()
    assert there.said[0][1].startswith("Testnachricht\n") and there.said[1][1].startswith("Du bist dran\n")


def test_t41_only_the_chosen_kinds_go_to_a_channel(house: House, there: Services, position: Position) -> None:
    house.channel(position.seats[0].player_id, messages=["over"])
    assert house.mails(position, 0) == ["turn"]
    house.courier()
    assert len(there.said) == 1
    finished(house.runtime.games, position)
    house.relay()
    house.courier()
    assert [said.partition("\n")[0] for _, said in there.said] == ["A test message", "The game is over"]


def test_t41_what_is_said_is_told_without_the_words(
    house: House, games: Games, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id, messages=["message"])
    talk.say(games, position.game.id, position.seats[1].player_id, "I hold the ace", "api", clock.now())
    house.later(timedelta(minutes=20))
    house.relay()
    house.courier()
    ((_, said),) = there.said[1:]
    assert said.startswith("A player has said something at the table\n")
    assert "the ace" not in str(there.received[-1].body)


def test_t41_an_invitation_goes_to_the_channel_of_the_player_who_is_asked(
    house: House, games: Games, there: Services
) -> None:
    # An address that nobody else has invited today
    people = [alice(games), bob(games, f"bob.{new_id()}@example.org"), carol(games)]
    over = finished(games, started(games, "sealed-bids", people))
    house.relay()
    house.channel(people[1].id, messages=["invitation"])
    rematch(games, over.game.id, people[0].id, clock.now())
    house.relay()
    house.courier()
    ((_, said),) = there.said[1:]
    assert said.startswith("Du bist zu einer Partie eingeladen\nSealed Bids")
    assert said.endswith("\nhttp://127.0.0.1:8000/games")


def test_t41_each_channel_gets_each_message_once_however_often_its_mail_is_tried(
    house: House, there: Services, position: Position
) -> None:
    player = position.seats[0].player_id
    house.channel(player)
    house.channel(player, WHERES["matrix"])
    there.said.clear()
    house.relay()
    again = text("update outbox set state = 'pending', not_before = now() where kind = 'turn-mail'")
    with house.runtime.engine.begin() as db:
        db.execute(again)
    house.relay()
    house.courier()
    house.courier()
    assert sorted(service for service, _ in there.said) == ["matrix", "ntfy"]


def test_t41_a_message_whose_matter_is_over_is_not_sent(
    house: House, games: Games, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id)
    house.relay()
    act(games, position, 0, Hold())
    house.courier()
    assert len(there.said) == 1


def test_t41_a_muted_game_and_quiet_hours_hold_for_channels(
    house: House, games: Games, there: Services, position: Position
) -> None:
    muting, resting = (position.seats[seat].player_id for seat in (0, 1))
    house.channel(muting)
    house.channel(resting)
    there.said.clear()
    mail_preferences.mute(games, position.game.id, muting)
    hour = clock.now().hour
    mail_preferences.change(games, resting, {"quiet": {"begin": hour, "end": (hour + 2) % 24}})
    house.relay()
    house.courier()
    assert there.said == []
    house.later(timedelta(hours=3))
    mail_preferences.change(games, resting, {"quiet": None})
    house.relay()
    house.courier()
    assert [said.partition("\n")[0] for _, said in there.said] == ["Du bist dran"]


def test_t19_a_turn_waits_on_channels_too_until_the_return_of_a_player_who_is_away(
    house: House, games: Games, there: Services, position: Position
) -> None:
    player, now = position.seats[0].player_id, clock.now()
    house.channel(player)
    there.said.clear()
    away = AbsenceRow(new_id(), now - timedelta(hours=1), now + timedelta(days=3), now)
    with house.runtime.engine.begin() as db:
        pace.write_absence(db, player, away)
    house.relay()
    house.courier()
    assert there.said == []
    with house.runtime.engine.begin() as db:
        pace.remove_absence(db, [away.id])
    house.later(timedelta(days=4))
    house.relay()
    house.courier()
    assert len(there.said) == 1


@pytest.mark.parametrize("wished", [{"digest": 18}, {"kinds": {"turn": False}}])
def test_t41_a_channel_tells_at_once_what_no_single_mail_tells(
    house: House, games: Games, there: Services, position: Position, wished: dict[str, Any]
) -> None:
    player = position.seats[0].player_id
    house.channel(player)
    mail_preferences.change(games, player, wished)
    assert house.mails(position, 0) == []
    house.courier()
    assert len(there.said) == 2


def test_t41_a_channel_is_silenced_after_messages_in_a_row_that_nobody_took(
    house: House, games: Games, there: Services
) -> None:
    person, others = alice(games), [bob(games), carol(games)]
    channel = house.channel(person.id)
    there.status = 503
    for _ in range(MOST_FAILURES):
        assert house.shown(person.id, channel)["state"] == "active"
        game = opened(games, "sealed-bids", [person, *others])
        with house.runtime.engine.begin() as db:
            db.execute(text("delete from outbox where state = 'pending'"))
        lobby.start(games, game, person.id, clock.now())
        house.relay()
        for _attempt in range(MOST_ATTEMPTS):
            house.courier()
            house.later(timedelta(hours=3))
    shown = house.shown(person.id, channel)
    assert (shown["state"], shown["cause"], shown["code"]) == ("silenced", "failing", 503)


@pytest.mark.parametrize("status", [404, 410])
def test_t41_a_channel_whose_address_is_gone_is_silenced_at_once(
    house: House, there: Services, position: Position, status: int
) -> None:
    player = position.seats[0].player_id
    there.browser = Browser()
    channel = house.channel(player, there.browser.where())
    assert there.said[0][0] == "web-push"
    there.status = status
    house.relay()
    house.courier()
    shown = house.shown(player, channel)
    assert (shown["state"], shown["cause"]) == ("silenced", "gone")


def test_t41_a_message_that_was_taken_ends_the_count_of_failures(
    house: House, there: Services, position: Position
) -> None:
    player = position.seats[0].player_id
    channel = house.channel(player)
    with house.runtime.engine.begin() as db:
        db.execute(text("update channel set failures = 2 where id = :id"), {"id": channel})
    house.relay()
    house.courier()
    with house.runtime.engine.connect() as db:
        assert db.execute(text("select failures from channel where id = :id"), {"id": channel}).scalar_one() == 0


def test_t41_a_player_without_an_address_is_told_on_a_channel(house: House, games: Games, there: Services) -> None:
    guest, others = alice(games, email=None), [bob(games), carol(games)]
    channel = house.channel(guest.id, instead=["over"])
    there.said.clear()
    position = started(games, "sealed-bids", [guest, *others])
    talk.say(games, position.game.id, others[0].id, "Hello", "api", clock.now())
    house.relay()
    house.courier()
    house.later(timedelta(minutes=20))
    house.relay()
    house.courier()
    finished(games, position)
    house.relay()
    house.courier()
    told = [said.partition("\n")[0] for _, said in there.said]
    assert told == ["It is your move", "A player has said something at the table", "The game is over"]
    handlers.remove(games, guest.id, channel)
    again = started(games, "sealed-bids", [guest, *others])
    count = text(
        "select count(*) from outbox where game_id = :game and kind = 'turn-mail' and payload ->> 'seat' = '0'"
    )
    with house.runtime.engine.connect() as db:
        assert db.execute(count, {"game": again.game.id}).scalar_one() == 0


def test_t42_a_channel_stands_beside_the_mail(house: House, there: Services, position: Position) -> None:
    house.channel(position.seats[0].player_id)
    assert house.mails(position, 0) == ["turn"]
    house.courier()
    assert len(there.said) == 2


def test_t42_a_message_that_was_taken_takes_the_place_of_the_mail_if_its_player_says_so(
    house: House, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    assert house.mails(position, 0) == []
    house.courier()
    assert len(there.said) == 2
    house.later(MAIL_WAITS_AT_MOST * 2)
    assert house.mails(position, 0) == []
    assert house.mails(position, 1) == ["turn"]


def test_t42_only_mails_of_the_chosen_kinds_are_replaced(house: House, games: Games, position: Position) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    house.relay()
    house.courier()
    finished(games, position)
    house.relay()
    house.courier()
    house.later(MAIL_WAITS_AT_MOST * 2)
    assert house.mails(position, 0) == ["over"]


def test_t42_a_mail_takes_over_where_the_message_is_not_taken(
    house: House, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    there.status = 500
    house.relay()
    for attempts in range(BEFORE_MAIL):
        assert house.mails(position, 0) == [], attempts
        house.courier()
        house.later(timedelta(seconds=8))
    assert house.mails(position, 0) == ["turn"]
    there.status = 200
    house.later(timedelta(hours=1))
    house.courier()
    assert len(there.said) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_t42_a_mail_takes_over_at_once_where_the_channel_is_gone(
    house: House, there: Services, position: Position, status: int
) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    there.status = status
    house.relay()
    house.courier()
    assert house.mails(position, 0) == ["turn"]


def test_t42_a_mail_takes_over_where_no_courier_runs(house: House, there: Services, position: Position) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    assert house.mails(position, 0) == []
    house.later(MAIL_WAITS_AT_MOST - timedelta(seconds=20))
    assert house.mails(position, 0) == []
    house.later(timedelta(seconds=21))
    assert house.mails(position, 0) == ["turn"]
    house.courier()
    assert len(there.said) == 1


def test_t42_one_of_two_channels_is_enough(house: House, there: Services, position: Position) -> None:
    player = position.seats[0].player_id
    lost = house.channel(player, WHERES["matrix"], instead=["turn"])
    house.channel(player, instead=["turn"])
    with house.runtime.engine.begin() as db:
        db.execute(text("delete from channel_secret where channel_id = :id"), {"id": lost})
    house.relay()
    house.courier()
    house.later(MAIL_WAITS_AT_MOST * 2)
    assert house.mails(position, 0) == []


def test_t42_a_silenced_channel_replaces_nothing(house: House, there: Services, position: Position) -> None:
    there.status = 500
    house.channel(position.seats[0].player_id, instead=["turn"])
    assert house.mails(position, 0) == ["turn"]


def test_t42_a_channel_that_is_taken_away_lets_the_waiting_mail_go(
    house: House, games: Games, position: Position
) -> None:
    player = position.seats[0].player_id
    channel = house.channel(player, instead=["turn"])
    assert house.mails(position, 0) == []
    handlers.remove(games, player, channel)
    assert house.mails(position, 0) == ["turn"]


def test_t42_no_mail_and_no_message_come_when_the_turn_is_over_meanwhile(
    house: House, games: Games, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    house.relay()
    act(games, now_at(games, position.game.id), 0, Hold())
    house.courier()
    assert house.mails(position, 0) == []
    assert len(there.said) == 1


def test_t42_a_mail_that_its_player_waits_for_is_never_replaced(
    house: House, there: Services, position: Position
) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    asked = text("""update outbox set payload = payload || '{"asked": true}' where kind = 'turn-mail'""")
    with house.runtime.engine.begin() as db:
        db.execute(asked)
    assert house.mails(position, 0) == ["turn"]
    house.courier()
    assert len(there.said) == 1
