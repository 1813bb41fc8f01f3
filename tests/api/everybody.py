"""Ask as everybody at a table for all that can be seen, try what is refused, and do what can be done.

Answers are compared without the ids and secrets that are drawn anew for each answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from flask import Flask
from freezegun import freeze_time
from werkzeug.test import TestResponse

from service.api.contract import PREFIX
from service.api.examples import operations
from service.rules.kernel import fold
from service.rules.shared_events import SharedEvent
from service.runtime import Runtime
from service.store import events
from tests.api.scene import HOOK
from tests.api.twins import Twins
from tests.builders import now_at
from tests.http.test_limits import FULL_HOUR
from tests.people import Person
from tests.promises import committed
from tests.rest import Caller
from tests.rules.playouts import chance_of

STREAM = "text/event-stream"
SAME = "one-and-the-same"
VARIANTS = {
    "listLegalActions": ("", "?form=compact"),
    "listEvents": ("", "?language=fr"),
    "drawBoard": ("?language=de",),
    "getRecord": ("", "?seat=0"),
    "streamAccount": ("?seconds=0",),
    "streamAccountByTicket": ("?seconds=0",),
}
"""More than one way to ask for something."""
BODIES: Mapping[str, Any] = {
    "forkGame": {"seq": 1},
    "createInvitation": {},
    "postRemark": {"text": "Good luck!"},
    "putNotes": {"text": "Bob bluffs."},
    "giveMoreTime": {"seat": 0},
    "putOrders": {"orders": []},
    "putAutoAnswers": {"chosen": []},
    "proposePause": {"until": "2026-12-24T18:00:00Z"},
    "agreeToPause": {"until": "2026-12-24T18:00:00Z"},
    "requestTakeBack": {"decision": 1},
}
"""Bodies of the operations on a running game that need a body and do nothing to the game."""
REFUSED = ("joinGame", "leaveGame", "kickPlayer", "startGame", "cancelGame", "rematchGame", "forkGame")
"""Operations that a running game refuses."""
TO_THE_GAME = ("postAction", "takeBackAction", "resignGame")
"""Operations that change the game itself, in this order."""
OF_A_GAME = ("/games/{game_id}", "/me/turns", "/me/stream", "/streams")
"""Prefixes of addresses that name a game, or a person's own part in games."""

_UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SECRET = re.compile(rb"whsec_[\w+/=]+|/streams/[\w-]+")


def routes(*, shown: bool) -> Iterator[tuple[str, str, str]]:
    """Return (method, name, address) of all in the document that shows something, or else does something in a game.

    Streams come last.
    """
    listed = [(method, path, each) for method, path, each in operations(committed()) if (method == "get") == shown]
    for method, path, operation in sorted(listed, key=lambda each: is_stream(each[2])):
        if shown or "{game_id}" in path:
            for variant in VARIANTS.get(operation["operationId"], ("",)):
                yield method, operation["operationId"], path.removeprefix(PREFIX) + variant


def is_stream(operation: dict[str, Any]) -> bool:
    return STREAM in operation["responses"].get("200", {}).get("content", {})


@dataclass(frozen=True, slots=True)
class Table:
    """The people in a game in the order of their seats, and a stranger beside it; `hooks` are a webhook of each."""

    game: UUID
    people: Sequence[Person]
    hooks: Mapping[str, str]

    def seat_of(self, person: Person) -> int | None:
        """Return the seat of a person, None for the stranger."""
        return None if person is self.people[-1] else self.people.index(person)

    def owns(self, person: Person, twins: Twins) -> bool:
        """Return whether the games differ in a secret of this person."""
        return twins.owner is not None and self.seat_of(person) == twins.owner

    def ids(self) -> set[bytes]:
        """Return the ids that are the same whatever is written."""
        known = [self.game, *(each.id for each in self.people), *self.hooks.values()]
        return {str(each).encode() for each in known}


class Heard(NamedTuple):
    """An answer, to what, and what the rules told its reader at that moment."""

    asked: str
    known: Any
    told: Any


