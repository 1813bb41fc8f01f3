"""Plays whole games through the client that openapi-python-client has made from the document; no HTTP of its own.

Reads from standard input a JSON object: `url`, `tokens` (three players), `others` (a game whose ruleset the document
does not know, in which the first player is awaited). Writes to standard output, as a JSON object, what it has met with.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

from generated.boardroom_client import AuthenticatedClient
from generated.boardroom_client.api.follow import list_events, list_turns
from generated.boardroom_client.api.invitations import accept_invitation, create_invitation
from generated.boardroom_client.api.lobby import create_game, join_game, list_games, start_game
from generated.boardroom_client.api.play import (
    draw_board,
    get_game,
    get_standings,
    list_legal_actions,
    post_action,
)
from generated.boardroom_client.api.players import get_me
from generated.boardroom_client.api.talk import get_notes, list_talk, post_remark, put_notes
from generated.boardroom_client.api.tokens import create_token, delete_token, list_tokens
from generated.boardroom_client.api.webhooks import create_webhook, delete_webhook, list_webhooks
from generated.boardroom_client.models import (
    ActionAsJson,
    ActionAsNotation,
    Choice,
    Forecast,
    Happening,
    ListLegalActionsForm,
    NewGame,
    NewGameAccess,
    NewInvitation,
    NewNotes,
    NewRemark,
    NewToken,
    NewTokenScopesItem,
    NewWebhook,
    NewWebhookEventsItem,
    Played,
    PostActionDryRun,
    Problem,
    Step,
    Table,
)
from generated.boardroom_client.types import Response

PAGE = 7
PATIENCE = 60.0
HURRY = 10
"""How many times its quota a bucket is tried, at most, until one request is too many."""


def sent(call: Callable[..., Response[Any]], *path: Any, **given: Any) -> Any:
    """Return the parsed answer; waits as long as it is told to when there were too many requests."""
    while (answer := call(*path, **given)).status_code == 429:
        time.sleep(float(answer.headers["Retry-After"]))
    assert answer.parsed is not None or answer.status_code == 204, answer.status_code
    return answer.parsed


def pages(call: Callable[..., Response[Any]], seat: AuthenticatedClient) -> Iterator[Any]:
    """Yield all that there is in a list, read one to a page."""
    page = sent(call, client=seat, limit=1)
    yield from page.items
    while page.next_ is not None:
        page = sent(call, client=seat, limit=1, after=page.next_)
        yield from page.items


def events(seat: AuthenticatedClient, game: UUID) -> list[Happening]:
    """Return all events of the game, page by page."""
    found: list[Happening] = []
    while True:
        after = found[-1].seq if found else 0
        page = sent(list_events.sync_detailed, game, client=seat, after=after, limit=PAGE)
        found += page.items
        if not page.items:
            return found


def opened(seats: list[AuthenticatedClient]) -> UUID:
    """Open a game for the seats, have them sit down, the last one by an invitation, and start it."""
    alone = len(seats) == 1
    access = NewGameAccess.INVITATION if alone else NewGameAccess.PUBLIC
    wanted = NewGame("new-corp-order", len(seats), name="Clients", access=access)
    game: UUID = sent(create_game.sync_detailed, client=seats[0], body=wanted).id
    taken = [sent(join_game.sync_detailed, game, client=seat).seat for seat in seats[1:-1]]
    if not alone:
        link = sent(create_invitation.sync_detailed, game, client=seats[0], body=NewInvitation()).url
        seated = sent(accept_invitation.sync_detailed, link.rpartition("/")[2], client=seats[-1])
        assert seated.game_id == game
        taken.append(seated.seat)
    assert taken == list(range(1, len(seats)))
    table: Table = sent(start_game.sync_detailed, game, client=seats[0])
    assert (table.status, table.name) == ("running", "Clients")
    return game


def chosen(seat: AuthenticatedClient, game: UUID, dice: random.Random) -> ActionAsNotation:
    """Return the decision and the notation of any action, found step by step in the compact form."""
    legal = sent(list_legal_actions.sync_detailed, game, client=seat, form=ListLegalActionsForm.COMPACT)
    assert not legal.items
    step, way = legal.tree, None
    while isinstance(step, Step):
        way = dice.choice(step.options)
        step = way.next_
    assert way is not None
    assert way.count == 1
    return ActionAsNotation(legal.decision, way.notation)


def said(seat: AuthenticatedClient, game: UUID, body: ActionAsJson | ActionAsNotation, **given: Any) -> Any:
    """Post an action."""
    return sent(post_action.sync_detailed, game, client=seat, body=body, **given)


def tried(seat: AuthenticatedClient, game: UUID, report: dict[str, Any], dice: random.Random) -> tuple[Any, Played]:
    """Play any legal action as JSON, ask before what it would cause, and retry it."""
    legal = sent(list_legal_actions.sync_detailed, game, client=seat, language="de")
    choice: Choice = dice.choice(legal.items)
    body = ActionAsJson.from_dict({"decision": legal.decision, "action": choice.action.to_dict()})
    forecast = said(seat, game, body, dry_run=PostActionDryRun.TRUE)
    assert isinstance(forecast, Forecast), forecast
    key = str(uuid4())
    played: Played = said(seat, game, body, idempotency_key=key)
    report["retried"] = said(seat, game, body, idempotency_key=key).to_dict() == played.to_dict()
    minimal: Played = said(seat, game, body, idempotency_key=key, prefer="return=minimal")
    report["minimal"] = (minimal.version, minimal.events, minimal.table.view) == (played.version, [], None)
    caused = [each.type_ for each in played.events]
    report["foretold"] &= [each.type_ for each in forecast.items] == caused[: len(forecast.items)]
    return body, played


def act(seat: AuthenticatedClient, game: UUID, report: dict[str, Any], dice: random.Random) -> int:
    """Play any legal action, in either of the two ways to say it; return the game's version."""
    if report["actions"] % 2:
        body: Any = chosen(seat, game, dice)
        played = said(seat, game, body)
    else:
        body, played = tried(seat, game, report, dice)
    assert isinstance(played, Played), played
    if report["stale"] is None and body.decision < played.decision:
        late: Problem = said(seat, game, body)
        report["stale"] = [late.type_, late.status, late["decision"] == played.decision, len(late["since"]) > 0]
    report["actions"] += 1
    return played.version


