"""A button of the table that is pressed twice plays once and refuses nothing, whoever else still has to decide."""

from __future__ import annotations

import pytest

from service.app import create_app
from service.runtime import Runtime
from tests.builders import act, now_at, started
from tests.dropping import with_dropping
from tests.games.sealed_bids.actions import Hold
from tests.people import alice, bob, carol
from tests.web.test_table import Visit, waiting_form


@pytest.mark.parametrize("notation", ["hold", "drop"])
@pytest.mark.parametrize("others", [0, 2], ids=("others decide", "the last to decide"))
def test_the_same_form_sent_twice_is_played_once(runtime: Runtime, notation: str, others: int) -> None:
    house = with_dropping(runtime)
    games, people = house.games, [alice(runtime.games), bob(runtime.games), carol(runtime.games)]
    position = started(games, "sealed-bids", people)
    for seat in (1, 2)[:others]:
        act(games, position, seat, Hold())
    visit = Visit(create_app(house), games, position, people[0])
    line = f"drop {position.state.hands[0][0]}" if notation == "drop" else notation
    sent = {**waiting_form(visit), "decision": str(position.decision), "notation": line, "sure": "yes"}
    for _ in range(2):
        assert visit.web.post(f"/games/{visit.game}/action", data=sent).status_code == 303
    caused = 2 if others and notation == "hold" else 1
    assert now_at(games, position.game.id).version == position.version + others + caused
    if notation == "drop":
        refused = visit.web.post(f"/games/{visit.game}/action", data={**sent, "notation": f"bid {line[5:]}"})
        assert refused.status_code == 409, "another form is another answer"
