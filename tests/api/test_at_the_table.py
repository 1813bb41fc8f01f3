"""Page of a game beside the moves, over REST: the picture of the table, and what can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from xml.etree import ElementTree

import pytest

from service.app import create_app
from service.handlers.play import resign
from service.runtime import Runtime
from service.store.games import Games, Position
from tests.builders import act, opened, sealed_bids, started
from tests.games.sealed_bids.actions import Bid, Hold
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused

ALICE, BOB, CAROL = 0, 1, 2
NOTHING = {"decision": None, "until": None}


@pytest.fixture
def people(games: Games) -> Sequence[Person]:
    return [alice(games), bob(games), carol(games)]


@pytest.fixture
def position(games: Games, people: Sequence[Person]) -> Position:
    """A game in which all three choose at the same time, secretly."""
    return started(games, "sealed-bids", list(people))


def offers(api: Caller, people: Sequence[Person], position: Position) -> list[Any]:
    """Return what each of the people can take back."""
    answers = [api.by(person).get(f"/games/{position.game.id}/take-back") for person in people]
    assert {answer.status_code for answer in answers} == {200}
    return [answer.get_json() for answer in answers]


def test_the_picture_is_of_the_whole_table_as_each_who_looks_may_see_it(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people)
    seen = set()
    lookers = ((people[0], 0, "en"), (people[1], 1, "de"), (carol(games), None, "fr"))
    for person, seat, language in lookers:
        answer = api.by(person).get(f"/games/{position.game.id}/board.svg")
        assert (answer.mimetype, answer.headers["Content-Language"]) == ("image/svg+xml", language)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        view = position.ruleset.view(position.state, seat)
        assert answer.text == position.ruleset.paint(view, language, position.names_in(language))
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
        seen.add(api.by(person).get(f"/games/{position.game.id}/board.svg?language=fr").text)
    assert len(seen) == 3


def test_there_is_no_picture_of_a_game_that_has_not_begun(api: Caller, games: Games, people: Sequence[Person]) -> None:
    game = opened(games, "sealed-bids", list(people))
    refused(api.by(people[0]).get(f"/games/{game}/board.svg"), 409, "game-not-running")


def test_only_who_has_acted_is_told_what_can_be_taken_back_and_until_when(
    api: Caller, games: Games, people: Sequence[Person], position: Position
) -> None:
    assert offers(api, people, position) == [NOTHING] * 3
    played = act(games, position, BOB, Hold())
    mine, offer, others = offers(api, people, position)
    assert mine == others == NOTHING
    assert offer["decision"] == 1
    assert datetime.fromisoformat(offer["until"]) == played.events[0].at + timedelta(minutes=10)
    caller, path = api.by(people[BOB]), f"/games/{position.game.id}/take-back"
    assert caller.post(path, {"decision": offer["decision"]}).status_code == 201
    assert offers(api, people, position) == [NOTHING] * 3


def test_it_is_offered_as_long_as_it_would_be_done(
    runtime: Runtime, api: Caller, games: Games, people: Sequence[Person], position: Position
) -> None:
    act(games, position, ALICE, Hold())
    hasty = create_app(replace(runtime, settings=replace(runtime.settings, take_back_seconds=0)))
    assert offers(Caller(hasty.test_client()), people, position) == [NOTHING] * 3
    act(games, position, BOB, Hold())
    assert [offer["decision"] for offer in offers(api, people, position)] == [None, 1, None]
    resign(games, position.game.id, people[CAROL].id, "api", datetime.now(tz=position.game.created_at.tzinfo))
    assert offers(api, people, position) == [NOTHING] * 3


def test_what_has_shown_something_is_not_offered(
    api: Caller, games: Games, people: Sequence[Person], position: Position
) -> None:
    for seat in (ALICE, BOB, CAROL):
        act(games, position, seat, Bid(card=position.state.hands[seat][0]))
    assert offers(api, people, position) == [NOTHING] * 3


def test_nothing_is_offered_before_the_game_nor_to_who_looks_on(
    api: Caller, games: Games, people: Sequence[Person]
) -> None:
    waiting = opened(games, "sealed-bids", list(people))
    assert api.by(people[0]).get(f"/games/{waiting}/take-back").get_json() == NOTHING
    other = sealed_bids(games)
    act(games, other, ALICE, Hold())
    assert offers(api, people, other) == [NOTHING] * 3
