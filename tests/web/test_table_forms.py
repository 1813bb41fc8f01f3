"""What is sent from the page of a game besides actions: talk, notes, mails, the resignation, the stream ticket."""

from __future__ import annotations

from flask import Flask

from service.store.games import Games
from service.texts.catalog import say
from tests.builders import now_at
from tests.web.test_table import Visit, duel, waiting_form


def test_talk_notes_and_giving_up(app: Flask, games: Games) -> None:
    position, (mover, other) = duel(games)
    visit = Visit(app, games, position, mover)
    assert visit.send(visit.look(), "/talk", text="Hello <b>all</b>").status_code == 303
    assert visit.send(visit.look(), "/notes", text="first\r\nsecond").status_code == 303
    page = visit.look()
    assert "Hello &lt;b&gt;all&lt;/b&gt;" in page
    assert ">first\nsecond</textarea>" in page
    assert "first\nsecond" not in Visit(app, games, position, other).look()
    assert "Hello" not in Visit(app, games, position, None).look()
    assert visit.send(page, "/mails").status_code == 303
    assert "You get no mails about this game." in visit.look()
    assert visit.send(visit.look(), "/mails").status_code == 303
    assert "You get no mails about this game." not in visit.look()
    assert visit.send(page, "/talk", text="").status_code == 422
    assert visit.send(page, "/talk", text="\x00").status_code == 422
    assert "Tick the box to resign" in visit.send(page, "/resignation").text
    assert visit.send(page, "/resignation", sure="yes").status_code == 303
    page = visit.look()
    over = page.partition('id="over"')[2].partition('id="act"')[0]
    assert "wins" in over
    assert f"{mover.name} resigned" in over
    assert say("en", "table-sources") not in over, "no points came from anywhere"
    assert "/play-again" in over
    again = visit.web.post(f"/games/{visit.game}/resignation", data={**waiting_form(visit), "sure": "yes"})
    assert (again.status_code, "no longer possible" in again.text) == (409, True)


def test_forms_from_elsewhere_are_refused_and_change_nothing(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    for data, headers in (
        ({"form_key": "x"}, {}),
        ({}, {}),
        (waiting_form(visit), {"Origin": "https://elsewhere.example"}),
    ):
        for part in ("action", "talk", "notes", "mails", "resignation", "undo", "ticket"):
            sent = {"decision": "1", "notation": "P 1 2", "text": "x", "sure": "yes", **data}
            assert visit.web.post(f"/games/{visit.game}/{part}", data=sent, headers=headers).status_code == 403
    assert now_at(games, position.game.id).version == position.version
    nobody = Visit(app, games, position, None)
    assert nobody.web.post(f"/games/{visit.game}/talk", data={"text": "x"}).status_code == 303, "to sign in"


def test_a_ticket_of_the_page_opens_the_stream_of_the_game(app: Flask, games: Games) -> None:
    position, (mover, _) = duel(games)
    visit = Visit(app, games, position, mover)
    url = visit.web.post(f"/games/{visit.game}/ticket", data=waiting_form(visit)).json["url"]
    visit.send(visit.look(), "/resignation", sure="yes")
    told = app.test_client().get(f"{url}?after={position.version}")
    assert told.status_code == 200
    assert "seat-resigned" in told.text
