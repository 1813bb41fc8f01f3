"""Things that exist and games at a moment, from which Alice asks for something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import text

from service.handlers import sign_in
from service.handlers.play import resign
from service.rules.pace import PACES
from service.shared import clock
from service.store.games import Games
from tests.builders import act, first_legal, now_at, opened, paced, started, table_for
from tests.consenting import clocked
from tests.people import Person, register
from tests.rest import Caller

HOOK = {"url": "https://hooks.example.org/boardroom", "events": ["game.turn", "game.over"]}
CHANNEL = {"kind": "ntfy", "url": "https://ntfy.example.org/the-table", "messages": ["turn", "over"]}
APP: Mapping[str, Any] = {"name": "Boards", "redirect_uris": ["https://board.example/back"]}
_CLOSE = text("update game set access = 'invitation' where id = :game")


@dataclass(frozen=True, slots=True)
class Asked:
    """Parameters of an operation's path, and its body (None for an operation without a body)."""

    path: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Builder of situations; in a closed one only the people seated in a game know of the game."""

    api: Caller
    games: Games
    alice: Person
    bob: Person
    closed: bool = False

    def running(self, body: Any = None) -> Asked:
        """A game that waits for Alice."""
        return self._of(
            started(self.games, "new-corp-order", [self.alice, self.bob], **{"first-player": 0}).game.id, body
        )

    def timed(self) -> Asked:
        """A game with a clock that waits for Bob."""
        people, first = [self.alice, self.bob], {"first-player": 1}
        game = paced(self.games, PACES["daily"], "new-corp-order", people, **first).game.id
        return self._of(game, {"seat": 1})

    def acted(self) -> Asked:
        """A game in which Alice has just done what can be taken back."""
        asked = self.running({"decision": 1})
        game = f"/games/{asked.path['game_id']}"
        legal = self.api.by(self.alice).get(f"{game}/legal-actions").json["items"]
        said = next(each["notation"] for each in legal if each["action"]["type"] == "infiltrate")
        self.made(self.alice, f"{game}/actions", {"decision": 1, "notation": said})
        return asked

    def clocked(self, body: Any = None) -> Asked:
        """A game with a clock that waits for Alice."""
        people, first = [self.alice, self.bob], {"first-player": 0}
        return self._of(clocked(self.games, ruleset="new-corp-order", people=people, **first).game.id, body)

    def pause(self, *, agreed: bool = False) -> Asked:
        """A game with a clock in which Bob proposes a pause, to which Alice may have agreed."""
        until = {"until": (clock.now() + timedelta(days=1)).isoformat()}
        asked = self.clocked(None if agreed else until)
        place = f"/games/{asked.path['game_id']}/pause"
        self.made(self.bob, place, until)
        if agreed:
            assert self.api.by(self.alice).post(f"{place}/agreement", until).status_code == 200
        return asked

    def second_thoughts(self, *, bob_asks: bool) -> Asked:
        """A game with a clock in which Alice may ask to take an action back, or Bob has asked for that."""
        asked = self.clocked(None if bob_asks else {"decision": 1})
        game = f"/games/{asked.path['game_id']}"
        people = [self.alice, self.bob] if bob_asks else [self.alice]
        position, seat = now_at(self.games, UUID(str(asked.path["game_id"]))), 0
        while seat < len(people):
            decision = position.decision
            position = act(self.games, position, seat, first_legal(position, seat)).position
            seat = len(people) if len(people) == seat + 1 else min(position.awaited)
        if not bob_asks:
            return asked
        first = self.made(self.bob, f"{game}/take-back-requests", {"decision": decision})["first"]
        return Asked({**asked.path, "first": first})

    def left(self, *seated: Person, body: Any = None) -> Asked:
        """A game whose last player has given it up."""
        gone = register(self.games, "Gus", None, "en")
        game = started(self.games, "new-corp-order", [*seated, gone]).game.id
        resign(self.games, game, gone.id, "api", clock.now())
        return self._of(game, body)

    def seat_request(self) -> Asked:
        """A request of a stranger's for a seat in Alice's game, whose player has given up."""
        game = UUID(replace(self, closed=False).left(self.alice, self.bob).path["game_id"])
        made = self.made(register(self.games, "Ida", None, "en"), f"/games/{game}/seat-requests", {"seat": 2})
        return self._of(game, request_id=made["id"])

    def full(self) -> Asked:
        """A game that could start."""
        return self._of(opened(self.games, "new-corp-order", [self.alice, self.bob]))

    def waiting(self, host: Person, *, bob_is_in: bool = False, body: Any = None, **path: Any) -> Asked:
        """A game with a free seat."""
        game = table_for(self.games, "new-corp-order", host, 3)
        if bob_is_in:
            self.made(self.bob, f"/games/{game}/seats")
        return self._of(game, body, **path)

    def with_computer(self) -> Asked:
        """A game with a free seat, of which a computer player has one."""
        asked = self.waiting(self.alice, bob_is_in=True)
        made = self.made(self.alice, f"/games/{asked.path['game_id']}/computers", {"level": "normal"})
        return Asked({**asked.path, "seat": made["seat"]})

    def alone(self) -> Asked:
        """A game of Alice's alone, in which it is her turn."""
        return self._of(started(self.games, "new-corp-order", [self.alice]).game.id)

    def over(self, body: Any = None, **path: Any) -> Asked:
        """A game that has ended, since Bob has given it up."""
        asked = self.running()
        resign(self.games, UUID(asked.path["game_id"]), self.bob.id, "api", clock.now())
        return Asked({**asked.path, **path}, body)

    def invitation(self, host: Person) -> tuple[str, dict[str, Any]]:
        """The id of a game with free seats, and an invitation to it that its host gives."""
        game = str(self.waiting(host).path["game_id"])
        return game, self.made(host, f"/games/{game}/invitations", {})

    def hook(self, body: Any = None) -> Asked:
        """A webhook of Alice's."""
        return Asked({"webhook_id": self.made(self.alice, "/webhooks", HOOK)["id"]}, body)

    def reply_address(self) -> Asked:
        """A further address of Alice's."""
        made = self.made(self.alice, "/me/mail/addresses", {"email": "alice@work.example"})
        return Asked({"address_id": made["id"]})

    def channel(self, body: Any = None) -> Asked:
        """A channel of Alice's."""
        return Asked({"channel_id": self.made(self.alice, "/me/channels", CHANNEL)["id"]}, body)

    def delivery(self) -> Asked:
        """A message to a webhook of Alice's."""
        path = self.hook().path
        sent = self.made(self.alice, f"/webhooks/{path['webhook_id']}/test")
        return Asked({**path, "delivery_id": sent["id"]})

    def mailed_secret(self) -> str:
        """The secret of a link for signing in, as it would stand in a mail."""
        email, now = f"zoe.{uuid4().hex[:12]}@example.org", clock.now()
        sign_in.ask(self.games, email, "Zoe", "en", now)
        with self.games.engine.begin() as db:
            asked = db.execute(text("select id from sign_in where email = :email"), {"email": email}).scalar_one()
            prepared = sign_in.prepare(db, asked, now)
        assert prepared
        return prepared.secret

    def made(self, person: Person, path: str, body: Any = None) -> dict[str, Any]:
        """Return what a POST makes for the person."""
        answer = self.api.by(person).post(path, body)
        assert answer.status_code in (201, 202), answer.text
        shown: dict[str, Any] = answer.json
        return shown

    def _of(self, game: UUID, body: Any = None, **path: Any) -> Asked:
        if self.closed:
            with self.games.engine.begin() as db:
                db.execute(_CLOSE, {"game": game})
        return Asked({"game_id": str(game), **path}, body)
