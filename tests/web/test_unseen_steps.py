"""Who has taken a step that nobody else may know of stands on no page, in no answer, and in no file."""

from __future__ import annotations

import json

from service.app import create_app
from service.runtime import Runtime
from tests.builders import act, started
from tests.dropping import Drop, with_dropping
from tests.people import alice, bob, carol
from tests.rest import Caller
from tests.web.test_table import Visit


def test_who_has_dropped_a_card_is_told_to_nobody_else(runtime: Runtime) -> None:
    house = with_dropping(runtime)
    people = [alice(house.games), bob(house.games), carol(house.games)]
    position = started(house.games, "sealed-bids", people)
    after = act(house.games, position, 0, Drop(card=position.state.hands[0][0])).position
    app = create_app(house)
    api = Caller(app.test_client())
    for person in people:
        own = person is people[0]
        log = Visit(app, house.games, after, person).look().partition('id="log"')[2].partition("</section>")[0]
        turn = next(each for each in log.split('class="turnh')[1:] if "A card is dropped." in each)
        assert ("Alice" in turn.partition('class="ev')[0]) == own
        game = f"/games/{after.game.id}"
        (event,) = api.by(person).get(f"{game}/events?after={position.version}").json["items"]
        steps = api.by(person).get(f"{game}/replay").json["items"]
        record = [json.loads(line) for line in api.by(person).get(f"{game}/record").text.splitlines()]
        assert [event["actor"], steps[-1]["actor"], record[-1]["seat"]] == ([0] * 3 if own else [None] * 3)
