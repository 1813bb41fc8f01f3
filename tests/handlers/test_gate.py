"""No way to reach another player or to grow a log can be used without end."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pytest
from sqlalchemy import text

from service.handlers import (
    challenges,
    computers,
    gate,
    invitations,
    lobby,
    pace,
    play,
    substitutes,
    take_back,
    talk,
    tournaments,
)
from service.handlers.challenges import ChallengeRequest
from service.handlers.gate import GameLimited, PlayerReached, TableLimited
from service.handlers.invitations import ByMail, rematch
from service.handlers.lobby import Plan
from service.handlers.pace import MAX_ABSENCE_CHANGES_A_DAY, AbsencePlan
from service.handlers.people import ask_friend, unfriend
from service.handlers.substitutes import SeatWanted
from service.handlers.take_back import Wish
from service.log.codec import stored_name
from service.rules.pace import usual_pace
from service.rules.shared_events import PauseProposed
from service.shared import clock
from service.shared.refusal import Refusal
from service.store.game_row import Terms
from service.store.games import Games
from service.store.lobby import Challenge
from service.store.quotas import Budget
from tests.browsing import browser, send
from tests.builders import act, finished, now_at, sealed_bids, started, table_for
from tests.challenged import bot_of, called
from tests.competing import tournament_of
from tests.consenting import after, clocked, names
from tests.games.sealed_bids.actions import Bid
from tests.leaving import PUBLIC, left
from tests.pausing import ALICE, BOB
from tests.people import Person, register

TRIES: Final = 300
FULL: Final = Budget(1.0)
_OUTBOX = text("select count(*) from outbox where kind = :kind")
_LOBBY = text("select count(*) from lobby_event where game_id = :game")
_WRITERS: Final = {"service.handlers.append": {"record", "write"}, "service.handlers.lobby": {"note_lobby_event"}}
_POSTING: Final = {"outbox.post", "outbox.add", "outbox.add_at"}
_COUNTED = text("update mail_budget set spent = 0")


@pytest.fixture
def people(games: Games) -> list[Person]:
    """Alice, Bob and Carol, each with a confirmed address that nobody else has."""
    return [register(games, name, f"{uuid4().hex}@example.org", "en") for name in ("Alice", "Bob", "Carol")]


def challenge(games: Games, sender: Person, recipient: Person) -> Challenge:
    """Challenge a player as a request does, whose mails are counted."""
    plan = Plan("new-corp-order", 2, terms=Terms(pace=usual_pace(2)))
    return challenges.send(games, ChallengeRequest(sender.id, recipient.id, plan), clock.now(), budget=FULL)


def rows(games: Games, kind: str) -> int:
    with games.engine.connect() as db:
        return int(db.execute(_OUTBOX, {"kind": kind}).scalar_one())


def tried(act: Callable[[], Any]) -> None:
    """Do something 300 times; what is refused is refused."""
    for _ in range(TRIES):
        with suppress(Refusal):
            act()


def mailed(games: Games, kind: str, act: Callable[[], Any]) -> int:
    """Return how many mails of a kind come of 300 tries."""
    before = rows(games, kind)
    tried(act)
    return rows(games, kind) - before


def test_friend_requests_withdrawn_and_made_again_mail_at_most_three_times_a_day(
    games: Games, people: list[Person]
) -> None:
    one, other, _ = people
    called(games, other, handle := f"u{uuid4().hex[:12]}")

    def ask_again() -> None:
        asked = ask_friend(games, one.id, handle, clock.now(), FULL)
        unfriend(games, asked.id, one.id, clock.now())

    assert 1 <= mailed(games, "friend-request", ask_again) <= (gate.FRIEND_REQUEST.per_player or 0)


def test_challenges_withdrawn_and_sent_again_mail_at_most_five_times_a_day(games: Games, people: list[Person]) -> None:
    one, other, _ = people

    def challenge_again() -> None:
        sent = challenge(games, one, other)
        challenges.withdraw(games, sent.id, one.id, clock.now())

    assert 1 <= mailed(games, "challenge", challenge_again) <= (gate.CHALLENGE.per_player or 0)


def test_tournaments_called_off_and_opened_again_invite_three_times_a_day(games: Games, people: list[Person]) -> None:
    host, other, _ = people

    def open_again() -> None:
        opened = tournament_of(games, host)
        with suppress(PlayerReached):
            tournaments.invite(games, opened.id, host.id, other.id, clock.now(), FULL)
        tournaments.close(games, opened.id, host.id, clock.now())

    assert mailed(games, "tournament-invited", open_again) == gate.TOURNAMENT_INVITATION.per_player


def test_rematches_called_off_and_opened_again_mail_at_most_five_times_a_day(
    games: Games, people: list[Person]
) -> None:
    over = finished(games, started(games, "sealed-bids", people))

    def again() -> None:
        opened = rematch(games, over.game.id, people[ALICE].id, clock.now(), budget=FULL)
        lobby.cancel_game(games, opened.game.id, people[ALICE].id)

    assert 2 <= mailed(games, "invitation", again) <= 2 * (gate.REMATCH.per_player or 0)


def test_invitations_revoked_and_given_again_mail_an_address_three_times_a_day(
    games: Games, people: list[Person]
) -> None:
    host, address = people[ALICE], ByMail(f"{uuid4().hex}@stranger.example")
    table = table_for(games, "sealed-bids", host, 3)

    def invite_again() -> None:
        given = invitations.invite(games, table, host.id, address, clock.now(), None, budget=FULL)
        invitations.revoke(games, table, given.id, host.id, clock.now())

    assert 1 <= mailed(games, "invitation", invite_again) <= invitations.MOST_MAILS_PER_DAY


def test_requests_for_a_seat_withdrawn_and_made_again_mail_five_times_a_day(games: Games) -> None:
    position, _, asking = left(games, terms=PUBLIC)
    game, wanted = position.game.id, SeatWanted(position.game.id, BOB, asking.id)

    def ask_again() -> None:
        asked = substitutes.ask_for_seat(games, wanted, clock.now(), budget=FULL)
        substitutes.withdraw_seat_request(games, game, asked.id, asking.id)

    there = len([row for row in position.seats if row.seat not in position.unattended and row.confirmed])
    assert mailed(games, "seat-request", ask_again) == there * (gate.SEAT_REQUEST.per_player or 0)


def test_pauses_proposed_and_withdrawn_end_with_the_quota_of_the_day(games: Games, people: list[Person]) -> None:
    position = clocked(games, people=people)
    game, proposer = position.game.id, people[ALICE].id

    def propose_again() -> None:
        now = clock.now()
        pace.propose_pause(games, game, proposer, now + timedelta(days=2), "api", now, budget=FULL)
        pace.stop_pause(games, game, proposer, "api", now)

    assert mailed(games, "pause", propose_again) == 2 * (gate.PAUSE_PROPOSAL.per_player or 0)
    assert names(games, position) == ["pause-proposed", "pause-withdrawn"] * (gate.PAUSE_PROPOSAL.per_table or 0)


def test_pause_proposals_end_with_the_quota_of_the_game(games: Games, people: list[Person]) -> None:
    position, most = clocked(games, people=people), gate.PAUSE_PROPOSAL.per_game or 0

    def propose_on_a_new_day() -> None:
        with games.engine.begin() as db:
            db.execute(_COUNTED)
        now = clock.now()
        pace.propose_pause(games, position.game.id, people[ALICE].id, now + timedelta(days=2), "api", now)

    for _ in range(most):
        propose_on_a_new_day()
    with pytest.raises(GameLimited):
        propose_on_a_new_day()
    assert names(games, position) == [stored_name(PauseProposed)] * most


def test_requests_to_take_back_withdrawn_and_made_again_end_with_the_quota_of_the_day(
    games: Games, people: list[Person]
) -> None:
    position = clocked(games, people=people)
    game, decision = position.game.id, position.decision
    act(games, position, ALICE, Bid(card=position.state.hands[ALICE][0]))
    talked = 0

    def ask_again() -> None:
        nonlocal talked
        # Another version of the game makes another mail of the same request.
        with suppress(Refusal):
            talk.say(games, game, people[BOB].id, "Well?", "web", clock.now())
            talked += 1
        asked = take_back.ask_to_take_back(games, game, people[ALICE].id, decision, "api", clock.now(), budget=FULL)
        take_back.decline_take_back(games, game, people[ALICE].id, asked.request.first, clock.now())

    with after(timedelta(hours=1)):
        assert mailed(games, "take-back", ask_again) == 2 * (gate.TAKE_BACK_REQUEST.per_table or 0)
    assert talked == gate.TALK.per_table


def test_talk_ends_with_the_quota_of_the_day(games: Games, people: list[Person]) -> None:
    position = clocked(games, people=people)
    with after(timedelta(hours=1)):
        tried(lambda: talk.say(games, position.game.id, people[ALICE].id, "Hello", "api", clock.now(), budget=FULL))
        assert names(games, position) == ["something-said"] * (gate.TALK.per_table or 0)
        with pytest.raises(TableLimited) as refused:
            talk.say(games, position.game.id, people[ALICE].id, "Hello", "api", clock.now())
    assert refused.value.members["bucket"] == "talk" and refused.value.retry_after
    assert talk.say(games, position.game.id, people[BOB].id, "I still can", "api", clock.now())


def test_an_action_taken_back_and_played_again_ends_with_the_quota_of_the_day(games: Games) -> None:
    position = sealed_bids(games)
    bid = Bid(card=position.state.hands[ALICE][0])

    def play_and_take_back() -> None:
        here = now_at(games, position.game.id)
        with suppress(Refusal):
            act(games, here, ALICE, bid)
        wish = Wish(position.game.id, ALICE, here.decision, "api")
        take_back.take_back(games, wish, timedelta(minutes=10), clock.now())

    tried(play_and_take_back)
    assert names(games, position).count("action-taken-back") == gate.UNDO.per_table


def test_a_seat_taken_and_left_again_ends_with_the_quota_of_the_day(games: Games, people: list[Person]) -> None:
    table = table_for(games, "sealed-bids", people[ALICE], 3)

    def sit_down_again() -> None:
        lobby.join(games, table, people[BOB].id, clock.now())
        lobby.leave_table(games, table, people[BOB].id)

    def seat_a_computer_again() -> None:
        seat = computers.fill(games, table, people[ALICE].id, "easy", clock.now())
        computers.dismiss(games, table, people[ALICE].id, seat)

    tried(sit_down_again)
    tried(seat_a_computer_again)
    with games.engine.connect() as db:
        # The table was opened and its host sat down; each seat was taken and freed.
        assert db.execute(_LOBBY, {"game": table}).scalar_one() == 2 + 2 * 2 * (gate.SITTING_DOWN.per_table or 0)


def test_absences_announced_changed_and_called_off_end_with_the_quota_of_the_day(
    games: Games, people: list[Person]
) -> None:
    traveller, today, written = people[ALICE].id, clock.now().date(), 0

    def go_away_again() -> None:
        nonlocal written
        row = pace.announce_absence(games, traveller, AbsencePlan(today + timedelta(days=9)), clock.now()).row
        written += 1
        pace.end_absence(games, traveller, row.id, clock.now())

    def change_again(until: date) -> None:
        nonlocal written
        pace.change_absence(games, traveller, planned.row.id, AbsencePlan(until), clock.now())
        written += 1

    planned = pace.announce_absence(
        games, traveller, AbsencePlan(today + timedelta(days=40), today + timedelta(days=30)), clock.now()
    )
    tried(lambda: change_again(today + timedelta(days=35 + written % 2)))
    tried(go_away_again)
    assert 1 + written == MAX_ABSENCE_CHANGES_A_DAY


def test_hints_and_time_given_count_once_for_each_decision(games: Games, people: list[Person]) -> None:
    alone, timed = started(games, "new-corp-order", [people[ALICE]]), clocked(games, people=people)
    tried(lambda: play.take_hint(games, alone.game.id, people[ALICE].id, "api"))
    tried(lambda: pace.give_time(games, timed.game.id, people[ALICE].id, BOB, "api"))
    assert names(games, alone) == ["hint-taken"]
    assert names(games, timed) == ["time-given"]


def test_bots_of_one_owner_share_the_quota_of_the_owner(games: Games, people: list[Person]) -> None:
    owner, other, _ = people
    bots = [bot_of(games, owner, f"Bot {number}") for number in range(3)]

    def challenge_again() -> None:
        for bot in bots:
            with suppress(Refusal):
                sent = challenge(games, bot, other)
                challenges.withdraw(games, sent.id, bot.id, clock.now())

    assert mailed(games, "challenge", challenge_again) <= (gate.CHALLENGE.per_player or 0)


def test_a_page_tells_why_an_act_was_too_often(app: Any, games: Games, people: list[Person]) -> None:
    position = clocked(games, people=people)
    web, path = browser(app, games, people[ALICE]), f"/games/{position.game.id}"
    for _ in range(gate.PAUSE_PROPOSAL.per_table or 0):
        assert send(web, path, f"{path}/pause", days=2).status_code == 303
        assert "Withdraw my proposal" in web.get(path).text
        assert send(web, path, f"{path}/pause/end").status_code == 303
    answer = send(web, path, f"{path}/pause", days=2)
    assert answer.status_code == 429 and "Retry-After" in answer.headers
    assert "as often as a day allows" in answer.text


_BOUNDED: Final = {
    "pace.note_absences": "one for each beginning and end of an absence, whose writing has a quota",
    "pace._have_told": "called where an absence is written, which has a quota",
    "analysis.ask_for_analysis": "one for each game and version of the analysis",
    "apps.grant": "to oneself",
    "computers.substitute_computer": "one for each player who has resigned or is absent",
    "computers._play": "one for each decision of a computer player",
    "consent.ask": "one for each address and time between two requests (consent.claim)",
    "consent.tell_turns": "to oneself, one for each decision",
    "delete_account._tell": "to oneself, once",
    "delete_account.leave_open": "one for each account and table",
    "links.ask_fresh_link": "to oneself, one for each link and ten minutes",
    "links._write": "to oneself, one for each link",
    "guest_games._note_absences": "one for each beginning and end of an absence, once for each guest",
    "play.take_hint": "one for each decision and seat",
    "invitations._mail": "three a day for each address, from all hosts together",
    "lapse._carried_out": "one for each deadline",
    "lapse._lapsed": "one for each deadline",
    "lobby.set_up": "one for each table",
    "lobby.take_seat": "called where somebody sits down, which has a quota, or a table is opened",
    "lobby._begin": "one for each table",
    "mail_preferences.try_again": "to oneself, and three an hour for each address",
    "orders._try_now": "by the service",
    "pace.agree_to_pause": "one for each proposal and seat",
    "pace.stop_pause": "one for each proposal",
    "pace.end_pause": "one for each pause",
    "pace.pause_if_agreed": "one for each proposal",
    "pace._tell": "called where a pause is proposed, which passes the gate, begins or ends",
    "play.carry_out": "the rules' own actions, each answers a decision",
    "orders._play": "the rules' own actions",
    "orders._ask": "to oneself, one for each decision",
    "pace.return_from_absence": "one for each absence after lapses",
    "pace._ask": "to oneself",
    "invitations._invite": "called by `rematch`, which passes the gate",
    "reply_addresses.add": "one a day for each of a few addresses, and for all players together one in thirty days",
    "play.give_up": "one for each seat and player",
    "rounds.begin_round": "one for each round of a competition",
    "rounds.make_game": "one for each pairing",
    "rounds.end_competition": "one for each competition that has begun",
    "rounds.keep_open": "one for each season",
    "rounds.remind_of_season": "one for each season",
    "lobby.leave_table": "one for each time that somebody sat down, which has a quota",
    "lobby.kick_player": "one for each time that somebody sat down, which has a quota",
    "lobby.cancel_game": "one for each time that somebody sat down, which has a quota",
    "lobby._call_off": "one for each table",
    "sign_in.ask": "three an hour for each address",
    "substitutes.take_over": "one for each player who has resigned or is absent",
    "take_back.undo": "called by `take_back` and by `agree` to a request, both of which pass the gate",
    "take_back._withdraw": "called by `undo`",
    "take_back.ask_again": "called by `undo`",
    "pace.give_time": "one for each wait and giver",
    "tell_owner.tell_of_address": "to oneself, once",
    "tell_owner.tell_owner": "to oneself, at a confirmed address, one for each request that makes something",
}
"""Handlers that need no gate, and the reason why nobody can use them without end."""


def test_each_handler_that_mails_or_appends_passes_the_gate_or_is_bounded() -> None:
    assert set(ungated(Path(gate.__file__).parent)) == set(_BOUNDED)


def ungated(folder: Path) -> list[str]:
    """Return the functions of handlers that append to a log or post a mail and call neither `reach` nor `grow`."""
    found = []
    for module in sorted(folder.glob("*.py")):
        tree = ast.parse(module.read_text())
        appending = {
            alias.asname or alias.name
            for each in ast.walk(tree)
            if isinstance(each, ast.ImportFrom) and each.module in _WRITERS
            for alias in each.names
            if alias.name in _WRITERS[each.module]
        }
        if module.stem != "append":
            appending |= _WRITERS.get(f"service.handlers.{module.stem}", set())
        for function in (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)):
            calls = {ast.unparse(call.func) for call in ast.walk(function) if isinstance(call, ast.Call)}
            if calls & (appending | _POSTING) and not calls & {"reach", "grow"}:
                found.append(f"{module.stem}.{function.name}")
    return found
