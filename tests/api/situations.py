"""For each operation of the document a situation in which Alice gets what she asks for: things that exist, her turn.

Alice is the host in seat 0, Bob sits in seat 1. Games are public and may be looked on at, unless the scene is closed.
A new operation has a row in SITUATIONS.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import text
from werkzeug.test import TestResponse

from service.api.contract import PREFIX
from service.api.examples import operations
from service.handlers import apps, people
from service.shared import clock
from tests.api import acquaintance_scenes, competing_scenes, dealing_scenes
from tests.api.scene import APP, CHANNEL, HOOK, Asked, Scene
from tests.builders import mailed_token
from tests.challenged import called
from tests.people import register
from tests.promises import committed
from tests.rest import Caller

_MADE_A_BOT = text(
    "update player set owner = :bob, email = null, email_verified = false, email_confirmed = false where id = :alice"
)


def _nothing(_: Scene) -> Asked:
    return Asked()


def _body(body: Any) -> Callable[[Scene], Asked]:
    return lambda _: Asked(body=body)


def _known(scene: Scene) -> Asked:
    handle = f"a{uuid4().hex[:12]}"
    people.take_handle(scene.games, scene.alice.id, handle, clock.now())
    return Asked({"handle": handle})


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


def _account_ticket(scene: Scene) -> Asked:
    given = scene.made(scene.alice, "/me/stream-tickets")
    return Asked({"ticket": str(given["url"]).rpartition("/")[2]})


def _bot_herself(scene: Scene) -> Asked:
    """Alice is a bot of Bob's with a handle: only bots are ready, and are challenged by their handles."""
    called(scene.games, scene.alice, f"u{uuid4().hex[:12]}")
    with scene.games.engine.begin() as db:
        db.execute(_MADE_A_BOT, {"alice": scene.alice.id, "bob": scene.bob.id})
    return Asked(body={"rulesets": ["new-corp-order"], "seats": [2]})


def _spare_token(scene: Scene) -> Asked:
    made = scene.made(scene.alice, "/tokens", {"label": "spare", "scopes": ["games:read"]})
    return Asked({"token_id": made["id"]})


def _bot(scene: Scene) -> Asked:
    return Asked({"bot_id": scene.made(scene.alice, "/bots", {"name": "Robot"})["id"]})


def _app(scene: Scene) -> Asked:
    return Asked({"app_id": scene.made(scene.alice, "/apps", APP)["id"]})


def _granted(scene: Scene) -> Asked:
    """An app of Bob's may act for Alice."""
    made = UUID(scene.made(scene.bob, "/apps", APP)["id"])
    asked = apps.AuthorizationRequest(["games:read"], APP["redirect_uris"][0], "c" * 43)
    with scene.games.engine.begin() as db:
        app = apps.find_app(db, str(made))
        assert app is not None
        apps.grant(db, app, scene.alice.id, asked, uuid4().hex, clock.now())
    (found,) = scene.api.by(scene.alice).get("/grants").json["items"]
    return Asked({"grant_id": found["id"]})


def _absence(scene: Scene) -> Asked:
    return Asked({"absence_id": scene.made(scene.alice, "/me/absences", {"until": _in_days(3)})["id"]})


def _in_days(days: int) -> str:
    return (clock.now().date() + timedelta(days=days)).isoformat()


def _token_of_a_bot(scene: Scene) -> Asked:
    path = _bot(scene).path
    (first,) = scene.api.by(scene.alice).get(f"/bots/{path['bot_id']}/tokens").json["items"]
    return Asked({**path, "token_id": first["id"]})


REPORT = {"about": "name", "seat": 1, "text": "This is no name."}
SITUATIONS: Mapping[str, Callable[[Scene], Asked]] = {
    "requestSignIn": lambda _: Asked(body={"email": f"zoe.{uuid4().hex[:12]}@example.org"}),
    "useSignIn": lambda scene: Asked(body={"sign_in": scene.mailed_secret()}),
    "createPlayer": _body({"name": "Zoe"}),
    "getMe": _nothing,
    "getPlayer": _known,
    "listLeaderboards": _nothing,
    "getLeaderboard": lambda _: Asked({"ruleset": "new-corp-order", "seats": 2}),
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
    "createApp": _body(APP),
    "listApps": _nothing,
    "changeApp": lambda scene: replace(_app(scene), body={"name": "Boards"}),
    "deleteApp": _app,
    "listGrants": _nothing,
    "deleteGrant": _granted,
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
    "addComputer": lambda scene: scene.waiting(scene.alice, bob_is_in=True, body={"level": "normal"}),
    "dismissComputer": Scene.with_computer,
    "substituteComputer": lambda scene: scene.left(scene.alice, scene.bob, body={"seat": 2, "level": "normal"}),
    "takeHints": Scene.alone,
    "analyseGame": Scene.over,
    "getAnalysis": Scene.over,
    **dealing_scenes.SITUATIONS,
    **competing_scenes.SITUATIONS,
    **acquaintance_scenes.SITUATIONS,
    "streamAccount": _nothing,
    "createAccountStreamTicket": _nothing,
    "streamAccountByTicket": _account_ticket,
    "putReady": _bot_herself,
    "deleteReady": _nothing,
    "listReadyBots": _nothing,
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
    "createReport": lambda scene: Asked(body={**REPORT, "game": scene.running().path["game_id"]}),
    "listReports": _nothing,
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
    "listReplyAddresses": _nothing,
    "addReplyAddress": _body({"email": "alice@work.example"}),
    "removeReplyAddress": Scene.reply_address,
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
    answer = caller.call(method, path.removeprefix(PREFIX).format_map(asked.path), asked.body, **headers)
    if answer.mimetype == "text/event-stream":
        # A stream that is not read keeps its slot until it is closed.
        answer.close()
    return answer


DOCUMENTED = {each[2]["operationId"]: each for each in operations(committed())}
"""(method, path, operation) of the document, by the operation's name."""
