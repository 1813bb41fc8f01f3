"""Every list of the API that can grow is read page by page, and the pages together are the whole list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from service.store.game_row import Terms
from service.store.games import Games
from tests.api.situations import DOCUMENTED
from tests.builders import started, table_for
from tests.challenged import challenged
from tests.people import alice, bob, carol
from tests.promises import committed
from tests.rest import Caller

BOUNDED = {
    # An account has so many at most.
    "listTokens": 100,
    "listBots": 20,
    "listBotTokens": 100,
    "listApps": 20,
    "listChannels": 10,
    "listReplyAddresses": 5,
    "listWebhooks": 20,
    # Days of absence are limited, and those that are long over are taken away.
    "listAbsences": 100,
    # A game has so many seats, so many requests for one, and an end.
    "listSeatRequests": 10,
    "listTakeBackRequests": 16,
    "listLegalActions": None,
    "listAutoAnswers": None,
    "listSteps": None,
    # A service has so many.
    "listRulesets": None,
    "listLeaderboards": None,
    "listSealKeys": None,
    "listLimits": None,
}
"""The lists that are answered whole, and the most that can be on one; None where rules or operators decide."""
NUMBERED = {"listEvents", "listTalk"}
"""The lists whose items are numbered: the number of the last one is the place to go on from."""
BULK = {"listEvents", "listGames", "listRecords"}
"""The lists that come as JSON Lines too, or only so."""


def lists() -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation that lists something, with what the document says of it."""
    for name, (method, _, described) in DOCUMENTED.items():
        if method == "get" and name.startswith("list"):
            yield name, described


def parameters(described: dict[str, Any]) -> set[str]:
    return {each["name"] for each in described.get("parameters", ()) if "name" in each}


def test_every_list_that_can_grow_is_read_page_by_page() -> None:
    whole = set()
    for name, described in lists():
        content = described["responses"]["200"]["content"]
        if "application/json" not in content:
            continue
        named = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
        shown = committed()["components"]["schemas"][named]["properties"]
        if not {"after", "limit"} <= parameters(described):
            whole.add(name)
        elif name not in NUMBERED:
            assert "next" in shown, name
    assert whole == {*BOUNDED}


def test_what_is_read_in_bulk_comes_as_lines() -> None:
    lines = {name for name, told in lists() if "application/jsonl" in told["responses"]["200"]["content"]}
    assert lines == BULK


def read(caller: Caller, path: str) -> list[str]:
    """The ids of all items, read one by one."""
    found: list[str] = []
    after = ""
    while True:
        body = caller.get(f"{path}{'&' if '?' in path else '?'}limit=1{after}").get_json()
        found += [each["id"] for each in body["items"]]
        if body["next"] is None:
            return found
        after = f"&after={body['next']}"


def test_reports_and_invitations_are_whole_when_they_are_read_one_by_one(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    game = started(games, "sealed-bids", people).game.id
    caller = api.by(people[0])
    for seat in (1, 2, 1):
        assert (
            caller.post("/reports", {"game": str(game), "about": "name", "seat": seat, "text": "x"}).status_code == 201
        )
    table = table_for(games, "sealed-bids", people[0], 3, Terms(access="invitation"))
    for _ in range(3):
        assert caller.post(f"/games/{table}/invitations", {}).status_code == 201
    for path in ("/reports", f"/games/{table}/invitations"):
        listed = [each["id"] for each in caller.get(path).get_json()["items"]]
        assert len(listed) == 3 and read(caller, path) == listed


def test_what_was_added_meanwhile_moves_nothing_to_another_page(api: Caller, games: Games) -> None:
    people = [alice(games), bob(games), carol(games)]
    first = [str(challenged(games, people[0], each).id) for each in people[1:]]
    caller = api.by(people[0])
    page = caller.get("/challenges?limit=1").get_json()
    challenged(games, bob(games), people[0])
    rest = caller.get(f"/challenges?after={page['next']}").get_json()
    assert [each["id"] for each in page["items"] + rest["items"]] == first[::-1]


@pytest.mark.parametrize("path", ["/reports", "/grants", "/challenges"])
@pytest.mark.parametrize("bad", ["after=x", "limit=0", "limit=101", "after="])
def test_a_place_that_was_not_given_out_is_refused(api: Caller, games: Games, path: str, bad: str) -> None:
    assert api.by(alice(games)).get(f"{path}?{bad}").status_code == 422
