"""What chance is drawn from is nowhere before the end: in no view, page, header, ETag, error, log line, job or mail."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from dataclasses import replace
from itertools import islice
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from flask import Flask
from sqlalchemy import text
from structlog.testing import capture_logs

from service.app import create_app
from service.handlers import lobby
from service.log.chain import chain_key
from service.runtime import Runtime
from service.shared import clock
from service.store.games import Games
from tests.api.everybody import STREAM, routes
from tests.api.scene import HOOK
from tests.browsing import browser
from tests.builders import act, finished, first_legal, now_at, opened
from tests.people import Person, alice, bob
from tests.rest import Caller
from workers.relay import Relay

_SECRETS = text(
    "select seed, (select array_agg(nonce) from seat where game_id = :game) from seed where game_id = :game"
)
_KEPT = text("""
select coalesce(string_agg(row_to_json(o)::text, ''), '') ||
  (select coalesce(string_agg(row_to_json(d)::text, ''), '') from webhook_delivery d) ||
  (select coalesce(string_agg(row_to_json(i)::text, ''), '') from idempotency i) ||
  (select coalesce(string_agg(row_to_json(e)::text, ''), '') from event e where game_id = :game and seq > 1)
from outbox o
""")


def secrets_of(runtime: Runtime, game: UUID) -> list[bytes]:
    """Return what nobody may see, in the ways in which it could be written; the seed in hex first."""
    with runtime.engine.connect() as db:
        seed, nonces = db.execute(_SECRETS, {"game": game}).one()
    hidden = [bytes(seed), chain_key(bytes(seed), str(game)), *map(bytes.fromhex, nonces)]
    ways = [way for each in hidden for way in (each.hex().encode(), b64encode(each)[:-2], urlsafe_b64encode(each)[:-2])]
    return [*ways, *(repr(each)[2:-1].encode() for each in hidden)]


ANY = {
    "ticket": "none",
    "seq": "1",
    "number": "0",
    "first": "1",
    "name": "standings",
    "token": "none",
    "bot_id": str(uuid4()),
    "channel_id": str(uuid4()),
    "challenge_id": str(uuid4()),
    "tournament_id": str(uuid4()),
    "handle": "nobody-has-this",
    "ruleset": "new-corp-order",
    "seats": "2",
    "day": "today",
}
"""What stands in paths beside ids."""


def shown(api: Caller, known: dict[str, str]) -> bytes:
    """Return all that can be asked for, with headers, and what is answered to actions and to nonsense."""
    found = b""
    for _, _, path in routes(shown=True):
        answer = api.get(path.format_map(known))
        body = b"".join(islice(answer.iter_encoded(), 9)) if answer.mimetype == STREAM else answer.data
        found += body + str(answer.headers).encode()
        answer.close()
    for body in ({"decision": 99, "notation": "P 1"}, {"decision": 1, "notation": "?"}, None):
        answer = api.post(f"/games/{known['game_id']}/actions", body)
        found += answer.data + str(answer.headers).encode()
    return found


def pages(app: Flask, games: Games, person: Person, game: UUID) -> bytes:
    """Return every page that a player can open of a game, or of no game at all, with its headers."""
    web, found = browser(app, games, person), b""
    for rule in app.url_map.iter_rules():
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ()) and rule.arguments <= {"game_id"}:
            answer = web.get(rule.build({"game_id": game})[1], follow_redirects=True)
            found += answer.data + str(answer.headers).encode()
    return found


def test_seed_nonces_and_chain_key_are_nowhere_before_the_end(
    runtime: Runtime, games: Games, mailbox: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    house = replace(runtime, redis=None, games=Games(games.engine, games.rulesets))
    people = [alice(games), bob(games)]
    app = create_app(house)
    api = Caller(app.test_client())
    with capture_logs() as told:
        game = opened(house.games, "new-corp-order", people, **{"first-player": 0})
        everything = b"".join(pages(app, games, person, game) for person in people)
        everything += api.by(people[1]).get(f"/games/{game}/proof").data
        position = lobby.start(house.games, game, people[0].id, clock.now())
        hook = api.by(people[0]).post("/webhooks", {**HOOK, "game": str(game)}).get_json()["id"]
        for _ in range(6):
            seat = min(position.to_act)
            position = act(house.games, position, seat, first_legal(position, seat)).position
        Relay(house).drain()
        for person in people:
            caller = api.by(person)
            ticket = caller.post(f"/games/{game}/stream-tickets").get_json()["url"].rpartition("/")[2]
            everything += shown(caller, {"game_id": str(game), "webhook_id": hook, **ANY, "ticket": ticket})
            everything += pages(app, games, person, game)
    with runtime.engine.connect() as db:
        everything += db.execute(_KEPT, {"game": game}).scalar_one().encode()
    everything += repr(told).encode() + "".join(capfd.readouterr()).encode() + repr(position).encode()
    everything += b"".join(mail.read_bytes() for mail in mailbox.iterdir())
    hidden = secrets_of(runtime, game)
    assert str(game).encode() in everything and b'id="replay"' in everything
    assert [secret for secret in hidden if secret in everything] == []
    finished(house.games, now_at(house.games, game))
    after = shown(api.by(people[1]), {"game_id": str(game), "webhook_id": hook, **ANY})
    assert hidden[0] in after, "then everybody may know it"
