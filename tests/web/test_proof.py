"""The page that shows what proves a game, its files, and the player's own value of chance."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from sqlalchemy import text

from service.store.game_row import Terms
from service.store.games import Games, Position
from tests.browsing import browser, send
from tests.builders import finished, sealed_bids, started, table_for
from tests.people import Person, alice, bob, carol

OWN = "ab" * 16


def drawn(games: Games, path: str) -> list[tuple[str, str]]:
    """Who has drawn the values of the seats, and whether it was the one above."""
    with games.engine.begin() as db:
        rows = db.execute(
            text("select drawn_by, nonce from seat where game_id = :game order by seat"), {"game": path[-36:]}
        )
        return [(row.drawn_by, "own" if row.nonce == OWN else "another") for row in rows]


def seated(games: Games) -> tuple[Person, Position]:
    """Alice, and a game in which she sits."""
    me = alice(games)
    return me, started(games, "sealed-bids", [me, bob(games), carol(games)])


def test_every_form_that_takes_a_seat_takes_the_players_own_value(app: Flask, games: Games) -> None:
    web = browser(app, games, alice(games))
    solo = str(send(web, "/", "/play", nonce=OWN).location)
    again = str(send(web, "/games", "/play", nonce=OWN).location)
    chosen = {"seats": "2", "kind": "anybody", "start": "host", "on_resignation": "play-on"}
    opened = str(send(web, "/games/new", "/games/new", nonce=OWN, **chosen).location)
    send(browser(app, games, bob(games)), opened, f"{opened}/join", nonce=OWN)
    assert [drawn(games, path) for path in (solo, again, opened)] == [
        [("client", "own")],
        [("client", "own")],
        [("client", "own"), ("client", "own")],
    ]


def test_without_a_script_the_service_draws_and_the_page_says_so(app: Flask, games: Games) -> None:
    host = alice(games)
    web, path = browser(app, games, host), f"/games/{table_for(games, 'sealed-bids', host, 3)}"
    assert drawn(games, path) == [("server", "another")]
    page = web.get(f"{path}/proof").text
    assert "which knows the secret as well: Alice" in page and "own browser or program:" not in page
    assert f'href="{path}/proof"' in web.get(path).text


def test_what_can_be_no_value_is_refused_and_takes_no_seat(app: Flask, games: Games) -> None:
    path = f"/games/{table_for(games, 'sealed-bids', alice(games), 3)}"
    guest = browser(app, games, bob(games))
    assert send(guest, path, f"{path}/join", nonce="no hex").status_code == 400
    assert len(drawn(games, path)) == 1


def test_while_the_game_goes_on_the_page_tells_the_commitment_and_not_the_secret(app: Flask, games: Games) -> None:
    me, position = seated(games)
    path = f"/games/{position.game.id}"
    page = browser(app, games, me).get(f"{path}/proof").text
    assert position.game.commitment in page and str(position.game.head) in page
    with games.engine.begin() as db:
        seed = db.execute(text("select encode(seed, 'hex') from seed where game_id = :game"), {"game": path[-36:]})
        assert str(seed.scalar_one()) not in page
    assert f'href="{path}/view.jsonl?seat=0"' in page and f'href="{path}/view.jsonl?seat=1"' not in page
    assert f"{path}/record.jsonl" not in page


def test_after_the_end_it_tells_the_secret_and_what_each_seat_knew(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    finished(games, position)
    path = f"/games/{position.game.id}"
    page = browser(app, games, alice(games)).get(f"{path}/proof").text
    with games.engine.begin() as db:
        seed = db.execute(text("select encode(seed, 'hex') from seed where game_id = :game"), {"game": path[-36:]})
        assert str(seed.scalar_one()) in page
    for file in ("record.jsonl", "view.jsonl", "view.jsonl?seat=0", "view.jsonl?seat=2", "listing.txt"):
        assert f'href="{path}/{file}"' in page


@pytest.mark.parametrize("seat", ["0", "1", "7", "-1"])
def test_of_a_game_that_goes_on_nobody_gets_what_another_seat_knows(app: Flask, games: Games, seat: str) -> None:
    me, position = seated(games)
    answer = browser(app, games, me).get(f"/games/{position.game.id}/view.jsonl?seat={seat}")
    assert answer.status_code == (200 if seat == "0" else 404)
    if seat == "0":
        assert json.loads(answer.text.splitlines()[0])["viewer"] == 0


def test_a_file_of_ones_own_view_is_that_of_the_api(app: Flask, games: Games) -> None:
    me, position = seated(games)
    path = f"/games/{position.game.id}"
    asked = app.test_client().get(f"/api/v1{path}/record", headers={"Authorization": f"Bearer {me.token}"})
    assert browser(app, games, me).get(f"{path}/view.jsonl").data == asked.data


def test_the_game_is_written_down_in_the_language_of_the_reader(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    finished(games, position)
    web = browser(app, games)
    for language, beginning in (("en", "The beginning"), ("de", "Der Anfang"), ("fr", "Le début")):
        answer = web.get(f"/games/{position.game.id}/listing.txt", headers={"Accept-Language": language})
        assert (answer.status_code, answer.mimetype) == (200, "text/plain")
        assert beginning in answer.text


def test_who_may_not_know_of_the_game_gets_nothing(app: Flask, games: Games) -> None:
    path = f"/games/{table_for(games, 'sealed-bids', alice(games), 3, Terms())}"
    stranger = browser(app, games, carol(games))
    for file in ("proof", "view.jsonl", "listing.txt", "record.jsonl"):
        assert stranger.get(f"{path}/{file}").status_code == 404
