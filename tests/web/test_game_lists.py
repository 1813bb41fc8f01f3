"""Lists of games: points and the last event of games that run."""

from __future__ import annotations

import re
from dataclasses import replace

from flask import Flask

from service.app import create_app
from service.runtime import Runtime
from service.store.games import Games
from tests.browsing import browser
from tests.builders import act, finished, started
from tests.games.sealed_bids.actions import Hold
from tests.people import Person, alice, bob, carol
from tests.statements import heard


def _rows(app: Flask, games: Games, person: Person) -> list[str]:
    """Return what the rows of the person's list say, without marks and isolating characters."""
    text = browser(app, games, person).get("/games").text
    rows = re.findall(r'<li class="gm-row.*?</li>', text, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>|[\u2066-\u2069]", "", each).split()) for each in rows]


def test_a_game_that_runs_is_told_with_its_points_and_its_last_event(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    act(games, started(games, "sealed-bids", people), 1, Hold())
    (row,) = _rows(app, games, people[0])
    assert "Bob has decided. Alice 0 : Bob 0 : Carol 0 Also to move: Carol" in row


def test_of_what_another_player_hides_the_list_tells_nothing(app: Flask, games: Games) -> None:
    people = [alice(games), bob(games)]
    position = started(games, "new-corp-order", people, **{"first-player": 1})
    act(games, position, 1, position.ruleset.parse("p d"))
    (other,), (own,) = (_rows(app, games, each) for each in people)
    assert "Bob takes a card from the deck." in other
    # Bob, who reads German, has seen which card it was.
    assert re.search(r"Bob nimmt (Rot|Schwarz|Blau|Weiß) vom Stapel\.", own)


def test_many_games_are_told_with_as_many_statements_as_one(runtime: Runtime, games: Games) -> None:
    people, counted = [alice(games), bob(games), carol(games)], []
    for more in (1, 5):
        # given running games and finished ones, of which the process that is asked remembers nothing
        for _ in range(more):
            act(games, started(games, "sealed-bids", people), 1, Hold())
            finished(games, started(games, "sealed-bids", people))
        app = create_app(replace(runtime, games=Games(games.engine, games.rulesets)))
        with heard(games) as asked:
            rows = _rows(app, games, people[0])
        told = [sum(word in each for each in rows) for word in ("has decided", "Winner")]
        counted.append((told, len(asked)))
    (first, once), (all_of_them, again) = counted
    assert (first, all_of_them, again) == ([1, 1], [6, 6], once)