def play(seats: list[AuthenticatedClient], game: UUID, dice: random.Random) -> dict[str, Any]:
    """Play the game to its end with any legal actions; on the way retry some, and answer one that has passed."""
    report: dict[str, Any] = {"actions": 0, "retried": False, "minimal": False, "foretold": True, "stale": None}
    deadline = time.monotonic() + PATIENCE
    while (table := sent(get_game.sync_detailed, game, client=seats[0])).outcome is None:
        assert time.monotonic() < deadline, "the game does not end"
        acting = [seat for number, seat in enumerate(seats) if number in table.to_act]
        if acting:
            assert act(acting[0], game, report, dice) > table.version
        else:
            sent(list_events.sync_detailed, game, client=seats[0], after=table.version, wait=1)
    standings = sent(get_standings.sync_detailed, game, client=seats[0])
    assert standings.outcome.to_dict() == table.outcome.to_dict()
    assert table.id == game
    board = sent(draw_board.sync_detailed, game, client=seats[0])
    paged = [each.seq for each in events(seats[0], game)] == list(range(1, table.version + 1))
    return {**report, "paged": paged, "winners": table.outcome["winners"], "board": len(board.splitlines())}


def talked(one: AuthenticatedClient, other: AuthenticatedClient, game: UUID) -> list[str]:
    """Say something and note something; return what the other one hears and reads."""
    sent(post_remark.sync_detailed, game, client=one, body=NewRemark("Hello."))
    sent(put_notes.sync_detailed, game, client=one, body=NewNotes("Red is strong."))
    heard = [each.text for each in sent(list_talk.sync_detailed, game, client=other).items]
    return [*heard, *(sent(get_notes.sync_detailed, game, client=seat).text for seat in (one, other))]


def restricted(seat: AuthenticatedClient, url: str, game: UUID) -> list[Any]:
    """Make a token that is only good for reading and revoke it; return its scopes and what it was refused."""
    wanted = NewToken("Reader", [NewTokenScopesItem.GAMESREAD])
    made = sent(create_token.sync_detailed, client=seat, body=wanted)
    reader = AuthenticatedClient(url, made.token)
    assert sent(get_game.sync_detailed, game, client=reader).id == game
    tokens = {each.label: each.scopes for each in sent(list_tokens.sync_detailed, client=seat).items}
    refused = sent(post_remark.sync_detailed, game, client=reader, body=NewRemark("Hello?"))
    sent(delete_token.sync_detailed, made.id, client=seat)
    gone = sent(get_game.sync_detailed, game, client=reader)
    return [tokens["Reader"], refused.type_, gone.type_]


def hooked(seat: AuthenticatedClient) -> list[list[str]]:
    """Set a webhook up and take it away; return what those that there are, before and after, are told of."""

    def listed() -> list[str]:
        return [kind for each in sent(list_webhooks.sync_detailed, client=seat).items for kind in each.events]

    wanted = NewWebhook("https://example.org/hook", [NewWebhookEventsItem.GAME_TURN])
    made = sent(create_webhook.sync_detailed, client=seat, body=wanted)
    before = listed()
    sent(delete_webhook.sync_detailed, made.id, client=seat)
    return [before, listed()]


def hurried(seat: AuthenticatedClient, game: UUID) -> dict[str, Any]:
    """Write so often that it is too often, and once more after as long a wait as one is told; return how that went."""
    limits = {each.bucket: each for each in sent(get_me.sync_detailed, client=seat).limits}
    for number in range(HURRY * limits["writing"].quota):
        answer = put_notes.sync_detailed(game, client=seat, body=NewNotes(str(number)))
        if answer.status_code == 429:
            break
    assert isinstance(answer.parsed, Problem)
    seconds = int(answer.headers["Retry-After"])
    time.sleep(seconds)
    then = put_notes.sync_detailed(game, client=seat, body=NewNotes("At last."))
    refused = [answer.parsed.type_, answer.parsed["bucket"], answer.parsed["seconds"] == seconds]
    return {"refused": refused, "waited": seconds, "then": then.parsed.text}


def main() -> None:
    """Play, and report."""
    told = json.load(sys.stdin)
    seats = [AuthenticatedClient(told["url"], token) for token in told["tokens"]]
    tables = {"three": seats, "solo": seats[:1]}
    mine = {name: opened(people) for name, people in tables.items()}
    other: Table = sent(get_game.sync_detailed, UUID(told["others"]), client=seats[0])
    waiting = {each.game for each in pages(list_turns.sync_detailed, seats[0])}
    report = {
        "turns": {mine["solo"], other.id} <= waiting,
        "games": {*mine.values(), other.id} <= {each.id for each in pages(list_games.sync_detailed, seats[0])},
        "unknown": [other.ruleset, sorted({each.type_ for each in events(seats[0], other.id)})],
        "talked": talked(seats[0], seats[1], mine["three"]),
        "restricted": restricted(seats[0], told["url"], mine["three"]),
        "hooked": hooked(seats[0]),
        "hurried": hurried(seats[0], mine["three"]),
    }
    report |= {name: play(people, mine[name], random.Random(name)) for name, people in tables.items()}
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main()