@dataclass(frozen=True, slots=True)
class Round:
    """One log in the game, and what its people are answered in a house that remembers nothing of another one.

    `known` is what the rules tell each of them at the moment.
    """

    table: Table
    twins: Twins
    house: Runtime
    api: Caller
    heard: Mapping[str, list[Heard]]
    known: dict[str, Any]

    def ask(self, person: Person, method: str, name: str, path: str, body: Any = None, **headers: str) -> TestResponse:
        """Ask for something as a person, and note the answer; of a stream its beginning and three events."""
        answer = self.api.by(person).call(method, path, body, X_Request_Id=SAME, **headers)
        if name in TO_THE_GAME:
            self.learn()
        self.heard[person.name].append(Heard(name, self.known[person.name], told(answer, self.table.ids())))
        return answer

    def learn(self) -> None:
        """Note what the rules now tell everybody; of a finished game everybody may know everything."""
        position = now_at(self.house.games, self.table.game)
        over = position.game.status == "finished"
        with self.house.engine.connect() as db:
            log = events.read(db, position.codec, self.table.game, len(self.twins.logs[0]))
        new = [each.event for each in log if not isinstance(each.event, SharedEvent)]
        for person in self.table.people:
            seat = self.table.seat_of(person)
            shown = [self.twins.ruleset.redact(event, seat) for event in new]
            self.known[person.name] = uuid4() if over else (self.twins.ruleset.view(position.state, seat), shown)


def answers(app: Flask, house: Runtime, table: Table, twins: Twins, *, all_routes: bool) -> Mapping[str, list[Heard]]:
    """Return what each of the people is answered to whatever can be asked: status, headers and bytes.

    At the beginning of an hour, so that all buckets are full. What names neither the game nor oneself is asked for
    with `all_routes` only.
    """
    heard: Mapping[str, list[Heard]] = {person.name: [] for person in table.people}
    now = Round(table, twins, house, Caller(app.test_client()), heard, {})
    with freeze_time(FULL_HOUR):
        now.learn()
        for person in table.people:
            if not table.owns(person, twins):
                look(now, person, all_routes=all_routes)
                rehearse(now, person)
                try_all_else(now, person, all_routes=all_routes)
        look_again(now)
        play_on(now)
    return heard


def look(now: Round, person: Person, *, all_routes: bool) -> None:
    """Ask for all that can be seen."""
    table, length = now.table, len(now.twins.logs[0])
    ticket = now.api.by(person).post(f"/games/{table.game}/stream-tickets").get_json().get("url", "nobody's")
    known = {
        "game_id": table.game,
        "seq": length,
        "name": "standings",
        "number": 0,
        "webhook_id": table.hooks[person.name],
        "channel_id": str(person.id),
        "challenge_id": str(person.id),
        "tournament_id": str(person.id),
        "handle": "nobody-has-this",
        "ruleset": "new-corp-order",
        "seats": 2,
        "day": "today",
        "token": "none",
        "bot_id": str(person.id),
        "ticket": ticket.rpartition("/")[2],
    }
    for method, name, path in routes(shown=True):
        assert set(re.findall(r"{(\w+)}", path)) <= set(known), f"say here what {name} is to be asked for"
        if all_routes or path.startswith(OF_A_GAME):
            now.ask(person, method, name, path.format_map(known))


def rehearse(now: Round, person: Person) -> None:
    """Ask for actions that are only rehearsed, or come too late, or from who is not to act."""
    game = now.table.game
    decision = now_at(now.house.games, game).decision
    choices = now.api.by(person).get(f"/games/{game}/legal-actions").get_json().get("items", [])
    kinds = {each["action"]["type"]: each["notation"] for each in choices}
    asked = [("?dry_run=true", decision, each) for each in [*kinds.values(), "P 1", "bid 1", "nonsense"]]
    for query, answered, notation in [*asked, ("", decision - 1, "hold"), ("?dry_run=true", 0, "P 1")]:
        body = {"decision": answered, "notation": notation}
        now.ask(person, "post", "refused action", f"/games/{game}/actions{query}", body)


