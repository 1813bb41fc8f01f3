"""What is kept of a page between two views: each reader sees their own, and nothing stays that has changed."""

from __future__ import annotations

import re
from html import unescape

from flask import Flask

from service.handlers.players import change
from service.shared import clock
from service.store.games import Games, Position
from tests.builders import act, now_at
from tests.people import carol
from tests.web.test_table import Visit, duel

SECRET = re.compile(r'name="form_key" value="[^"]*"|nonce-[\w-]+|data-key="[^"]*"')


def seen(visit: Visit, query: str = "") -> str:
    return SECRET.sub("", visit.look(query))


def moved(games: Games, position: Position) -> Position:
    seat = min(position.awaited)
    return act(games, position, seat, position.ruleset.legal(position.state, seat)[0]).position


def test_a_page_seen_again_is_the_same_page(app: Flask, games: Games) -> None:
    position, people = duel(games)
    moved(games, position)
    for person in (*people, carol(games), None):
        visit = Visit(app, games, position, person)
        assert seen(visit) == seen(visit)


def test_seeing_a_choice_does_not_change_what_is_seen_without_it(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    before = seen(visit)
    assert seen(visit, f"?decision={position.decision}&kind=plot&first=1") != before
    assert seen(visit) == before


def test_both_players_look_in_turn_and_each_sees_their_own_hand(app: Flask, games: Games) -> None:
    position, people = duel(games)
    ruleset, names = position.ruleset, position.names_in("en")
    for person in people * 2:
        seat = position.seat_of(person.id)
        drawn = ruleset.draw(ruleset.view(position.state, seat), "en", names)
        page = unescape(seen(Visit(app, games, position, person)))
        assert [line for line in drawn.splitlines() if line.rstrip() not in page] == []


def test_a_move_a_new_name_and_a_new_zone_are_seen_at_once(app: Flask, games: Games) -> None:
    position, (mover, other) = duel(games)
    moved(games, position)
    visit = Visit(app, games, position, other)
    before = seen(visit)
    moved(games, now_at(games, position.game.id))
    after = seen(visit)
    assert after != before
    change(games, mover.id, {"name": "Zoe"}, clock.now())
    renamed = seen(visit)
    assert "Zoe" not in after and "Zoe" in renamed
    change(games, other.id, {"time_zone": "Asia/Tokyo"}, clock.now())
    assert seen(visit) != renamed
