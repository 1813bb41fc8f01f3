"""An action that is answered before the app is asked is answered byte by byte as the app does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from flask import request_started
from werkzeug.test import TestResponse

from service.api.play import RAISED
from service.handlers.refusals import Unavailable
from service.store.games import Games
from tests.builders import first_legal, now_at, started
from tests.people import Person, alice, bob, carol
from tests.rest import Caller, refused
from tests.statements import heard

OWN = {"X-Request-Id", "RateLimit"}
"""Headers that differ from answer to answer."""
BY_THE_APP = {"Content_Encoding": "identity"}
"""Header of few requests, which leaves a request to the app."""


def act(api: Caller, games: Games, game: UUID, people: Sequence[Person]) -> None:
    """Answer the decision with the first legal action."""
    position = now_at(games, game)
    (seat,) = position.awaited
    said = position.ruleset.notate(first_legal(position, seat))
    assert api.by(people[seat]).act(game, position.decision, said).status_code == 201


def headers(answer: TestResponse) -> list[tuple[str, str]]:
    return [each for each in answer.headers.to_wsgi_list() if each[0] not in OWN]


def test_answers_of_both_ways_are_the_same_bytes(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    game, directly = started(games, "new-corp-order", people).game.id, 0
    for number in range(24):
        position = now_at(games, game)
        (seat,) = position.awaited
        sent = {"decision": position.decision, "notation": position.ruleset.notate(first_legal(position, seat))}
        prefer = {"Prefer": "return=minimal"} if number % 3 else {}
        caller, key = api.by(people[seat]), {"Idempotency_Key": f"step-{number:04}", **prefer}
        with heard(games) as said:
            one = caller.post(f"/games/{game}/actions", sent, **key)
        directly += not any("from token t join" in each for each in said)
        other = caller.post(f"/games/{game}/actions", sent, **key, **BY_THE_APP)
        assert (one.status, one.data) == (other.status, other.data)
        told = headers(other)
        told.remove(("Idempotency-Replayed", "true"))
        assert headers(one) == told
    assert directly > 15, "all but the first ones of each player"


def test_a_first_answer_of_the_app_has_the_headers_of_a_direct_one(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games)]
    game, answers = started(games, "new-corp-order", people).game.id, list[Any]()
    for number in range(8):
        position = now_at(games, game)
        (seat,) = position.awaited
        sent = {"decision": position.decision, "notation": position.ruleset.notate(first_legal(position, seat))}
        answer = api.by(people[seat]).post(f"/games/{game}/actions", sent, **(BY_THE_APP if number % 2 else {}))
        answers.append((answer.status, [each for each in headers(answer) if each[0] != "Content-Length"]))
    assert answers[1:] == answers[:-1]


def test_the_first_action_of_a_player_is_answered_without_the_app_too(api: Caller, games: Games) -> None:
    # given two players who have not acted yet, and who see whether the app is asked
    people, asked = [alice(games), bob(games)], list[object]()
    game = started(games, "new-corp-order", people).game.id
    with request_started.connected_to(lambda app, **_: asked.append(app), api.client.application):
        for _ in range(6):
            act(api, games, game, people)
        assert asked == []
        # when one acts who has no seat, then the app says so
        position = now_at(games, game)
        said = position.ruleset.notate(first_legal(position, min(position.awaited)))
        assert api.by(carol(games)).act(game, position.decision, said).status_code == 403
    assert len(asked) == 1


def test_a_remembered_player_is_answered_without_the_app_at_a_game_that_is_not(api: Caller, games: Games) -> None:
    # given two players who have acted here, and another game of theirs that this process has not seen
    people, asked = [alice(games), bob(games)], list[object]()
    game = started(games, "new-corp-order", people).game.id
    for _ in range(6):
        act(api, games, game, people)
    other = started(Games(games.engine, games.rulesets), "new-corp-order", people)
    assert games.remembered(other.game.id) is None
    (seat,) = other.awaited
    said = other.ruleset.notate(first_legal(other, seat))
    # when one acts there
    app = api.client.application
    with heard(games) as statements, request_started.connected_to(lambda app, **_: asked.append(app), app):
        assert api.by(people[seat]).act(other.game.id, other.decision, said).status_code == 201
    # then the player and the game are read by one statement, and the app is not asked
    assert [each for each in statements if "from token t join" in each] == statements[:1]
    assert asked == []


def test_what_failed_before_the_app_was_asked_is_not_tried_again(api: Caller, games: Games) -> None:
    person = alice(games)
    position = started(games, "new-corp-order", [person, bob(games)])
    (seat,) = position.awaited
    caller = api.by(person)
    failed = caller.client.post(
        f"/api/v1/games/{position.game.id}/actions",
        json={"decision": position.decision, "notation": position.ruleset.notate(first_legal(position, seat))},
        headers={"Authorization": f"Bearer {person.token}", "Content-Encoding": "identity"},
        environ_overrides={RAISED: Unavailable()},
    )
    refused(failed, 503, "unavailable")
    assert now_at(games, position.game.id) == position
