"""The record of a finished game can be kept from the page at which it is looked at again."""

from __future__ import annotations

from uuid import uuid4

from flask import Flask

from service.audit.verify import verify
from service.handlers import seats
from service.store.games import Games
from tests.audit.records import RULESETS
from tests.browsing import browser
from tests.builders import finished, sealed_bids, table_for
from tests.people import alice, carol


def test_the_record_of_a_finished_game_is_a_file_that_holds(app: Flask, games: Games) -> None:
    position = sealed_bids(games)
    path = f"/games/{position.game.id}/record.jsonl"
    me = browser(app, games, alice(games))
    assert me.get(path).status_code == 404
    finished(games, position)
    for web in (app.test_client(), me):
        answer = web.get(path)
        assert (answer.status_code, answer.mimetype) == (200, "application/jsonl")
        assert f'filename="{position.game.id}.jsonl"' in answer.headers["Content-Disposition"]
        assert verify(answer.data, RULESETS).holds
    page = me.get(f"/games/{position.game.id}/replay").text
    assert f'href="{path}"' in page and 'href="/verify"' in page


def test_so_is_that_of_a_game_that_was_called_off(app: Flask, games: Games) -> None:
    host = alice(games)
    game = table_for(games, "sealed-bids", host, 3)
    path, me = f"/games/{game}/record.jsonl", browser(app, games, host)
    assert me.get(path).status_code == 404
    seats.cancel(games, game, host.id)
    assert f'href="{path}"' in me.get(f"/games/{game}").text
    assert verify(me.get(path).data, RULESETS).holds


def test_of_a_game_that_one_may_not_know_of_there_is_no_record(app: Flask, games: Games) -> None:
    assert browser(app, games, carol(games)).get(f"/games/{uuid4()}/record.jsonl").status_code == 404
