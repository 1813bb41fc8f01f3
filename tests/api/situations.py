"""For each operation of the document a situation in which Alice gets what she asks for: things that exist, her turn.

Alice is the host in seat 0, Bob sits in seat 1. Games are public and may be looked on at, unless the scene is closed.
Whoever adds an operation adds its row to SITUATIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import text
from werkzeug.test import TestResponse

from service.api.contract import PREFIX
from service.api.recorded import operations
from service.handlers import sign_in
from service.handlers.resign import resign
from service.rules.pace import PACES
from service.shared import clock
from service.store.games import Games
from tests.builders import act, first_legal, mailed_token, now_at, opened, paced, started, table_for
from tests.consenting import clocked
from tests.people import Person, register
from tests.promises import committed
from tests.rest import Caller

HOOK = {"url": "https://hooks.example.org/boardroom", "events": ["game.turn", "game.over"]}
CHANNEL = {"kind": "ntfy", "url": "https://ntfy.example.org/the-table", "messages": ["turn", "over"]}
_CLOSE = text("update game set access = 'invitation' where id = :game")


@dataclass(frozen=True, slots=True)
class Asked:
    """What an operation is asked: the parameters of its path, and its body, None where it has none."""

    path: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Where situations are built; in a closed one only those who sit in a game know of it."""

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


def _nothing(_: Scene) -> Asked:
    return Asked()


def _body(body: Any) -> Callable[[Scene], Asked]:
    return lambda _: Asked(body=body)


def _running(scene: Scene) -> Asked:
    return scene.running()


def _accepted(scene: Scene) -> Asked:
    _, given = scene.invitation(scene.bob)
    return Asked({"token": str(given["url"]).rpartition("/")[2]})


def _mailed(scene: Scene) -> Asked:
    game = scene.waiting(scene.bob).path["game_id"]
    given = scene.made(scene.bob, f"/games/{game}/invitations", {"email": f"zoe.{uuid4().hex[:12]}@example.org"})
    return Asked({"token": mailed_token(scene.games, UUID(given["id"]))})


def _revoked(scene: Scene) -> Asked:
    game, given = scene.invitation(scene.alice)
    return Asked({"game_id": game, "invitation_id": given["id"]})


def _ticket(scene: Scene) -> Asked:
    given = scene.made(scene.alice, f"/games/{scene.over().path['game_id']}/stream-tickets")
    return Asked({"ticket": str(given["url"]).rpartition("/")[2]})


def _spare_token(scene: Scene) -> Asked:
    made = scene.made(scene.alice, "/tokens", {"label": "spare", "scopes": ["games:read"]})
    return Asked({"token_id": made["id"]})


def _bot(scene: Scene) -> Asked:
    return Asked({"bot_id": scene.made(scene.alice, "/bots", {"name": "Robot"})["id"]})


def _absence(scene: Scene) -> Asked:
    return Asked({"absence_id": scene.made(scene.alice, "/me/absences", {"until": _in_days(3)})["id"]})


def _in_days(days: int) -> str:
    return (clock.now().date() + timedelta(days=days)).isoformat()


def _token_of_a_bot(scene: Scene) -> Asked:
    path = _bot(scene).path
    (first,) = scene.api.by(scene.alice).get(f"/bots/{path['bot_id']}/tokens").json["items"]
    return Asked({**path, "token_id": first["id"]})