def try_all_else(now: Round, person: Person, *, all_routes: bool) -> None:
    """Do what leaves the game itself alone, and with `all_routes` what is refused since it runs."""
    known = {"game_id": now.table.game, "seat": 0, "first": 3}
    ids = ("invitation", "request", "absence", "channel", "challenge", "friend", "block", "ignored")
    known |= dict.fromkeys([f"{each}_id" for each in ids], uuid4())
    for method, name, path in routes(shown=False):
        if name not in TO_THE_GAME and (all_routes or name not in REFUSED):
            assert set(re.findall(r"{(\w+)}", path)) <= set(known), f"say here what {name} is to be asked for"
            twice(now, person, method, name, path.format_map(known), BODIES.get(name))
    body = {**HOOK, "game": str(now.table.game)}
    made = now.ask(person, "post", "createWebhook", "/webhooks", body).get_json().get("id")
    now.ask(person, "delete", "deleteWebhook", f"/webhooks/{made}")


def twice(now: Round, person: Person, method: str, name: str, path: str, body: Any) -> None:
    """Ask for something, and if it is granted once more under the same key."""
    key = str(uuid4())
    if now.ask(person, method, name, path, body, Idempotency_Key=key).status_code == 201:
        now.ask(person, method, name, path, body, Idempotency_Key=key)


def play_on(now: Round) -> None:
    """Play an action and take it back; then let all but the owner of the secret resign. Everybody looks each time."""
    position, game = now_at(now.house.games, now.table.game), f"/games/{now.table.game}"
    seat = min(position.to_act)
    action = position.ruleset.notate(quiet_action(now.twins, seat))
    played = {"decision": position.decision, "notation": action}
    players = now.table.people[:-1]
    twice(now, players[seat], "post", "postAction", f"{game}/actions", played)
    look_again(now)
    twice(now, players[seat], "post", "takeBackAction", f"{game}/take-back", {"decision": position.decision})
    look_again(now)
    for person in players:
        if not now.table.owns(person, now.twins):
            now.ask(person, "post", "resignGame", f"{game}/resignation", {"confirm": True})
            look_again(now)


def look_again(now: Round) -> None:
    """Let everybody see what has become of the game."""
    for person in now.table.people:
        for name, path in (("getGame", ""), ("listEvents", "/events")):
            now.ask(person, "get", name, f"/games/{now.table.game}{path}")


def quiet_action(twins: Twins, seat: int) -> Any:
    """Return an action that is legal in both games, after which the rules tell nobody what is hidden, if possible."""
    ruleset, states = twins.ruleset, [fold(twins.ruleset, log) for log in twins.logs]
    common = [each for each in ruleset.legal(states[0], seat) if each in ruleset.legal(states[1], seat)]
    blind = [viewer for viewer in (*range(twins.seats), None) if viewer is None or viewer != twins.owner]

    def known(action: Any, state: Any) -> list[Any]:
        facts = ruleset.decide(state, seat, action, chance_of(1))
        after = fold(ruleset, facts, state)
        return [(ruleset.view(after, each), [ruleset.redact(fact, each) for fact in facts]) for each in blind]

    quiet = (each for each in common if known(each, states[0]) == known(each, states[1]))
    return next(quiet, common[0])


def told(answer: TestResponse, known: set[bytes]) -> tuple[int, list[tuple[str, str]], list[bytes]]:
    """Return status, headers in their order and bytes of an answer, without ids and secrets that nobody knew before."""
    streams = answer.mimetype == STREAM
    parts = list(islice(answer.iter_encoded(), 4)) if streams else [answer.data]
    answer.close()

    def plain(part: bytes) -> bytes:
        part = _SECRET.sub(b"secret", part)
        return _UUID.sub(lambda found: found[0] if found[0] in known else b"new", part)

    headers = [(name, plain(value.encode()).decode()) for name, value in answer.headers]
    return answer.status_code, headers, [plain(part) for part in parts]


def compared(first: Sequence[Heard], second: Sequence[Heard]) -> Iterator[tuple[Heard, Heard]]:
    """Return the answers in the one game and in the other, for as long as the rules told the same in both."""
    return takewhile(lambda pair: pair[0].known == pair[1].known, zip(first, second, strict=True))


def given_away(first: Sequence[Heard], second: Sequence[Heard]) -> list[str]:
    """Return what was answered differently while the rules told the same."""
    return [one.asked for one, other in compared(first, second) if one.told != other.told]
