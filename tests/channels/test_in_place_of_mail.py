"""T-42: a message to a channel stands beside a mail or takes its place, and the mail goes out where it fails."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text

from service.handlers import channels as handlers
from service.store.games import Games, Position
from tests.builders import act, finished, now_at
from tests.channels.house import House
from tests.channels.services import WHERES, Services
from tests.games.sealed_bids.actions import Hold
from workers.channels import BEFORE_MAIL, PATIENCE


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
    house.later(PATIENCE * 2)
    assert house.mails(position, 0) == []
    assert house.mails(position, 1) == ["turn"]


def test_t42_only_mails_of_the_chosen_kinds_are_replaced(house: House, games: Games, position: Position) -> None:
    house.channel(position.seats[0].player_id, instead=["turn"])
    house.relay()
    house.courier()
    finished(games, position)
    house.relay()
    house.courier()
    house.later(PATIENCE * 2)
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
    house.later(PATIENCE - timedelta(seconds=20))
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
    house.later(PATIENCE * 2)
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
