"""Reports through the API."""

from __future__ import annotations

from flask import Flask

from service.handlers.reports import MOST
from service.store.games import Games
from tests.builders import started
from tests.people import alice, bob
from tests.rest import Caller, refused


def test_nobody_has_more_reports_waiting_for_an_answer_than_twenty(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games)]
    caller = Caller(app.test_client()).by(people[0])
    game = started(games, "new-corp-order", people).game.id
    report = {"game": str(game), "about": "name", "seat": 1, "text": "This is no name."}
    for _ in range(MOST):
        assert caller.post("/reports", report).status_code == 201
    assert refused(caller.post("/reports", report), 409, "too-many")["most"] == MOST
    assert len(caller.get("/reports").json["items"]) == MOST
