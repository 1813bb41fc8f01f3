"""Alice tries the deal of the day, and then sees how she stands."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from service.runtime import Runtime
from service.shared import clock
from tests.builders import now_at
from tests.dealing import commit, counted, played, today
from tests.recording.scribe import Scribe
from workers.competition import settle_deals


def the_deal(house: Runtime, nobody: Scribe, alice: Scribe) -> None:
    """She plays it to its end; before that she learns nothing of others, and takes nothing back."""
    day = today()
    commit(house, day - timedelta(days=1))
    commit(house, day)
    alice.get("/deals/today")
    game = alice.post("/deals/today/games", {})["own"]["game"]
    alice.get("/deals/today/results")
    alice.post(f"/games/{game}/take-back", {"decision": 1})
    played(house.games, now_at(house.games, UUID(game)), moment=clock.now())
    counted(house, house.games, UUID(game))
    alice.get("/deals/today/results")
    alice.get("/me/deals")
    alice.get("/deals")
    nobody.get("/deals/today/proof")
    settle_deals(house, day + timedelta(days=1))
    alice.get("/deal-standings")
