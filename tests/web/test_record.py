"""The record of a finished game can be kept from the page at which it is looked at again."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from flask import Flask

from service.handlers import seats
from service.record.reading import records_in
from service.record.verify import verify
from service.store.games import Games
from tests.browsing import browser
from tests.builders import finished, sealed_bids, started, table_for
from tests.people import alice, bob, carol
from tests.record.records import RULESETS


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


def test_the_records_of_all_ones_games_come_in_one_file(app: Flask, games: Games, tmp_path: Path) -> None:
    me, others = alice(games), [bob(games), carol(games)]
    mine = [finished(games, started(games, "sealed-bids", [me, *others])).game.id for _ in range(2)]
    finished(games, sealed_bids(games))
    web = browser(app, games, me)
    assert 'href="/settings/records"' in web.get("/settings").text
    file = tmp_path / "all.jsonl.gz"
    file.write_bytes(web.get("/settings/records").data)
    reports = [verify(record, RULESETS) for _, record in records_in(file)]
    assert all(report.holds for report in reports)
    assert {report.game for report in reports} == {str(game) for game in mine}