SITUATIONS: Mapping[str, Callable[[Scene], Asked]] = {
    "requestSignIn": lambda _: Asked(body={"email": f"zoe.{uuid4().hex[:12]}@example.org"}),
    "useSignIn": lambda scene: Asked(body={"sign_in": scene.mailed_secret()}),
    "createPlayer": _body({"name": "Zoe"}),
    "getMe": _nothing,
    "updateMe": _body({"time_zone": "Europe/Berlin"}),
    "tieEmail": lambda scene: Asked(body={"sign_in": scene.mailed_secret()}),
    "deleteMe": _body({"confirm": "Alice"}),
    "exportMe": _nothing,
    "createToken": _body({"label": "laptop", "scopes": ["games:read"]}),
    "listTokens": _nothing,
    "deleteToken": _spare_token,
    "createBot": _body({"name": "Robot"}),
    "listBots": _nothing,
    "deleteBot": _bot,
    "createBotToken": lambda scene: replace(_bot(scene), body={"label": "laptop", "scopes": ["games:read"]}),
    "listBotTokens": _bot,
    "deleteBotToken": _token_of_a_bot,
    "listRulesets": _nothing,
    "getGuide": lambda _: Asked({"name": "new-corp-order"}),
    "drawGuidePicture": lambda _: Asked({"name": "new-corp-order", "number": 1}),
    "createGame": _body({"ruleset": "new-corp-order", "seats": 2}),
    "listGames": _nothing,
    "joinGame": lambda scene: scene.waiting(scene.bob),
    "leaveGame": lambda scene: scene.waiting(scene.alice, bob_is_in=True),
    "kickPlayer": lambda scene: scene.waiting(scene.alice, bob_is_in=True, seat=1),
    "startGame": Scene.full,
    "cancelGame": Scene.full,
    "rematchGame": Scene.over,
    "forkGame": lambda scene: scene.over(body={"seq": 1}),
    "createInvitation": lambda scene: scene.waiting(scene.alice, bob_is_in=True, body={}),
    "listInvitations": lambda scene: scene.waiting(scene.alice, bob_is_in=True),
    "revokeInvitation": _revoked,
    "acceptInvitation": _accepted,
    "requestSeat": lambda scene: scene.left(scene.bob, register(scene.games, "Eve", None, "en"), body={"seat": 2}),
    "listSeatRequests": _running,
    "agreeToSeatRequest": lambda scene: scene.seat_request(),
    "deleteSeatRequest": lambda scene: scene.seat_request(),
    "openInvitation": _accepted,
    "refuseInvitations": _mailed,
    "listReceivedInvitations": _nothing,
    "getGame": _running,
    "listLegalActions": _running,
    "postAction": lambda scene: scene.running({"decision": 1, "notation": "P 1"}),
    "resignGame": lambda scene: scene.running({"confirm": True}),
    "giveMoreTime": Scene.timed,
    "comeBack": _running,
    "takeBackAction": Scene.acted,
    "getPause": _running,
    "proposePause": lambda scene: scene.clocked({"until": (clock.now() + timedelta(days=1)).isoformat()}),
    "agreeToPause": Scene.pause,
    "endPause": lambda scene: scene.pause(agreed=True),
    "listTakeBackRequests": _running,
    "requestTakeBack": lambda scene: scene.second_thoughts(bob_asks=False),
    "agreeToTakeBack": lambda scene: scene.second_thoughts(bob_asks=True),
    "declineTakeBack": lambda scene: scene.second_thoughts(bob_asks=True),
    "showTakeBack": Scene.acted,
    "getStandings": _running,
    "drawBoard": _running,
    "drawBoardAsSvg": _running,
    "listEvents": _running,
    "streamEvents": Scene.over,
    "createStreamTicket": _running,
    "streamByTicket": _ticket,
    "listSteps": _running,
    "getMoment": lambda scene: scene.over(seq=3),
    "listGame": _running,
    "drawPlot": lambda scene: scene.over(name="standings"),
    "drawPlotAsPng": lambda scene: scene.over(name="agents"),
    "listTurns": _nothing,
    "postRemark": lambda scene: scene.running({"text": "Good luck!"}),
    "listTalk": _running,
    "getOrders": _running,
    "putOrders": lambda scene: scene.running({"orders": [{"notation": "P D"}]}),
    "cancelOrders": _running,
    "listAutoAnswers": _running,
    "putAutoAnswers": lambda scene: scene.running({"chosen": ["skip-ability"]}),
    "getNotes": _running,
    "putNotes": lambda scene: scene.running({"text": "Bob bluffs."}),
    "getMail": _nothing,
    "updateMail": _body({"delay": 10}),
    "tryMail": _nothing,
    "muteGame": _running,
    "unmuteGame": _running,
    "renewLinks": _running,
    "announceAbsence": lambda _: Asked(body={"until": _in_days(3)}),
    "listAbsences": _nothing,
    "changeAbsence": lambda scene: Asked(_absence(scene).path, {"until": _in_days(5)}),
    "endAbsence": _absence,
    "getRecord": _running,
    "listRecords": _nothing,
    "getProof": _running,
    "listSealKeys": _nothing,
    "listSealDays": _nothing,
    "createChannel": lambda scene: Asked(body=CHANNEL),
    "listChannels": _nothing,
    "getChannel": Scene.channel,
    "changeChannel": lambda scene: scene.channel({"messages": ["turn", "over"], "instead": ["turn"]}),
    "deleteChannel": Scene.channel,
    "tryChannel": Scene.channel,
    "getCalendar": _nothing,
    "renewCalendar": _nothing,
    "endCalendar": _nothing,
    "createWebhook": lambda scene: Asked(body={**HOOK, "game": scene.running().path["game_id"]}),
    "listWebhooks": _nothing,
    "getWebhook": Scene.hook,
    "changeWebhook": lambda scene: scene.hook({"events": ["game.over"]}),
    "deleteWebhook": Scene.hook,
    "rotateWebhookSecret": Scene.hook,
    "testWebhook": Scene.hook,
    "listDeliveries": Scene.hook,
    "sendDeliveryAgain": Scene.delivery,
    "listLimits": _nothing,
}


def ask(caller: Caller, name: str, asked: Asked, **headers: str) -> TestResponse:
    """Ask an operation of the document for this."""
    method, path, _ = DOCUMENTED[name]
    return caller.call(method, path.removeprefix(PREFIX).format_map(asked.path), asked.body, **headers)


DOCUMENTED = {each[2]["operationId"]: each for each in operations(committed())}
"""(method, path, operation) of the document, by the operation's name."""
