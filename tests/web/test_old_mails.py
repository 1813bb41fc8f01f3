"""The links of a mail whose move is past: a friendly page in its player's language, which never plays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers import links, seats
from service.handlers.links import Revocation
from service.handlers.refusals import NotOpen
from service.handlers.resign import resign
from service.handlers.take_back import Wish, take_back
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games, Position
from service.texts.catalog import say
from tests.builders import act, ending_on_resignation, finished, now_at, sealed_bids
from tests.games.sealed_bids.actions import Hold
from tests.handlers.test_resign import pending
from tests.letters import link, press
from workers.jobs import carry_out

LANGUAGES = ("en", "de", "fr")
SEATS = range(len(LANGUAGES))
BEHIND = ("", "/hold", "/all/1", "?way=0")

Cause = Callable[[Runtime, Position, int], None]


@pytest.fixture(scope="module")
def web(app: Flask) -> FlaskClient:
    """A browser that keeps no cookies."""
    return app.test_client(use_cookies=False)


def played(runtime: Runtime, position: Position, seat: int) -> None:
    act(runtime.games, position, seat, Hold())


def taken_back(runtime: Runtime, position: Position, seat: int) -> None:
    played(runtime, position, seat)
    wish = Wish(position.game.id, seat, position.decision, "api")
    take_back(runtime.games, wish, timedelta(minutes=10), clock.now())


def given_up(runtime: Runtime, position: Position, seat: int) -> None:
    resign(runtime.games, position.game.id, position.seats[seat].player_id, "api", clock.now())


def taken_over(runtime: Runtime, position: Position, seat: int) -> None:
    """The seat is given up, and the service plays for it."""
    given_up(runtime, position, seat)
    (row,) = pending(runtime.games, position, "automaton")
    carry_out(runtime, row.id)
    assert seat not in now_at(runtime.games, position.game.id).to_act


def ended(runtime: Runtime, position: Position, seat: int) -> None:
    finished(runtime.games, position)


def ended_by_another(runtime: Runtime, position: Position, seat: int) -> None:
    given_up(runtime, ending_on_resignation(runtime.games, position), (seat + 1) % len(LANGUAGES))


def replaced(runtime: Runtime, position: Position, seat: int) -> None:
    revoked(runtime, position, seat, "seen")


def moved_away(runtime: Runtime, position: Position, seat: int) -> None:
    revoked(runtime, position, seat, "address")


def revoked(runtime: Runtime, position: Position, seat: int, why: Revocation) -> None:
    with runtime.engine.begin() as db:
        links.revoke(db, position.seats[seat].player_id, why, clock.now())


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    ("cause", "reason"),
    [
        (played, "past-waiting"),
        (taken_back, "past-taken-back"),
        (given_up, "past-resigned"),
        (taken_over, "past-resigned"),
        (ended, "past-over"),
        (ended_by_another, "past-over"),
        (replaced, "past-seen"),
        (moved_away, "past-address"),
    ],
)
def test_whatever_made_it_old_its_links_say_so_in_the_players_language_and_play_nothing(
    web: FlaskClient, runtime: Runtime, cause: Cause, reason: str, seat: int
) -> None:
    position = sealed_bids(runtime.games)
    path = link(runtime.games, position, seat)
    cause(runtime, position, seat)
    before = now_at(runtime.games, position.game.id).version
    looked = [web.get(path + behind) for behind in BEHIND]
    pressed = [press(web, path, "hold", sure="yes"), web.post(f"{path}/hold", data={"decision": 1, "sure": "yes"})]
    assert [page.status_code for page in looked] == [410] * len(looked)
    assert [page.status_code for page in pressed] == [409] * len(pressed)
    for page in (*looked, *pressed):
        assert f'<html lang="{LANGUAGES[seat]}">' in page.text
        assert str(say(LANGUAGES[seat], reason)).replace("'", "&#39;") in page.text
    assert now_at(runtime.games, position.game.id).version == before


def test_nobody_loses_a_seat_and_the_links_to_it_once_the_game_has_begun(web: FlaskClient, games: Games) -> None:
    position = sealed_bids(games)
    path = link(games, position, 1)
    with pytest.raises(NotOpen):
        seats.kick(games, position.game.id, 1, position.seats[0].player_id)
    with pytest.raises(NotOpen):
        seats.leave(games, position.game.id, position.seats[1].player_id)
    assert press(web, path, "hold").status_code == 200
