"""The page of absences, and what the table says of them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.handlers.absence import AbsencePlan, announce
from service.runtime import Runtime
from service.shared import clock
from service.store import pace
from service.store.games import Games
from tests.away import DAY, carry_out, clocked
from tests.browsing import browser, send
from tests.builders import started
from tests.letters import Page
from tests.people import Person, alice, bob, carol

PAGE = "/settings/away"


@pytest.fixture
def people(games: Games) -> list[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def web(app: Flask, games: Games, people: list[Person]) -> FlaskClient:
    """Alice's browser."""
    return browser(app, games, people[0])


def in_days(days: int) -> str:
    return (clock.now().date() + timedelta(days=days)).isoformat()


def kept(games: Games, person: Person) -> list[pace.AbsenceRow]:
    with games.engine.connect() as db:
        return pace.absences_of_player(db, person.id)


def test_t18_an_absence_is_announced_changed_and_ended_on_the_page(
    web: FlaskClient, games: Games, people: list[Person]
) -> None:
    saved = send(web, PAGE, PAGE, **{"from": "", "until": in_days(3)})
    assert "you are away" in web.get(str(saved.location)).text and "Days left: 38." in web.get(PAGE).text
    (row,) = kept(games, people[0])
    send(web, PAGE, f"{PAGE}/{row.id}", until=in_days(5))
    assert "Days left: 36." in web.get(PAGE).text
    send(web, PAGE, f"{PAGE}/{row.id}/end")
    assert "over" in web.get(PAGE).text
    assert [form.action for form in Page(web.get(PAGE).text).forms if str(row.id) in form.action] == []


def test_t18_one_that_has_not_begun_is_called_off(web: FlaskClient, games: Games, people: list[Person]) -> None:
    send(web, PAGE, PAGE, **{"from": in_days(3), "until": in_days(5)})
    assert "Cancel the absence" in web.get(PAGE).text
    send(web, PAGE, f"{PAGE}/{kept(games, people[0])[0].id}/end")
    assert kept(games, people[0]) == []


@pytest.mark.parametrize(
    ("days", "why"),
    [
        ({"from": "", "until": ""}, "Choose the days as dates"),
        ({"from": "", "until": "soon"}, "Choose the days as dates"),
        ({"from": "", "until": in_days(30)}, "at most 21 days in a row"),
        ({"from": in_days(40), "until": in_days(41)}, "at most 30 days from today"),
        ({"from": in_days(-2), "until": in_days(1)}, "lies in the past"),
    ],
)
def test_t18_what_cannot_be_is_explained_and_changes_nothing(
    web: FlaskClient, games: Games, people: list[Person], days: dict[str, str], why: str
) -> None:
    answer = send(web, PAGE, PAGE, **days)
    assert answer.status_code == 422 and why in answer.text
    assert kept(games, people[0]) == []


def test_an_absence_of_somebody_else_is_not_there(
    app: Flask, web: FlaskClient, games: Games, people: list[Person]
) -> None:
    row = announce(games, people[1].id, AbsencePlan(clock.now().date()), clock.now()).row
    hidden = Page(web.get(PAGE).text).forms[0].hidden
    assert web.post(f"{PAGE}/{row.id}/end", data=hidden).status_code == 404
    assert web.post(f"{PAGE}/{row.id}", data={**hidden, "until": in_days(5)}).status_code == 404
    assert kept(games, people[1]) == [row]


@pytest.mark.parametrize("with_clock", [True, False])
def test_t20_the_table_says_who_is_away_until_when(
    runtime: Runtime, web: FlaskClient, games: Games, people: list[Person], with_clock: bool
) -> None:
    position = clocked(games, people) if with_clock else started(games, "sealed-bids", people)
    page = f"/games/{position.game.id}"
    assert "away until" not in web.get(page).text.lower()
    announce(games, people[1].id, AbsencePlan(clock.now().date() + DAY), clock.now())
    carry_out(runtime, people[1], clock.now())
    assert "away until" in web.get(page).text.lower()


def test_t20_a_player_who_is_away_reads_so_at_the_table(web: FlaskClient, games: Games, people: list[Person]) -> None:
    position = started(games, "sealed-bids", people)
    announce(games, people[0].id, AbsencePlan(clock.now().date() + DAY), clock.now())
    assert "You are away until" in web.get(f"/games/{position.game.id}").text
