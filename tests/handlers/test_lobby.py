"""A game is opened, joined and started."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers import lobby
from service.handlers.lobby import Plan
from service.handlers.refusals import BadOption, NotHost, NotOpen, UnknownGame, UnknownRuleset
from service.rules.chance import Chance, commit, derive_key
from service.shared import clock
from service.store import events
from service.store.games import Games
from tests.builders import now_at, opened, sealed_bids, table_for
from tests.people import alice, bob, carol


def test_the_host_sits_in_seat_0_and_the_others_in_the_order_of_joining(games: Games) -> None:
    host, second, third = alice(games), bob(games), carol(games)
    game = table_for(games, "sealed-bids", host, 3)
    assert lobby.join(games, game, second.id, clock.now()) == 1
    assert lobby.join(games, game, third.id, clock.now()) == 2
    position = now_at(games, game)
    assert position.names_in("en") == ("Alice", "Bob", "Carol")
    assert (position.state, position.version, position.game.status) == (None, 0, "open")
    assert position.game.options == {"double": False}


def test_starting_deals_the_hands_and_opens_the_first_decision(games: Games) -> None:
    position = sealed_bids(games, double=True)
    assert (position.game.status, position.version) == ("running", 4)
    assert position.ruleset.to_act(position.state) == {0, 1, 2}
    assert position == now_at(games, position.game.id)


def test_the_hands_follow_from_a_seed_committed_to_before_anybody_joined(games: Games) -> None:
    host, second, third = alice(games), bob(games), carol(games)
    game = table_for(games, "sealed-bids", host, 3)
    promised = now_at(games, game).game.commitment
    for person in (second, third):
        lobby.join(games, game, person.id, clock.now())
    position = lobby.start(games, game, host.id, clock.now())
    with games.engine.connect() as db:
        seed = db.execute(text("select seed from seed where game_id = :game"), {"game": game}).scalar_one()
        opening = events.read(db, position.codec, game)
    started = opening[0].event
    assert promised == started.commitment == commit(seed)
    assert len(set(started.nonces)) == 3
    again = position.ruleset.start(3, started.options, Chance(derive_key(seed, str(game), started.nonces)))
    assert [each.event for each in opening[1:]] == again


def test_all_players_with_an_address_are_told_of_the_first_decision(games: Games) -> None:
    people = [alice(games), bob(games, email=None), carol(games)]
    game = opened(games, "sealed-bids", people)
    lobby.start(games, game, people[0].id, clock.now())
    with games.engine.connect() as db:
        rows = db.execute(text("select dedupe_key, payload from outbox where game_id = :game"), {"game": game}).all()
    assert sorted((row.dedupe_key, row.payload["seat"], row.payload["decision"]) for row in rows) == [
        (f"turn-mail:{game}:1:0", 0, 1),
        (f"turn-mail:{game}:1:2", 2, 1),
    ]


@pytest.mark.parametrize(
    ("seats", "options", "name"),
    [(2, {}, "seats"), (6, {}, "seats"), (3, {"triple": True}, "triple"), (3, {"double": 1}, "double")],
)
def test_what_the_game_does_not_offer_cannot_be_asked_for(
    games: Games, seats: int, options: dict[str, Any], name: str
) -> None:
    with pytest.raises(BadOption) as refused:
        lobby.create(games, alice(games).id, Plan("sealed-bids", seats, options), clock.now())
    assert refused.value.name == name


def test_an_unknown_game_and_an_unknown_ruleset_are_said_to_be_unknown(games: Games) -> None:
    stranger = carol(games).id
    with pytest.raises(UnknownRuleset):
        lobby.create(games, stranger, Plan("chess", 2), clock.now())
    for ask in (lobby.join, lobby.start):
        with pytest.raises(UnknownGame):
            ask(games, uuid4(), stranger, clock.now())  # type: ignore[operator]


def test_nobody_joins_twice_or_joins_a_full_or_a_started_game(games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = opened(games, "sealed-bids", people)
    late = bob(games).id
    for player, reason in ((people[1].id, "taken"), (late, "full")):
        with pytest.raises(NotOpen, match=reason):
            lobby.join(games, game, player, clock.now())
    lobby.start(games, game, people[0].id, clock.now())
    with pytest.raises(NotOpen, match="started"):
        lobby.join(games, game, late, clock.now())


def test_only_the_host_starts_and_only_once_and_with_all_seats_taken(games: Games) -> None:
    host, second = alice(games), bob(games)
    game = table_for(games, "sealed-bids", host, 3)
    lobby.join(games, game, second.id, clock.now())
    with pytest.raises(NotHost):
        lobby.start(games, game, second.id, clock.now())
    with pytest.raises(NotOpen, match="seats-free"):
        lobby.start(games, game, host.id, clock.now())
    lobby.join(games, game, carol(games).id, clock.now())
    lobby.start(games, game, host.id, clock.now())
    with pytest.raises(NotOpen, match="started"):
        lobby.start(games, game, host.id, clock.now())
