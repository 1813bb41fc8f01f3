"""Plays whole games through the client that openapi-python-client has made from the document; no HTTP of its own.

Reads from standard input a JSON object: `url`, `tokens` (three players), `others` (a game whose ruleset the document
does not know, seen by the first player), `hurry` (how many requests in a row are one too many, 0 for any number).
Writes to standard output, as a JSON object, what it has met with.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from generated.boardroom_client import AuthenticatedClient
from generated.boardroom_client.api.lobby import create_game, join_game, list_games, start_game
from generated.boardroom_client.api.play import (
    draw_board,
    get_game,
    get_standings,
    list_events,
    list_legal_actions,
    post_action,
)
from generated.boardroom_client.api.players import get_me
from generated.boardroom_client.models import (
    ActionAsJson,
    ActionAsNotation,
    Choice,
    Happening,
    NewGame,
    Played,
    Problem,
    Table,
)
from generated.boardroom_client.types import Response

PAGE = 7
PATIENCE = 60.0


def sent(call: Callable[..., Response[Any]], *path: UUID, **given: Any) -> Any:
    """Return the parsed answer; waits as long as it is told to when there were too many requests."""
    while (answer := call(*path, **given)).status_code == 429:
        time.sleep(float(answer.headers["Retry-After"]))
    assert answer.parsed is not None, answer.status_code
    return answer.parsed


def posted(seat: AuthenticatedClient, game: UUID, decision: int, choice: Choice, key: str | None = None) -> Any:
    """Post a legal action as JSON under a key, or else in notation."""
    if key is None:
        body: ActionAsJson | ActionAsNotation = ActionAsNotation(decision, choice.notation)
        return sent(post_action.sync_detailed, game, client=seat, body=body)
    body = ActionAsJson.from_dict({"decision": decision, "action": choice.action.to_dict()})
    return sent(post_action.sync_detailed, game, client=seat, body=body, idempotency_key=key)


def opened(seats: list[AuthenticatedClient]) -> UUID:
    """Open a game for the seats, have them all sit down, and start it."""
    wanted = NewGame("new-corp-order", len(seats))
    game: UUID = sent(create_game.sync_detailed, client=seats[0], body=wanted).id
    taken = [sent(join_game.sync_detailed, game, client=seat).seat for seat in seats[1:]]
    assert taken == list(range(1, len(seats)))
    table = sent(get_game.sync_detailed, game, client=seats[0])
    if table.status == "open":
        table = sent(start_game.sync_detailed, game, client=seats[0])
    assert table.status == "running"
    return game


def play(seats: list[AuthenticatedClient], game: UUID, dice: random.Random) -> dict[str, Any]:
    """Play the game to its end with any legal actions; on the way retry one, and answer one that has passed."""
    report: dict[str, Any] = {"actions": 0, "retried": False, "stale": None}
    deadline = time.monotonic() + PATIENCE
    while (table := sent(get_game.sync_detailed, game, client=seats[0])).outcome is None:
        assert time.monotonic() < deadline, "the game does not end"
        acting = [seat for number, seat in enumerate(seats) if number in table.to_act]
        if not acting:
            time.sleep(0.05)
            continue
        legal = sent(list_legal_actions.sync_detailed, game, client=acting[0], language="de")
        choice, key = dice.choice(legal.items), str(uuid4()) if report["actions"] % 2 else None
        first = posted(acting[0], game, legal.decision, choice, key)
        assert isinstance(first, Played), first
        assert first.version > table.version
        if key and not report["retried"]:
            again = posted(acting[0], game, legal.decision, choice, key)
            report["retried"] = again.to_dict() == first.to_dict()
        if report["stale"] is None and legal.decision < first.decision:
            late = posted(acting[0], game, legal.decision, choice)
            assert isinstance(late, Problem)
            report["stale"] = [late.type_, late.status, late["decision"] == first.decision, len(late["since"]) > 0]
        report["actions"] += 1
    standings = sent(get_standings.sync_detailed, game, client=seats[0])
    assert standings.outcome.to_dict() == table.outcome.to_dict()
    assert table.id == game
    board = sent(draw_board.sync_detailed, game, client=seats[0])
    return {**report, "events": table.version, "winners": table.outcome["winners"], "board": len(board.splitlines())}


def events(seat: AuthenticatedClient, game: UUID) -> list[Happening]:
    """Return all events of the game, page by page."""
    found: list[Happening] = []
    while True:
        after = found[-1].seq if found else 0
        page = sent(list_events.sync_detailed, game, client=seat, after=after, limit=PAGE)
        found += page.items
        if not page.items:
            return found


def games(seat: AuthenticatedClient) -> list[UUID]:
    """Return all one's games, one to a page."""
    page = sent(list_games.sync_detailed, client=seat, limit=1)
    found = [each.id for each in page.items]
    while page.next_ is not None:
        page = sent(list_games.sync_detailed, client=seat, limit=1, after=page.next_)
        found += [each.id for each in page.items]
    return found


def hurried(seat: AuthenticatedClient, times: int) -> int:
    """Ask so often at most, until it is too often; return how many seconds there are to wait then, 0 for none."""
    for _ in range(times):
        answer = get_me.sync_detailed(client=seat)
        if answer.status_code == 429:
            assert answer.parsed.type_ == "/problems/rate-limited"
            return int(answer.headers["Retry-After"])
    return 0


def main() -> None:
    """Play, and report."""
    told = json.load(sys.stdin)
    seats = [AuthenticatedClient(told["url"], token) for token in told["tokens"]]
    report = {}
    mine = []
    for name, people in (("three", seats), ("solo", seats[:1])):
        game = opened(people)
        mine.append(game)
        report[name] = play(people, game, random.Random(name))
        read = [each.seq for each in events(people[0], game)]
        report[name]["paged"] = read == list(range(1, report[name]["events"] + 1))
    report["games"] = set(mine) <= set(games(seats[0]))
    other: Table = sent(get_game.sync_detailed, UUID(told["others"]), client=seats[0])
    report["unknown"] = [other.ruleset, sorted({each.type_ for each in events(seats[0], other.id)})]
    report["waited"] = hurried(seats[0], told["hurry"])
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
