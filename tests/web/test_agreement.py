"""Pauses and taking actions back by consent, on the page of the table and in the mails that lead there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from service.handlers import mail_wishes
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.browsing import browser, form_on, send
from tests.builders import act, finished, now_at, opened, sealed_bids
from tests.consenting import HOUR, after, clocked, names
from tests.games.sealed_bids.actions import Bid
from tests.letters import Letter, letters
from tests.mail_corpus import arrived
from tests.people import Person, alice, bob, carol
from workers.relay import Relay

ALICE, BOB, CAROL = 0, 1, 2


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: list[Person]) -> Position:
    return clocked(games, people=people)


@pytest.fixture
def webs(app: Flask, games: Games, people: list[Person]) -> list[FlaskClient]:
    """The browsers of Alice, Bob and Carol."""
    return [browser(app, games, person) for person in people]


def bids(games: Games, position: Position, *seats: int) -> Position:
    for seat in seats:
        position = act(games, position, seat, Bid(card=position.state.hands[seat][0])).position
    return position


def path(position: Position) -> str:
    return f"/games/{position.game.id}"


def pressed(web: FlaskClient, position: Position, part: str, **fields: Any) -> Any:
    return send(web, path(position), f"{path(position)}/{part}", **fields)


def test_t21_players_pause_and_go_on_at_the_table(games: Games, position: Position, webs: list[FlaskClient]) -> None:
    assert pressed(webs[BOB], position, "pause", days=7).location == f"{path(position)}#agreement"
    page = webs[ALICE].get(path(position)).text
    assert "Bob proposes a pause until" in page
    assert "Still to agree: you, Carol." in page
    assert "Doivent encore accepter\N{NO-BREAK SPACE}: vous, Alice." in webs[CAROL].get(path(position)).text
    assert "Noch zustimmen müssen: Alice, Carol." in webs[BOB].get(path(position)).text
    assert f"{path(position)}/pause/agreement" not in webs[BOB].get(path(position)).text
    for seat in (ALICE, CAROL):
        assert pressed(webs[seat], position, "pause/agreement").status_code == 303
    assert names(games, position) == ["pause-proposed", "pause-agreed", "pause-agreed", "game-paused"]
    assert "paused" in webs[ALICE].get(path(position)).text
    assert pressed(webs[ALICE], position, "pause/end").status_code == 303
    assert names(games, position)[-1] == "game-resumed"
    assert f"{path(position)}/pause/end" not in webs[ALICE].get(path(position)).text


def test_t35_a_request_and_its_answer_are_among_what_an_open_page_asks_for(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    position = bids(games, position, ALICE, BOB)

    def asked_for_by_carol() -> Any:
        have = f"have={position.version}&beside={beside(webs[CAROL].get(f'{path(position)}/live').text)}"
        assert webs[CAROL].get(f"{path(position)}/live?{have}").status_code == 204
        return lambda: webs[CAROL].get(f"{path(position)}/live?{have}")

    ask = asked_for_by_carol()
    pressed(webs[ALICE], position, "take-back-request")
    assert f"{path(position)}/take-back-request/agreement" in ask().text
    ask = asked_for_by_carol()
    pressed(webs[BOB], position, "take-back-request/agreement")
    assert ask().status_code == 200
    ask = asked_for_by_carol()
    pressed(webs[BOB], position, "take-back-request/refusal")
    assert "take-back-request/agreement" not in ask().text


def beside(page: str) -> str:
    return page.partition('data-beside="')[2].partition('"')[0]


def test_t21_what_has_to_be_answered_stands_above_the_table_and_the_form_for_a_pause_below(
    position: Position, webs: list[FlaskClient]
) -> None:
    before = webs[BOB].get(path(position)).text
    assert before.index('id="felt"') < before.index('id="pause"') < before.index(f"{path(position)}/pause")
    pressed(webs[ALICE], position, "pause", days=7)
    page = webs[BOB].get(path(position)).text
    assert page.index('id="agreement"') < page.index(f"{path(position)}/pause/agreement") < page.index('id="felt"')


def test_t35_the_others_are_asked_at_the_table_and_agree_there(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    bids(games, position, ALICE, BOB)
    assert pressed(webs[ALICE], position, "take-back-request").status_code == 303
    shown = [web.get(path(position)).text for web in webs]
    assert ["take-back-request/agreement" in page for page in shown] == [False, True, True]
    assert "Withdraw the request" in shown[ALICE]
    assert "Alice möchte einen Zug zurücknehmen." in shown[BOB]
    assert "Alice demande à reprendre un coup." in shown[CAROL]
    missing = ("Still to agree: Bob, Carol.", "Noch zustimmen müssen: du, Carol.", "vous, Bob.")
    assert all(text in page for text, page in zip(missing, shown, strict=True))
    for seat in (BOB, CAROL):
        assert pressed(webs[seat], position, "take-back-request/agreement").status_code == 303
    assert names(games, position)[-1] == "action-taken-back"
    assert "Cards that were seen stay seen." in webs[ALICE].get(path(position)).text


def test_t35_a_player_declines_at_the_table(games: Games, position: Position, webs: list[FlaskClient]) -> None:
    bids(games, position, ALICE, BOB)
    pressed(webs[ALICE], position, "take-back-request")
    assert pressed(webs[CAROL], position, "take-back-request/refusal").status_code == 303
    assert "take-back-request/agreement" not in webs[BOB].get(path(position)).text
    late = webs[BOB].post(
        f"{path(position)}/take-back-request/agreement",
        data={**form_on(webs[BOB].get(path(position)), f"{path(position)}/pause").hidden, "first": 4},
    )
    assert late.status_code == 409 and "gilt nicht mehr" in late.text


def test_t35_what_can_be_taken_back_alone_is_offered_so_and_the_others_are_not_asked(
    games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    assert "take-back-request" not in webs[ALICE].get(path(position)).text
    bids(games, position, ALICE)
    page = webs[ALICE].get(path(position)).text
    assert f"{path(position)}/undo" in page and "take-back-request" not in page
    with after(HOUR):
        page = webs[ALICE].get(path(position)).text
    assert f"{path(position)}/undo" not in page and "take-back-request" in page


def test_games_without_a_clock_spectators_and_games_that_are_over_show_none_of_it(
    app: Flask, games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    untimed = sealed_bids(games)
    for web, game in (
        (webs[ALICE], untimed),
        (browser(app, games, bob(games)), position),
        (browser(app, games), position),
    ):
        assert 'id="agreement"' not in web.get(path(game)).text
    finished(games, position)
    page = webs[ALICE].get(path(position)).text
    assert '<section id="agreement" data-part hidden>' in page and "/pause" not in page


def test_a_refusal_is_said_in_the_language_of_the_player(
    games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    hidden = form_on(webs[BOB].get(path(position)), f"{path(position)}/pause").hidden
    for part, fields, words in (
        ("pause", {"days": 31}, "Eine Pause muss innerhalb der nächsten 30 Tage enden."),
        ("pause", {}, "Eine Pause muss innerhalb der nächsten 30 Tage enden."),
        ("pause/end", {}, "Die Partie pausiert nicht."),
        ("pause/agreement", {"until": "tomorrow"}, "Diese Pause schlägt niemand mehr vor."),
        ("take-back-request", {"decision": 1}, "Du hast keinen Zug gemacht, der sich zurücknehmen ließe."),
    ):
        answer = webs[BOB].post(f"{path(position)}/{part}", data={**hidden, **fields})
        assert answer.status_code == 409 and words in answer.text, part
    assert names(games, position) == []
    waiting = opened(games, "sealed-bids", people)
    answer = webs[BOB].post(f"/games/{waiting}/pause", data={**hidden, "days": 1})
    assert answer.location == f"/games/{waiting}"
    stranger = webs[BOB].post(f"/games/{people[0].id}/pause", data=hidden)
    assert stranger.status_code == 404


def mailed(runtime: Runtime, mailbox: Any, position: Position) -> list[Letter]:
    relay = Relay(replace(runtime, redis=None))
    while relay.drain():
        pass
    return [mail for mail in letters(mailbox, position.game.id) if mail.kind == "proposal"]


def test_t21_the_others_get_mails_that_lead_to_the_table(
    runtime: Runtime, mailbox: Any, games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    pressed(webs[ALICE], position, "pause", days=3)
    asked = mailed(runtime, mailbox, position)
    assert [mail.recipient for mail in asked] == ["bob@example.org", "carol@example.org"]
    assert "Alice schlägt eine Pause bis" in asked[0].text.replace("\u2068", "").replace("\u2069", "")
    assert f"http://127.0.0.1:8000{path(position)}" in asked[0].text
    for seat in (BOB, CAROL):
        pressed(webs[seat], position, "pause/agreement")
    begun = mailed(runtime, mailbox, position)[2:]
    assert [mail.recipient for mail in begun] == ["alice@example.org", "bob@example.org"]
    assert "The game is paused until" in begun[0].text
    pressed(webs[CAROL], position, "pause/end")
    ended = mailed(runtime, mailbox, position)[4:]
    assert ["The pause is over." in ended[0].text, "Die Pause ist vorbei." in ended[1].text] == [True, True]


def test_t35_the_others_get_a_mail_unless_the_request_is_over_by_then(
    runtime: Runtime, mailbox: Any, games: Games, position: Position, webs: list[FlaskClient]
) -> None:
    bids(games, position, ALICE, BOB)
    pressed(webs[ALICE], position, "take-back-request")
    pressed(webs[BOB], position, "take-back-request/agreement")
    (asked,) = mailed(runtime, mailbox, position)
    assert asked.recipient == "carol@example.org" and "ce qui a été vu reste vu" in " ".join(asked.text.split())
    pressed(webs[ALICE], position, "take-back-request/refusal")
    pressed(webs[ALICE], position, "take-back-request")
    bids(games, now_at(games, position.game.id), CAROL)
    assert len(mailed(runtime, mailbox, position)) == 1


def test_a_player_does_without_these_mails_or_reads_of_them_in_the_digest(
    runtime: Runtime, mailbox: Any, games: Games, people: list[Person], position: Position, webs: list[FlaskClient]
) -> None:
    mail_wishes.change(games, people[BOB].id, {"kinds": {"proposal": False}})
    mail_wishes.change(games, people[CAROL].id, {"digest": 7})
    pressed(webs[ALICE], position, "pause", days=3)
    assert mailed(runtime, mailbox, position) == []
    with games.engine.begin() as db:
        db.execute(text("update outbox set not_before = now() where kind = 'digest'"))
    mailed(runtime, mailbox, position)
    (digest,) = (mail for mail in arrived(mailbox) if mail.kind == "digest" and position.game.id.hex[-6:] in mail.text)
    assert "propose une pause" in digest.text
