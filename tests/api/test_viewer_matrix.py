"""Every operation of the document, asked by somebody else: another seat, a spectator, a stranger.

Each asks for just what Alice would be given; a stranger does so where only those who sit in the game know of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from service.store.games import Games
from tests.api.scene import Asked, Scene
from tests.api.situations import DOCUMENTED, SITUATIONS, ask
from tests.people import Person, alice, bob, carol
from tests.rest import PROBLEM, Caller

Expected = int | str
Row = tuple[Expected, Expected, Expected]

NOT_MINE: Row = ("not-found", "not-found", "not-found")
NO_CHANNEL: Row = ("unknown-channel", "unknown-channel", "unknown-channel")
NO_HOOK: Row = ("unknown-webhook", "unknown-webhook", "unknown-webhook")
NOT_HOST: Row = ("not-host", "not-host", "unknown-game")
LOOKED_AT: Row = (200, 200, "unknown-game")
AT_THE_TABLE: Row = (200, "not-seated", "unknown-game")

EXPECTED: Mapping[str, Row] = {
    # operation: (Bob in the other seat, Carol looking on, Carol as a stranger)
    "requestSignIn": (202, 202, 202),
    "useSignIn": (201, 201, 201),
    "createPlayer": (201, 201, 201),
    "getMe": (200, 200, 200),
    "getPlayer": (200, 200, 200),
    "listLeaderboards": (200, 200, 200),
    "getLeaderboard": (200, 200, 200),
    "updateMe": (200, 200, 200),
    "tieEmail": (200, 200, 200),
    "deleteMe": ("validation", "validation", "validation"),
    "exportMe": (200, 200, 200),
    "createToken": (201, 201, 201),
    "listTokens": (200, 200, 200),
    "deleteToken": NOT_MINE,
    "createBot": (201, 201, 201),
    "listBots": (200, 200, 200),
    "deleteBot": NOT_MINE,
    "createBotToken": NOT_MINE,
    "listBotTokens": NOT_MINE,
    "deleteBotToken": NOT_MINE,
    "createApp": (201, 201, 201),
    "listApps": (200, 200, 200),
    "changeApp": NOT_MINE,
    "deleteApp": NOT_MINE,
    "listGrants": (200, 200, 200),
    "deleteGrant": NOT_MINE,
    "listRulesets": (200, 200, 200),
    "getGuide": (200, 200, 200),
    "drawGuidePicture": (200, 200, 200),
    "createGame": (201, 201, 201),
    "listGames": (200, 200, 200),
    "joinGame": ("not-open", 201, "unknown-game"),
    "leaveGame": (204, "not-seated", "unknown-game"),
    "kickPlayer": NOT_HOST,
    "startGame": NOT_HOST,
    "cancelGame": NOT_HOST,
    "rematchGame": (201, "not-seated", "unknown-game"),
    "forkGame": (201, 201, "unknown-game"),
    "createInvitation": NOT_HOST,
    "listInvitations": NOT_HOST,
    "revokeInvitation": NOT_HOST,
    "acceptInvitation": ("not-open", 201, 201),
    "requestSeat": ("cannot-take-over", 201, "unknown-game"),
    "listSeatRequests": LOOKED_AT,
    "agreeToSeatRequest": (204, "not-seated", "unknown-game"),
    "deleteSeatRequest": (204, "not-seated", "unknown-game"),
    "addComputer": NOT_HOST,
    "dismissComputer": NOT_HOST,
    "substituteComputer": NOT_HOST,
    "takeHints": ("unknown-game", "unknown-game", "unknown-game"),
    "analyseGame": (202, 202, "unknown-game"),
    "getAnalysis": LOOKED_AT,
    "listDeals": (200, 200, 200),
    "getDeal": (200, 200, 200),
    "tryDeal": (201, 201, 201),
    "listResults": (200, 200, 200),
    "getDealProof": (200, 200, 200),
    "listDealStandings": (200, 200, 200),
    "listOwnTries": (200, 200, 200),
    "listLeagues": (200, 200, 200),
    "getLeague": (200, 200, 200),
    "enterLeague": (200, 200, 200),
    "leaveLeague": (200, 200, 200),
    "listSeasons": (200, 200, 200),
    "listGroups": (200, 200, 200),
    "listTournaments": (200, 200, 200),
    "createTournament": (201, 201, 201),
    "getTournament": (200, 200, 200),
    "getTournamentTable": (200, 200, 200),
    "enterTournament": (200, 200, 200),
    "leaveTournament": (204, 204, 204),
    "inviteToTournament": ("not-host", "not-host", "not-host"),
    "startRound": ("not-host", "not-host", "not-host"),
    "closeTournament": ("not-host", "not-host", "not-host"),
    "createChallenge": ("no-challenge", 201, 201),
    "listChallenges": (200, 200, 200),
    "getChallenge": (200, "unknown-challenge", "unknown-challenge"),
    "acceptChallenge": ("unknown-challenge", "unknown-challenge", "unknown-challenge"),
    "deleteChallenge": (200, "unknown-challenge", "unknown-challenge"),
    "createFriend": (201, 201, 201),
    "listFriends": (200, 200, 200),
    "acceptFriend": NOT_MINE,
    "deleteFriend": NOT_MINE,
    "createBlock": (201, 201, 201),
    "listBlocks": (200, 200, 200),
    "deleteBlock": NOT_MINE,
    "createIgnored": (201, 201, 201),
    "listIgnored": (200, 200, 200),
    "deleteIgnored": NOT_MINE,
    "streamAccount": (200, 200, 200),
    "createAccountStreamTicket": (201, 201, 201),
    "streamAccountByTicket": (200, 200, 200),
    "putReady": ("persons-may-not", "persons-may-not", "persons-may-not"),
    "deleteReady": (204, 204, 204),
    "listReadyBots": (200, 200, 200),
    "openInvitation": (200, 200, 200),
    "refuseInvitations": (204, 204, 204),
    "listReceivedInvitations": (200, 200, 200),
    "getGame": LOOKED_AT,
    "listLegalActions": LOOKED_AT,
    "postAction": ("not-your-turn", "not-seated", "unknown-game"),
    "resignGame": (201, "not-seated", "unknown-game"),
    "giveMoreTime": ("time-not-given", "not-seated", "unknown-game"),
    "comeBack": (200, "not-seated", "unknown-game"),
    "takeBackAction": ("nothing-to-take-back", "not-seated", "unknown-game"),
    "getPause": LOOKED_AT,
    "proposePause": (201, "not-seated", "unknown-game"),
    "agreeToPause": (200, "not-seated", "unknown-game"),
    "endPause": (200, "not-seated", "unknown-game"),
    "listTakeBackRequests": AT_THE_TABLE,
    "requestTakeBack": ("nothing-to-take-back", "not-seated", "unknown-game"),
    "agreeToTakeBack": (200, "not-seated", "unknown-game"),
    "declineTakeBack": (204, "not-seated", "unknown-game"),
    "showTakeBack": LOOKED_AT,
    "getStandings": LOOKED_AT,
    "drawBoard": LOOKED_AT,
    "drawBoardAsSvg": LOOKED_AT,
    "listEvents": LOOKED_AT,
    "streamEvents": LOOKED_AT,
    "createStreamTicket": (201, 201, "unknown-game"),
    "streamByTicket": (200, 200, 200),
    "listSteps": LOOKED_AT,
    "getMoment": LOOKED_AT,
    "listGame": LOOKED_AT,
    "drawPlot": LOOKED_AT,
    "drawPlotAsPng": LOOKED_AT,
    "listTurns": (200, 200, 200),
    "postRemark": (201, "not-seated", "unknown-game"),
    "listTalk": AT_THE_TABLE,
    # Nobody reports their own name.
    "createReport": ("not-found", 201, "unknown-game"),
    "listReports": (200, 200, 200),
    "getOrders": AT_THE_TABLE,
    "putOrders": AT_THE_TABLE,
    "cancelOrders": (204, "not-seated", "unknown-game"),
    "listAutoAnswers": AT_THE_TABLE,
    "putAutoAnswers": AT_THE_TABLE,
    "getNotes": AT_THE_TABLE,
    "putNotes": AT_THE_TABLE,
    "getMail": (200, 200, 200),
    "updateMail": (200, 200, 200),
    "tryMail": (202, 202, 202),
    "listReplyAddresses": (200, 200, 200),
    "addReplyAddress": (202, 202, 202),
    "removeReplyAddress": ("not-found", "not-found", "not-found"),
    "muteGame": (204, "not-seated", "unknown-game"),
    "unmuteGame": (204, "not-seated", "unknown-game"),
    "renewLinks": (204, "not-seated", "unknown-game"),
    "announceAbsence": (201, 201, 201),
    "listAbsences": (200, 200, 200),
    "changeAbsence": NOT_MINE,
    "endAbsence": NOT_MINE,
    "getRecord": LOOKED_AT,
    "listRecords": (200, 200, 200),
    "getProof": LOOKED_AT,
    "listSealKeys": (200, 200, 200),
    "listSealDays": (200, 200, 200),
    "createChannel": (201, 201, 201),
    "listChannels": (200, 200, 200),
    "getChannel": NO_CHANNEL,
    "changeChannel": NO_CHANNEL,
    "deleteChannel": NO_CHANNEL,
    "tryChannel": NO_CHANNEL,
    "getCalendar": (200, 200, 200),
    "renewCalendar": (201, 201, 201),
    "endCalendar": (204, 204, 204),
    "createWebhook": NOT_HOST,
    "listWebhooks": (200, 200, 200),
    "getWebhook": NO_HOOK,
    "changeWebhook": NO_HOOK,
    "deleteWebhook": NO_HOOK,
    "rotateWebhookSecret": NO_HOOK,
    "testWebhook": NO_HOOK,
    "listDeliveries": NO_HOOK,
    "sendDeliveryAgain": NO_HOOK,
    "listLimits": (200, 200, 200),
}
"""Answer to each viewer: a status, or the code of a problem."""

VIEWERS = ("another seat", "a spectator", "a stranger")


@dataclass(frozen=True, slots=True)
class Stage:
    """Alice and Bob at a table, Carol beside it, and what Alice may ask for."""

    api: Caller
    alice: Person
    others: Mapping[str, Person]
    asked: Asked

    def ask(self, name: str, viewer: str) -> TestResponse:
        return ask(self.api.by(self.others[viewer]), name, self.asked)


def staged(name: str, viewer: str, api: Caller, games: Games) -> Stage:
    """Build the situation of an operation for a viewer."""
    owner, other, beside = alice(games), bob(games), carol(games)
    scene = Scene(api, games, owner, other, closed=viewer == "a stranger")
    people = dict(zip(VIEWERS, (other, beside, beside), strict=True))
    return Stage(api, owner, people, SITUATIONS[name](scene))


def given(answer: TestResponse) -> Expected:
    """Return the status, or the code of the problem."""
    if answer.status_code < 400:
        return answer.status_code
    assert answer.content_type == PROBLEM
    assert answer.json
    return str(answer.json["type"]).removeprefix("/problems/")


def test_every_operation_has_its_row() -> None:
    assert list(EXPECTED) == list(SITUATIONS)
    assert set(EXPECTED) == set(DOCUMENTED), "say what others get, and when Alice gets it"


def test_alice_gets_what_she_asks_for(subtests: pytest.Subtests, api: Caller, games: Games) -> None:
    for name in EXPECTED:
        with subtests.test(name):
            stage = staged(name, "another seat", api, games)
            answer = ask(api.by(stage.alice), name, stage.asked)
            assert str(answer.status_code) in DOCUMENTED[name][2]["responses"]
            assert answer.status_code < 300, answer.text


@pytest.mark.parametrize("viewer", VIEWERS)
def test_somebody_else_gets_what_the_table_says(
    subtests: pytest.Subtests, viewer: str, api: Caller, games: Games
) -> None:
    for name in EXPECTED:
        with subtests.test(name):
            assert given(staged(name, viewer, api, games).ask(name, viewer)) == EXPECTED[name][VIEWERS.index(viewer)]


def test_a_game_that_one_may_not_know_of_is_answered_like_none_at_all(
    subtests: pytest.Subtests, api: Caller, games: Games
) -> None:
    for name in [name for name, row in EXPECTED.items() if row[2] == "unknown-game"]:
        with subtests.test(name):
            stage = staged(name, "a stranger", api, games)
            stranger, known = api.by(stage.others["a stranger"]), stage.asked
            absent = str(uuid4())
            path = {key: absent if key == "game_id" else value for key, value in known.path.items()}
            body = (
                {**known.body, "game": absent} if isinstance(known.body, dict) and "game" in known.body else known.body
            )
            answers = [ask(stranger, name, each, X_Request_Id="the-same-one") for each in (known, Asked(path, body))]
            assert answers[0].data == answers[1].data
            assert list(answers[0].headers) == list(answers[1].headers)
