"""Reports through the API."""

from __future__ import annotations

import pytest
from flask import Flask

from service.handlers import tournaments
from service.handlers.reports import MOST
from service.shared import clock
from service.store.games import Games
from service.views.people import open_reports
from tests.builders import started
from tests.competing import tournament_of
from tests.people import alice, bob, carol
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


def test_the_title_of_a_tournament_is_reported_by_those_who_may_know_of_it_but_its_host(
    app: Flask, games: Games
) -> None:
    # given a tournament by invitation that Alice hosts and Bob is invited to
    host, guest, stranger = alice(games), bob(games), carol(games)
    opened = tournament_of(games, host, public=False)
    tournaments.invite(games, opened.id, host.id, guest.id, clock.now())
    callers = [Caller(app.test_client()).by(person) for person in (host, guest, stranger)]
    report = {"about": "tournament", "tournament": str(opened.id), "text": "The title is an insult."}
    # when each of them, and Carol, reports its title
    own, made, unknown = (caller.post("/reports", report, Idempotency_Key="title-of-cup") for caller in callers)
    # then only Bob has, and who repeats the request has not reported twice
    refused(own, 409, "own-account")
    refused(unknown, 404, "unknown-tournament")
    assert made.status_code == 201
    assert callers[1].post("/reports", report, Idempotency_Key="title-of-cup").json == made.json
    (told,) = callers[1].get("/reports").json["items"]
    assert (told["about"], told["tournament"], told["game"]) == ("tournament", str(opened.id), None)
    assert told["quoted"] == opened.title
    with games.engine.connect() as db:
        (seen,) = [each for each in open_reports(db) if each["tournament"] == opened.id]
    assert (seen["reported"], seen["reporter"], seen["words"]) == (host.id, guest.id, report["text"])


@pytest.mark.parametrize("words", ["", " ", "x" * 501, "a\0b", None])
def test_words_that_a_report_cannot_have_are_refused_by_their_place(
    app: Flask, games: Games, words: str | None
) -> None:
    report = {"about": "profile", "handle": "some-body", "text": words}
    answer = refused(Caller(app.test_client()).by(alice(games)).post("/reports", report), 422, "validation")
    assert {each["pointer"] for each in answer["errors"]} == {"/text"}
